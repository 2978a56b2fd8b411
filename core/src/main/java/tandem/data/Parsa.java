package tandem.data;

import java.util.Arrays;
import java.util.function.IntConsumer;
import java.util.function.IntUnaryOperator;

/// Parsa (Li, Andersen and Smola, *Graph partitioning via parallel submodular approximation to accelerate distributed
/// machine learning*, 2015): cuts rows into parts of equal size whose rows have many keys in common, so that who works
/// on a part needs few keys, and then gives each key to one of the parts that need it.
///
/// Rows come block by block. In a block parts take turns: each takes the row that brings the fewest keys its rows do
/// not have yet, which those of earlier blocks count for too. That a row costs as much more as it has keys of other
/// parts is ours, and that the first row of each part is one that has little to do with those of others: without, parts
/// that were through with one community began the next together. A block takes time in proportion to parts × entries.
/// Belongs to one thread.
final class Parsa {

    /// Parts that a key is needed by are bits of a long.
    static final int MOST_PARTS = Long.SIZE;

    /// Rows that cost more are all alike.
    private static final int MOST_COST = 100;

    private static final int NONE = -1;

    private final int parts;
    private final int blockRows;

    /// By key: the parts whose rows have it.
    private long[] needed = new long[1 << 10];

    private int keys;

    /// By row, in the order in which they came.
    private byte[] assigned = new byte[1 << 10];

    private int rows;

    /// The block that is being gathered: its rows, as places in `entries`, and their keys.
    private int[] starts = new int[1 << 10];

    private int gathered;
    private int[] entries = new int[1 << 12];

    Parsa(int parts, int blockRows) {
        if (parts < 1 || parts > MOST_PARTS) {
            throw new IllegalArgumentException(parts + " parts; use 1 to " + MOST_PARTS);
        }
        if (blockRows < 1) {
            throw new IllegalArgumentException("blocks of " + blockRows + " rows; use 1 or more");
        }
        this.parts = parts;
        this.blockRows = blockRows;
    }

    /// Adds a key, by number, to the row that comes next. A row has a key once.
    void add(int key) {
        int at = starts[gathered];
        if (at == entries.length) {
            entries = Arrays.copyOf(entries, Math.multiplyExact(2, at));
        }
        if (key >= needed.length) {
            needed = Arrays.copyOf(needed, Math.max(key + 1, 2 * needed.length));
        }
        keys = Math.max(keys, key + 1);
        entries[at] = key;
        starts[gathered]++;
    }

    /// The row is complete.
    void end() {
        gathered++;
        if (gathered + 1 >= starts.length) {
            starts = Arrays.copyOf(starts, 2 * starts.length);
        }
        starts[gathered] = starts[gathered - 1];
        if (gathered == blockRows) {
            assign();
        }
    }

    /// The part of each row, in the order in which they came.
    byte[] parts() {
        assign();
        return Arrays.copyOf(assigned, rows);
    }

    /// By key, the parts whose rows have it, as bits.
    long[] needed() {
        assign();
        return Arrays.copyOf(needed, keys);
    }

    private int from(int row) {
        return row == 0 ? 0 : starts[row - 1];
    }

    private void assign() {
        if (gathered == 0) {
            return;
        }
        if (assigned.length < rows + gathered) {
            assigned = Arrays.copyOf(assigned, Math.max(rows + gathered, 2 * assigned.length));
        }
        RowLists having = RowLists.of(keys, entries, gathered, this::from, starts);
        Waiting[] waiting = new Waiting[parts];
        for (int part = 0; part < parts; part++) {
            waiting[part] = new Waiting(gathered);
            for (int row = gathered - 1; row >= 0; row--) {
                waiting[part].add(row, cost(row, part));
            }
        }
        for (int turn = 0; turn < gathered; turn++) {
            int part = (rows + turn) % parts;
            int row = rows + turn < parts ? apart(waiting[part]) : waiting[part].cheapest();
            assigned[rows + row] = (byte) part;
            for (Waiting all : waiting) {
                all.remove(row);
            }
            for (int at = from(row); at < starts[row]; at++) {
                if ((needed[entries[at]] >>> part & 1) == 0) {
                    need(entries[at], part, having, waiting);
                }
            }
        }
        rows += gathered;
        gathered = 0;
        starts[0] = 0;
    }

