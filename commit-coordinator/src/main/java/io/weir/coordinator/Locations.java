package io.weir.coordinator;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.iceberg.MetadataUpdate;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.catalog.TableIdentifier;

/** Where files stand. A table's location is its own: never another's, before or after. */
final class Locations {
    /** Comma-separated locations, beside the table's own, that its files may be under; {@code *} for anywhere. */
    static final String EXTRA_LOCATIONS = "weir.extra-locations";

    /** Lets a table's location be another's too, a dropped one's say. Its owner answers for what that does. */
    static final String ALLOW_OVERLAP = "weir.allow-location-overlap";

    private static final List<String> FILE_LOCATIONS =
            List.of(TableProperties.WRITE_DATA_LOCATION, TableProperties.WRITE_METADATA_LOCATION, EXTRA_LOCATIONS);
    private static final Pattern FILE = Pattern.compile("^file:/+");
    private static final Pattern S3 = Pattern.compile("^s3[an]://");
    private static final Pattern TRAILING_SLASHES = Pattern.compile("/+$");
    private static final Pattern METADATA_VERSION = Pattern.compile("(\\d+)-[^/]*$");
    private static final Pattern UNSAFE = Pattern.compile("[^A-Za-z0-9_.-]");

    private Locations() {}

    static String newTable(String root, TableIdentifier name) {
        StringBuilder location = new StringBuilder(root);
        for (String level : name.namespace().levels()) {
            location.append('/').append(safe(level));
        }
        return location.append('/')
                .append(safe(name.name()))
                .append('-')
                .append(UUID.randomUUID().toString().replace("-", "").substring(0, 12))
                .toString();
    }

    /** A name as part of a path: what stores and engines escape differently is left out; the suffix keeps it unique. */
    private static String safe(String name) {
        String safe = UNSAFE.matcher(name).replaceAll("_");
        String short_ = safe.length() > 60 ? safe.substring(0, 60) : safe;
        return short_.isEmpty() || short_.startsWith(".") || short_.startsWith("_weir") ? "x" + short_ : short_;
    }

    static String firstMetadata(TableMetadata metadata) {
        return metadataFile(metadata, 0);
    }

    /** The metadata file after {@code previous}. */
    static String nextMetadata(String previous, TableMetadata metadata) {
        Matcher version = METADATA_VERSION.matcher(previous);
        return metadataFile(metadata, version.find() ? Integer.parseInt(version.group(1)) + 1 : 1);
    }

    private static String metadataFile(TableMetadata metadata, int version) {
        String extension = TableMetadataParser.getFileExtension(
                metadata.property(TableProperties.METADATA_COMPRESSION, TableProperties.METADATA_COMPRESSION_DEFAULT));
        return String.format(
                Locale.ROOT, "%s/metadata/%05d-%s%s", metadata.location(), version, UUID.randomUUID(), extension);
    }

    static boolean isUnderAny(String file, List<String> locations) {
        return locations.contains("*") || locations.stream().anyMatch(location -> isUnder(file, location));
    }

    private static boolean isUnder(String file, String location) {
        return isPlainUnder(plain(file), plain(location));
    }

    private static boolean isPlainUnder(String file, String location) {
        return file.startsWith(location + "/") && !file.contains("/../") && !file.endsWith("/..");
    }

    static boolean overlap(String a, String b) {
        return plainOverlap(plain(a), plain(b));
    }

    /** {@link #overlap} of two {@linkplain #plain plain} spellings. */
    static boolean plainOverlap(String a, String b) {
        return a.equals(b) || isPlainUnder(a, b) || isPlainUnder(b, a);
    }

    /** One spelling of what engines spell in several ways: {@code file:/a}, {@code /a}; {@code s3a://b}, {@code s3n://b}. */
    static String plain(String location) {
        if (!location.endsWith("/")) {
            if (location.startsWith("s3://")) {
                return location;
            }
            if (location.startsWith("file:///") && !location.startsWith("file:////")) {
                return location.substring("file://".length());
            }
        }
        return TRAILING_SLASHES
                .matcher(S3.matcher(FILE.matcher(location).replaceFirst("/")).replaceFirst("s3://"))
                .replaceFirst("");
    }

    /** The locations a table's files may be under, after {@code updates} too. */
    static List<String> allowed(TableMetadata metadata, List<MetadataUpdate> updates) {
        List<String> allowed = new ArrayList<>();
        allowed.add(metadata.location());
        addFrom(metadata.properties(), allowed);
        for (MetadataUpdate update : updates) {
            if (update instanceof MetadataUpdate.SetLocation set) {
                allowed.add(set.location());
            }
            if (update instanceof MetadataUpdate.SetProperties set) {
                addFrom(set.updated(), allowed);
            }
        }
        return allowed;
    }

    private static void addFrom(Map<String, String> properties, List<String> allowed) {
        for (String property : FILE_LOCATIONS) {
            String value = properties.get(property);
            if (value != null) {
                for (String location : value.split(",", -1)) {
                    if (!location.isBlank()) {
                        allowed.add(location.trim());
                    }
                }
            }
        }
    }
}
