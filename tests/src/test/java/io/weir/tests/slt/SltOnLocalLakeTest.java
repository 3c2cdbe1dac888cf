package io.weir.tests.slt;

import io.weir.service.config.Setting;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;

class SltOnLocalLakeTest extends SltCases {
    @TempDir
    static Path folder;

    @Override
    Map<Setting, List<String>> lake() {
        return Map.of(Setting.LAKE, List.of("lake=" + folder.resolve("lake")));
    }
}
