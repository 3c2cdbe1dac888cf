package io.weir.service.statement;

import io.weir.coordinator.Caller;
import io.weir.coordinator.Version;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What a caller wants run.
 *
 * @param parameters values of {@code $name} in the statements, as plain Java; NULL is null
 * @param at the version to read, instead of the newest; statements that write are refused with it
 * @param readOnly whether the caller may change nothing; then a statement that would is refused before any has run
 */
public record SqlRequest(
        String sql, Map<String, Object> parameters, Optional<Version> at, Caller caller, boolean readOnly) {
    public SqlRequest {
        parameters = Collections.unmodifiableMap(new HashMap<>(parameters));
    }

    /** Of a caller who may write. */
    public SqlRequest(String sql, Map<String, Object> parameters, Optional<Version> at, Caller caller) {
        this(sql, parameters, at, caller, false);
    }

    public static SqlRequest of(String sql) {
        return new SqlRequest(sql, Map.of(), Optional.empty(), Caller.WEIR);
    }
}
