package tandem.simulate;

import tandem.wire.Address;

/// Something that goes wrong, and when.
///
/// @param atNanos  when it begins
/// @param forNanos how long it lasts, where it ends by itself; for a crash, how long until another server takes its
/// place
/// @param node     which node it strikes; a server by where it stands among those that are up
/// @param other    the node at the other end of a cut
public record Fault(Kind kind, long atNanos, long forNanos, Address node, Address other) {

    /// What can go wrong.
    public enum Kind {
        /// A server ends, with all it had in memory.
        CRASH(true),
        /// A node does nothing for a while, and then goes on as if no time had passed.
        PAUSE(true),
        /// A node hears nobody and nobody hears it.
        ISOLATE(true),
        /// What a node sends to another is not heard; the other way goes on.
        ONE_WAY(true),
        /// What a node sends and hears takes long.
        CLOG(true),
        /// One more server comes.
        JOIN(true),
        /// Messages are lost.
        LOSS(false),
        /// Messages come twice.
        REPEAT(false),
        /// Messages overtake each other.
        DELAY(false);

        private final boolean ofNode;

        Kind(boolean ofNode) {
            this.ofNode = ofNode;
        }

        /// Whether it strikes one node, and not the network.
        public boolean isOfNode() {
            return ofNode;
        }
    }
}
