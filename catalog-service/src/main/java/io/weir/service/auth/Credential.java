package io.weir.service.auth;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A configured secret and whom it stands for. Only the secret's digest is kept. */
public final class Credential {
    private static final String HMAC = "HmacSHA256";

    private final Principal principal;
    private final byte[] digest;

    private Credential(Principal principal, byte[] digest) {
        this.principal = principal;
        this.digest = digest;
    }

    /** @param text {@code NAME:ROLE:SECRET}, as the settings have checked */
    static Credential parse(String text) {
        String[] parts = text.split(":", 3);
        return new Credential(new Principal(parts[0], Role.of(parts[1])), digest(parts[2]));
    }

    public Principal principal() {
        return principal;
    }

    boolean isNamed(String name) {
        return principal.name().equals(name);
    }

    /** Takes as long wherever the two differ. */
    boolean holds(String secret) {
        return MessageDigest.isEqual(digest, digest(secret));
    }

    boolean hasSecretOf(Credential other) {
        return MessageDigest.isEqual(digest, other.digest);
    }

    /** What this credential's tokens are signed with (32 bytes): another secret, and none of them is good any more. */
    byte[] tokenKey(byte[] signingKey) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(signingKey, HMAC));
            mac.update(principal.name().getBytes(StandardCharsets.UTF_8));
            mac.update((byte) 0);
            return mac.doFinal(digest);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] digest(String secret) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(secret.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
