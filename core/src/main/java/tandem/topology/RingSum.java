package tandem.topology;

import tandem.wire.Outbox;
import tandem.wire.Values;

/// A sum that goes round the ring (Patarasuk and Yuan 2009). In step *s* worker *r* sends chunk *r* − *s* to the next
/// one, which adds its own numbers to it in the first *n* − 1 steps and only keeps it in the others: what has been
/// round once is the sum. Segments of a chunk go on their own, so that all links are busy.
final class RingSum extends Sum {

    RingSum(Cut cut, int self, Mine mine) {
        super(cut, self, mine);
    }

    private int workers() {
        return cut.workers();
    }

    private int steps() {
        return 2 * (workers() - 1);
    }

    private int next() {
        return (self + 1) % workers();
    }

    private int before() {
        return Math.floorMod(self - 1, workers());
    }

    @Override
    int piecesFrom(int worker) {
        return worker == before() ? steps() * cut.segments() : 0;
    }

    @Override
    int piecesTo(int worker) {
        return worker == next() ? steps() * cut.segments() : 0;
    }

    @Override
    Range place(int from, int index) {
        return sentBy(from, index);
    }

    @Override
    Range source(int to, int index) {
        return sentBy(self, index);
    }

    private Range sentBy(int worker, int index) {
        int segment = index % cut.segments();
        int chunk = Math.floorMod(worker - index / cut.segments(), workers());
        return new Range(cut.start(chunk, segment), cut.size(chunk, segment));
    }

    @Override
    boolean isReady(int to, int index) {
        return index < cut.segments() || has(before(), index - cut.segments());
    }

    @Override
    void open(Outbox out) {
        for (int index = 0; index < Math.min(cut.segments(), piecesTo(next())); index++) {
            send(next(), index, out);
        }
    }

    @Override
    void use(int from, int index, Values values, Outbox out) {
        int start = place(from, index).start();
        if (index / cut.segments() < workers() - 1) {
            add(values, buffer, start);
        } else {
            values.copyTo(buffer, start);
        }
        if (index + cut.segments() < piecesTo(next())) {
            send(next(), index + cut.segments(), out);
        }
    }
}
