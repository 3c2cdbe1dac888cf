package io.weir.service.config;

import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Every setting there is, in one table: its key in the YAML file, its flag ({@code --key}), its environment variable
 * ({@code WEIR_KEY}), type, default and meaning. The documentation and the error messages are made from it.
 */
public enum Setting {
    LAKE(
            "lake",
            SettingType.LIST,
            "./lake",
            "the lakes served, each `[NAME=]URI` (`file:///…`, `s3://bucket/prefix` or a folder); the first is the"
                    + " default warehouse"),
    LISTEN(
            "listen",
            SettingType.ADDRESS,
            "127.0.0.1:8181",
            "where the catalog answers, `HOST:PORT`; port 0 takes a free one"),
    INSECURE(
            "insecure",
            SettingType.BOOLEAN,
            "false",
            "allows an address other than the loopback while no authentication is configured"),
    AUTH_TOKENS(
            "auth.tokens",
            SettingType.CREDENTIALS,
            "",
            "bearer tokens as they are sent, each with its owner's name and role; with this or `auth.clients` every"
                    + " request needs a token"),
    AUTH_CLIENTS(
            "auth.clients",
            SettingType.CREDENTIALS,
            "",
            "OAuth2 clients, which get tokens at `/v1/oauth/tokens`: client id, role and client secret"),
    AUTH_SIGNING_KEY(
            "auth.signing-key",
            SettingType.SECRET,
            "",
            "signs the tokens given to clients, 32 characters or more; empty for a key made at start, so that tokens"
                    + " end with the server"),
    AUTH_TOKEN_LIFETIME(
            "auth.token-lifetime", SettingType.DURATION, "1 hour", "how long a token given to a client is good"),
    STORE_PROOF(
            "store.proof",
            SettingType.BOOLEAN,
            "true",
            "proves at start that the store honours conditional writes, and refuses to serve where it does not"),
    S3_ENDPOINT("s3.endpoint", SettingType.TEXT, "", "the S3 server's URL; empty for AWS"),
    S3_REGION("s3.region", SettingType.TEXT, "us-east-1", "the S3 region"),
    S3_ACCESS_KEY_ID("s3.access-key-id", SettingType.TEXT, "", "static S3 credentials; empty for the default chain"),
    S3_SECRET_ACCESS_KEY("s3.secret-access-key", SettingType.SECRET, "", "the secret of `s3.access-key-id`"),
    S3_PATH_STYLE("s3.path-style-access", SettingType.BOOLEAN, "true", "addresses buckets by path, not by host name"),
    STS_ROLE_ARN(
            "s3.sts.role-arn",
            SettingType.TEXT,
            "",
            "the role that clients' credentials are made from, each narrowed to one table; empty for none. MinIO wants one"
                    + " and takes any"),
    STS_ENDPOINT(
            "s3.sts.endpoint", SettingType.TEXT, "", "the token service's URL; empty for AWS, for MinIO that of S3"),
    STS_DURATION("s3.sts.duration", SettingType.DURATION, "1 hour", "how long credentials given to clients are good"),
    TABLE_DEFAULTS(
            "table.defaults",
            SettingType.LIST,
            "",
            "properties of new tables where their creator says nothing, each `[LAKE:]NAME=VALUE`"),
    TABLE_OVERRIDES(
            "table.overrides",
            SettingType.LIST,
            "",
            "properties of new tables whatever their creator says, each `[LAKE:]NAME=VALUE`"),
    LABELS(
            "rest.labels",
            SettingType.LIST,
            "",
            "labels that Iceberg clients are given with every table and view, each `[LAKE:]NAME=VALUE`"),
    FORMAT_VERSION(
            "table.format-version",
            SettingType.INTEGER,
            "2",
            "the Iceberg format version of tables and views that do not name one"),
    RETENTION(
            "table.retention",
            SettingType.DURATION,
            "1 day",
            "how long a dropped table can be brought back where the table's `weir.retention` does not say"),
    LOG_RETENTION(
            "log.retention",
            SettingType.DURATION,
            "7 days",
            "how long a lake's past can be read, at least: `AT (VERSION => …)`, `NAME@VERSION`; older entries of the log"
                    + " are deleted"),
    LOG_CHECKPOINT_EVERY(
            "log.checkpoint-every",
            SettingType.INTEGER,
            "1000",
            "so many log entries after a checkpoint of the lake's state the next is written; a start reads about as many"
                    + " at most"),
    COMMITS_AT_ONCE(
            "commit.at-once",
            SettingType.INTEGER,
            "4096",
            "so many commits of a lake are taken in at once; more are refused (503, to be sent again). No table has more of"
                    + " them than are left free"),
    COMMIT_MEMORY(
            "commit.memory",
            SettingType.SIZE,
            "128 MB",
            "the commits taken in at once need no more memory than this; more are refused in the same way"),
    COMMIT_PATIENCE(
            "commit.patience",
            SettingType.DURATION,
            "1 minute",
            "a commit that was not looked at within this is refused in the same way"),
    ENGINE_MEMORY("engine.memory", SettingType.SIZE, "1 GB", "the most memory DuckDB takes before it spills to disk"),
    ENGINE_THREADS("engine.threads", SettingType.INTEGER, "2", "DuckDB's threads"),
    ENGINE_FOLDER(
            "engine.folder",
            SettingType.TEXT,
            "",
            "where staged objects and spilled data lie; empty for a temporary folder that is removed at exit"),
    STATEMENT_TIMEOUT(
            "sql.timeout", SettingType.DURATION, "5 minutes", "a statement running longer is stopped (57014)"),
    STATEMENT_ATTEMPTS(
            "sql.attempts",
            SettingType.INTEGER,
            "10",
            "how often an UPDATE, DELETE or INSERT that lost a race is run again before it fails (40001)"),
    NAMESPACE_SEPARATOR(
            "rest.namespace-separator",
            SettingType.TEXT,
            "%1F",
            "what Iceberg clients write between the levels of a namespace, as in a URL (`%2E` or `.` for a dot); `%1F` is"
                    + " always understood beside it"),
    REQUEST_SIZE("http.max-request-size", SettingType.SIZE, "16 MB", "a larger request is refused (413)");

