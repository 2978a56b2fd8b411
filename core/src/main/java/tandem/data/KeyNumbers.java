package tandem.data;

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import tandem.math.Mix;

/// Numbers keys from 0 in the order they are first seen.
///
/// Mixed keys are spread evenly, so a key's highest bits are its place in the table: the sorted keys of
/// a batch walk through memory in order, which makes a lookup a matter of few nanoseconds. If keys crowd
/// nevertheless, because someone chose ids that agree there, places are drawn by chance instead.
public final class KeyNumbers {

    private static final int LIMIT = 1 << 29;

    /// A key farther than this from its place is not there by chance but by order or by design.
    private static final int FAR = 128;

    /// How many steps to such keys are enough.
    private static final long TOO_MANY_STEPS = 1 << 25;

    private long[] table;
    private int[] numbers; // number + 1; 0 is free
    private long[] keys; // half as long as the table
    private int size;
    private long steps;
    private long salt; // 0: places follow the keys

    public KeyNumbers() {
        this(0);
    }

    /// With room for `count` keys. Keys that come in ascending order need it: a table that grows meanwhile
    /// has them all at its beginning, where each is looked for behind all others.
    KeyNumbers(int count) {
        refuse(count);
        int half = Math.max(1 << 9, Integer.highestOneBit(count) << 1);
        table = new long[2 * half];
        numbers = new int[2 * half];
        keys = new long[half];
    }

    public int size() {
        return size;
    }

    /// The key of each number, from 0.
    public long[] keys() {
        return Arrays.copyOf(keys, size);
    }

    /// The number of a key, which gets the next one if it has none.
    public int number(long key) {
        int mask = table.length - 1;
        int home = place(key);
        int slot = home;
        while (numbers[slot] != 0 && table[slot] != key) {
            slot = (slot + 1) & mask;
        }
        int far = (slot - home) & mask;
        if (far > FAR && salt == 0 && (steps += far) > TOO_MANY_STEPS) {
            salt = ThreadLocalRandom.current().nextLong() | 1;
            placeAll();
            return number(key);
        }
        if (numbers[slot] != 0) {
            return numbers[slot] - 1;
        }
        table[slot] = key;
        numbers[slot] = size + 1;
        keys[size++] = key;
        if (size == keys.length) {
            grow();
        }
        return size - 1;
    }

    private int place(long key) {
        return (int) ((salt == 0 ? key : Mix.mix(key ^ salt)) >>> (Long.numberOfLeadingZeros(table.length) + 1));
    }

    private void grow() {
        refuse(size);
        table = new long[table.length * 2];
        keys = Arrays.copyOf(keys, table.length / 2);
        placeAll();
    }

    private void placeAll() {
        numbers = new int[table.length];
        int mask = table.length - 1;
        for (int n = 0; n < size; n++) {
            int slot = place(keys[n]);
            while (numbers[slot] != 0) {
                slot = (slot + 1) & mask;
            }
            table[slot] = keys[n];
            numbers[slot] = n + 1;
        }
    }

    private static void refuse(int count) {
        if (count >= LIMIT) {
            throw new IllegalArgumentException("there are " + LIMIT
                    + " distinct features or more; use an online solver, or fewer bits with --hash-bits");
        }
    }
}
