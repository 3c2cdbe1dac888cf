package io.weir.store;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * A prefix of a bucket as an object store, on anything that speaks S3 and honours {@code If-None-Match: *}.
 *
 * <p>A conditional write is sent once and never repeated by the SDK: its second try would meet the object of its first
 * and report the writer's own success as lost. What is not certain is Unknown, and the caller reads the object back. A
 * 409 (another conditional write of the key is under way) is certain, so that is tried again here, a bounded number of
 * times.
 *
 * <p>Not for stores that list in no order (S3 directory buckets).
 */
final class S3Store implements ObjectStore {
    private static final int CONFLICT_TRIES = 8;
    private static final Duration CONFLICT_PAUSE = Duration.ofMillis(20);
    private static final int PAGE = 1000;
    private static final String CHECK =
            "check the endpoint, the bucket, the credentials and their right to read, write, list and delete";

    private final S3Clients clients;
    private final String bucket;
    private final String prefix;
    private final String root;

    private S3Store(S3Clients clients, String bucket, String prefix) {
        this.clients = clients;
        this.bucket = bucket;
        this.prefix = prefix;
        this.root = "s3://" + bucket + (prefix.isEmpty() ? "" : "/" + prefix.substring(0, prefix.length() - 1));
    }

    static S3Store open(URI uri, S3Config config) {
        String bucket = uri.getAuthority();
        if (bucket == null || bucket.isEmpty()) {
            throw StoreException.setting("no bucket in the lake's URI " + uri, "write s3://bucket/prefix");
        }
        String path = uri.getPath().replaceAll("^/+|/+$", "");
        return new S3Store(S3Clients.open(config), bucket, path.isEmpty() ? "" : Keys.checked(path) + "/");
    }

    @Override
    public Optional<byte[]> read(String key) {
        String name = name(key);
        return answered("read", name, false, () -> {
            try {
                return Optional.of(clients.retrying()
                        .getObjectAsBytes(request -> request.bucket(bucket).key(name))
                        .asByteArrayUnsafe());
            } catch (NoSuchKeyException absent) {
                return Optional.empty();
            }
        });
    }

    @Override
    public CreateOutcome createIfAbsent(String key, byte[] bytes) {
        String name = name(key);
        RequestBody body = RequestBody.fromBytes(bytes);
        for (int attempt = 1; ; attempt++) {
            try {
                clients.once()
                        .putObject(request -> request.bucket(bucket).key(name).ifNoneMatch("*"), body);
                return new CreateOutcome.Created();
            } catch (S3Exception refused) {
                if (refused.statusCode() != 409 || attempt == CONFLICT_TRIES) {
                    return refusal(name, refused);
                }
                if (!pause(attempt)) {
                    return new CreateOutcome.Failed(failed("create", name, false, refused));
                }
            } catch (SdkException e) {
                return neverSent(e)
                        ? new CreateOutcome.Failed(failed("create", name, false, e))
                        : new CreateOutcome.Unknown(e);
            }
        }
    }

    /** Only what the store says it refused is certain; its own errors, and answers of what stands before it, are not. */
    private CreateOutcome refusal(String name, S3Exception e) {
        int status = e.statusCode();
        if (status == 412) {
            return new CreateOutcome.AlreadyExists();
        }
        boolean refused = status >= 400 && status < 500 && status != 408 && status != 499;
        return refused ? new CreateOutcome.Failed(failed("create", name, false, e)) : new CreateOutcome.Unknown(e);
    }

    /** True where no connection came about, so that no byte of the request left. */
    private static boolean neverSent(SdkException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof ConnectException || cause instanceof UnknownHostException) {
                return true;
            }
        }
        return false;
    }

    private static boolean pause(int attempt) {
        try {
            Thread.sleep(Duration.ofMillis(
                    ThreadLocalRandom.current().nextLong(1, CONFLICT_PAUSE.toMillis() * attempt + 1)));
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void put(String key, byte[] bytes) {
        String name = name(key);
        answered(
                "write",
                name,
                true,
                () -> clients.retrying()
                        .putObject(request -> request.bucket(bucket).key(name), RequestBody.fromBytes(bytes)));
    }

    @Override
    public List<String> list(String keyPrefix, String startAfter, int limit) {
        Keys.checkedLimit(limit);
        String from = prefix + keyPrefix;
        return answered("list", from, false, () -> {
            List<String> keys = new ArrayList<>();
            String after = startAfter.isEmpty() ? "" : prefix + startAfter;
            while (true) {
                ListObjectsV2Response page = page(from, after, Math.min(PAGE, limit - keys.size()));
                for (S3Object object : page.contents()) {
                    keys.add(object.key().substring(prefix.length()));
                    after = object.key();
                }
                if (keys.size() >= limit
                        || !page.isTruncated()
                        || page.contents().isEmpty()) {
                    return List.copyOf(keys);
                }
            }
        });
    }

    private ListObjectsV2Response page(String from, String after, int size) {
        return clients.retrying().listObjectsV2(request -> {
            request.bucket(bucket).prefix(from).maxKeys(size);
            if (!after.isEmpty()) {
                request.startAfter(after);
            }
        });
    }

    @Override
    public void delete(String key) {
        String name = name(key);
        answered("delete", name, true, () -> {
            try {
                return clients.retrying()
                        .deleteObject(request -> request.bucket(bucket).key(name));
            } catch (NoSuchKeyException absent) {
                return absent;
            }
        });
    }

    @Override
    public Instant clock() {
        S3Client client = clients.retrying();
        SdkHttpResponse response = answered(
                "look at",
                "",
                false,
                () -> client.headBucket(request -> request.bucket(bucket)).sdkHttpResponse());
        return response.firstMatchingHeader("Date")
                .map(date -> ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME)
                        .toInstant())
                .orElseThrow(() -> StoreException.failed(
                        StoreException.IO_ERROR, "answers of " + root + " have no Date header", CHECK, null));
    }

    @Override
    public String root() {
        return root;
    }

    @Override
    public void close() {
        clients.close();
    }

    private String name(String key) {
        return prefix + Keys.checked(key);
    }

    private <T> T answered(String what, String name, boolean changes, Supplier<T> call) {
        try {
            return call.get();
        } catch (SdkException e) {
            throw failed(what, name, changes && !neverSent(e), e);
        }
    }

    private StoreException failed(String what, String name, boolean maybeHappened, SdkException e) {
        String message = "cannot " + what + " s3://" + bucket + "/" + name + ": " + reason(e);
        if (e instanceof S3Exception answer && answer.statusCode() >= 400 && answer.statusCode() < 500) {
            String code = answer.statusCode() == 401 || answer.statusCode() == 403
                    ? StoreException.NO_PRIVILEGE
                    : StoreException.IO_ERROR;
            return StoreException.failed(code, message, CHECK, e);
        }
        return maybeHappened
                ? StoreException.unknown(message, CHECK, e)
                : StoreException.failed(StoreException.IO_ERROR, message, CHECK, e);
    }

    private static String reason(SdkException e) {
        Throwable cause = e.getCause();
        return cause instanceof IOException ? e.getMessage() + " (" + cause + ")" : e.getMessage();
    }
}
