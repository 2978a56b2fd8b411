package tandem.wire;

/// Values as bytes: what they are, how many, and then they.
final class ValuesCodec {

    private static final int FLOATS = 1;
    private static final int DOUBLES = 2;
    private static final int PACKED = 3;
    private static final int RAGGED = 4;

    /// Bytes of values of which there are none.
    private static final int LEAST = 5;

    private static final Values[] NONE = {};

    private ValuesCodec() {}

    static void write(Values[] values, Sink sink) {
        sink.int32(values.length);
        for (Values one : values) {
            write(one, sink);
        }
    }

    static void write(Values values, Sink sink) {
        switch (values) {
            case Values.Floats(float[] array, int at, int length) -> {
                sink.int8(FLOATS);
                sink.int32(length);
                sink.floats(array, at, length);
            }
            case Values.Doubles(double[] array, int at, int length) -> {
                sink.int8(DOUBLES);
                sink.int32(length);
                sink.doubles(array, at, length);
            }
            case Values.Ragged ragged -> write(ragged, sink);
            case Values.Packed(byte[] bytes) -> {
                sink.int8(PACKED);
                sink.blob(bytes);
            }
        }
    }

    private static void write(Values.Ragged ragged, Sink sink) {
        sink.int8(RAGGED);
        sink.int32(ragged.rows());
        sink.int32(ragged.count());
        for (int row = 0; row < ragged.rows(); row++) {
            sink.int32(ragged.length(row));
        }
        for (int row = 0; row < ragged.rows(); row++) {
            sink.floats(ragged.array(), ragged.start(row), ragged.length(row));
        }
    }

    private static Values ragged(Source source) {
        int rows = source.count(source.limits().keys(), Integer.BYTES, "rows");
        int count = source.length(source.limits().frameBytes(), "values");
        int[] lengths = source.ints(rows);
        long sum = 0;
        for (int length : lengths) {
            if (length < 0) {
                throw new ProtocolError("a row of length " + length);
            }
            sum += length;
        }
        if (sum != count) {
            throw new ProtocolError("rows of " + sum + " values in all; there are " + count);
        }
        return Values.Ragged.packed(source.floats(count), lengths);
    }

    static Values[] readAll(Source source) {
        int count = source.count(source.limits().parts(), LEAST, "pieces of rows");
        Values[] values = count == 0 ? NONE : new Values[count];
        for (int v = 0; v < count; v++) {
            values[v] = read(source);
        }
        return values;
    }

    static Values read(Source source) {
        int kind = source.int8();
        int most = source.limits().frameBytes();
        return switch (kind) {
            case FLOATS -> Values.of(source.floats(source.length(most, "values")));
            case DOUBLES -> Values.of(source.doubles(source.length(most, "values")));
            case RAGGED -> ragged(source);
            case PACKED -> new Values.Packed(source.blob(most));
            default -> throw new ProtocolError("values of kind " + kind + ", which is not known here");
        };
    }
}
