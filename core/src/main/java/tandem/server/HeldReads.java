package tandem.server;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import tandem.wire.Address;
import tandem.wire.Message;

/// Reads that came before what they wait for. Those that wait for their own stream are kept by stream, the others
/// by the clock they need, so that an update looks only at those it may set free.
final class HeldReads {

    /// A read and who asked.
    record Held(Address from, Message.Read read) {}

    private static final Comparator<Held> ORDER = Comparator.<Held>comparingLong(
                    held -> held.read.after().everyone())
            .thenComparing(Held::from)
            .thenComparingLong(held -> held.read.request());

    private final List<TreeSet<Held>> ownUpdates = new ArrayList<>();
    private final TreeSet<Held> everyone = new TreeSet<>(ORDER);
    private final TreeSet<Held> shares = new TreeSet<>(ORDER);

    HeldReads(int streams) {
        for (int stream = 0; stream < streams; stream++) {
            ownUpdates.add(new TreeSet<>(ORDER));
        }
    }

    /// Keeps a read that is not due; false if it is kept already.
    boolean add(Held held, long ownUpTo) {
        if (held.read.after().own() > ownUpTo) {
            return ownUpdates.get(held.read.stream()).add(held);
        }
        return (held.read.after().share() < 1 ? shares : everyone).add(held);
    }

    /// Takes out the reads that may be due now that `stream` has moved; those that are not come back by [#add].
    List<Held> moved(int stream, long slowest, boolean slowestRose) {
        TreeSet<Held> own = ownUpdates.get(stream);
        boolean next = slowestRose && isReached(slowest);
        if (own.isEmpty() && shares.isEmpty() && !next) {
            return List.of();
        }
        List<Held> candidates = new ArrayList<>(own);
        candidates.addAll(shares);
        own.clear();
        shares.clear();
        for (; next; next = isReached(slowest)) {
            candidates.add(everyone.pollFirst());
        }
        return candidates;
    }

    private boolean isReached(long slowest) {
        return !everyone.isEmpty() && everyone.first().read.after().everyone() <= slowest;
    }
}
