package tandem.data;

import java.util.Arrays;

/// Generated rows as LIBSVM text, in one growing buffer.
final class ClickText {

    /// No row is longer: 39 entries of at most a space, 10 digits, a colon and 8 characters of value.
    private static final int LONGEST = 2 + ClickTruth.FIELDS * 20 + 1;

    private byte[] bytes = new byte[1 << 16];
    private int length;

    byte[] bytes() {
        return bytes;
    }

    int length() {
        return length;
    }

    void clear() {
        length = 0;
    }

    void add(ClickRow row) {
        if (bytes.length - length < LONGEST) {
            bytes = Arrays.copyOf(bytes, bytes.length * 2);
        }
        byte[] out = bytes;
        int at = length;
        out[at++] = (byte) (row.clicked ? '1' : '0');
        for (int e = 0; e < row.entries; e++) {
            out[at++] = ' ';
            at = digits(row.ids[e], out, at);
            out[at++] = ':';
            int hundredths = row.hundredths[e];
            if (hundredths == 100) {
                out[at++] = '1';
            } else {
                at = digits(hundredths / 100, out, at);
                out[at++] = '.';
                out[at++] = (byte) ('0' + hundredths / 10 % 10);
                out[at++] = (byte) ('0' + hundredths % 10);
            }
        }
        out[at++] = '\n';
        length = at;
    }

    private static int digits(long number, byte[] out, int at) {
        int count = 1;
        for (long power = 10; power <= number; power *= 10) {
            count++;
        }
        long rest = number;
        for (int d = at + count - 1; d >= at; d--) {
            long tenth = rest / 10;
            out[d] = (byte) ('0' + (rest - tenth * 10));
            rest = tenth;
        }
        return at + count;
    }
}
