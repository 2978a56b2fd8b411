package tandem.cluster;

import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import tandem.wire.Address;
import tandem.wire.Chain;
import tandem.wire.Layout;

/// Which servers have a copy of each seat: layouts without those that are lost, and on the way to as many copies as
/// there are to be.
final class Copies {

    private final int most;

    /// Newcomers that have all of a seat, as they said, in the epoch they said it.
    private final TreeMap<Integer, CaughtUp> caughtUp = new TreeMap<>();

    private record CaughtUp(int server, long epoch) {}

    /// @param most how many there are to be of each seat
    Copies(int most) {
        this.most = most;
    }

    /// The first chains of so many seats.
    Chain[] first(List<Address> servers, int seats) {
        return Seating.first(numbers(servers), seats, most);
    }

    /// Whether nobody else has all of some seat that a server holds.
    static boolean areLastAt(Address server, Layout layout) {
        return Seating.without(layout.chains(), server.number()) == null;
    }

    /// The chains without a server; null if that cannot be: of each seat that it holds, somebody who has all of it must
    /// have been heard just now. The last copy of a seat is never given up.
    static Chain[] without(Address server, Layout layout, IntPredicate isHeard) {
        Chain[] rest = Seating.without(layout.chains(), server.number());
        if (rest == null) {
            return null;
        }
        boolean heard = IntStream.range(0, rest.length)
                .filter(seat -> layout.chains()[seat].has(server.number()))
                .allMatch(seat -> IntStream.of(rest[seat].servers())
                        .limit(rest[seat].whole())
                        .anyMatch(isHeard));
        return heard ? rest : null;
    }

    /// A newcomer has all of a seat, unless that was said before it came, or came again; whether that is so.
    boolean hasCaughtUp(Address server, long epoch, int seat, Layout layout) {
        Chain chain = seat < layout.seats() ? layout.chains()[seat] : null;
        int position = chain == null ? -1 : chain.position(server.number());
        boolean isNew = position >= 0 && position >= chain.whole() && epoch >= chain.since()[position];
        if (isNew) {
            caughtUp.put(seat, new CaughtUp(server.number(), epoch));
        }
        return isNew;
    }

    /// The next step from a layout towards as many copies of each seat as there are to be; null if there is none.
    ///
    /// @param holders who may hold some
    Layout improved(Layout layout, List<Address> holders) {
        Chain[] chains = layout.chains().clone();
        caughtUp.forEach((seat, who) -> {
            int position = chains[seat].position(who.server);
            if (position == chains[seat].whole() && who.epoch >= chains[seat].since()[position]) {
                chains[seat] = Seating.grown(chains[seat]);
            }
        });
        caughtUp.clear();
        if (holders.isEmpty()) {
            return null;
        }
        Chain[] next = Seating.improved(chains, numbers(holders), most, layout.epoch() + 1);
        return Arrays.equals(next, layout.chains()) ? null : next(layout, next);
    }

    /// The layout after this one, with other chains.
    static Layout next(Layout layout, Chain[] chains) {
        long epoch = layout.epoch() + 1;
        return layout.with(epoch, Seating.restarted(layout.chains(), chains, epoch));
    }

    private static int[] numbers(List<Address> servers) {
        return servers.stream().mapToInt(Address::number).toArray();
    }
}
