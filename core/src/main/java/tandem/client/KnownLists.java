package tandem.client;

import java.util.LinkedHashMap;
import java.util.Map;
import tandem.math.Hash;
import tandem.wire.Part;

/// Which key lists each server has heard, so that they need not be sent again: the signatures of the lists that it
/// has answered for, the most recent of them.
final class KnownLists {

    private static final int MOST = 1 << 16;

    private final Map<Known, Boolean> lists = new LinkedHashMap<>(16, 0.75f, true) {

        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Known, Boolean> eldest) {
            return size() > MOST;
        }
    };

    private record Known(int server, int table, Hash.Signature signature) {}

    /// Whether a server knows the list of a part.
    boolean has(int server, Part part) {
        return part.keys().signature() != null && lists.get(name(server, part)) != null;
    }

    /// A server has answered for these parts, so it knows their lists.
    void heard(int server, Part[] parts) {
        for (Part part : parts) {
            if (part.keys().signature() != null) {
                lists.put(name(server, part), true);
            }
        }
    }

    /// A server does not know one of these lists.
    void forget(int server, Part[] parts) {
        for (Part part : parts) {
            lists.remove(name(server, part));
        }
    }

    private static Known name(int server, Part part) {
        return new Known(server, part.table(), part.keys().signature());
    }
}
