package tandem.data;

import tandem.math.Mix;

/// Counts over generated rows, merged from chunk to chunk in order, so that the sums do not depend on
/// the number of threads.
final class ClickTally {

    private static final int BINS = 1 << 12;
    private static final int REGISTER_BITS = 14;
    private static final int REGISTERS = 1 << REGISTER_BITS;

    private long rows;
    private long entries;
    private double loss;

    /// Clicked and other rows by true probability.
    private final long[] clicked = new long[BINS];

    private final long[] other = new long[BINS];

    /// HyperLogLog (Flajolet et al. 2007) of the ids seen.
    private final byte[] registers = new byte[REGISTERS];

    void add(ClickRow row) {
        double odds = StrictMath.exp(-Math.abs(row.margin));
        double likely = 1 / (1 + odds);
        boolean asLikely = row.clicked == row.margin > 0;
        loss += StrictMath.log1p(odds) + (asLikely ? 0 : Math.abs(row.margin));
        double chance = row.margin > 0 ? likely : 1 - likely;
        int bin = Math.min((int) (chance * BINS), BINS - 1);
        if (row.clicked) {
            clicked[bin]++;
        } else {
            other[bin]++;
        }
        rows++;
        entries += row.entries;
        for (int e = 0; e < row.entries; e++) {
            long bits = Mix.mix(row.ids[e]);
            int register = (int) (bits >>> 64 - REGISTER_BITS);
            int rank = Long.numberOfLeadingZeros(bits << REGISTER_BITS | 1) + 1;
            if (rank > registers[register]) {
                registers[register] = (byte) rank;
            }
        }
    }

    void add(ClickTally chunk) {
        rows += chunk.rows;
        entries += chunk.entries;
        loss += chunk.loss;
        for (int b = 0; b < BINS; b++) {
            clicked[b] += chunk.clicked[b];
            other[b] += chunk.other[b];
        }
        for (int r = 0; r < REGISTERS; r++) {
            registers[r] = (byte) Math.max(registers[r], chunk.registers[r]);
        }
    }

    ClickSummary summary(long bytes) {
        long clicks = 0;
        long others = 0;
        double ordered = 0;
        for (int b = 0; b < BINS; b++) {
            ordered += clicked[b] * (others + other[b] / 2.0);
            clicks += clicked[b];
            others += other[b];
        }
        double auc = ordered / ((double) clicks * others);
        return new ClickSummary(rows, entries, bytes, clicks / (double) rows, loss / rows, auc, distinct());
    }

    private long distinct() {
        double sum = 0;
        int empty = 0;
        for (byte register : registers) {
            sum += Math.scalb(1.0, -register);
            empty += register == 0 ? 1 : 0;
        }
        double raw = 0.7213 / (1 + 1.079 / REGISTERS) * REGISTERS * REGISTERS / sum;
        boolean few = raw < 2.5 * REGISTERS && empty > 0;
        return Math.round(few ? REGISTERS * StrictMath.log((double) REGISTERS / empty) : raw);
    }
}
