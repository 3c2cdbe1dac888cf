package io.weir.service.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The settings of one run: defaults, then the YAML file, then {@code WEIR_…} variables, then flags, each above the one
 * before. Every value was read as its type; an unknown key names the nearest known one.
 */
public final class Settings {
    /** Variables of the start script, not of the server. */
    private static final Set<String> SCRIPT_VARIABLES = Set.of("WEIR_JAVA_OPTS", "WEIR_HEAP", "WEIR_URL", "WEIR_TOKEN");

    private final Map<Setting, List<String>> values;

    private Settings(Map<Setting, List<String>> values) {
        this.values = values;
    }

    public static Settings load(
            Optional<Path> file, Map<String, String> environment, Map<Setting, List<String>> flags) {
        var values = new EnumMap<Setting, List<String>>(Setting.class);
        file.ifPresent(path -> readFile(path, values));
        environment.forEach((variable, value) -> {
            if (variable.startsWith("WEIR_") && !SCRIPT_VARIABLES.contains(variable)) {
                Setting setting = Setting.ofEnvironmentVariable(variable).orElseThrow(() -> unknownVariable(variable));
                put(values, setting, List.of(value.split(",")), "environment variable " + variable);
            }
        });
        flags.forEach((setting, given) -> put(values, setting, given, "flag " + setting.flag()));
        return new Settings(values);
    }

    private static SettingsException unknownVariable(String variable) {
        String key =
                variable.substring("WEIR_".length()).toLowerCase(Locale.ROOT).replace('_', '.');
        return new SettingsException("environment variable %s is not a setting. Did you mean %s?"
                .formatted(variable, Setting.nearest(key).environmentVariable()));
    }

    private static void readFile(Path file, Map<Setting, List<String>> values) {
        JsonNode root;
        try {
            root = new YAMLMapper().readTree(Files.readString(file));
        } catch (JsonProcessingException e) {
            throw new SettingsException(file + " is not YAML: " + e.getOriginalMessage(), e);
        } catch (IOException e) {
            throw new SettingsException("the configuration file " + file + " cannot be read: " + e.getMessage(), e);
        }
        flatten(file, "", root, values);
    }

    private static void flatten(Path file, String key, JsonNode node, Map<Setting, List<String>> values) {
        Optional<Setting> setting = Setting.ofKey(key);
        if (setting.isPresent() && !node.isObject()) {
            var given = new ArrayList<String>();
            if (node.isArray()) {
                node.forEach(item -> given.add(item.asText()));
            } else {
                given.add(node.asText());
            }
            put(values, setting.get(), given, file + ", key " + key);
        } else if (node.isObject()) {
            node.properties()
                    .forEach(entry -> flatten(
                            file,
                            key.isEmpty() ? entry.getKey() : key + "." + entry.getKey(),
                            entry.getValue(),
                            values));
        } else if (!key.isEmpty()) {
            throw new SettingsException("%s: %s is not a setting. Did you mean %s?"
                    .formatted(file, key, Setting.nearest(key).key()));
        }
    }

    private static void put(Map<Setting, List<String>> values, Setting setting, List<String> given, String where) {
        if (!setting.type().isList() && given.size() != 1) {
            throw new SettingsException("%s: %s takes one value, not %d".formatted(where, setting.key(), given.size()));
        }
        for (String value : given) {
            if (!fits(setting.type(), value.strip())) {
                throw misfit(setting, value, where);
            }
        }
        values.put(setting, given.stream().map(String::strip).toList());
    }

    private static SettingsException misfit(Setting setting, String value, String where) {
        String unit = setting.type().unit();
        return new SettingsException(
                setting.type().isSecret()
                        ? "%s: a value of %s does not fit: %s".formatted(where, setting.key(), unit)
                        : "%s: \"%s\" is not a %s. The default is %s."
                                .formatted(where, value, unit, setting.defaultValue()));
    }

    private static boolean fits(SettingType type, String value) {
        return switch (type) {
            case TEXT, SECRET -> true;
            case LIST -> !value.isEmpty();
            case CREDENTIALS -> value.matches("[^:\\s]+:(read|write|admin):[!-~]+");
            case ADDRESS -> value.matches(".+:\\d{1,5}") && Integer.parseInt(port(value)) < 65_536;
            case BOOLEAN -> value.equals("true") || value.equals("false");
            case INTEGER -> value.matches("[1-9]\\d{0,8}");
            case SIZE -> Units.bytes(value).isPresent();
            case DURATION -> Units.duration(value).isPresent();
        };
    }

    private static String port(String address) {
        return address.substring(address.lastIndexOf(':') + 1);
    }

    public List<String> list(Setting setting) {
        return values.getOrDefault(setting, List.of(setting.defaultValue()));
    }

    /** Those of a list that has nothing in it where it is not given. */
    public List<String> given(Setting setting) {
        return values.getOrDefault(setting, List.of());
    }

    public String text(Setting setting) {
        return list(setting).getFirst();
    }

    public boolean flag(Setting setting) {
        return Boolean.parseBoolean(text(setting));
    }

    public int integer(Setting setting) {
        return Integer.parseInt(text(setting));
    }

    public long bytes(Setting setting) {
        return Units.bytes(text(setting)).orElseThrow();
    }

    public Duration duration(Setting setting) {
        return Units.duration(text(setting)).orElseThrow();
    }

    public String host(Setting setting) {
        String address = text(setting);
        return address.substring(0, address.lastIndexOf(':'));
    }

    public int port(Setting setting) {
        return Integer.parseInt(port(text(setting)));
    }
}
