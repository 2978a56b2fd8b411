package tandem.topology;

/// How *n* workers send to each other to sum an array. Either way each sends 2(*n* − 1)/*n* of its bytes, and each
/// number of the sum is worked out by one of them, so that all have the same bits.
public enum Topology {
    /// Each to the next: pieces go round once to be summed and once more to be known. 2(*n* − 1) steps, one neighbour.
    RING(0),

    /// Everyone to everyone: each sums one piece of the array and tells the others. 2 steps, *n* − 1 at a time; the
    /// better one where latency counts more than bytes, or few take part.
    DIRECT(1);

    private final int code;

    Topology(int code) {
        this.code = code;
    }

    /// What stands for it on the wire.
    int code() {
        return code;
    }

    Sum sum(Cut cut, int self, Sum.Mine mine) {
        return switch (this) {
            case RING -> new RingSum(cut, self, mine);
            case DIRECT -> new DirectSum(cut, self, mine);
        };
    }
}
