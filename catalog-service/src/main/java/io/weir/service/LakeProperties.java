package io.weir.service;

import io.weir.service.sql.SqlException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Properties in the settings, {@code [LAKE:]NAME=VALUE}: those without a lake are every lake's. */
final class LakeProperties {
    private static final Pattern ENTRY = Pattern.compile("(?:([A-Za-z0-9_-]+):)?([^=:]+)=(.*)");

    private LakeProperties() {}

    /**
     * Those of one lake; what is said for it goes before what is said for all.
     *
     * @param setting the key, for errors
     */
    static Map<String, String> of(String setting, List<String> entries, String lake) {
        Map<String, String> ofAll = new HashMap<>();
        Map<String, String> own = new HashMap<>();
        for (String entry : entries) {
            Matcher parts = ENTRY.matcher(entry);
            if (!parts.matches()) {
                throw new SqlException(
                        "F0000",
                        setting + " has \"" + entry + "\", which is not a property",
                        "Write NAME=VALUE, or LAKE:NAME=VALUE for one lake.");
            }
            if (parts.group(1) == null) {
                ofAll.put(parts.group(2).trim(), parts.group(3));
            } else if (parts.group(1).equals(lake)) {
                own.put(parts.group(2).trim(), parts.group(3));
            }
        }
        ofAll.putAll(own);
        return ofAll;
    }
}
