package tandem.bench;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
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
/// own and to one of a few that all share, which one its number says; so the rows tell which updates are in them.
public final class ChaosNode {

    static final int SHARED = 16;
    static final long HEARTBEAT_NANOS = 50_000_000;
    static final long SILENCE_NANOS = 60_000_000_000L;

    /// Orders: count until it is enough; say how much memory is in use.
    static final byte[] COUNT = {1};

    static final byte[] WEIGH = {2};

    /// How many updates are under way at a time.
    private static final int WINDOW = 8;

    private static final long GREED_MILLIS = 50;

    private ChaosNode() {}

    /// Arguments: the role, its number, where it listens, where others find it, where it finds the coordinator, which
    /// life of the node this is, how long a server may answer reads without a word from the coordinator, and a
    /// directory: when `greed-PID` appears there, it takes memory until there is no more.
    public static void main(String[] args) throws Exception {
        Processes.endWithParent();
        Address self = new Address(Address.Role.valueOf(args[0]), Integer.parseInt(args[1]));
        String found = args[3];
        long life = Long.parseLong(args[5]);
        Thread.ofPlatform().daemon().start(() -> awaitGreed(greed(Path.of(args[7]), pid())));
        try (Sockets ground = new Sockets(Place.of(args[2]), Place.of(args[4]), LinkLimits.DEFAULT, Shape.NONE)) {
            if (self.role() == Address.Role.SERVER) {
                server(ground, self, life, found, Long.parseLong(args[6]));
            } else {
                worker(ground, self, life, found);
            }
            ground.run();
        }
    }

    private static void server(Sockets ground, Address self, long life, String found, long leaseNanos) {
        Server.Ways ways = new Server.Ways(1, Server.LIST_BYTES, ground.resendNanos(), leaseNanos, false);
        Member member = member(new Server(self.number(), new Rules(), new Filters(), ways), life, found);
        ground.add(self, member);
        Duty duty = _ -> weigh();
        ground.loop(self, station -> duty.run(self, member, station, SILENCE_NANOS));
    }

    private static void worker(Sockets ground, Address self, long life, String found) {
        Client client = new Client(ground.resendNanos());
        client.inLife(life);
        Member member = member(client, life, found);
        ground.add(self, member);
        ground.loop(self, station -> {
            Session session = new Session(self, client, station, SILENCE_NANOS);
            Duty duty = what -> what[0] == COUNT[0] ? count(session, member) : weigh();
            duty.run(self, member, station, SILENCE_NANOS);
        });
    }

    private static Member member(Party node, long life, String found) {
        return new Member(node, life, found, pid(), HEARTBEAT_NANOS);
    }

    private static long pid() {
        return ProcessHandle.current().pid();
    }

    /// Counts until it is told that it is enough; what it has sent in all, whoever began, and the time of day. The
    /// coordinator hears meanwhile how many updates are acknowledged.
    private static byte[] count(Session session, Member member) {
        int stream = session.streams()[0];
        Ticket enough = session.station().turn((_, _) -> member.enough());
        Queue<Ticket> under = new ArrayDeque<>();
        while (!enough.isDone()) {
            if (under.size() == WINDOW) {
                session.await(under.remove());
            }
            long sequence = session.sent(stream) + 1;
            long acknowledged = sequence - under.size() - 1;
            under.add(session.update(stream, sequence, slice(stream, sequence)));
            session.station().turn((_, _) -> {
                member.learned(acknowledged, 0);
                return null;
            });
        }
        session.flush(stream);
        return ByteBuffer.allocate(16)
                .putLong(session.sent(stream))
                .putLong(System.currentTimeMillis())
                .array();
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

    /// Bytes of the heap that are in use.
    private static byte[] weigh() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return ByteBuffer.allocate(8)
                .putLong(runtime.totalMemory() - runtime.freeMemory())
                .array();
    }

    /// The file that makes the process `pid` greedy.
    static Path greed(Path directory, long pid) {
        return directory.resolve("greed-" + pid);
    }

    private static void awaitGreed(Path file) {
        try {
            while (!Files.exists(file)) {
                Thread.sleep(GREED_MILLIS);
            }
        } catch (InterruptedException _) {
            return;
        }
        List<byte[]> all = new ArrayList<>();
        while (true) {
            all.add(new byte[1 << 20]);
        }
    }
}
