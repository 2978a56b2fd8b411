package tandem;

import tandem.client.Reads;

/// What servers hold besides the first copy of each weight.
///
/// @param replicas    how many servers hold a copy besides the first, so that as many can be lost
/// @param replication when copies are told
/// @param reads       which copy workers read
public record Copies(int replicas, Replication replication, Reads reads) {

    /// Each weight on one server.
    public static final Copies NONE = new Copies(0, Replication.PUSH, Reads.HEAD);

    /// When copies are told of updates.
    public enum Replication {
        /// Of each update as it comes.
        PUSH,
        /// Of the updates of a clock together, as their sum, which is what the update rule sees as well.
        AGGREGATE
    }

    public Copies {
        if (replicas < 0) {
            throw new IllegalArgumentException(replicas + " replicas; use 0 or more");
        }
        if (replication == Replication.AGGREGATE && replicas == 0) {
            throw new IllegalArgumentException("without replicas there is nothing to pass on after aggregation; use"
                    + " more (--replicas 1), or leave out --replication");
        }
    }

    public Copies withReplicas(int many) {
        return new Copies(many, replication, reads);
    }

    public Copies withReplication(Replication other) {
        return new Copies(replicas, other, reads);
    }

    public Copies withReads(Reads other) {
        return new Copies(replicas, replication, other);
    }
}
