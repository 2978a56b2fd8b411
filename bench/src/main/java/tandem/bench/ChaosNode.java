package tandem.bench;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;
import tandem.client.Client;
import tandem.client.Session;
import tandem.client.Slice;
import tandem.client.Ticket;
import tandem.cluster.Duty;
import tandem.cluster.Member;
import tandem.filter.Filters;
import tandem.link.LinkLimits;
import tandem.link.Place;
import tandem.link.Shape;
import tandem.math.Mix;
import tandem.runtime.Processes;
import tandem.runtime.Sockets;
import tandem.server.Rules;
import tandem.server.Server;
import tandem.wire.Address;
import tandem.wire.Keys;
import tandem.wire.Party;

/// A server or worker of `bench chaos`, in a process of its own. A worker counts: each update adds 1 to a row of its
/// own
/// and to one of a few that all share, which one its number says; so the rows tell which updates are in them.
public final class ChaosNode {

    static final int SHARED = 16;
    static final long HEARTBEAT_NANOS = 50_000_000;
    static final long SILENCE_NANOS = 60_000_000_000L;

    /// How many updates are under way at a time.
    private static final int WINDOW = 8;

    private ChaosNode() {}

    /// Arguments: the role, its number, where it listens, where the coordinator is, which life of the node this is, and
    /// how long a server may answer reads without a word from the coordinator.
    public static void main(String[] args) throws Exception {
        Processes.endWithParent();
        Address self = new Address(Address.Role.valueOf(args[0]), Integer.parseInt(args[1]));
        long life = Long.parseLong(args[4]);
        try (Sockets ground = new Sockets(Place.of(args[2]), Place.of(args[3]), LinkLimits.DEFAULT, Shape.NONE)) {
            if (self.role() == Address.Role.SERVER) {
                server(ground, self, life, Long.parseLong(args[5]));
            } else {
                worker(ground, self, life);
            }
            ground.run();
        }
    }

    private static void server(Sockets ground, Address self, long life, long leaseNanos) {
        Server.Ways ways = new Server.Ways(1, Server.LIST_BYTES, ground.resendNanos(), leaseNanos, false);
        Member member = member(ground, new Server(self.number(), new Rules(), new Filters(), ways), life);
        member.start(System.nanoTime(), ground.add(self, member));
        Duty idle = _ -> Duty.OVER;
        ground.loop(self, station -> idle.run(self, member, station, SILENCE_NANOS));
    }

    private static void worker(Sockets ground, Address self, long life) {
        Client client = new Client(ground.resendNanos());
        Member member = member(ground, client, life);
        member.start(System.nanoTime(), ground.add(self, member));
        ground.loop(self, station -> {
            Session session = new Session(self, client, station, SILENCE_NANOS);
            Duty duty = _ -> count(session, member);
            duty.run(self, member, station, SILENCE_NANOS);
        });
    }

    private static Member member(Sockets ground, Party node, long life) {
        long pid = ProcessHandle.current().pid();
        return new Member(node, life, ground.place().toString(), pid, HEARTBEAT_NANOS);
    }

    /// Counts until it is told that it is enough; what it has sent in all, whoever began.
    private static byte[] count(Session session, Member member) {
        int stream = session.streams()[0];
        Ticket enough = session.station().turn((_, _) -> member.enough());
        Queue<Ticket> under = new ArrayDeque<>();
        while (!enough.isDone()) {
            if (under.size() == WINDOW) {
                session.await(under.remove());
            }
            long sequence = session.sent(stream) + 1;
            under.add(session.update(stream, sequence, slice(stream, sequence)));
            session.station().turn((_, _) -> {
                member.learned(sequence, 0);
                return null;
            });
        }
        session.flush(stream);
        return ByteBuffer.allocate(8).putLong(session.sent(stream)).array();
    }

    private static Slice slice(int stream, long sequence) {
        long own = ownKey(stream);
        long shared = sharedKey((int) (sequence % SHARED));
        boolean ordered = Long.compareUnsigned(own, shared) < 0;
        long[] keys = ordered ? new long[] {own, shared} : new long[] {shared, own};
        return new Slice(0, Keys.once(keys, 2), new double[] {1, 1});
    }

    static long ownKey(int stream) {
        return Mix.mix(stream + 1);
    }

    static long sharedKey(int number) {
        return Mix.mix(1_000_000 + number);
    }
}
