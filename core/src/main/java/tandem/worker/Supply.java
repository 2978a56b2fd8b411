package tandem.worker;

import java.io.IOException;
import java.util.function.IntConsumer;
import tandem.data.Batch;
import tandem.data.Batches;

/// Where a worker's batches of a pass come from: its own streams in turn, or ranges that it is given.
interface Supply {

    /// Fills `into` with the next batch; the stream that it is worked on for, or −1 when there are no more.
    int next(Batch into) throws IOException;

    /// The parts of the pass that belong to the streams, a batch of each in turn.
    static Supply streams(Batches data, int pass, int[] streams, int all) throws IOException {
        Batches.Pass[] passes = new Batches.Pass[streams.length];
        for (int s = 0; s < streams.length; s++) {
            passes[s] = data.pass(pass, streams[s], all);
        }
        return of(passes, streams);
    }

    /// The same without the first `skip` batches of each stream; `skipped` is told the examples of those.
    static Supply streams(Batches data, int pass, int[] streams, int all, int[] skip, IntConsumer skipped)
            throws IOException {
        Batches.Pass[] passes = new Batches.Pass[streams.length];
        Batch left = new Batch();
        for (int s = 0; s < streams.length; s++) {
            passes[s] = data.pass(pass, streams[s], all);
            for (int batch = 0; batch < skip[s] && passes[s].next(left); batch++) {
                skipped.accept(left.rows());
            }
        }
        return of(passes, streams);
    }

    private static Supply of(Batches.Pass[] passes, int[] streams) {
        return new Supply() {
            private int turn;

            @Override
            public int next(Batch into) throws IOException {
                for (int tries = 0; tries < streams.length; tries++) {
                    int s = turn;
                    turn = (turn + 1) % streams.length;
                    if (passes[s].next(into)) {
                        return streams[s];
                    }
                }
                return -1;
            }
        };
    }

    /// Ranges of the pass, as long as there are any, all for one stream. A range is asked for when it is needed, not
    /// before: what a slow worker holds nobody can take over.
    static Supply ranges(Batches data, int pass, Ranges ranges, int stream) {
        return new Supply() {
            private Batches.Pass now = _ -> false;

            @Override
            public int next(Batch into) throws IOException {
                if (now.next(into)) {
                    return stream;
                }
                Ranges.Range range = ranges.next();
                now = data.range(pass, range.from(), range.to());
                return now.next(into) ? stream : -1;
            }
        };
    }
}
