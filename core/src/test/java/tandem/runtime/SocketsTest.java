package tandem.runtime;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tandem.client.Client;
import tandem.client.Overdue;
import tandem.client.Session;
import tandem.client.Slice;
import tandem.cluster.Ground;
import tandem.consistency.Consistency;
import tandem.link.LinkLimits;
import tandem.link.Place;
import tandem.link.Shape;
import tandem.wire.Address;
import tandem.wire.Codec;
import tandem.wire.Keys;
import tandem.wire.Layout;
import tandem.wire.Lease;
import tandem.wire.Message;
import tandem.wire.Outbox;
import tandem.wire.Part;
import tandem.wire.Party;
import tandem.wire.TableSpec;

@Timeout(60)
class SocketsTest {

    @TempDir
    Path folder;

    private List<Place> places(String kind) {
        return IntStream.rangeClosed(0, Counting.SERVERS + Counting.WORKERS)
                .mapToObj(node -> kind.equals("tcp") ? Place.loopback() : new Place.Unix(folder.resolve("n" + node)))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "unix"})
    void every_read_is_within_the_staleness_and_every_update_counts_once(String kind) throws Exception {
        try (Counting counting = new Counting(places(kind), 50, Consistency.ssp(2), _ -> {})) {
            assertArrayEquals(new float[] {50, 50, 50}, counting.count());
            counting.reads().forEach(read -> read.isWithin(2));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "unix"})
    void connections_that_break_cost_nothing_but_time(String kind) throws Exception {
        Counting[] all = {null};
        AtomicInteger broken = new AtomicInteger();
        try (Counting counting = new Counting(places(kind), 60, Consistency.ssp(1), read -> {
            if (read.clock() % 7 == read.worker()) {
                broken.addAndGet(all[0].ground((int) (read.clock() % 6)).sever());
            }
        })) {
            all[0] = counting;
            assertArrayEquals(new float[] {60, 60, 60}, counting.count());
            counting.reads().forEach(read -> read.isWithin(1));
            assertTrue(broken.get() > 10, "only " + broken + " connections broke");
        }
    }

    @Test
    void who_waits_for_a_node_that_never_answers_says_for_whom() throws Exception {
        try (ServerSocketChannel deaf =
                        ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                Sockets ground = new Sockets(Place.loopback(), LinkLimits.DEFAULT)) {
            Client client = lone(ground, Place.at(deaf));
            Overdue e = assertThrows(
                    Overdue.class,
                    () -> run(
                            ground,
                            station -> new Session(Address.worker(0), client, station, 300_000_000)
                                    .read(new Slice(0, Keys.once(new long[] {1}, 1), new float[1]))));
            assertTrue(e.getMessage().startsWith("worker 0 has waited 0 s for server 0, never heard"), e.getMessage());
        }
    }

    @Test
    void a_node_that_does_not_read_makes_nobody_hold_more_than_the_limit() throws Exception {
        int limit = 1 << 20;
        try (ServerSocketChannel deaf =
                        ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                Sockets ground = new Sockets(Place.loopback(), LinkLimits.DEFAULT.withQueueBytes(limit))) {
            Client client = lone(ground, Place.at(deaf));
            float[] values = new float[50_000];
            long[] keys = IntStream.range(0, values.length).asLongStream().toArray();
            assertThrows(
                    Overdue.class,
                    () -> run(ground, station -> {
                        Session session = new Session(Address.worker(0), client, station, 300_000_000);
                        for (int i = 0; i < 20; i++) {
                            long clock = i + 1L;
                            station.turn((now, out) -> client.update(
                                    0, clock, now, out, new Slice(0, Keys.once(keys, keys.length), values)));
                            assertTrue(ground.waitingBytes() <= limit, () -> "holds " + ground.waitingBytes());
                        }
                        assertTrue(ground.waitingBytes() > 0);
                        session.flush(0);
                    }));
        }
    }

    @Test
    void garbage_closes_its_connection_and_nothing_else() throws Exception {
        SplittableRandom chance = new SplittableRandom(1);
        try (Counting counting = new Counting(places("tcp"), 20, Consistency.ssp(0), _ -> {})) {
            for (int node = 0; node < 6; node++) {
                int port = ((Place.Tcp) counting.ground(node).place()).port();
                for (int round = 0; round < 5; round++) {
                    assertEquals(-1, garbage(port, chance));
                }
            }
            assertArrayEquals(new float[] {20, 20, 20}, counting.count());
        }
    }

    @Test
    void who_only_reads_gives_no_orders() throws Exception {
        try (Counting counting = new Counting(places("tcp"), 20, Consistency.ssp(0), _ -> {})) {
            for (int node = 0; node < 6; node++) {
                try (Sockets ground = new Sockets(Place.loopback(), LinkLimits.DEFAULT)) {
                    Outbox reader = ground.add(Address.reader(0), (_, _, _, _) -> {});
                    String there = counting.ground(node).place().toString();
                    ground.add(Address.COORDINATOR, (_, _, _, _) -> {})
                            .send(
                                    Address.reader(0),
                                    new Message.Placed(Layout.NONE, new String[] {there, there, there}, new Lease[0]));
                    for (int server = 0; server < 3; server++) {
                        reader.send(Address.server(server), new Message.Order(5, new byte[0]));
                    }
                }
            }
            assertArrayEquals(new float[] {20, 20, 20}, counting.count());
        }
    }

    @Test
    void who_says_what_is_not_for_it_to_say_is_not_heard_and_loses_its_connection() throws Exception {
        List<Message> heard = new CopyOnWriteArrayList<>();
        try (Sockets ground = new Sockets(Place.loopback(), LinkLimits.DEFAULT)) {
            ground.add(Address.server(0), (_, message, _, _) -> heard.add(message));
            assertEquals(-1, said(ground, new Message.Seated(0, new Message.Update(1, 0, 1, 1, 1, new Part[0]))));
            assertEquals(-1, said(ground, new Message.Order(1, new byte[0])));
        }
        assertEquals(List.of(), heard);
    }

    @Test
    void what_is_said_to_a_node_while_it_starts_waits_until_it_has() throws Exception {
        List<String> calls = new CopyOnWriteArrayList<>();
        CountDownLatch heard = new CountDownLatch(1);
        try (Sockets ground = new Sockets(Place.loopback(), LinkLimits.DEFAULT)) {
            int port = ((Place.Tcp) ground.place()).port();
            Thread speaker = Thread.startVirtualThread(() -> speak(port, heard));
            ground.add(Address.server(0), new Party() {
                @Override
                public void start(long nowNanos, Outbox out) {
                    await(heard, 200); // it must not be heard now
                    calls.add("started");
                }

                @Override
                public void receive(Address from, Message message, long nowNanos, Outbox out) {
                    calls.add("heard");
                    heard.countDown();
                }
            });
            speaker.join();
        }
        assertEquals(List.of("started", "heard"), calls.subList(0, 2));
    }

    /// What came of its last order, say: whoever gave that would wait for it until the node counts as silent.
    @Test
    void what_a_node_says_before_it_goes_is_heard_over_a_slow_network_too() throws Exception {
        CountDownLatch heard = new CountDownLatch(1);
        try (Sockets home = new Sockets(Place.loopback(), LinkLimits.DEFAULT)) {
            home.add(Address.COORDINATOR, (_, _, _, _) -> heard.countDown());
            Shape shape = new Shape(1e9, 30_000_000);
            try (Sockets there = new Sockets(Place.loopback(), home.place(), LinkLimits.DEFAULT, shape)) {
                there.add(Address.worker(0), (_, _, _, _) -> {});
                there.turn(Address.worker(0), (_, out) -> {
                    out.send(Address.COORDINATOR, new Message.Done(1, false, new byte[0]));
                    return null;
                });
            }
            assertTrue(heard.await(10, TimeUnit.SECONDS));
        }
    }

    /// Says something to server 0 over and over until it is there to hear it.
    private static void speak(int port, CountDownLatch heard) {
        while (heard.getCount() > 0) {
            try (SocketChannel channel =
                    SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
                channel.write(said(new Message.Heartbeat(1, 0, 0)));
                await(heard, 20);
            } catch (IOException _) {
                // It is not there yet.
            }
        }
    }

    private static void await(CountDownLatch latch, long millis) {
        try {
            latch.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void who_talks_nonsense_loses_its_connection() throws Exception {
        try (Sockets ground = new Sockets(Place.loopback(), LinkLimits.DEFAULT)) {
            ground.add(Address.server(0), (_, message, _, _) -> {
                throw new IllegalArgumentException("what is " + message);
            });
            assertEquals(-1, said(ground, new Message.Heartbeat(1, 0, 0)));
        }
    }

    /// Says something to server 0 as a reader; what comes back.
    private static int said(Sockets ground, Message message) throws IOException {
        return answer(((Place.Tcp) ground.place()).port(), said(message));
    }

    /// The bytes in which a reader says something to server 0.
    private static ByteBuffer said(Message message) {
        ByteBuffer bytes = ByteBuffer.allocate(4096).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put("TANDEM\0".getBytes(StandardCharsets.US_ASCII)).put((byte) Codec.VERSION);
        bytes.putInt(Address.Role.READER.code()).putInt(0);
        bytes.putInt(Address.Role.SERVER.code()).putInt(0).putLong(0);
        Codec.encode(message, bytes);
        return bytes.flip();
    }

    /// Sends something wrong; what comes back.
    private static int garbage(int port, SplittableRandom chance) throws IOException {
        byte[] bytes = new byte[200];
        chance.nextBytes(bytes);
        return answer(port, ByteBuffer.wrap(bytes));
    }

    private static int answer(int port, ByteBuffer said) throws IOException {
        try (SocketChannel channel =
                SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
            channel.write(said);
            try {
                return channel.read(ByteBuffer.allocate(1));
            } catch (IOException e) {
                return -1; // reset, because not all was read
            }
        }
    }

    /// A worker that believes that all shards are at server 0, and that server 0 is at `place`.
    private static Client lone(Sockets ground, Place place) {
        Client client = new Client(50_000_000);
        ground.add(Address.worker(0), client);
        TableSpec table = TableSpec.sparse("t", 1).withShards(1);
        Layout layout = new Layout(1, new TableSpec[] {table}, new int[][] {{0}}, 1);
        String[] places = {place.toString()};
        ground.add(Address.COORDINATOR, (_, _, _, _) -> {})
                .send(Address.worker(0), new Message.Placed(layout, places, new Lease[] {new Lease(0, 1, false)}));
        return client;
    }

    private static void run(Sockets ground, Ground.Body worker) {
        ground.loop(Address.worker(0), worker);
        ground.run(_ -> {});
    }
}
