package tandem.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.Function;
import tandem.client.Client;
import tandem.client.Session;
import tandem.cluster.Duty;
import tandem.cluster.Ground;
import tandem.cluster.Member;
import tandem.cluster.Traffic;
import tandem.filter.Filters;
import tandem.link.Place;
import tandem.runtime.Processes;
import tandem.runtime.Sockets;
import tandem.server.Rules;
import tandem.server.Server;
import tandem.wire.Address;

/// A server or worker of `bench kv`, in a process of its own or in that of the benchmark.
public final class KvNode {

    static final long SILENCE_NANOS = 60_000_000_000L;
    static final long HEARTBEAT_NANOS = 200_000_000;

    private KvNode() {}

    /// Arguments: server or worker, its number, where it listens (a folder for Unix sockets), where the coordinator
    /// is, the bytes a second that its network takes, and whether a server passes on the updates of a clock as one.
    public static void main(String[] args) throws Exception {
        Processes.endWithParent();
        int number = Integer.parseInt(args[1]);
        KvNetwork network = KvNetwork.here(args[2], Double.parseDouble(args[4]));
        try (Sockets ground = network.open(args[0] + number, Place.of(args[3]))) {
            if (args[0].equals("server")) {
                Server.Ways ways = Server.Ways.usual(1);
                server(
                        ground,
                        number,
                        ground.place().toString(),
                        name -> place(args[2], name + number),
                        Boolean.parseBoolean(args[5]) ? ways.gathering(Server.GATHER_NANOS) : ways);
            } else {
                worker(ground, number, ground.place().toString());
            }
            ground.run();
        }
    }

    /// Where a node listens: `tcp`, or a folder for its Unix socket.
    static Place place(String kind, String name) {
        return kind.equals("tcp") ? Place.loopback() : new Place.Unix(Path.of(kind, name));
    }

    /// Adds a server; asked `bare` or `alert`, it opens a bare socket and says where, asked `pid`, which process it is,
    /// and asked `received`, how many bytes have come to it.
    ///
    /// @param bare the place of a bare socket of some name
    static void server(Ground ground, int number, String place, Function<String, Place> bare, Server.Ways ways) {
        Address self = Address.server(number);
        Server server = new Server(number, new Rules(), new Filters(), ways);
        Member member = new Member(server, 1, place, HEARTBEAT_NANOS);
        ground.add(self, member);
        Duty duty = what -> {
            String asked = new String(what, StandardCharsets.UTF_8);
            return asked.equals("received")
                    ? String.valueOf(ground.traffic(self).received()).getBytes(StandardCharsets.UTF_8)
                    : answer(asked, bare);
        };
        ground.loop(self, station -> duty.run(self, member, station, SILENCE_NANOS));
    }

    private static byte[] answer(String what, Function<String, Place> bare) {
        try {
            return switch (what) {
                case "bare", "alert" ->
                    BareSocket.serve(bare.apply(what), what.equals("alert"))
                            .toString()
                            .getBytes(StandardCharsets.UTF_8);
                case "pid" -> String.valueOf(ProcessHandle.current().pid()).getBytes(StandardCharsets.UTF_8);
                default -> throw new IllegalArgumentException("a server cannot " + what);
            };
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void worker(Ground ground, int number, String place) {
        Address self = Address.worker(number);
        Client client = new Client(ground.resendNanos());
        Member member = new Member(client, 1, place, HEARTBEAT_NANOS);
        ground.add(self, member);
        ground.loop(self, station -> {
            Session session = new Session(self, client, station, SILENCE_NANOS);
            KvWork[] work = new KvWork[1];
            Duty duty = what -> {
                if (work[0] == null) {
                    work[0] = new KvWork(session, () -> sum(ground.traffic(self)));
                }
                return work[0].carryOut(what);
            };
            duty.run(self, member, station, SILENCE_NANOS);
        });
    }

    private static long sum(Traffic traffic) {
        return traffic.sent() + traffic.received();
    }
}
