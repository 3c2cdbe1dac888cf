package io.weir.incremental.engine;

import io.weir.incremental.EngineException;
import io.weir.incremental.SqlState;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/**
 * How a nested column of a file is read as the table's type. DuckDB matches nested fields by name: where names and ids
 * agree that is right, otherwise the column is read under the file's names and put together by hand.
 */
final class NestedRead {
    private NestedRead() {}

    /** Whether matching by name gives what matching by id would, at every depth. */
    static boolean byNameIsById(Type type, ParquetField field) {
        return switch (type.typeId()) {
            case STRUCT ->
                type.asStructType().fields().stream().allMatch(wanted -> sameField(wanted, field))
                        && type.asStructType().fields().stream()
                                .anyMatch(
                                        wanted -> field.child(wanted.fieldId()).isPresent());
            case LIST ->
                byNameIsById(type.asListType().elementType(), field.children().getFirst());
            case MAP ->
                byNameIsById(type.asMapType().keyType(), field.children().getFirst())
                        && byNameIsById(
                                type.asMapType().valueType(), field.children().getLast());
            default -> true;
        };
    }

    private static boolean sameField(Types.NestedField wanted, ParquetField struct) {
        Optional<ParquetField> byId = struct.child(wanted.fieldId());
        if (byId.isPresent()) {
            return byId.get().name().equalsIgnoreCase(wanted.name()) && byNameIsById(wanted.type(), byId.get());
        }
        return wanted.initialDefault() == null
                && struct.children().stream().noneMatch(child -> child.name().equalsIgnoreCase(wanted.name()));
    }

    /** The type to read a column as: the file's names, the table's leaf types, only fields both have. */
    static String readType(Type type, ParquetField field) {
        return switch (type.typeId()) {
            case STRUCT -> {
                List<Types.NestedField> both = type.asStructType().fields().stream()
                        .filter(wanted -> field.child(wanted.fieldId()).isPresent())
                        .toList();
                if (both.isEmpty()) {
                    throw new EngineException(
                            SqlState.FEATURE_NOT_SUPPORTED,
                            "the struct " + field.name() + " has no field left that an older file wrote",
                            "rewrite the table's files");
                }
                yield both.stream()
                        .map(wanted -> {
                            ParquetField there = field.child(wanted.fieldId()).orElseThrow();
                            return Quoting.name(there.name()) + " " + readType(wanted.type(), there);
                        })
                        .collect(Collectors.joining(", ", "STRUCT(", ")"));
            }
            case LIST ->
                readType(type.asListType().elementType(), field.children().getFirst()) + "[]";
            case MAP ->
                "MAP(" + readType(type.asMapType().keyType(), field.children().getFirst()) + ", "
                        + readType(
                                type.asMapType().valueType(), field.children().getLast()) + ")";
            default -> DuckTypes.toDuck(type);
        };
    }

    /** What was read as {@link #readType}, put together as the table's type. */
    static String project(Type type, ParquetField field, String value, int depth) {
        return switch (type.typeId()) {
            case STRUCT -> {
                String fields = type.asStructType().fields().stream()
                        .map(wanted -> Quoting.name(wanted.name()) + " := "
                                + field.child(wanted.fieldId())
                                        .map(there -> project(
                                                wanted.type(), there, value + "." + Quoting.name(there.name()), depth))
                                        .orElseGet(() -> Defaults.initial(wanted)))
                        .collect(Collectors.joining(", "));
                yield "CASE WHEN " + value + " IS NULL THEN NULL ELSE struct_pack(" + fields + ") END";
            }
            case LIST -> {
                String element = "e" + depth;
                yield "list_transform(" + value + ", lambda " + element + ": "
                        + project(
                                type.asListType().elementType(),
                                field.children().getFirst(),
                                element,
                                depth + 1)
                        + ")";
            }
            case MAP -> {
                String entry = "e" + depth;
                yield "map_from_entries(list_transform(map_entries(" + value + "), lambda " + entry
                        + ": struct_pack(key := "
                        + project(type.asMapType().keyType(), field.children().getFirst(), entry + ".key", depth + 1)
                        + ", value := "
                        + project(type.asMapType().valueType(), field.children().getLast(), entry + ".value", depth + 1)
                        + ")))";
            }
            default -> value;
        };
    }
}
