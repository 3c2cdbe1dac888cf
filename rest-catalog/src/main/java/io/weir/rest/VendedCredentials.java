package io.weir.rest;

import io.weir.coordinator.TableEntry;
import io.weir.store.TableCredentials;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.aws.AwsClientProperties;
import org.apache.iceberg.aws.s3.S3FileIOProperties;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.rest.Endpoint;
import org.apache.iceberg.rest.RESTUtil;
import org.apache.iceberg.rest.credentials.Credential;
import org.apache.iceberg.rest.credentials.ImmutableCredential;
import org.apache.iceberg.rest.responses.ImmutableLoadCredentialsResponse;

/**
 * Credentials for one table's files, for clients that ask for them ({@code X-Iceberg-Access-Delegation}) and for those
 * that renew theirs ({@code /credentials}).
 *
 * <p>They are for the table's own location and nothing else: what its properties name beside it (extra locations, a path
 * for data) is said by whoever may write the table and would let him into other tables. None are given for a location
 * that something else shares, that is not below the lake's root, or that a policy can not name.
 */
final class VendedCredentials {
    private static final String DELEGATION = "X-Iceberg-Access-Delegation";
    private static final String VENDED = "vended-credentials";

    private final RestOptions options;

    VendedCredentials(RestOptions options) {
        this.options = options;
    }

    /** The endpoint that renews them; none where the server gives none. */
    List<Route> all() {
        return options.vendsCredentials()
                ? List.of(new Route(Endpoint.V1_TABLE_CREDENTIALS, this::credentials))
                : List.of();
    }

    /** Those of a table that is loaded or made, if the client wants them and there are any. */
    Optional<Credential> of(Call call, TableIdentifier name, Optional<TableEntry> table, TableMetadata metadata) {
        boolean wanted = call.header(DELEGATION).stream()
                .flatMap(header -> Arrays.stream(header.split(",")))
                .anyMatch(mechanism -> mechanism.trim().equalsIgnoreCase(VENDED));
        return wanted && whyNone(call, table, metadata.location()).isEmpty()
                ? Optional.of(credential(call, name, table, metadata.location()))
                : Optional.empty();
    }

    private Answer credentials(Call call) {
        TableEntry table = TableRoutes.existing(call);
        call.noteReferences();
        String location = TableRoutes.metadata(call).location();
        whyNone(call, Optional.of(table), location).ifPresent(why -> {
            throw HttpProblem.badRequest("There are no credentials for table %s: %s", table.name(), why);
        });
        return Answer.ok(ImmutableLoadCredentialsResponse.builder()
                .addCredentials(credential(call, table.name(), Optional.of(table), location))
                .build());
    }

    private Optional<String> whyNone(Call call, Optional<TableEntry> table, String location) {
        String root = call.lake().root();
        String below = location.startsWith(root + "/") ? location.substring(root.length() + 1) : "";
        if (options.credentials().apply(call.lake()).isEmpty()) {
            return Optional.of("the server gives none for lake " + call.lake().name());
        } else if (below.isEmpty() || below.equals("_weir") || below.startsWith("_weir/")) {
            return Optional.of("its location " + location + " is not one for tables below " + root);
        } else if (!TableCredentials.canName(location)) {
            return Optional.of("its location " + location + " has letters that stand for others in a policy");
        } else if (!call.lake()
                .state()
                .isOnlyOf(location, table.map(TableEntry::id).orElse(""))) {
            return Optional.of("something else has files at its location " + location);
        }
        return Optional.empty();
    }

    private Credential credential(Call call, TableIdentifier name, Optional<TableEntry> table, String location) {
        boolean write = !call.readOnly()
                && !call.warehouse().frozen()
                && table.filter(TableEntry::isView).isEmpty();
        TableCredentials.Given given =
                options.credentials().apply(call.lake()).orElseThrow().below(location, write, call.principal());
        Map<String, String> config = new HashMap<>();
        config.put(S3FileIOProperties.ACCESS_KEY_ID, given.accessKeyId());
        config.put(S3FileIOProperties.SECRET_ACCESS_KEY, given.secretAccessKey());
        config.put(S3FileIOProperties.SESSION_TOKEN, given.sessionToken());
        config.put(
                S3FileIOProperties.SESSION_TOKEN_EXPIRES_AT_MS,
                Long.toString(given.expiresAt().toEpochMilli()));
        config.put(AwsClientProperties.REFRESH_CREDENTIALS_ENDPOINT, path(call, name));
        return ImmutableCredential.builder()
                .prefix(location + "/")
                .config(config)
                .build();
    }

    /** Where they are renewed, as clients want it: without a slash in front. */
    private String path(Call call, TableIdentifier name) {
        return "v1/" + RESTUtil.encodePathSegment(call.warehouse().prefix()) + "/namespaces/"
                + RESTUtil.encodeNamespace(name.namespace(), NamespaceSeparator.UNIT.encoded()) + "/tables/"
                + RESTUtil.encodePathSegment(name.name()) + "/credentials";
    }
}
