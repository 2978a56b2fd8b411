package tandem.simulate;

import java.util.Arrays;
import java.util.BitSet;
import java.util.TreeMap;
import java.util.function.LongToIntFunction;
import java.util.stream.IntStream;
import tandem.math.Mix;

/// What workers have pushed, what was acknowledged, and whether what they read agrees with it. The first thing that
/// does not is kept.
final class FaultLedger {

    private final int streams;

    /// Row by row, in the order of [#keys].
    private final long[] issued;

    private final long[] acknowledged;

    /// The most that a read of what all copies have has given.
    private final double[] settled;

    /// By stream: the last update that was made, and those that were acknowledged.
    private final long[] latest;

    private final BitSet[] known;

    /// What happened to the rows of the first pair: updates, and reads of what all copies have.
    private final FaultHistory history = new FaultHistory();

    /// When such updates began that have not ended, by stream and number.
    private final TreeMap<Update, Long> begun = new TreeMap<>();

    /// Counts what happens, as times for the history.
    private long tick;

    private final long[] keys;

    /// Where in [#keys] the row of a stream is, and the first of a pair; the second comes next.
    private final int[] ownPlaces;

    private final int[] pairPlaces;

    /// The newest epoch that a worker knows: from then on nobody may answer for an older one.
    private long activeEpoch;

    private long acknowledgements;
    private long readsChecked;
    private String violation;

    /// One update, which may be made more than once.
    private record Update(int stream, long number) implements Comparable<Update> {

        @Override
        public int compareTo(Update other) {
            int byStream = Integer.compare(stream, other.stream);
            return byStream != 0 ? byStream : Long.compare(number, other.number);
        }
    }

    /// A read of what all copies have, as it begins.
    ///
    /// @param least the least that it may give, row by row: what was acknowledged, or such a read has given
    /// @param tick  when it begins
    record Asked(double[] least, long tick) {}

    FaultLedger(int streams) {
        this.streams = streams;
        this.keys = new long[streams + 2 * FaultStream.PAIRS];
        for (int stream = 0; stream < streams; stream++) {
            keys[stream] = ownKey(stream);
        }
        for (int pair = 0; pair < FaultStream.PAIRS; pair++) {
            keys[streams + 2 * pair] = pairKey(pair);
            keys[streams + 2 * pair + 1] = pairKey(pair) + 1;
        }
        sort(keys);
        this.ownPlaces =
                IntStream.range(0, streams).map(stream -> place(ownKey(stream))).toArray();
        this.pairPlaces = IntStream.range(0, FaultStream.PAIRS)
                .map(pair -> place(pairKey(pair)))
                .toArray();
        this.issued = new long[keys.length];
        this.acknowledged = new long[keys.length];
        this.settled = new double[keys.length];
        this.latest = new long[streams];
        this.known = new BitSet[streams];
        Arrays.setAll(known, _ -> new BitSet());
    }

    static void sort(long[] unsigned) {
        for (int k = 0; k < unsigned.length; k++) {
            unsigned[k] ^= Long.MIN_VALUE;
        }
        Arrays.sort(unsigned);
        for (int k = 0; k < unsigned.length; k++) {
            unsigned[k] ^= Long.MIN_VALUE;
        }
    }

    long ownKey(int stream) {
        return Mix.mix(stream + 1);
    }

    /// The first key of a pair; the other is the next one.
    long pairKey(int pair) {
        return Mix.mix(1000 + pair) & -2;
    }

    /// All keys, ascending as unsigned numbers; not to be changed.
    long[] keys() {
        return keys;
    }

    private int place(long key) {
        int place = 0;
        while (keys[place] != key) {
            place++;
        }
        return place;
    }

    /// An update is made. If a worker ended before everyone had it, the next life makes it again.
    void issued(int stream, long number, int pair) {
        if (number > latest[stream]) {
            latest[stream] = number;
            count(issued, stream, pair);
            if (pair == 0) {
                begun.put(new Update(stream, number), ++tick);
            }
        }
    }

    void acknowledged(int stream, long number, int pair) {
        if (!known[stream].get((int) number)) {
            known[stream].set((int) number);
            acknowledgements++;
            count(acknowledged, stream, pair);
            if (pair == 0) {
                history.added(begun.remove(new Update(stream, number)), ++tick);
            }
        }
    }

