package tandem.data;

import java.util.Arrays;

/// Numbers keys from 0 in the order they are first seen.
///
/// Mixed keys are spread evenly, so a key's highest bits are its place in the table: the sorted keys of
/// a batch walk through memory in order, which makes a lookup a matter of few nanoseconds.
final class KeyNumbers {

    private static final int LIMIT = 1 << 29;

    private long[] table;
    private int[] numbers; // number + 1; 0 is free
    private long[] keys; // half as long as the table
    private int size;

    KeyNumbers() {
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

    int size() {
        return size;
    }

    /// The key of each number, from 0.
    long[] keys() {
        return Arrays.copyOf(keys, size);
    }

    int number(long key) {
        int mask = table.length - 1;
        int slot = place(key);
        while (numbers[slot] != 0) {
            if (table[slot] == key) {
                return numbers[slot] - 1;
            }
            slot = (slot + 1) & mask;
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
        return (int) (key >>> (Long.numberOfLeadingZeros(table.length) + 1));
    }

    private void grow() {
        refuse(size);
        table = new long[table.length * 2];
        numbers = new int[table.length];
        keys = Arrays.copyOf(keys, table.length / 2);
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
