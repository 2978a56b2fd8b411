package tandem.wire;

/// Values as bytes: what they are, how many, and then they.
final class ValuesCodec {

    private static final int FLOATS = 1;
    private static final int DOUBLES = 2;
    private static final int PACKED = 3;

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
            case Values.Packed(byte[] bytes) -> {
                sink.int8(PACKED);
                sink.blob(bytes);
            }
        }
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
            case FLOATS -> Values.of(source.floats(source.count(most, Float.BYTES, "values")));
            case DOUBLES -> Values.of(source.doubles(source.count(most, Double.BYTES, "values")));
            case PACKED -> new Values.Packed(source.blob(most));
            default -> throw new ProtocolError("values of kind " + kind + ", which is not known here");
        };
    }
}
