package io.weir.service.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.service.config.Setting;
import io.weir.service.config.Settings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AuthenticationTest {
    private static final String KEY = "0123456789abcdef0123456789abcdef";
    private static final Instant START = Instant.parse("2026-01-31T12:00:00Z");

    private Instant now = START;

    @Test
    void nobodyIsKnownWhereNothingIsConfigured() {
        assertThat(with(Map.of()).configured()).isFalse();
        assertThat(with(Map.of(Setting.AUTH_TOKENS, List.of("ann:read:t"))).configured())
                .isTrue();
        assertThat(with(Map.of(Setting.AUTH_CLIENTS, List.of("ann:read:t"))).configured())
                .isTrue();
    }

    @Test
    void aTokenStandsForItsOwnerWithHisRole() {
        Authentication authentication =
                with(Map.of(Setting.AUTH_TOKENS, List.of("ann:read:one", "bob:admin:two:with:colons")));

        assertThat(principal(authentication, "one")).contains(new Principal("ann", Role.READ));
        assertThat(principal(authentication, "two:with:colons")).contains(new Principal("bob", Role.ADMIN));
        assertThat(principal(authentication, "two")).isEmpty();
        assertThat(principal(authentication, "")).isEmpty();
    }

    @Test
    void aNameMayHaveTwoTokensWhileOneReplacesTheOther() {
        Authentication authentication = with(Map.of(Setting.AUTH_TOKENS, List.of("ann:read:old", "ann:read:new")));
        Credential newer = authentication.bearer("new").orElseThrow();

        assertThat(principal(authentication, "old")).isEqualTo(principal(authentication, "new"));
        assertThat(authentication.bearer(authentication.issue(newer))).contains(newer);
    }

    @Test
    void onlyRolesFromWriteOnMayWrite() {
        assertThat(Role.READ.mayWrite()).isFalse();
        assertThat(Role.WRITE.mayWrite()).isTrue();
        assertThat(Role.ADMIN.mayWrite()).isTrue();
    }

    @Test
    void aClientIsKnownByIdAndSecretTogether() {
        Authentication authentication = with(Map.of(Setting.AUTH_CLIENTS, List.of("a:read:one", "b:write:two")));

        assertThat(authentication.client("a", "one").map(Credential::principal))
                .contains(new Principal("a", Role.READ));
        assertThat(authentication.client("a", "two")).isEmpty();
        assertThat(authentication.client("", "one")).isEmpty();
        assertThat(principal(authentication, "one")).as("a secret is no token").isEmpty();
    }

    @Test
    void anIssuedTokenIsGoodUntilItsTimeIsOver() {
        Authentication authentication = with(client("a:write:secret"));
        String token = issue(authentication);

        now = START.plus(Duration.ofHours(1)).minusMillis(1);
        assertThat(principal(authentication, token)).contains(new Principal("a", Role.WRITE));
        now = START.plus(Duration.ofHours(1));
        assertThat(principal(authentication, token)).isEmpty();
    }

    @Test
    void aTokenNeverEndsBeforeItsLifetimeDoes() {
        now = START.plusMillis(1);
        Authentication authentication = with(client("a:write:secret"));
        String token = issue(authentication);

        now = now.plus(Duration.ofHours(1));
        assertThat(principal(authentication, token)).isPresent();
        now = START.plus(Duration.ofHours(1)).plusSeconds(1);
        assertThat(principal(authentication, token)).isEmpty();
    }

    @Test
    void anIssuedTokenOutlivesTheServerOnlyUnderAConfiguredKey() {
        String kept = issue(with(client("a:write:secret")));
        Map<Setting, List<String>> keyless = Map.of(Setting.AUTH_CLIENTS, List.of("a:write:secret"));
        String lost = issue(with(keyless));

        assertThat(principal(with(client("a:write:secret")), kept)).isPresent();
        assertThat(principal(with(keyless), lost)).isEmpty();
    }

    @Test
    void anIssuedTokenFollowsItsClientsConfiguration() {
        String token = issue(with(client("a:write:secret")));

        assertThat(principal(with(client("a:read:secret")), token)).contains(new Principal("a", Role.READ));
        assertThat(principal(with(client("a:write:changed")), token)).isEmpty();
        assertThat(principal(with(client("b:write:secret")), token)).isEmpty();
    }

    @Test
    void aTokenSomeoneElseMadeIsNone() {
        Authentication authentication = with(client("a:write:secret"));
        String[] parts = issue(authentication).split("\\.", 3);

        assertThat(principal(authentication, parts[0] + "." + parts[1] + "." + mirrored(parts[2])))
                .isEmpty();
        assertThat(principal(authentication, base64("{\"alg\":\"none\"}") + "." + parts[1] + "."))
                .isEmpty();
        assertThat(principal(
                        authentication,
                        parts[0] + "." + base64("{\"sub\":\"a\",\"exp\":99999999999}") + "." + parts[2]))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a.b.c", "..", "x", "e30.e30.e30", "eyJhbGciOiJIUzI1NiJ9.e30.AAAA", "eyJhbGciOiJSUzI1NiJ9.e30.A"
            })
    void textThatIsNoTokenIsNone(String text) {
        assertThat(principal(with(client("a:write:secret")), text)).isEmpty();
    }

    @Test
    void aConfigurationThatCouldNotBeMeantIsRefused() {
        assertThatThrownBy(() -> with(Map.of(Setting.AUTH_TOKENS, List.of("a:read:same", "b:admin:same"))))
                .hasMessage("auth.tokens has the secret of b twice");
        assertThatThrownBy(() -> with(Map.of(Setting.AUTH_SIGNING_KEY, List.of("short"))))
                .hasMessage("auth.signing-key is shorter than 32 characters");
        assertThatThrownBy(() -> with(Map.of(Setting.AUTH_TOKEN_LIFETIME, List.of("10 ms"))))
                .hasMessage("auth.token-lifetime is not between a second and a year");
        assertThatThrownBy(() -> with(Map.of(Setting.AUTH_TOKEN_LIFETIME, List.of("366 days"))))
                .hasMessage("auth.token-lifetime is not between a second and a year");
    }

    private static Map<Setting, List<String>> client(String entry) {
        return Map.of(Setting.AUTH_CLIENTS, List.of(entry), Setting.AUTH_SIGNING_KEY, List.of(KEY));
    }

    private Authentication with(Map<Setting, List<String>> settings) {
        InstantSource clock = () -> now;
        return Authentication.of(Settings.load(Optional.empty(), Map.of(), settings), clock);
    }

    private static String issue(Authentication authentication) {
        return authentication.issue(authentication.client("a", "secret").orElseThrow());
    }

    private static Optional<Principal> principal(Authentication authentication, String token) {
        return authentication.bearer(token).map(Credential::principal);
    }

    private static String mirrored(String text) {
        return new StringBuilder(text).reverse().toString();
    }

    private static String base64(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