    /// A part has a key from now on: rows that have it are cheaper for it, and dearer for every other to which it was
    /// not a key of others yet.
    private void need(int key, int part, RowLists having, Waiting[] waiting) {
        long before = needed[key];
        needed[key] |= 1L << part;
        having.forEach(key, waiting[part]::cheapen);
        for (int other = 0; other < parts; other++) {
            if (other != part && (before & ~(1L << other)) == 0) {
                having.forEach(key, waiting[other]::burden);
            }
        }
    }

    /// The row that a part begins with: one that has the fewest keys of others, so that parts begin apart.
    private int apart(Waiting waiting) {
        int best = NONE;
        int least = Integer.MAX_VALUE;
        for (int row = 0; row < gathered && least > 0; row++) {
            if (waiting.has(row)) {
                int shared = 0;
                for (int at = from(row); at < starts[row]; at++) {
                    shared += needed[entries[at]] != 0 ? 1 : 0;
                }
                if (shared < least) {
                    least = shared;
                    best = row;
                }
            }
        }
        return best;
    }

    /// How many keys a row would bring that a part has not, and how many it has that others have.
    private int cost(int row, int part) {
        int cost = 0;
        for (int at = from(row); at < starts[row]; at++) {
            long by = needed[entries[at]];
            cost += (int) (~by >>> part & 1);
            cost += (by & ~(1L << part)) != 0 ? 1 : 0;
        }
        return cost;
    }

    /// Gives each key to the part whose rows have it most often, and among equals to the one that would otherwise ask
    /// others for the most. How often is ours: who works batch by batch asks for a key with every batch.
    static byte[] owners(PartCounts counts, int parts) {
        byte[] owners = new byte[counts.keys()];
        long[] asks = new long[parts];
        for (int key = 0; key < owners.length; key++) {
            int owner = -1;
            for (int part = 0; part < parts; part++) {
                if (counts.needs(part, key)) {
                    asks[part]++;
                    int more = owner < 0 ? 1 : Integer.compare(counts.rows(key, part), counts.rows(key, owner));
                    owner = more > 0 || more == 0 && asks[part] > asks[owner] ? part : owner;
                }
            }
            owners[key] = (byte) owner;
            asks[owner]--;
        }
        return owners;
    }

    /// Rows that a part may still take, in lists by cost, so that the cheapest is found at once.
    private static final class Waiting {

        private final int[] costs;
        private final int[] next;
        private final int[] before;
        private final int[] first = new int[MOST_COST + 1];
        private int least;

        Waiting(int rows) {
            costs = new int[rows];
            next = new int[rows];
            before = new int[rows];
            Arrays.fill(first, NONE);
        }

        void add(int row, int cost) {
            costs[row] = cost;
            int list = Math.min(cost, MOST_COST);
            next[row] = first[list];
            before[row] = NONE;
            if (first[list] != NONE) {
                before[first[list]] = row;
            }
            first[list] = row;
            least = Math.min(least, list);
        }

        boolean has(int row) {
            return costs[row] >= 0;
        }

        int cheapest() {
            while (first[least] == NONE) {
                least++;
            }
            return first[least];
        }

        void remove(int row) {
            if (before[row] == NONE) {
                first[Math.min(costs[row], MOST_COST)] = next[row];
            } else {
                next[before[row]] = next[row];
            }
            if (next[row] != NONE) {
                before[next[row]] = before[row];
            }
            costs[row] = NONE;
        }

        /// A row has one key of others more, if it is still to be had.
        void burden(int row) {
            int cost = costs[row];
            if (cost >= 0) {
                remove(row);
                add(row, cost + 1);
            }
        }

        /// A row brings one new key less, if it is still to be had.
        void cheapen(int row) {
            int cost = costs[row];
            if (cost > 0) {
                remove(row);
                add(row, cost - 1);
            }
        }
    }

    /// The rows that have each key.
    private record RowLists(int[] starts, int[] rows) {

        static RowLists of(int keys, int[] entries, int rows, IntUnaryOperator from, int[] until) {
            int[] starts = new int[keys + 1];
            for (int at = 0; at < until[rows - 1]; at++) {
                starts[entries[at] + 1]++;
            }
            for (int key = 0; key < keys; key++) {
                starts[key + 1] += starts[key];
            }
            int[] places = Arrays.copyOf(starts, keys);
            int[] lists = new int[until[rows - 1]];
            for (int row = 0; row < rows; row++) {
                for (int at = from.applyAsInt(row); at < until[row]; at++) {
                    lists[places[entries[at]]++] = row;
                }
            }
            return new RowLists(starts, lists);
        }

        void forEach(int key, IntConsumer row) {
            for (int at = starts[key]; at < starts[key + 1]; at++) {
                row.accept(rows[at]);
            }
        }
    }
}
