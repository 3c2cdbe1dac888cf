package io.weir.service;

import io.weir.coordinator.Lake;
import io.weir.service.sql.SqlException;
import io.weir.service.statement.StatementService;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The lakes of a running server by name; the first is the default. */
public final class ServedLakes implements AutoCloseable {
    private final Map<String, ServedLake> byName;

    /** A lake and what runs its statements. */
    public record ServedLake(Lake lake, StatementService statements) {}

    ServedLakes(List<ServedLake> lakes) {
        this.byName = new LinkedHashMap<>();
        lakes.forEach(served -> byName.put(served.lake().name(), served));
    }

    public Optional<Lake> lake(String name) {
        return Optional.ofNullable(byName.get(name)).map(ServedLake::lake);
    }

    public ServedLake first() {
        return byName.values().iterator().next();
    }

    public Collection<ServedLake> all() {
        return byName.values();
    }

    /** The lake of that name; the default one where {@code name} is null. */
    public ServedLake named(String name) {
        if (name == null) {
            return first();
        }
        ServedLake served = byName.get(name);
        if (served == null) {
            throw new SqlException(
                    "3D000",
                    "there is no lake \"" + name + "\" here",
                    "This server has: " + String.join(", ", byName.keySet()));
        }
        return served;
    }

    /** Closes every lake; the first failure is thrown when all have been tried. */
    @Override
    public void close() {
        var failures = new ArrayList<RuntimeException>();
        for (ServedLake served : byName.values()) {
            try {
                served.lake().close();
            } catch (RuntimeException e) {
                failures.add(e);
            }
        }
        if (!failures.isEmpty()) {
            failures.subList(1, failures.size()).forEach(failures.getFirst()::addSuppressed);
            throw failures.getFirst();
        }
    }
}
