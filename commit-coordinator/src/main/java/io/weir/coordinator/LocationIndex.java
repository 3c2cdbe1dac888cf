package io.weir.coordinator;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import org.pcollections.HashTreePSet;
import org.pcollections.PSet;
import org.pcollections.PSortedMap;
import org.pcollections.TreePMap;

/**
 * Who has which location, as a value: finds an overlap in steps that grow with the location's depth and the logarithm of
 * how many there are. What an overlap is, {@link Locations#overlap} says. A location may have several owners.
 *
 * @param owners by location in its {@linkplain Locations#plain plain} spelling; no location without an owner is kept
 */
record LocationIndex(PSortedMap<String, PSet<String>> owners) {
    static final LocationIndex EMPTY = new LocationIndex(TreePMap.empty());

    /** All of them at once. */
    static <T> LocationIndex of(Collection<T> those, Function<T, String> location, Function<T, String> owner) {
        TreeMap<String, PSet<String>> owners = new TreeMap<>();
        for (T one : those) {
            owners.merge(Locations.plain(location.apply(one)), HashTreePSet.singleton(owner.apply(one)), PSet::plusAll);
        }
        return new LocationIndex(TreePMap.fromSortedMap(owners));
    }

    LocationIndex plus(String location, String owner) {
        String plain = Locations.plain(location);
        PSet<String> known = owners.getOrDefault(plain, HashTreePSet.empty());
        return new LocationIndex(owners.plus(plain, known.plus(owner)));
    }

    LocationIndex minus(String location, String owner) {
        String plain = Locations.plain(location);
        PSet<String> left = owners.getOrDefault(plain, HashTreePSet.empty()).minus(owner);
        return new LocationIndex(left.isEmpty() ? owners.minus(plain) : owners.plus(plain, left));
    }

    /** An owner of a location that overlaps, among those the caller minds. */
    Optional<String> overlapping(String location, Predicate<String> minded) {
        String plain = Locations.plain(location);
        return above(plain, minded).or(() -> below(plain, minded));
    }

    /** At the location itself and each folder it is in. */
    private Optional<String> above(String plain, Predicate<String> minded) {
        for (int end = plain.length(); end >= 0; end = plain.lastIndexOf('/', end - 1)) {
            Optional<String> owner = owner(plain.substring(0, end), plain, minded);
            if (owner.isPresent() || end == 0) {
                return owner;
            }
        }
        return Optional.empty();
    }

    private Optional<String> below(String plain, Predicate<String> minded) {
        String folder = plain + "/";
        Map.Entry<String, PSet<String>> next = owners.ceilingEntry(folder);
        while (next != null && next.getKey().startsWith(folder)) {
            Optional<String> owner = owner(next.getKey(), plain, minded);
            if (owner.isPresent()) {
                return owner;
            }
            next = owners.higherEntry(next.getKey());
        }
        return Optional.empty();
    }

    private Optional<String> owner(String candidate, String plain, Predicate<String> minded) {
        PSet<String> known = owners.get(candidate);
        return known == null || !Locations.plainOverlap(candidate, plain)
                ? Optional.empty()
                : known.stream().filter(minded).findFirst();
    }
}
