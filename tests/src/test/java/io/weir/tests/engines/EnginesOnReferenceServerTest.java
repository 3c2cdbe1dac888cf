package io.weir.tests.engines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weir.tests.fixtures.Fixture;
import io.weir.tests.fixtures.Fixtures;
import io.weir.tests.fixtures.S3Server;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The engines' fixtures by themselves, on Iceberg's own server: what fails here is not Weir's doing. */
@Tag("engines")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EnginesOnReferenceServerTest {
    private final Fixture<S3Server> s3 = new Fixture<>(S3Server::start);
    private final Fixture<IcebergRestServer> server = new Fixture<>(
            () -> IcebergRestServer.start(s3.get().lake("warehouse"), s3.get().properties()));

    @AfterAll
    void stop() {
        server.close();
        s3.close();
    }

    @Test
    void sparkWritesAndReads() {
        try (SparkEngine spark =
                Fixtures.orSkip(() -> SparkEngine.start(server.get().address()))) {
            spark.sql("CREATE NAMESPACE IF NOT EXISTS s");
            spark.sql("CREATE TABLE s.t (id BIGINT, name STRING) USING iceberg");
            spark.sql("INSERT INTO s.t VALUES (1, 'a'), (2, NULL)");
            spark.sql("UPDATE s.t SET name = 'b' WHERE id = 2");
            spark.sql("DELETE FROM s.t WHERE id = 1");
            Answer answer = spark.sql("SELECT id, name FROM s.t");
            assertThat(answer.columns()).containsExactly("id", "name");
            assertThat(answer.rows()).containsExactly(List.of(2L, "b"));
            assertThatThrownBy(() -> spark.sql("SELECT * FROM s.none")).isInstanceOf(EngineException.class);
        }
    }

    @Test
    void trinoWritesAndReads() {
        try (TrinoEngine trino =
                Fixtures.orSkip(() -> TrinoEngine.start(server.get().address()))) {
            trino.sql("CREATE SCHEMA IF NOT EXISTS t");
            trino.sql("CREATE TABLE t.t (id BIGINT, name VARCHAR)");
            trino.sql("INSERT INTO t.t VALUES (1, 'a'), (2, NULL)");
            assertThat(trino.sql("SELECT count(*), max(name) FROM t.t").rows()).containsExactly(List.of(2L, "a"));
        }
    }

    @Test
    void pyIcebergWritesAndReads() {
        try (PyIcebergEngine python =
                Fixtures.orSkip(() -> PyIcebergEngine.start(server.get().address()))) {
            python.createNamespace("p");
            python.create("p.t", List.of(List.of("id", "long"), List.of("name", "string")));
            python.append("p.t", List.of(Map.of("id", 1, "name", "a"), Map.of("id", 2)));
            python.delete("p.t", "id = 1");
            assertThat(python.scan("p.t").rows()).hasSize(1);
            python.overwrite("p.t", List.of(Map.of("id", 3, "name", "c")));
            assertThat(python.scan("p.t").rows()).containsExactly(List.of(3L, "c"));
        }
    }
}
