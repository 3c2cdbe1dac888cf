package io.weir.incremental.engine;

import java.sql.Array;
import java.sql.Blob;
import java.sql.SQLException;
import java.sql.Struct;
import java.sql.Timestamp;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.duckdb.DuckDBStruct;
import org.duckdb.JsonNode;

/**
 * What JDBC gives, as plain Java: Boolean, Long (every integer that fits), BigInteger, Float, Double, BigDecimal,
 * String, LocalDate, LocalTime, LocalDateTime, OffsetDateTime (UTC), UUID, byte[], List, Map.
 */
final class Values {
    private Values() {}

    static Object plain(Object value) throws SQLException {
        return switch (value) {
            case null -> null;
            case Byte number -> (long) number;
            case Short number -> (long) number;
            case Integer number -> (long) number;
            case java.math.BigInteger number -> number.bitLength() < Long.SIZE ? (Object) number.longValue() : number;
            case OffsetDateTime time -> time.withOffsetSameInstant(ZoneOffset.UTC);
            case Timestamp time -> time.toLocalDateTime();
            case Blob blob -> blob.getBytes(1, Math.toIntExact(blob.length()));
            case Array array -> list(array);
            case DuckDBStruct struct -> map(struct.getMap());
            case Struct struct -> elements(struct.getAttributes());
            case Map<?, ?> entries -> map(entries);
            case byte[] bytes -> bytes;
            case Object[] array -> elements(array);
            case JsonNode json -> json.toString();
            default -> value;
        };
    }

    private static Object list(Array array) throws SQLException {
        return elements((Object[]) array.getArray());
    }

    private static List<Object> elements(Object[] elements) throws SQLException {
        List<Object> list = new ArrayList<>(elements.length);
        for (Object element : elements) {
            list.add(plain(element));
        }
        return Collections.unmodifiableList(list);
    }

    private static Map<Object, Object> map(Map<?, ?> entries) throws SQLException {
        Map<Object, Object> map = new LinkedHashMap<>();
        for (Map.Entry<?, ?> entry : entries.entrySet()) {
            map.put(plain(entry.getKey()), plain(entry.getValue()));
        }
        return Collections.unmodifiableMap(map);
    }
}
