package io.weir.service.statement;

import io.weir.coordinator.Version;
import io.weir.incremental.engine.Column;
import java.util.List;

/** Takes a request's answer: once where it starts, then row by row. Nothing is called when the request fails. */
public interface AnswerSink {
    /** The version the lake was answered at, and the columns; none for a statement without rows. */
    void start(Version version, List<Column> columns);

    void row(List<Object> values);
}
