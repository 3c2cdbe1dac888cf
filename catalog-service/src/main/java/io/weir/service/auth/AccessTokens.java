package io.weir.service.auth;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.MACVerifier;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import java.util.List;
import java.util.Optional;

/**
 * The tokens that clients get: JWTs that say who and until when, signed with HMAC-SHA256. Nothing of them is stored. A
 * token has no role in it and is good only while the credential it was given for is configured: taking that away, or
 * changing its role or secret, holds for the tokens that are out as well.
 */
final class AccessTokens {
    private final byte[] signingKey;
    private final Duration lifetime;
    private final InstantSource clock;

    AccessTokens(byte[] signingKey, Duration lifetime, InstantSource clock) {
        this.signingKey = signingKey.clone();
        this.lifetime = lifetime;
        this.clock = clock;
    }

    Duration lifetime() {
        return lifetime;
    }

    String issue(Credential credential) {
        Instant now = clock.instant();
        // A token says its end in whole seconds: the next one, so that none ends before its lifetime does.
        Instant end = now.plus(lifetime).plusNanos(999_999_999).truncatedTo(ChronoUnit.SECONDS);
        var token = new SignedJWT(
                new JWSHeader(JWSAlgorithm.HS256),
                new JWTClaimsSet.Builder()
                        .subject(credential.principal().name())
                        .issueTime(Date.from(now))
                        .expirationTime(Date.from(end))
                        .build());
        try {
            token.sign(new MACSigner(credential.tokenKey(signingKey)));
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
        return token.serialize();
    }

    /** The one of these that the token was given for; empty where it is none of theirs, or its time is over. */
    Optional<Credential> owner(String token, List<Credential> credentials) {
        try {
            SignedJWT jwt = SignedJWT.parse(token);
            JWTClaimsSet claims = jwt.getJWTClaimsSet();
            if (!jwt.getHeader().getAlgorithm().equals(JWSAlgorithm.HS256) || isOver(claims)) {
                return Optional.empty();
            }
            for (Credential credential : credentials) {
                if (credential.isNamed(claims.getSubject())
                        && jwt.verify(new MACVerifier(credential.tokenKey(signingKey)))) {
                    return Optional.of(credential);
                }
            }
            return Optional.empty();
        } catch (ParseException | JOSEException e) {
            return Optional.empty();
        }
    }

    private boolean isOver(JWTClaimsSet claims) {
        Date end = claims.getExpirationTime();
        return end == null || !clock.instant().isBefore(end.toInstant());
    }
}
