package io.weir.service.cli;

import io.weir.service.config.Setting;
import io.weir.service.config.SettingType;
import io.weir.service.config.Settings;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** Makes every setting a flag of a command, and reads the settings of a run from flags, environment and file. */
final class SettingsOptions {
    private SettingsOptions() {}

    static void addTo(CommandSpec spec) {
        spec.addOption(OptionSpec.builder("--config")
                .type(Path.class)
                .paramLabel("FILE")
                .description("a YAML file with settings; WEIR_... variables and flags rank above it")
                .build());
        for (Setting setting : Setting.values()) {
            OptionSpec.Builder option = OptionSpec.builder(setting.flag())
                    .description(setting.description().replace("`", "").replace("%", "%%"))
                    .paramLabel(setting.type().name());
            if (setting.type().isList()) {
                option.type(List.class).auxiliaryTypes(String.class).arity("1");
            } else if (setting.type() == SettingType.BOOLEAN) {
                option.type(String.class).arity("0..1").fallbackValue("true");
            } else {
                option.type(String.class).arity("1");
            }
            spec.addOption(option.build());
        }
    }

    static Settings read(ParseResult parsed) {
        Map<Setting, List<String>> flags = new EnumMap<>(Setting.class);
        for (Setting setting : Setting.values()) {
            if (parsed.hasMatchedOption(setting.flag())) {
                Object value = parsed.matchedOptionValue(setting.flag(), null);
                flags.put(
                        setting,
                        value instanceof List<?> list
                                ? list.stream().map(String::valueOf).toList()
                                : List.of(String.valueOf(value)));
            }
        }
        Path file = parsed.matchedOptionValue("--config", null);
        return Settings.load(Optional.ofNullable(file), System.getenv(), flags);
    }
}
