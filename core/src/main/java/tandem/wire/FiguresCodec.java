package tandem.wire;

/// Figures as bytes: how many whole numbers and they, how many real ones and they.
final class FiguresCodec {

    /// Bytes of figures of which there are none.
    private static final int LEAST = 8;

    private FiguresCodec() {}

    static void write(Figures figures, Sink sink) {
        sink.int32(figures.whole().length);
        sink.longs(figures.whole(), 0, figures.whole().length);
        sink.int32(figures.real().length);
        sink.doubles(figures.real(), 0, figures.real().length);
    }

    static void write(Figures[] figures, Sink sink) {
        sink.int32(figures.length);
        for (Figures one : figures) {
            write(one, sink);
        }
    }

    static Figures read(Source source) {
        int most = source.limits().frameBytes();
        long[] whole = source.longs(source.count(most, Long.BYTES, "figures"));
        return new Figures(whole, source.doubles(source.count(most, Double.BYTES, "figures")));
    }

    static Figures[] readAll(Source source) {
        Figures[] figures = new Figures[source.count(source.limits().shards(), LEAST, "results")];
        for (int f = 0; f < figures.length; f++) {
            figures[f] = read(source);
        }
        return figures;
    }
}