    /// A life of a worker begins and is told that everyone has its updates up to a number.
    void begun(int stream, long upTo, LongToIntFunction pairs) {
        if (upTo > latest[stream]) {
            violated("G2: " + upTo + " updates of worker " + stream + " are there; it has made " + latest[stream]);
        }
        for (long number = 1; number <= Math.min(upTo, latest[stream]); number++) {
            acknowledged(stream, number, pairs.applyAsInt(number));
        }
    }

    private void count(long[] counts, int stream, int pair) {
        counts[ownPlaces[stream]]++;
        counts[pairPlaces[pair]]++;
        counts[pairPlaces[pair] + 1]++;
    }

    /// A worker knows of an epoch.
    void knows(long epoch) {
        activeEpoch = Math.max(activeEpoch, epoch);
    }

    long activeEpoch() {
        return activeEpoch;
    }

    /// Whether every stream has had so many updates acknowledged.
    boolean isComplete(int updates) {
        return acknowledgements == (long) streams * updates;
    }

    /// What has been acknowledged so far, row by row.
    long[] acknowledged() {
        return acknowledged.clone();
    }

    long acknowledgements() {
        return acknowledgements;
    }

    long readsChecked() {
        return readsChecked;
    }

    /// Checks rows that a stream has read.
    ///
    /// @param own      updates of its own that must be in them
    /// @param everyone clocks of everyone that must be in them
    /// @param least    what had been acknowledged when it asked
    void read(int stream, long own, long everyone, double[] rows, long[] least) {
        readsChecked++;
        for (int k = 0; k < keys.length; k++) {
            if (rows[k] < least[k]) {
                violated("G1: worker " + stream + " read " + rows[k] + " where " + least[k] + " were acknowledged");
            }
            if (rows[k] > issued[k]) {
                violated("G2: worker " + stream + " read " + rows[k] + " where " + issued[k] + " were sent");
            }
        }
        for (int pair = 0; pair < FaultStream.PAIRS; pair++) {
            double one = rows[pairPlaces[pair]];
            double other = rows[pairPlaces[pair] + 1];
            if (one != other) {
                violated("G3: worker " + stream + " read " + one + " and " + other + ", which are pushed together");
            }
        }
        for (int other = 0; other < streams; other++) {
            double seen = rows[ownPlaces[other]];
            long due = other == stream ? own : everyone;
            if (seen < due) {
                violated("G4: worker " + stream + " read " + seen + " updates of worker " + other + " where " + due
                        + " were due");
            }
        }
    }

    /// A read of what all copies have begins.
    Asked asksSettled() {
        double[] least = settled.clone();
        Arrays.setAll(least, k -> Math.max(least[k], acknowledged[k]));
        return new Asked(least, ++tick);
    }

    /// Checks what such a read has given.
    void settled(int stream, double[] rows, Asked asked) {
        readsChecked++;
        double[] least = asked.least;
        history.read(asked.tick, ++tick, (long) rows[pairPlaces[0]]);
        for (int k = 0; k < keys.length; k++) {
            if (rows[k] < least[k] || rows[k] > issued[k]) {
                violated("G5: worker " + stream + " read " + rows[k] + " of what all have, where " + least[k]
                        + " had been read or acknowledged, and " + issued[k] + " were sent");
            }
            settled[k] = Math.max(settled[k], rows[k]);
        }
    }

    /// Checks the rows as they are when everything is over: each update is in them once, and what was read of them
    /// meanwhile could have been read if one thing had happened at a time.
    void end(double[] rows) {
        FaultHistory.Event impossible = history.impossible();
        if (impossible != null) {
            violated("G5: no order of what happened to a row, one at a time, explains " + impossible);
        }
        for (int k = 0; k < keys.length; k++) {
            if (rows[k] != issued[k] || acknowledged[k] != issued[k]) {
                violated("G2: in the end a row is " + rows[k] + " where " + issued[k] + " were sent and "
                        + acknowledged[k] + " acknowledged");
            }
        }
    }

    void violated(String what) {
        violation = violation == null ? what : violation;
    }

    /// The first thing that was wrong, or null.
    String violation() {
        return violation;
    }
}
