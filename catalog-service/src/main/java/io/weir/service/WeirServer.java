package io.weir.service;

import io.weir.coordinator.CommitLimits;
import io.weir.coordinator.Lake;
import io.weir.coordinator.LakeOptions;
import io.weir.coordinator.LogPolicy;
import io.weir.rest.ClientFileAccess;
import io.weir.rest.MetricsReports;
import io.weir.rest.NamespaceSeparator;
import io.weir.rest.RestOptions;
import io.weir.rest.TableDefaults;
import io.weir.service.ServedLakes.ServedLake;
import io.weir.service.auth.Authentication;
import io.weir.service.config.Setting;
import io.weir.service.config.Settings;
import io.weir.service.flow.FlowDerivation;
import io.weir.service.http.HttpServer;
import io.weir.service.metrics.ServerMetrics;
import io.weir.service.rows.DeleteWriter;
import io.weir.service.rows.FileStage;
import io.weir.service.sql.SqlException;
import io.weir.service.statement.StatementService;
import io.weir.store.LakeFileIO;
import io.weir.store.MeteredFileIO;
import io.weir.store.MeteredStore;
import io.weir.store.ObjectStore;
import io.weir.store.ObjectStores;
import io.weir.store.ProofResult;
import io.weir.store.S3Config;
import io.weir.store.StoreMeter;
import io.weir.store.StoreProof;
import io.weir.store.TableCredentials;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.iceberg.io.FileIO;

/**
 * A running Weir: lakes, engine and HTTP server, wired together and closed together. It refuses to start where a store
 * cannot carry a lake safely, or where it would be open to the network without anyone having asked for that.
 */
public final class WeirServer implements AutoCloseable {
    private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost", "::1", "[::1]");
    private static final long STAGE_BYTES = 10L << 30;

    private final WorkFolder folder;
    private final Engines engines;
    private final ServedLakes lakes;
    private final Optional<TableCredentials> credentials;
    private final HttpServer http;

    private WeirServer(
            WorkFolder folder,
            Engines engines,
            ServedLakes lakes,
            Optional<TableCredentials> credentials,
            HttpServer http) {
        this.folder = folder;
        this.engines = engines;
        this.lakes = lakes;
        this.credentials = credentials;
        this.http = http;
    }

    public static WeirServer start(Settings settings) {
        String host = settings.host(Setting.LISTEN);
        Authentication authentication = Authentication.of(settings);
        if (!LOOPBACK.contains(host) && !authentication.configured() && !settings.flag(Setting.INSECURE)) {
            throw new SqlException(
                    "F0000",
                    "listening on " + host + " without authentication would let anyone in",
                    "Listen on 127.0.0.1, configure auth.tokens or auth.clients, or say --insecure if the network is"
                            + " trusted.");
        }
        List<LakeAddress> addresses =
                settings.list(Setting.LAKE).stream().map(LakeAddress::parse).toList();
        WorkFolder folder = WorkFolder.open(settings.text(Setting.ENGINE_FOLDER));
        Engines engines = engines(settings, folder.path(), addresses);
        var served = new ArrayList<ServedLake>();
        var reports = new MetricsReports();
        var metrics = new ServerMetrics();
        Optional<TableCredentials> credentials =
                Stores.sts(settings).map(sts -> TableCredentials.open(Stores.s3(settings), sts));
        try {
            for (LakeAddress address : addresses) {
                served.add(open(address, settings, engines, folder.path(), reports, metrics));
            }
            var lakes = new ServedLakes(served);
            metrics.show(lakes);
            HttpServer http = HttpServer.start(
                    lakes,
                    rest(settings, lakes, credentials).withMetrics(reports),
                    authentication,
                    metrics,
                    host,
                    settings.port(Setting.LISTEN),
                    settings.bytes(Setting.REQUEST_SIZE));
            engines.warmUp();
            return new WeirServer(folder, engines, lakes, credentials, http);
        } catch (RuntimeException e) {
            new ServedLakes(served).close();
            credentials.ifPresent(TableCredentials::close);
            engines.close();
            folder.close();
            throw e;
        }
    }

    private static Engines engines(Settings settings, Path folder, List<LakeAddress> addresses) {
        var readable = new ArrayList<Path>();
        readable.add(folder);
        addresses.forEach(address -> address.localFolder().ifPresent(readable::add));
        return Engines.of(
                folder,
                readable,
                settings.bytes(Setting.ENGINE_MEMORY),
                settings.integer(Setting.ENGINE_THREADS),
                STAGE_BYTES,
                settings.duration(Setting.STATEMENT_TIMEOUT));
    }

    private static ServedLake open(
            LakeAddress address,
            Settings settings,
            Engines engines,
            Path folder,
            MetricsReports reports,
            ServerMetrics metrics) {
        S3Config s3 = Stores.s3(settings);
        StoreMeter meter = metrics.store(address.name());
        ObjectStore store = MeteredStore.of(ObjectStores.open(address.root(), s3), meter);
        if (settings.flag(Setting.STORE_PROOF)) {
            prove(address, store);
        }
        FileIO io = MeteredFileIO.of(LakeFileIO.open(address.root(), s3), meter);
        var stage = new FileStage(io, folder.resolve("stage-" + address.name()), STAGE_BYTES);
        Lake lake = Lake.open(
                LakeOptions.named(address.name())
                        .withLog(logPolicy(settings))
                        .withLimits(limits(settings))
                        .withMeter(metrics.commits(address.name())),
                store,
                io,
                new FlowDerivation(engines.statements(), engines.deltas(), stage, new DeleteWriter(io)));
        return new ServedLake(
                lake,
                new StatementService(
                        lake,
                        engines.statements(),
                        stage,
                        reports,
                        settings.integer(Setting.FORMAT_VERSION),
                        settings.integer(Setting.STATEMENT_ATTEMPTS)));
    }

