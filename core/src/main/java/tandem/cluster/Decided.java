package tandem.cluster;

import java.util.List;
import tandem.wire.Address;
import tandem.wire.Layout;

/// What a coordinator has decided: all that another needs to go on in its place.
///
/// @param term    how many coordinators there have been; 1 for the first
/// @param streams by stream, who works on it
/// @param members who takes part
/// @param lost    servers that do not, and may come back
/// @param leaving members that are to go
/// @param gone    the lives in which nodes have left
/// @param numbers the first numbers that no node has had
public record Decided(
        long term,
        Layout layout,
        List<Tenure> streams,
        List<Life> members,
        List<Life> lost,
        List<Address> leaving,
        List<Life> gone,
        Numbers numbers) {

    /// A stream in the hands of a worker.
    ///
    /// @param number   of the lease
    /// @param orphaned whether whoever had it before is gone, and has not told what it did
    public record Tenure(Address holder, long number, boolean orphaned) {}

    /// A node in one of its lives.
    ///
    /// @param place where others can reach it
    /// @param pid   the number of its process
    public record Life(Address node, long incarnation, String place, long pid) {}

    /// Those of nodes: whoever has had one may be cut off and not know that it was given up.
    public record Numbers(int server, int worker) {}

    /// The number below which are all orders and guides of the coordinators before.
    long firstNumber() {
        return term << 32;
    }
}
