package io.weir.service.config;

/** What a setting's value is, and how the documentation names it. */
public enum SettingType {
    TEXT("text"),
    SECRET("text, never shown"),
    LIST("list"),
    CREDENTIALS("list of NAME:ROLE:SECRET (role: read, write or admin), never shown"),
    ADDRESS("host:port"),
    BOOLEAN("true or false"),
    INTEGER("whole number above 0"),
    SIZE("size (KB, MB, GB)"),
    DURATION("time (ms, seconds, minutes, hours, days)");

    private final String unit;

    SettingType(String unit) {
        this.unit = unit;
    }

    public String unit() {
        return unit;
    }

    /** Whether several values may be given. */
    public boolean isList() {
        return this == LIST || this == CREDENTIALS;
    }

    /** Whether a value must not be repeated in a message. */
    boolean isSecret() {
        return this == SECRET || this == CREDENTIALS;
    }
}