    private static CommitLimits limits(Settings settings) {
        return new CommitLimits(
                settings.integer(Setting.COMMITS_AT_ONCE),
                settings.bytes(Setting.COMMIT_MEMORY),
                settings.duration(Setting.COMMIT_PATIENCE));
    }

    private static LogPolicy logPolicy(Settings settings) {
        return new LogPolicy(settings.integer(Setting.LOG_CHECKPOINT_EVERY), settings.duration(Setting.LOG_RETENTION));
    }

    private static void prove(LakeAddress address, ObjectStore store) {
        switch (StoreProof.quick(store)) {
            case ProofResult.Proven _ -> {}
            case ProofResult.Refuted refuted -> {
                store.close();
                throw new SqlException(
                        "F0000",
                        "the store of lake " + address.name() + " (" + address.root() + ") cannot carry it safely: "
                                + refuted.findings().stream()
                                        .map(finding -> finding.promise() + ": " + finding.seen())
                                        .collect(Collectors.joining("; ")),
                        "Use a store that honours conditional writes; ./weir doctor tells more.");
            }
            case ProofResult.Inconclusive inconclusive -> {
                store.close();
                throw new SqlException(
                        "F0000",
                        "the store of lake " + address.name() + " (" + address.root() + ") cannot be used: "
                                + inconclusive.cause().getMessage(),
                        "Check its address and credentials.",
                        inconclusive.cause());
            }
        }
    }

    private static RestOptions rest(Settings settings, ServedLakes lakes, Optional<TableCredentials> credentials) {
        S3Config s3 = Stores.s3(settings);
        var tables = new HashMap<String, TableDefaults>();
        var labels = new HashMap<String, Map<String, String>>();
        for (ServedLake served : lakes.all()) {
            String lake = served.lake().name();
            tables.put(lake, tableDefaults(settings, lake));
            labels.put(lake, LakeProperties.of(Setting.LABELS.key(), settings.given(Setting.LABELS), lake));
        }
        RestOptions options = RestOptions.of(lakes.first().lake().name())
                .withDefaultFormatVersion(settings.integer(Setting.FORMAT_VERSION))
                .withNamespaceSeparator(separator(settings))
                .withLabels(lake -> labels.getOrDefault(lake.name(), Map.of()))
                .withTableDefaults(lake -> tables.getOrDefault(lake.name(), TableDefaults.NONE))
                .withClientConfig(lake -> ClientFileAccess.of(URI.create(lake.root()), s3));
        return credentials.isEmpty()
                ? options
                : options.withCredentials(lake -> credentials.filter(
                        _ -> URI.create(lake.root()).getScheme().startsWith("s3")));
    }

    private static NamespaceSeparator separator(Settings settings) {
        try {
            return NamespaceSeparator.parse(settings.text(Setting.NAMESPACE_SEPARATOR));
        } catch (IllegalArgumentException e) {
            throw new SqlException(
                    "F0000",
                    Setting.NAMESPACE_SEPARATOR.key() + ": " + e.getMessage(),
                    "Leave the setting out for %1F, or write %2E for a dot.",
                    e);
        }
    }

    private static TableDefaults tableDefaults(Settings settings, String lake) {
        return new TableDefaults(
                LakeProperties.of(Setting.TABLE_DEFAULTS.key(), settings.given(Setting.TABLE_DEFAULTS), lake),
                LakeProperties.of(Setting.TABLE_OVERRIDES.key(), settings.given(Setting.TABLE_OVERRIDES), lake));
    }

    public URI url() {
        return http.url();
    }

    public ServedLakes lakes() {
        return lakes;
    }

    /** New requests are refused first; then the lakes finish what they have begun. */
    @Override
    public void close() {
        try (folder;
                engines;
                lakes;
                http) {
            // Closed in the reverse of this order, each even if the one before fails.
        } finally {
            credentials.ifPresent(TableCredentials::close);
        }
    }

    /** The folder for staged files: given and kept, or made here and removed at the end. */
    private record WorkFolder(Path path, boolean temporary) implements AutoCloseable {
        static WorkFolder open(String given) {
            try {
                return given.isEmpty()
                        ? new WorkFolder(Files.createTempDirectory("weir-"), true)
                        : new WorkFolder(Files.createDirectories(Path.of(given).toAbsolutePath()), false);
            } catch (IOException e) {
                throw new UncheckedIOException("the engine's folder cannot be made", e);
            }
        }

        @Override
        public void close() {
            if (!temporary) {
                return;
            }
            try (var files = Files.walk(path)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(file);
                }
            } catch (IOException e) {
                throw new UncheckedIOException("the engine's temporary folder cannot be removed: " + path, e);
            }
        }
    }
}
