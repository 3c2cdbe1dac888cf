package io.weir.service.http;

import io.weir.service.sql.SqlException;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The forms an answer of {@code /sql} may have. */
enum AnswerFormat {
    JSON("application/json"),
    NDJSON("application/x-ndjson"),
    CSV("text/csv;charset=utf-8");

    private final String contentType;

    AnswerFormat(String contentType) {
        this.contentType = contentType;
    }

    String contentType() {
        return contentType;
    }

    static AnswerFormat of(String name) {
        if (name == null) {
            return JSON;
        }
        return Arrays.stream(values())
                .filter(format -> format.name().equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow(() -> new SqlException(
                        "22023",
                        "there is no format \"" + name + "\"",
                        "There are: "
                                + Arrays.stream(values())
                                        .map(format -> format.name().toLowerCase(Locale.ROOT))
                                        .collect(Collectors.joining(", "))));
    }
}