    private final String key;
    private final SettingType type;
    private final String defaultValue;
    private final String description;

    Setting(String key, SettingType type, String defaultValue, String description) {
        this.key = key;
        this.type = type;
        this.defaultValue = defaultValue;
        this.description = description;
    }

    public String key() {
        return key;
    }

    public SettingType type() {
        return type;
    }

    public String defaultValue() {
        return defaultValue;
    }

    public String description() {
        return description;
    }

    public String flag() {
        return "--" + key;
    }

    public String environmentVariable() {
        return "WEIR_" + key.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
    }

    public static Optional<Setting> ofKey(String key) {
        return Stream.of(values()).filter(s -> s.key.equals(key)).findFirst();
    }

    static Optional<Setting> ofEnvironmentVariable(String variable) {
        return Stream.of(values())
                .filter(s -> s.environmentVariable().equals(variable))
                .findFirst();
    }

    /** The setting a mistyped key most likely meant. */
    static Setting nearest(String key) {
        return Stream.of(values())
                .min(Comparator.comparingInt(s -> EditDistance.between(key, s.key)))
                .orElseThrow();
    }

    /** The table of all settings as Markdown. */
    public static String documentation() {
        return Stream.of(values())
                .map(s -> "| `%s` | `%s` | %s | %s | %s |"
                        .formatted(
                                s.key,
                                s.environmentVariable(),
                                s.type.unit(),
                                s.defaultValue.isEmpty() ? "" : "`" + s.defaultValue + "`",
                                s.description))
                .collect(Collectors.joining(
                        "\n",
                        "| key (flag `--key`) | environment | type | default | is |\n|---|---|---|---|---|\n",
                        "\n"));
    }
}
