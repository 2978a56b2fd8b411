package tandem.cluster;

import java.util.List;
import tandem.wire.Address;

/// A member as the coordinator knows it.
///
/// @param life        which one of those that have been under its number
/// @param heardMillis how long ago it was last heard
/// @param leaving     whether it is to go
/// @param seats       of a server: the seats that it has a copy of
/// @param leads       those of them that it answers for
/// @param streams     of a worker: the streams that it works on
/// @param examples    of a worker: how many it has learned from
public record Standing(
        Address node,
        long life,
        long pid,
        long epoch,
        long heardMillis,
        boolean leaving,
        List<Integer> seats,
        List<Integer> leads,
        List<Integer> streams,
        long examples) {}
