package io.weir.service.config;

/** A configuration that cannot be: which setting, where it was given, why not, and what to write. SQLSTATE F0000. */
public final class SettingsException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    public static final String CODE = "F0000";

    SettingsException(String message) {
        super(message);
    }

    SettingsException(String message, Throwable cause) {
        super(message, cause);
    }
}
