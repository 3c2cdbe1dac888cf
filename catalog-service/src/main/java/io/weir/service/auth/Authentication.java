package io.weir.service.auth;

import io.weir.service.config.Setting;
import io.weir.service.config.Settings;
import io.weir.service.sql.SqlException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Who the server knows, and how they prove who they are: by a token of the settings, or by one it gave to a client. */
public final class Authentication {
    private static final int KEY_BYTES = 32;
    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofDays(365);

    private final List<Credential> tokens;
    private final List<Credential> clients;
    private final AccessTokens accessTokens;

    private Authentication(List<Credential> tokens, List<Credential> clients, AccessTokens accessTokens) {
        this.tokens = tokens;
        this.clients = clients;
        this.accessTokens = accessTokens;
    }

    public static Authentication of(Settings settings) {
        return of(settings, InstantSource.system());
    }

    static Authentication of(Settings settings, InstantSource clock) {
        return new Authentication(
                credentials(settings, Setting.AUTH_TOKENS),
                credentials(settings, Setting.AUTH_CLIENTS),
                new AccessTokens(signingKey(settings), lifetime(settings), clock));
    }

    /** A secret stands for one principal: two entries with it would leave open whose it is. */
    private static List<Credential> credentials(Settings settings, Setting setting) {
        var credentials = new ArrayList<Credential>();
        for (String text : settings.given(setting)) {
            Credential credential = Credential.parse(text);
            if (credentials.stream().anyMatch(credential::hasSecretOf)) {
                throw new SqlException(
                        "F0000",
                        setting.key() + " has the secret of "
                                + credential.principal().name() + " twice",
                        "Give each entry a secret of its own.");
            }
            credentials.add(credential);
        }
        return List.copyOf(credentials);
    }

    private static byte[] signingKey(Settings settings) {
        byte[] key = settings.text(Setting.AUTH_SIGNING_KEY).getBytes(StandardCharsets.UTF_8);
        if (key.length == 0) {
            byte[] made = new byte[KEY_BYTES];
            new SecureRandom().nextBytes(made);
            return made;
        }
        if (key.length < KEY_BYTES) {
            throw new SqlException(
                    "F0000",
                    Setting.AUTH_SIGNING_KEY.key() + " is shorter than " + KEY_BYTES + " characters",
                    "Make one with: openssl rand -hex 32");
        }
        return key;
    }

    private static Duration lifetime(Settings settings) {
        Duration lifetime = settings.duration(Setting.AUTH_TOKEN_LIFETIME);
        if (lifetime.compareTo(SHORTEST) < 0 || lifetime.compareTo(LONGEST) > 0) {
            throw new SqlException(
                    "F0000",
                    Setting.AUTH_TOKEN_LIFETIME.key() + " is not between a second and a year",
                    "The default is " + Setting.AUTH_TOKEN_LIFETIME.defaultValue() + ".");
        }
        return lifetime;
    }

    /** Whether anybody is known; if not, anybody may do anything. */
    public boolean configured() {
        return !tokens.isEmpty() || !clients.isEmpty();
    }

    /** Whose token this is; empty where it is unknown or its time is over. */
    public Optional<Credential> bearer(String token) {
        Optional<Credential> known =
                tokens.stream().filter(credential -> credential.holds(token)).findFirst();
        return known.or(() -> accessTokens.owner(
                token, Stream.concat(tokens.stream(), clients.stream()).toList()));
    }

    /** The client with that id, if the secret is its own. */
    public Optional<Credential> client(String id, String secret) {
        return clients.stream()
                .filter(credential -> credential.isNamed(id) && credential.holds(secret))
                .findFirst();
    }

    /** A new token for the holder of a credential, good for {@link #lifetime}. */
    public String issue(Credential credential) {
        return accessTokens.issue(credential);
    }

    public Duration lifetime() {
        return accessTokens.lifetime();
    }
}
