package io.weir.incremental.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.incremental.FileRows;
import io.weir.incremental.SystemColumns;
import io.weir.incremental.TableRows;
import io.weir.incremental.WrittenFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Filters must find the rows that meet them, whatever the statistics of the file say of the others. */
class DistinctComparisonsTest {
    private static final Schema SCHEMA = new Schema(Types.NestedField.optional(1, "x", Types.LongType.get()));

    private static final List<String> CONDITIONS = List.of(
            "x > 100",
            "x = 77",
            "x IS NULL",
            "x <> 5",
            "x IN (5, 77)",
            "NOT (x > 3)",
            "(x > 3) IS NOT TRUE",
            "x IS DISTINCT FROM 5",
            "x IS NOT DISTINCT FROM 5",
            "NOT (x IS NOT DISTINCT FROM 5)",
            "NOT (x IS NOT DISTINCT FROM 5 AND x > 100)");

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"(NULL)", "(5), (NULL)", "(5), (5)", "(1), (9), (NULL)"})
    void aConditionFindsTheRowsForWhichItIsTrue(String values) {
        try (Engine engine = Engine.of(EngineSettings.of(folder.resolve("staging"), folder));
                EngineSession session = engine.session()) {
            WrittenFile file =
                    session.write("SELECT x FROM (VALUES " + values + ") AS v(x)", SCHEMA, folder.resolve("t.parquet"));
            TableRows rows = new TableRows(
                    SCHEMA, List.of(FileRows.of("t", file.local(), file.recordCount(), OptionalLong.of(0), 1)));
            session.expose("lake:default", "t", rows, SystemColumns::none, Set.of());
            KnownTables known = name -> Optional.of(new KnownTables.KnownTable(new TableName("default", "t"), SCHEMA));
            for (String condition : conditions()) {
                assertThat(one(session, known, "SELECT count(*) FROM t WHERE " + condition))
                        .as(condition)
                        .isEqualTo(one(
                                session,
                                known,
                                "SELECT count(*) FILTER (WHERE c) FROM (SELECT " + condition + " AS c FROM t)"));
            }
        }
    }

    private static List<String> conditions() {
        List<String> conditions = new ArrayList<>(CONDITIONS);
        for (String a : CONDITIONS) {
            for (String b : CONDITIONS) {
                conditions.add(a + " OR " + b);
                conditions.add("NOT (" + a + " AND " + b + ")");
            }
        }
        return conditions;
    }

    private static long one(EngineSession session, KnownTables known, String sql) {
        try (Rows rows = session.query(SqlGuard.check(session, sql, known).sql())) {
            rows.next();
            return rows.number(0);
        }
    }

    @Test
    void aGuardedTreeIsLeftAsItIs() {
        try (Engine engine = Engine.of(EngineSettings.of(folder.resolve("staging"), folder));
                EngineSession session = engine.session()) {
            SyntaxTree once = SyntaxTree.parse(session, "SELECT (a IS DISTINCT FROM b) AS c FROM t");
            String printed = once.print(session);
            assertThat(printed).contains("CASE").contains("AS c");
            assertThat(SyntaxTree.parse(session, printed).print(session)).isEqualTo(printed);
        }
    }
}
