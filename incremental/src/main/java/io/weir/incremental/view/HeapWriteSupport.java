package io.weir.incremental.view;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.RecordConsumer;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType;

/** How rows on the heap become Parquet's flat columns, as Iceberg's specification maps its types to Parquet's. */
final class HeapWriteSupport<R> extends WriteSupport<R> {
    private final MessageType schema;
    private final List<Function<R, Object>> columns;
    private RecordConsumer consumer;

    HeapWriteSupport(MessageType schema, List<Function<R, Object>> columns) {
        this.schema = schema;
        this.columns = columns;
    }

    @Override
    @SuppressWarnings("deprecation") // abstract all the same
    public WriteContext init(Configuration settings) {
        return new WriteContext(schema, Map.of());
    }

    @Override
    public void prepareForWrite(RecordConsumer recordConsumer) {
        consumer = recordConsumer;
    }

    @Override
    public void write(R row) {
        consumer.startMessage();
        for (int i = 0; i < columns.size(); i++) {
            Object value = columns.get(i).apply(row);
            if (value != null) {
                PrimitiveType type = schema.getType(i).asPrimitiveType();
                consumer.startField(type.getName(), i);
                add(type, value);
                consumer.endField(type.getName(), i);
            }
        }
        consumer.endMessage();
    }

    private void add(PrimitiveType type, Object value) {
        if (type.getLogicalTypeAnnotation() instanceof DecimalLogicalTypeAnnotation decimal) {
            add(type, unscaled(value, decimal));
            return;
        }
        switch (type.getPrimitiveTypeName()) {
            case BOOLEAN -> consumer.addBoolean((Boolean) value);
            case INT32 -> consumer.addInteger(Math.toIntExact((Long) value));
            case INT64 -> consumer.addLong((Long) value);
            case BINARY -> consumer.addBinary(Binary.fromString((String) value));
            case INT96, FLOAT, DOUBLE, FIXED_LEN_BYTE_ARRAY ->
                throw new IllegalArgumentException("rows on the heap have no " + type);
        }
    }

    /** A decimal as the whole number of its smallest units. */
    private static BigDecimal unscaled(Object value, DecimalLogicalTypeAnnotation type) {
        BigDecimal decimal = value instanceof BigDecimal number ? number : BigDecimal.valueOf((Long) value);
        BigDecimal scaled = decimal.setScale(type.getScale());
        if (scaled.precision() > type.getPrecision()) {
            throw new ArithmeticException(value + " does not fit " + type);
        }
        return new BigDecimal(scaled.unscaledValue());
    }

    private void add(PrimitiveType type, BigDecimal unscaled) {
        switch (type.getPrimitiveTypeName()) {
            case INT32 -> consumer.addInteger(unscaled.intValueExact());
            case INT64 -> consumer.addLong(unscaled.longValueExact());
            case FIXED_LEN_BYTE_ARRAY -> {
                byte[] bytes = unscaled.toBigIntegerExact().toByteArray();
                byte[] padded = new byte[type.getTypeLength()];
                Arrays.fill(padded, (byte) (unscaled.signum() < 0 ? -1 : 0));
                System.arraycopy(bytes, 0, padded, padded.length - bytes.length, bytes.length);
                consumer.addBinary(Binary.fromConstantByteArray(padded));
            }
            case BOOLEAN, BINARY, INT96, FLOAT, DOUBLE ->
                throw new IllegalArgumentException("decimals are not stored as " + type);
        }
    }
}
