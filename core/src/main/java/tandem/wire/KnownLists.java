package tandem.wire;

import java.util.LinkedHashMap;
import java.util.Map;
import tandem.math.Hash;

/// Which key lists each seat, or whoever else is told lists, has heard, so that they need not be sent again: the
/// signatures of the lists that it has answered for, the most recent of them.
public final class KnownLists {

    private static final int MOST = 1 << 16;

    private final Map<Known, Boolean> lists = new LinkedHashMap<>(16, 0.75f, true) {

        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Known, Boolean> eldest) {
            return size() > MOST;
        }
    };

    private record Known(int seat, int table, Hash.Signature signature) {}

    /// Whether a seat knows the list of a part.
    public boolean has(int seat, Part part) {
        return part.keys().signature() != null && lists.get(name(seat, part)) != null;
    }

    /// A seat has answered for these parts, so it knows their lists.
    public void heard(int seat, Part[] parts) {
        for (Part part : parts) {
            if (part.keys().signature() != null) {
                lists.put(name(seat, part), true);
            }
        }
    }

    /// A seat does not know one of these lists.
    public void forget(int seat, Part[] parts) {
        for (Part part : parts) {
            lists.remove(name(seat, part));
        }
    }

    private static Known name(int seat, Part part) {
        return new Known(seat, part.table(), part.keys().signature());
    }
}
