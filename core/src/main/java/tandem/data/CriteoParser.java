package tandem.data;

import java.nio.charset.StandardCharsets;
import tandem.math.Hash;

/// Reads the lines of the Criteo click logs: label, 13 counts, 26 categories, separated by tabs, any of them empty.
///
/// A count c is one feature a field with the value sign(c)·log(1 + |c|); a category is hashed with its field.
final class CriteoParser implements Parser {

    static final int COUNTS = 13;
    static final int FEATURES = 39;
    private static final float[] LOGS = logs();

    private final LabelReader labels;
    private final boolean labelled;
    private final Fields fields = new Fields();
    private final long[] hashes = new long[FEATURES];

    /// Unless `labelled`, the label may be left out.
    CriteoParser(long seed, boolean labelled, LabelReader labels) {
        this.labels = labels;
        this.labelled = labelled;
        for (int f = 0; f < FEATURES; f++) {
            byte[] name = name(f).getBytes(StandardCharsets.UTF_8);
            hashes[f] = Hash.bytes(seed, name, 0, name.length);
        }
    }

    /// What the field of feature `f` is called, counted from 0.
    static String name(int f) {
        return f < COUNTS ? "I" + (f + 1) : "C" + (f + 1 - COUNTS);
    }

    @Override
    public int line(byte[] text, int from, long place, Rows into) throws BadLine {
        if (!isRow(text, from)) {
            return Parser.nextLine(text, from);
        }
        int next = fields.split(text, from, (byte) '\t');
        int first = fields.count() - FEATURES;
        if (first != 1 && (labelled || first != 0)) {
            throw new BadLine("the line has " + fields.count() + (fields.count() == 1 ? " field" : " fields")
                    + "; a Criteo line has 40 separated by tabs: label, 13 counts, 26 categories. Leave"
                    + " missing ones empty");
        }
        double label = first == 0 ? Double.NaN : labels.read(text, fields.begin(0), fields.end(0));
        for (int f = 0; f < FEATURES; f++) {
            int begin = fields.begin(first + f);
            int end = fields.end(first + f);
            if (begin == end) {
                continue;
            }
            if (f >= COUNTS) {
                into.add(Hash.bytes(hashes[f], text, begin, end), 1);
                continue;
            }
            double count = Decimal.parse(text, begin, end);
            if (Double.isNaN(count) || Double.isInfinite(count)) {
                throw new BadLine("count I" + (f + 1) + " is " + BadLine.quote(text, begin, end)
                        + "; counts are finite numbers. Leave the field empty where the count is unknown");
            }
            if (count != 0) {
                into.add(hashes[f], value(count));
            }
        }
        into.end(label, 1, place);
        return next;
    }

    @Override
    public boolean isRow(byte[] text, int at) {
        return !Fields.isEmpty(text, at, (byte) '\t');
    }

    private static float value(double count) {
        if (count > 0 && count < LOGS.length && count == (int) count) {
            return LOGS[(int) count];
        }
        return (float) Math.copySign(StrictMath.log1p(Math.abs(count)), count);
    }

    private static float[] logs() {
        float[] logs = new float[1 << 12];
        for (int c = 0; c < logs.length; c++) {
            logs[c] = (float) StrictMath.log1p(c);
        }
        return logs;
    }
}
