package io.weir.service.config;

/** What a setting's value is, and how the documentation names it. */
public enum SettingType {
    TEXT("text"),
    SECRET("text, never shown"),
    LIST("list"),
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
}
