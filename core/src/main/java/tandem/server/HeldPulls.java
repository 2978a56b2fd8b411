package tandem.server;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import tandem.wire.Address;
import tandem.wire.Message;

/// Pulls that came before what they wait for. Those that wait for their own stream are kept by stream, the others
/// by the clock they need, so that an update looks only at those it may set free.
final class HeldPulls {

    /// A pull and who asked.
    record Held(Address from, Message.Pull pull) {}

    private static final Comparator<Held> ORDER = Comparator.<Held>comparingLong(
                    held -> held.pull.after().everyone())
            .thenComparing(Held::from)
            .thenComparingLong(held -> held.pull.request());

    private final List<TreeSet<Held>> ownUpdates = new ArrayList<>();
    private final TreeSet<Held> everyone = new TreeSet<>(ORDER);
    private final TreeSet<Held> shares = new TreeSet<>(ORDER);

    HeldPulls(int streams) {
        for (int stream = 0; stream < streams; stream++) {
            ownUpdates.add(new TreeSet<>(ORDER));
        }
    }

    /// Keeps a pull that is not due; false if it is kept already.
    boolean add(Held held, long ownUpTo) {
        if (held.pull.after().own() > ownUpTo) {
            return ownUpdates.get(held.pull.stream()).add(held);
        }
        return (held.pull.after().share() < 1 ? shares : everyone).add(held);
    }

    /// Takes out the pulls that may be due now that `stream` has moved; those that are not come back by [#add].
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
        return !everyone.isEmpty() && everyone.first().pull.after().everyone() <= slowest;
    }
}
