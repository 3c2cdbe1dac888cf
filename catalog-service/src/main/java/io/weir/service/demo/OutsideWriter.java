package io.weir.service.demo;

import io.weir.store.LocalFileIO;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.iceberg.CatalogProperties;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.data.parquet.GenericParquetWriter;
import org.apache.iceberg.io.DataWriter;
import org.apache.iceberg.parquet.Parquet;
import org.apache.iceberg.rest.RESTCatalog;

/**
 * An engine that knows nothing of Weir: Iceberg's own REST client and Parquet writer. It writes a file and commits an
 * append, as Spark, Flink or PyIceberg do.
 */
final class OutsideWriter implements AutoCloseable {
    private final RESTCatalog catalog = new RESTCatalog();

    OutsideWriter(String uri, String warehouse) {
        Map<String, String> properties = new HashMap<>();
        properties.put(CatalogProperties.URI, uri);
        properties.put(CatalogProperties.WAREHOUSE_LOCATION, warehouse);
        properties.put(CatalogProperties.FILE_IO_IMPL, LocalFileIO.class.getName());
        catalog.initialize("outside", properties);
    }

    Table table(String namespace, String name) {
        return catalog.loadTable(TableIdentifier.of(namespace, name));
    }

    /** Appends rows, each the values of the table's columns in their order. */
    void append(Table table, List<List<Object>> rows) {
        String location = table.locationProvider().newDataLocation(UUID.randomUUID() + ".parquet");
        try {
            DataWriter<Record> writer = Parquet.writeData(table.io().newOutputFile(location))
                    .schema(table.schema())
                    .withSpec(PartitionSpec.unpartitioned())
                    .createWriterFunc(GenericParquetWriter::create)
                    .build();
            try (writer) {
                for (List<Object> values : rows) {
                    Record row = GenericRecord.create(table.schema());
                    for (int i = 0; i < values.size(); i++) {
                        row.set(i, values.get(i));
                    }
                    writer.write(row);
                }
            }
            DataFile file = writer.toDataFile();
            table.newAppend().appendFile(file).commit();
        } catch (IOException e) {
            throw new UncheckedIOException("the rows of " + table.name() + " cannot be written", e);
        }
    }

    @Override
    public void close() throws IOException {
        catalog.close();
    }
}
