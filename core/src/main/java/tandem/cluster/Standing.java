package tandem.cluster;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import tandem.wire.Address;
import tandem.wire.Layout;
import tandem.wire.Lease;

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
        long examples) {

    /// What is known of a member.
    ///
    /// @param leases  of a worker: what it works on
    /// @param leaving whether it is to go
    static Standing of(Roster.Entry member, Layout layout, Lease[] leases, boolean leaving, long nowNanos) {
        Address node = member.life.node();
        boolean isServer = node.role() == Address.Role.SERVER;
        List<Integer> seats = IntStream.range(0, isServer ? layout.seats() : 0)
                .filter(seat -> layout.chains()[seat].has(node.number()))
                .boxed()
                .toList();
        List<Integer> leads = seats.stream()
                .filter(seat -> layout.chains()[seat].head() == node.number())
                .toList();
        return new Standing(
                node,
                member.life.incarnation(),
                member.life.pid(),
                member.latest.epoch(),
                (nowNanos - member.heardNanos) / 1_000_000,
                leaving,
                seats,
                leads,
                Arrays.stream(leases).map(Lease::stream).toList(),
                member.latest.examples());
    }
}
