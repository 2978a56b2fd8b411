package tandem.data;

import java.util.List;

/// What a part of the data must know of the whole to be packed: each part has as many batches as any other, though some
/// may have a row less.
///
/// @param parts   how many parts there are, each a stream of one worker
/// @param batches how many batches each has
/// @param rows    of all parts together
/// @param entries the same
/// @param labels  of all parts together
/// @param low     the least label that is a number
/// @param high    the largest
/// @param seed    decides the order of rows
/// @param hashBits how many low bits of ids are kept
/// @param hashes  whether an id may occur twice in a row
public record PartTerms(
        int parts,
        int batches,
        long rows,
        long entries,
        Labels labels,
        double low,
        double high,
        long seed,
        int hashBits,
        boolean hashes) {

    /// Of parts with so many rows each, in batches of about `batchRows`.
    public static PartTerms of(List<RowSummary> parts, int batchRows, long seed, int hashBits, boolean hashes)
            throws BadData {
        RowSummary all = parts.stream().reduce(RowSummary::plus).orElseThrow();
        if (all.complaint() != null) {
            throw new BadData(all.complaint());
        }
        if (all.rows() == 0) {
            throw new BadData("there are no examples; name data that has some");
        }
        long most = parts.stream().mapToLong(RowSummary::rows).max().orElseThrow();
        long least = parts.stream().mapToLong(RowSummary::rows).min().orElseThrow();
        int batches = Math.toIntExact(Math.max(1, Math.ceilDiv(most, batchRows)));
        if (least < batches) {
            throw new BadData(all.rows() + " examples for " + parts.size() + " workers, one of which has " + least
                    + "; use fewer workers");
        }
        return new PartTerms(
                parts.size(),
                batches,
                all.rows(),
                all.entries(),
                all.labels().labels(),
                all.low(),
                all.high(),
                seed,
                hashBits,
                hashes);
    }

    /// Of the same data in one part.
    PartTerms whole() {
        return new PartTerms(
                1, Math.multiplyExact(parts, batches), rows, entries, labels, low, high, seed, hashBits, hashes);
    }

    /// Which batch of all the `batch`-th of a part is: parts take turns, as streams do.
    long number(int part, long batch) {
        return batch * parts + part;
    }

    /// How many batches all parts have together.
    public long count() {
        return (long) parts * batches;
    }
}
