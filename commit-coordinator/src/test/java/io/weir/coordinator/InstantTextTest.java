package io.weir.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Instants are read as Java's own parser reads them. */
class InstantTextTest {
    @Test
    void everyInstantIsReadAsItWasWritten() {
        Random random = new Random(5);
        for (int i = 0; i < 20_000; i++) {
            long seconds = random.nextLong(-70_000_000_000L, 260_000_000_000L);
            int nanos = switch (random.nextInt(4)) {
                case 0 -> 0;
                case 1 -> random.nextInt(1_000) * 1_000_000;
                case 2 -> random.nextInt(1_000_000) * 1_000;
                default -> random.nextInt(1_000_000_000);
            };
            Instant instant = Instant.ofEpochSecond(seconds, nanos);
            assertThat(InstantText.parse(instant.toString())).isEqualTo(instant);
        }
    }

    @Test
    void everyDayOfACenturyAndItsLeapYearsIsThatDay() {
        Instant day = Instant.parse("1899-12-31T23:59:59.5Z");
        for (int i = 0; i < 40_000; i++, day = day.plusSeconds(86_400)) {
            assertThat(InstantText.parse(day.toString())).isEqualTo(day);
        }
    }

    @Test
    void whatIsWrittenOtherwiseIsReadOrRefusedAsJavaDoes() {
        for (String text : List.of(
                "2026-01-01T00:00:00.5Z",
                "2026-01-01T00:00:00.123456789Z",
                "2026-01-01T24:00:00Z",
                "2026-12-31T23:59:60Z",
                "+12026-01-01T00:00:00Z",
                "-0001-01-01T00:00:00Z",
                "0000-03-01T00:00:00Z",
                "2026-01-01T01:00:00+01:00")) {
            assertThat(InstantText.parse(text)).as(text).isEqualTo(Instant.parse(text));
        }
        for (String text : List.of(
                "",
                "Z",
                "2026-01-01T00:00Z",
                "2026-02-30T00:00:00Z",
                "2026-13-01T00:00:00Z",
                "2026-00-01T00:00:00Z",
                "2026-01-01T00:00:00.1234567890Z",
                "2026-01-01T00:00:00,5Z",
                "2026-01-01T00:00:00",
                "2026-01-01 00:00:00Z",
                "２026-01-01T00:00:00Z")) {
            assertThatThrownBy(() -> InstantText.parse(text)).as(text).isInstanceOf(DateTimeParseException.class);
        }
    }
}
