package io.weir.tests.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.service.WeirServer;
import io.weir.service.config.Setting;
import io.weir.service.config.Settings;
import io.weir.store.LocalFileIO;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.CatalogProperties;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.ForbiddenException;
import org.apache.iceberg.exceptions.NotAuthorizedException;
import org.apache.iceberg.rest.RESTCatalog;
import org.apache.iceberg.rest.auth.OAuth2Properties;
import org.apache.iceberg.types.Types;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Iceberg's own client against a server that wants to know who asks: {@code token=} and {@code credential=}. */
class AuthenticatedClientTest {
    private static final Duration LIFETIME = Duration.ofSeconds(2);
    private static final Namespace NAMESPACE = Namespace.of("default");
    private static final TableIdentifier TABLE = TableIdentifier.of(NAMESPACE, "t");
    private static final Schema SCHEMA = new Schema(Types.NestedField.required(1, "id", Types.LongType.get()));

    @TempDir
    private Path lake;

    private WeirServer server;

    @BeforeEach
    void serve() throws Exception {
        server = WeirServer.start(Settings.load(
                Optional.empty(),
                Map.of(),
                Map.of(
                        Setting.LAKE, List.of("lake=" + lake.toUri()),
                        Setting.LISTEN, List.of("127.0.0.1:0"),
                        Setting.AUTH_TOKENS, List.of("ann:read:ann-token", "bob:write:bob-token"),
                        Setting.AUTH_CLIENTS, List.of("job:write:job-secret", "report:read:report-secret"),
                        Setting.AUTH_TOKEN_LIFETIME, List.of(LIFETIME.toMillis() + " ms"))));
        try (RESTCatalog writer = withToken("bob-token")) {
            writer.createTable(TABLE, SCHEMA);
        }
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void aTokenOrCredentialLetsTheClientIn() throws Exception {
        try (RESTCatalog token = withToken("ann-token");
                RESTCatalog credential = withCredential("report:report-secret")) {
            assertThat(token.listTables(NAMESPACE)).containsExactly(TABLE);
            assertThat(credential.listTables(NAMESPACE)).containsExactly(TABLE);
        }
    }

    @Test
    void withoutThemOrWithWrongOnesTheClientStaysOutside() {
        assertThatThrownBy(() -> client(Map.of())).isInstanceOf(NotAuthorizedException.class);
        assertThatThrownBy(() -> withToken("nope")).isInstanceOf(NotAuthorizedException.class);
        assertThatThrownBy(() -> withToken("job-secret")).isInstanceOf(NotAuthorizedException.class);
        assertThatThrownBy(() -> withCredential("job:nope")).isInstanceOf(NotAuthorizedException.class);
        assertThatThrownBy(() -> withCredential("nope:job-secret")).isInstanceOf(NotAuthorizedException.class);
        assertThatThrownBy(() -> withCredential("job-secret")).isInstanceOf(NotAuthorizedException.class);
        assertThatThrownBy(() -> withCredential("ann:ann-token")).isInstanceOf(NotAuthorizedException.class);
    }

    @Test
    void theRoleReadReadsAndIsForbiddenTheRest() throws Exception {
        try (RESTCatalog token = withToken("ann-token");
                RESTCatalog credential = withCredential("report:report-secret")) {
            for (RESTCatalog reader : List.of(token, credential)) {
                Table table = reader.loadTable(TABLE);
                assertThat(table.newScan().planFiles()).isEmpty();
                assertForbidden(() -> table.newAppend().appendFile(file(table)).commit());
                assertForbidden(() -> table.updateSchema()
                        .addColumn("more", Types.LongType.get())
                        .commit());
                assertForbidden(() -> reader.createTable(TableIdentifier.of(NAMESPACE, "other"), SCHEMA));
                assertForbidden(() -> reader.dropTable(TABLE));
                assertForbidden(() -> reader.renameTable(TABLE, TableIdentifier.of(NAMESPACE, "other")));
                assertForbidden(() -> reader.createNamespace(Namespace.of("other")));
                assertThat(reader.listTables(NAMESPACE)).containsExactly(TABLE);
            }
        }
    }

    @Test
    void theRoleWriteWritesUnderItsOwnName() throws Exception {
        try (RESTCatalog token = withToken("bob-token");
                RESTCatalog credential = withCredential("job:job-secret")) {
            append(token);
            append(credential);
            TableIdentifier made = TableIdentifier.of("made", "t");
            credential.createNamespace(made.namespace());
            credential.createTable(made, SCHEMA);
            assertThat(credential.dropTable(made)).isTrue();
        }
        assertThat(server.lakes().first().lake().state().commits().stream()
                        .filter(commit -> commit.addedRows() > 0)
                        .map(commit -> commit.author()))
                .containsExactly("bob", "job");
    }

    @Test
    void aTokenEndsAndTheClientRenewsItInTime() throws Exception {
        try (RESTCatalog renewing = withCredential("job:job-secret");
                RESTCatalog standing = client(Map.of(
                        OAuth2Properties.CREDENTIAL, "job:job-secret",
                        OAuth2Properties.TOKEN_REFRESH_ENABLED, "false"))) {
            assertThat(standing.tableExists(TABLE)).isTrue();
            Thread.sleep(LIFETIME.multipliedBy(2).plusMillis(500));

            assertThat(renewing.listTables(NAMESPACE)).containsExactly(TABLE);
            assertThatThrownBy(() -> standing.listTables(NAMESPACE)).isInstanceOf(NotAuthorizedException.class);
        }
    }

    private RESTCatalog withToken(String token) {
        return client(Map.of(OAuth2Properties.TOKEN, token));
    }

    private RESTCatalog withCredential(String credential) {
        return client(Map.of(OAuth2Properties.CREDENTIAL, credential));
    }

    private RESTCatalog client(Map<String, String> authentication) {
        Map<String, String> properties = new HashMap<>(authentication);
        properties.put(CatalogProperties.URI, server.url().toString());
        properties.put(CatalogProperties.FILE_IO_IMPL, LocalFileIO.class.getName());
        properties.put(OAuth2Properties.OAUTH2_SERVER_URI, server.url() + "/v1/oauth/tokens");
        RESTCatalog catalog = new RESTCatalog();
        try {
            catalog.initialize("test", properties);
            return catalog;
        } catch (RuntimeException e) {
            close(catalog, e);
            throw e;
        }
    }

    private static void close(RESTCatalog catalog, RuntimeException failure) {
        try {
            catalog.close();
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    private static void append(RESTCatalog catalog) {
        Table table = catalog.loadTable(TABLE);
        table.newAppend().appendFile(file(table)).commit();
    }

    /** A data file that is in the catalog's books only. */
    private static DataFile file(Table table) {
        return DataFiles.builder(table.spec())
                .withPath(table.locationProvider().newDataLocation("rows-" + System.nanoTime() + ".parquet"))
                .withFileSizeInBytes(100)
                .withRecordCount(3)
                .build();
    }

    private static void assertForbidden(ThrowingCallable change) {
        assertThatThrownBy(change).isInstanceOf(ForbiddenException.class).hasMessageContaining("may only read");
    }
}
