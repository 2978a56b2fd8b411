package tandem.simulate;

import tandem.wire.Address;

/// Something that goes wrong, and when.
///
/// @param atNanos  when it begins
/// @param forNanos how long it lasts, where it ends by itself; for a crash, how long until another takes its place
/// @param node     which node it strikes; a server by where it stands among those that are up
/// @param other    the node at the other end of a cut
public record Fault(Kind kind, long atNanos, long forNanos, Address node, Address other) {

    /// What can go wrong.
    public enum Kind {
        /// A server or worker ends, with all it had in memory. Another server comes, or the worker starts again.
        CRASH(true),
        /// A server ends and starts again under its own number, perhaps before anybody has noticed.
        RESTART(true),
        /// A node does nothing for a while, and then goes on as if no time had passed.
        PAUSE(true),
        /// A node hears nobody and nobody hears it.
        ISOLATE(true),
        /// What a node sends to another is not heard; the other way goes on.
        ONE_WAY(true),
        /// What a node sends and hears takes long.
        CLOG(true),
        /// A node takes long over everything.
        SLOW(true),
        /// One more server comes.
        JOIN(false),
        /// A server is told to go, once others have what it has.
        LEAVE(false),
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

        /// Whether something is wrong with one node, and not with the network or with nobody.
        public boolean isOfNode() {
            return ofNode;
        }
    }

    /// The same for another time.
    Fault lasting(long nanos) {
        return new Fault(kind, atNanos, nanos, node, other);
    }
}
