package tandem.worker;

import java.io.IOException;
import tandem.data.Batch;
import tandem.data.Batches;

/// Where a worker's batches of a pass come from: its own streams in turn, or ranges that it is given.
interface Supply {

    /// Fills `into` with the next batch; the stream that it is worked on for, or −1 when there are no more.
    int next(Batch into) throws IOException;

    /// Is told of examples that are passed over, by the place of their stream.
    @FunctionalInterface
    interface Skipped {
        void rows(int stream, int rows);
    }

    /// The parts of the pass that belong to the streams, a batch of each in turn.
    static Supply streams(Batches data, int pass, int[] streams, int all) throws IOException {
        return streams(data, pass, streams, all, new int[streams.length], (_, _) -> {});
    }

    /// The same without the first `skip` batches of each stream; `skipped` is told the examples of those. The stream
    /// that is furthest behind comes next: the others may wait for it.
    static Supply streams(Batches data, int pass, int[] streams, int all, int[] skip, Skipped skipped)
            throws IOException {
        Batches.Pass[] passes = new Batches.Pass[streams.length];
        Batch left = new Batch();
        for (int s = 0; s < streams.length; s++) {
            passes[s] = data.pass(pass, streams[s], all);
            for (int batch = 0; batch < skip[s] && passes[s].next(left); batch++) {
                skipped.rows(s, left.rows());
            }
        }
        int[] taken = skip.clone();
        return into -> {
            while (true) {
                if (streams.length == 0) {
                    return -1;
                }
                int next = 0;
                for (int s = 1; s < streams.length; s++) {
                    next = taken[s] < taken[next] ? s : next;
                }
                if (taken[next] == Integer.MAX_VALUE) {
                    return -1;
                }
                boolean more = passes[next].next(into);
                taken[next] = more ? taken[next] + 1 : Integer.MAX_VALUE;
                if (more) {
                    return streams[next];
                }
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
