package io.weir.incremental.view;

import io.weir.incremental.TableRows;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.apache.iceberg.Schema;

/**
 * Where a stage's rows go.
 *
 * @param schema the view's schema, with the field ids its table gave them
 * @param before the view's rows as they are
 * @param stateToken names the state {@code before} stands for; a cache made under another token is not used
 * @param nextStateToken names the state after this advance
 * @param nextRowId the first row id free to be given
 * @param sequenceNumber what changed rows are marked with
 * @param output a path that does not exist yet, for the new file
 * @param outputLocation what the table will call that file
 */
public record ViewTarget(
        Schema schema,
        Supplier<TableRows> before,
        String stateToken,
        String nextStateToken,
        long nextRowId,
        long sequenceNumber,
        Path output,
        String outputLocation) {}
