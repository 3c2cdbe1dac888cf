package io.weir.rest;

import io.weir.coordinator.Lake;
import io.weir.coordinator.Version;
import java.util.Optional;
import java.util.function.Function;

/** Finds the lake, and the version of it, that a warehouse's name stands for. */
final class Warehouses {
    private static final String NO_SUCH_WAREHOUSE = "NoSuchWarehouseException";

    private final Function<String, Optional<Lake>> lakes;
    private final String defaultLake;

    Warehouses(Function<String, Optional<Lake>> lakes, String defaultLake) {
        this.lakes = lakes;
        this.defaultLake = defaultLake;
    }

    Optional<Lake> defaultLake() {
        return lakes.apply(defaultLake);
    }

    /** The name that a {@code warehouse} parameter stands for. */
    String requested(String warehouse) {
        return warehouse == null || warehouse.isEmpty() ? defaultLake : warehouse;
    }

    Warehouse find(String name) {
        Optional<Lake> whole = lakes.apply(name);
        if (whole.isPresent()) {
            return new Warehouse(name, whole.get(), whole.get().state(), false);
        }
        int at = name.lastIndexOf('@');
        if (at > 0) {
            Optional<Lake> lake = lakes.apply(name.substring(0, at));
            if (lake.isPresent()) {
                return frozen(name, lake.get(), name.substring(at + 1));
            }
        }
        throw new HttpProblem(404, NO_SUCH_WAREHOUSE, "No warehouse named " + name + " is served here");
    }

    private static Warehouse frozen(String name, Lake lake, String version) {
        long number;
        try {
            number = Long.parseUnsignedLong(version);
        } catch (NumberFormatException e) {
            throw HttpProblem.badRequest("Warehouse %s: %s is not a version of lake %s", name, version, lake.name());
        }
        if (number < 0) {
            throw HttpProblem.badRequest("Warehouse %s: %s is not a version of lake %s", name, version, lake.name());
        }
        return lake.stateAt(new Version(number))
                .map(state -> new Warehouse(name, lake, state, true))
                .orElseThrow(() -> new HttpProblem(
                        404,
                        NO_SUCH_WAREHOUSE,
                        "Lake " + lake.name() + " has no version " + version + " in its log: it is at version "
                                + lake.state().version()));
    }
}
