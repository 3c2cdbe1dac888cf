package io.weir.service.auth;

import java.util.Locale;

/** What a caller may do: each role may what those before it may. */
public enum Role {
    READ,
    WRITE,
    ADMIN;

    static Role of(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }

    public boolean mayWrite() {
        return compareTo(WRITE) >= 0;
    }
}
