package io.weir.rest;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Ids of plans, which stand in paths. A plan's id is its {@linkplain ScanToken text}, which outlives the server. One that
 * would be too long for a path, because of its filter, is a digest of the text instead, and what it stands for is kept
 * here, in memory, for as long as there is room: after a restart it is unknown, which the protocol provides for. The tasks
 * of such a plan outlive the server all the same, since their tokens are sent in bodies.
 */
final class PlanIds {
    /** Leaves room for the names and headers that come with it: servers and proxies take 8 kB and more of all that. */
    static final int LONGEST = 4_000;

    private static final long KEPT_CHARACTERS = 16L << 20;
    private static final String DIGEST = "sha-256-";

    private final Cache<String, String> longOnes = Caffeine.newBuilder()
            .maximumWeight(KEPT_CHARACTERS)
            .weigher((String _, String text) -> text.length())
            .build();

    String id(ScanToken plan) {
        String text = plan.text();
        if (text.length() <= LONGEST) {
            return text;
        }
        String id = DIGEST + digest(text);
        longOnes.put(id, text);
        return id;
    }

    /** Empty for one that no plan of the table has, or that was forgotten. */
    Optional<ScanToken> find(String id, String table) {
        return id.startsWith(DIGEST)
                ? Optional.ofNullable(longOnes.getIfPresent(id)).flatMap(text -> ScanToken.parse(text, table))
                : ScanToken.parse(id, table);
    }

    private static String digest(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
