package tandem.filter;

import java.util.Arrays;
import java.util.stream.IntStream;
import tandem.math.Mix;
import tandem.wire.Keys;
import tandem.wire.Values;

/// Rows that wait, by key.
final class Residue {

    private static final int FIRST = 64;

    private final int width;
    private final boolean doubles;

    /// By place in a table of open addressing: the row's number plus 1, or 0.
    private int[] places = new int[2 * FIRST];

    /// Rows in the order in which they came.
    private long[] keys = new long[FIRST];

    private double[] sums;
    private int size;

    Residue(int width, boolean doubles) {
        this.width = width;
        this.doubles = doubles;
        this.sums = new double[FIRST * width];
    }

    /// Adds what waits for the key of a row to that row; it no longer waits.
    void addTo(Rows rows, int row) {
        int at = places[place(rows.key(row))] - 1;
        if (at < 0) {
            return;
        }
        for (int column = 0; column < width; column++) {
            double sum = sums[at * width + column];
            if (sum != 0) {
                rows.set(row, column, rows.at(row, column) + sum);
                sums[at * width + column] = 0;
            }
        }
    }

    /// Makes a row wait.
    void keep(Rows rows, int row) {
        int at = find(rows.key(row));
        for (int column = 0; column < width; column++) {
            sums[at * width + column] = rows.at(row, column);
        }
    }

    /// All that wait and are not zero, by key; null if there are none.
    Rows rows() {
        int[] order = IntStream.range(0, size)
                .filter(at -> !isZero(at))
                .boxed()
                .sorted((one, two) -> Long.compareUnsigned(keys[one], keys[two]))
                .mapToInt(Integer::intValue)
                .toArray();
        if (order.length == 0) {
            return null;
        }
        int count = order.length * width;
        Rows rows = new Rows(
                Keys.once(Arrays.stream(order).mapToLong(at -> keys[at]).toArray(), order.length),
                width,
                doubles ? Values.of(new double[count]) : Values.of(new float[count]));
        for (int row = 0; row < order.length; row++) {
            for (int column = 0; column < width; column++) {
                rows.set(row, column, sums[order[row] * width + column]);
            }
        }
        return rows;
    }

    private boolean isZero(int at) {
        for (int column = 0; column < width; column++) {
            if (sums[at * width + column] != 0) {
                return false;
            }
        }
        return true;
    }

    private int find(long key) {
        int place = place(key);
        if (places[place] == 0) {
            if (size == keys.length) {
                grow();
                place = place(key);
            }
            keys[size] = key;
            places[place] = ++size;
        }
        return places[place] - 1;
    }

    /// Where a key is, or would be.
    private int place(long key) {
        int place = (int) Mix.mix(key) & places.length - 1;
        while (places[place] != 0 && keys[places[place] - 1] != key) {
            place = place + 1 & places.length - 1;
        }
        return place;
    }

    private void grow() {
        keys = Arrays.copyOf(keys, 2 * size);
        sums = Arrays.copyOf(sums, 2 * size * width);
        places = new int[4 * size];
        for (int at = 0; at < size; at++) {
            places[place(keys[at])] = at + 1;
        }
    }
}
