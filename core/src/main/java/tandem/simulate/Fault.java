package tandem.simulate;

import tandem.wire.Address;

/// Something that goes wrong, and when.
///
/// @param atNanos  when it begins
/// @param forNanos how long it lasts, where it ends by itself; for a crash, how long until another takes its place; for
///                 a clock, how far it jumps
/// @param node     which node it strikes; a server or worker by where it stands among those that are up
/// @param other    the node at the other end of a cut
public record Fault(Kind kind, long atNanos, long forNanos, Address node, Address other) {

    /// What can go wrong.
    public enum Kind {
        /// A server or worker ends, with all it had in memory. Another server comes, or the worker starts again.
        CRASH(true),
        /// A server ends and starts again under its own number, perhaps before anybody has noticed.
        RESTART(true),
        /// A worker is cut off and given up: the others go on with its streams, while it knows nothing of that. Then it
        /// ends and another comes.
        SUCCESSION(true),
        /// The coordinator ends, and another goes on from what it has kept.
        COORDINATOR(true),
        /// What the coordinator decides next cannot be kept, because its disk fails, is full or has half of it, so it
        /// ends and another goes on from what was kept before.
        DISK(true),
        /// What the coordinator decides next is kept, and it ends before anybody hears of it.
        UNHEARD(true),
        /// A node does nothing for a while, and then goes on as if no time had passed.
        PAUSE(true),
        /// A node hears nobody and nobody hears it.
        ISOLATE(true),
        /// Two nodes do not hear each other.
        PAIR(true),
        /// What a node sends to another is not heard; the other way goes on.
        ONE_WAY(true),
        /// What a node sends and hears takes long.
        CLOG(true),
        /// A node takes long over everything.
        SLOW(true),
        /// The clock of a server or worker jumps ahead.
        CLOCK(true),
        /// One more server or worker comes.
        JOIN(false),
        /// A server or worker is told to go, once others have what it has.
        LEAVE(false),
        /// A server of another release wants to take part.
        OLD_RELEASE(false),
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
