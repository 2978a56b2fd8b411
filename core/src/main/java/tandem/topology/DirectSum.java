package tandem.topology;

import java.util.Arrays;
import tandem.wire.Outbox;
import tandem.wire.Values;

/// A sum by everyone at once: worker *r* gets chunk *r* from all others, adds it up in the order of the workers, and
/// sends it to all others. Pieces to a worker are first the segments of its chunk, then those of one's own, summed.
final class DirectSum extends Sum {

    /// By segment of one's own chunk and worker: its numbers, until all are there.
    private final Values[][] parts;

    private final int[] missing;
    private final boolean[] summed;

    DirectSum(Cut cut, int self, Mine mine) {
        super(cut, self, mine);
        parts = new Values[cut.segments()][cut.workers()];
        missing = new int[cut.segments()];
        summed = new boolean[cut.segments()];
        Arrays.fill(missing, cut.workers() - 1);
    }

    @Override
    int piecesFrom(int worker) {
        return worker == self ? 0 : 2 * cut.segments();
    }

    @Override
    int piecesTo(int worker) {
        return piecesFrom(worker);
    }

    @Override
    Range place(int from, int index) {
        return range(from, self, index);
    }

    @Override
    Range source(int to, int index) {
        return range(self, to, index);
    }

    private Range range(int from, int to, int index) {
        int segment = index % cut.segments();
        int chunk = index < cut.segments() ? to : from;
        return new Range(cut.start(chunk, segment), cut.size(chunk, segment));
    }

    @Override
    boolean isReady(int to, int index) {
        return index < cut.segments() || summed[index - cut.segments()];
    }

    /// The next worker first, so that not all send to the same one at a time.
    @Override
    void open(Outbox out) {
        for (int hop = 1; hop < cut.workers(); hop++) {
            for (int segment = 0; segment < cut.segments(); segment++) {
                send((self + hop) % cut.workers(), segment, out);
            }
        }
    }

    @Override
    void use(int from, int index, Values values, Outbox out) {
        if (index >= cut.segments()) {
            values.copyTo(buffer, place(from, index).start());
            return;
        }
        parts[index][from] = values;
        if (--missing[index] == 0) {
            addUp(index);
            for (int hop = 1; hop < cut.workers(); hop++) {
                send((self + hop) % cut.workers(), cut.segments() + index, out);
            }
        }
    }

    private void addUp(int segment) {
        int start = cut.start(self, segment);
        int size = cut.size(self, segment);
        parts[segment][self] = buffer.piece(start, size).detached();
        parts[segment][0].copyTo(buffer, start);
        for (int worker = 1; worker < cut.workers(); worker++) {
            add(parts[segment][worker], buffer, start);
        }
        parts[segment] = null;
        summed[segment] = true;
    }
}
