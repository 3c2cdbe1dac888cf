package io.weir.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What counts as being under a table's location, whatever way an engine spells it. */
class LocationsTest {

    @Test
    void aFileIsUnderItsTableHoweverItsSchemeIsSpelled() {
        assertThat(under("file:/lake/t/data/a.parquet", "file:///lake/t")).isTrue();
        assertThat(under("/lake/t/data/a.parquet", "file:///lake/t")).isTrue();
        assertThat(under("file:///lake/t/data/a.parquet", "/lake/t/")).isTrue();
        assertThat(under("s3a://b/t/a.parquet", "s3://b/t")).isTrue();
    }

    @Test
    void aSiblingWithTheSamePrefixIsNotUnderIt() {
        assertThat(under("s3://b/table2/a.parquet", "s3://b/table")).isFalse();
        assertThat(Locations.overlap("s3://b/table2", "s3://b/table")).isFalse();
    }

    @Test
    void aPathThatClimbsOutIsNotUnderIt() {
        assertThat(under("file:///lake/t/../u/a.parquet", "file:///lake/t")).isFalse();
        assertThat(under("file:/lake/t/data/..", "file:///lake/t")).isFalse();
    }

    @Test
    void oneTableInsideAnotherOverlapsItBothWays() {
        assertThat(Locations.overlap("file:/lake/t", "file:///lake/t/inner")).isTrue();
        assertThat(Locations.overlap("file:///lake/t/inner", "/lake/t")).isTrue();
        assertThat(Locations.overlap("file:///lake/t", "file:///lake/t/")).isTrue();
    }

    private static boolean under(String file, String location) {
        return Locations.isUnderAny(file, List.of(location));
    }
}
