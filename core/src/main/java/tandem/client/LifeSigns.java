package tandem.client;

import java.util.Arrays;
import tandem.wire.Address;
import tandem.wire.Layout;

/// When servers and the coordinator were last heard.
final class LifeSigns {

    /// By server.
    private long[] heardNanos = {};

    private long coordinatorHeardNanos;

    /// Makes room for the servers of a layout.
    void place(Layout layout) {
        int servers = 1
                + Arrays.stream(layout.chains())
                        .flatMapToInt(chain -> Arrays.stream(chain.servers()))
                        .max()
                        .orElse(-1);
        heardNanos = Arrays.copyOf(heardNanos, Math.max(heardNanos.length, servers));
    }

    void heard(Address from, long nowNanos) {
        if (from.equals(Address.COORDINATOR)) {
            coordinatorHeardNanos = nowNanos;
        } else if (from.role() == Address.Role.SERVER && from.number() < heardNanos.length) {
            heardNanos[from.number()] = nowNanos;
        }
    }

    /// When a node was last heard; 0 for never.
    long heardNanos(Address node) {
        if (node.equals(Address.COORDINATOR)) {
            return coordinatorHeardNanos;
        }
        return node.number() < heardNanos.length ? heardNanos[node.number()] : 0;
    }

    /// How many servers there have been, at most.
    int servers() {
        return heardNanos.length;
    }
}
