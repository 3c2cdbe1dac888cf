package io.weir.incremental.view;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a stage reads: one table or view, or several joined. A row of it has the columns, under names that are all different,
 * and as its identity the row ids of the rows it is made of, in the order of the tables; NULL where an outer join found no
 * partner. No two rows have the same identity.
 */
public sealed interface From {
    /** The names a row's columns go by. */
    List<String> columns();

    /** How many row ids its identity has. */
    int ids();

    /** The tables and views in it, one for each time it is read. */
    List<Scan> scans();

    /**
     * A column of a source, and the name it goes by in the stage.
     *
     * @param isTold whether its values are the same where they are equal: 0.0 equals -0.0, and is not
     */
    record Column(String name, String as, boolean isTold) {}

    /**
     * A table or view.
     *
     * @param source its qualified name
     * @param read the columns the stage needs
     */
    record Scan(String source, List<Column> read) implements From {
        public Scan {
            read = List.copyOf(read);
        }

        @Override
        public List<String> columns() {
            return read.stream().map(Column::as).toList();
        }

        boolean isTold() {
            return read.stream().allMatch(Column::isTold);
        }

        @Override
        public int ids() {
            return 1;
        }

        @Override
        public List<Scan> scans() {
            return List.of(this);
        }
    }

    /** How the two sides of a join come together. */
    enum JoinKind {
        INNER,
        LEFT,
        RIGHT,
        FULL,
        SEMI,
        ANTI
    }

    /** Two sides and a condition over the columns of both; without one every row meets every other. */
    record Join(From left, From right, JoinKind kind, Optional<String> condition) implements From {
        /** Whether a row shows the columns of the right side. */
        boolean showsRight() {
            return kind != JoinKind.SEMI && kind != JoinKind.ANTI;
        }

        @Override
        public List<String> columns() {
            return showsRight()
                    ? Stream.concat(left.columns().stream(), right.columns().stream())
                            .toList()
                    : left.columns();
        }

        @Override
        public int ids() {
            return left.ids() + (showsRight() ? right.ids() : 0);
        }

        @Override
        public List<Scan> scans() {
            return Stream.concat(left.scans().stream(), right.scans().stream()).toList();
        }
    }
}
