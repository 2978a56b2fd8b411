package tandem.cluster;

import java.util.ArrayList;
import java.util.List;

/// Who works on which batches of a pass. Each worker has an even share at first and is given it piece by piece; one
/// that has come to the end of its own takes from whoever has most left. A batch is given out once: asking again for
/// the same piece brings the same piece.
final class Ranges {

    /// A piece is this part of what is left of a share, so that a share ends with pieces of one batch.
    private static final int PART = 16;

    /// Batches `from` until `to` of the order of the pass.
    record Range(long from, long to) {

        static final Range NONE = new Range(0, 0);

        long count() {
            return to - from;
        }
    }

    /// By worker: what is left of its share, and what it was given so far.
    private final Range[] left;

    private final List<List<Range>> given = new ArrayList<>();

    Ranges(long count, int workers) {
        left = new Range[workers];
        for (int w = 0; w < workers; w++) {
            left[w] = new Range(count * w / workers, count * (w + 1) / workers);
            given.add(new ArrayList<>());
        }
    }

    /// The `number`-th piece of a worker, from 1; [Range#NONE] when nothing is left anywhere.
    Range give(int worker, int number) {
        List<Range> before = given.get(worker);
        if (number == before.size() + 1) {
            before.add(next(worker));
        }
        return before.get(number - 1);
    }

    private Range next(int worker) {
        Range own = left[worker];
        if (own.count() > 0) {
            long end = own.from + piece(own);
            left[worker] = new Range(end, own.to);
            return new Range(own.from, end);
        }
        int richest = 0;
        for (int w = 1; w < left.length; w++) {
            richest = left[w].count() > left[richest].count() ? w : richest;
        }
        Range from = left[richest];
        if (from.count() == 0) {
            return Range.NONE;
        }
        // From the far end: its owner comes there last.
        long start = from.to - piece(from);
        left[richest] = new Range(from.from, start);
        return new Range(start, from.to);
    }

    private static long piece(Range range) {
        return Math.max(1, range.count() / PART);
    }
}
