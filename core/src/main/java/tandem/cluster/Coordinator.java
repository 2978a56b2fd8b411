package tandem.cluster;

import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import tandem.client.Client;
import tandem.client.Ticket;
import tandem.wire.Address;
import tandem.wire.Layout;
import tandem.wire.Lease;
import tandem.wire.Message;
import tandem.wire.Outbox;
import tandem.wire.Party;
import tandem.wire.TableSpec;

/// The coordinator: waits until everyone is there, says who holds which shard and who works on which stream,
/// and passes on orders and what came of them.
public final class Coordinator implements Party {

    private static final long LOOK_AFTER = -1;

    /// How long members go without hearing from it, where nothing need be said twice.
    private static final long LIFE_SIGN_NANOS = 200_000_000;

    private final int servers;
    private final int workers;
    private final int streams;
    private final List<TableSpec> tables;
    private final long lookAfterNanos;
    private final Client reader;

    private final TreeMap<Address, Member> members = new TreeMap<>();
    private final Errands errands = new Errands(this::heardNanos);
    private final Guides guides = new Guides();

    /// By the number of an order: the batches that those who carry it out share.
    private final TreeMap<Long, Ranges> shared = new TreeMap<>();

    private final TreeSet<Address> ready = new TreeSet<>();
    private final Ticket complete = new Ticket(this::missing);
    private Layout layout = Layout.NONE;
    private String[] places = {};

    /// A node that has joined: its life, where it can be reached, and when it was last heard.
    private static final class Member {
        long incarnation;
        String place;
        long heardNanos;
        Message.Heartbeat latest = new Message.Heartbeat(0, 0, 0);
    }

    public Coordinator(int servers, int workers, int streams, List<TableSpec> tables, long resendNanos) {
        if (servers < 1 || workers < 1) {
            throw new IllegalArgumentException(
                    servers + " servers and " + workers + " workers; there must be 1 or more of each");
        }
        if (streams < workers) {
            throw new IllegalArgumentException(
                    streams + " streams for " + workers + " workers; each needs one, so use as many or more");
        }
        this.servers = servers;
        this.workers = workers;
        this.streams = streams;
        this.tables = List.copyOf(tables);
        this.lookAfterNanos = Math.min(resendNanos, LIFE_SIGN_NANOS);
        this.reader = new Client(resendNanos);
    }

    /// Begins to look after members; once, before anything else.
    public void start(long nowNanos, Outbox out) {
        out.wakeAt(nowNanos + lookAfterNanos, LOOK_AFTER);
    }

    /// Reads rows for the coordinator itself, outside all streams.
    public Client reader() {
        return reader;
    }

    /// The examples that all workers have learned from, as last heard.
    public long examples() {
        return members.values().stream()
                .mapToLong(member -> member.latest.examples())
                .sum();
    }

    /// Their loss in all.
    public double loss() {
        return members.values().stream()
                .mapToDouble(member -> member.latest.loss())
                .sum();
    }

    /// Done when all servers and workers are there and know the layout.
    public Ticket complete() {
        return complete;
    }

    /// When a member was last heard; 0 for never.
    public long heardNanos(Address address) {
        Member member = members.get(address);
        return member == null ? 0 : member.heardNanos;
    }

    /// Gives an order to some nodes. To each node one order goes at a time, in turn.
    ///
    /// @param enough how many of them must carry it out until the round has had enough
    public Round order(List<Address> to, byte[] what, int enough, Outbox out) {
        return errands.give(to, what, enough, out);
    }

    /// The same where each of the nodes, which are workers from number 0 on, is handed a share of `batches` batches
    /// piece by piece, and takes over from others when it is through with it.
    public Round order(List<Address> to, byte[] what, int enough, long batches, Outbox out) {
        Round round = order(to, what, enough, out);
        Ranges ranges = new Ranges(batches, to.size());
        round.orders.forEach(order -> shared.put(order.number, ranges));
        return round;
    }

    /// An order under way; its result is there when the ticket is done.
    public record Order(Address to, long number, Ticket ticket) {}

    /// Orders given together, and a ticket that is done once enough of them are carried out.
    public record Round(List<Order> orders, Ticket enough) {}

    /// What came of an order whose ticket is done. To be asked once.
    public byte[] result(Order order) {
        shared.remove(order.number);
        return errands.result(order.number);
    }

    /// Throws [Failed] if someone could not carry out an order of the round.
    public void check(Round round) {
        round.orders.forEach(order -> errands.check(order.number));
    }

    /// Tells those who are not done with a round to leave what is left of it.
    public void leave(Round round, Outbox out) {
        for (Order order : round.orders) {
            if (errands.isUndone(order.number)) {
                guides.enough(order.to, order.number, out);
            }
        }
    }

    /// Tells a worker what its reads wait for from now on; done when it follows.
    public Ticket consistency(Address worker, String name, Outbox out) {
        return guides.consistency(worker, name, out);
    }

    @Override
    public void receive(Address from, Message message, long nowNanos, Outbox out) {
        Member member = members.get(from);
        if (member != null) {
            member.heardNanos = nowNanos;
        }
        switch (message) {
            case Message.Join join -> onJoin(from, join, nowNanos, out);
            case Message.Heartbeat heartbeat -> {
                if (member != null) {
                    member.latest = heartbeat;
                }
                onHeartbeat(from, heartbeat.epoch(), out);
            }
            case Message.Done done -> errands.onDone(done, out);
            case Message.Guided guided -> guides.onGuided(from, guided.number());
            case Message.Ask ask -> onAsk(from, ask, out);
            case Message.Rows _,
                    Message.Computed _,
                    Message.Refused _,
                    Message.Held _,
                    Message.Fenced _,
                    Message.UnknownKeys _ -> reader.receive(from, message, nowNanos, out);
            default -> throw new IllegalArgumentException("the coordinator was sent " + message);
        }
    }

    /// Stays heard, and gives orders again that have not been answered: a node carries out each number once.
    @Override
    public void wake(long tag, long nowNanos, Outbox out) {
        if (tag != LOOK_AFTER) {
            reader.wake(tag, nowNanos, out);
            return;
        }
        errands.again(out);
        guides.again(out);
        members.keySet().forEach(member -> out.send(member, new Message.Heartbeat(layout.epoch(), 0, 0)));
        out.wakeAt(nowNanos + lookAfterNanos, LOOK_AFTER);
    }

    private void onJoin(Address from, Message.Join join, long nowNanos, Outbox out) {
        if (!isExpected(from)) {
            throw new IllegalArgumentException(from + " wants to join; there are " + servers + " servers and " + workers
                    + " workers, numbered from 0");
        }
        Member member = members.computeIfAbsent(from, _ -> new Member());
        if (join.incarnation() < member.incarnation) {
            return;
        }
        member.incarnation = join.incarnation();
        member.place = join.place();
        member.heardNanos = nowNanos;
        if (layout.epoch() == 0 && members.size() == servers + workers) {
            place(nowNanos, out);
        } else if (layout.epoch() > 0) {
            tell(from, out);
        }
    }

    private boolean isExpected(Address node) {
        return switch (node.role()) {
            case COORDINATOR -> false;
            case SERVER -> node.number() < servers;
            case WORKER -> node.number() < workers;
        };
    }

    /// Lays the shards out over the servers. Workers hear of it once all servers have.
    private void place(long nowNanos, Outbox out) {
        int[] numbers = members.keySet().stream()
                .filter(address -> address.role() == Address.Role.SERVER)
                .mapToInt(Address::number)
                .toArray();
        Ring ring = new Ring(numbers);
        int[][] owners = tables.stream()
                .map(table -> ring.owners(table.name(), table.shards()))
                .toArray(int[][]::new);
        layout = new Layout(1, tables.toArray(new TableSpec[0]), owners, streams, numbers);
        reader.receive(Address.COORDINATOR, new Message.Placed(layout, places, new Lease[0]), nowNanos, out);
        places = new String[Arrays.stream(numbers).max().orElseThrow() + 1];
        members.forEach((address, member) -> {
            if (address.role() == Address.Role.SERVER) {
                places[address.number()] = member.place;
                tell(address, out);
            }
        });
    }

    private void tell(Address to, Outbox out) {
        if (to.role() == Address.Role.WORKER && !ready.containsAll(serversThere())) {
            return;
        }
        out.send(to, new Message.Placed(layout, places, leases(to)));
    }

    private Lease[] leases(Address holder) {
        return holder.role() != Address.Role.WORKER
                ? new Lease[0]
                : IntStream.range(0, streams)
                        .filter(stream -> stream % workers == holder.number())
                        .mapToObj(stream -> new Lease(stream, 1, 0, 0))
                        .toArray(Lease[]::new);
    }

    private List<Address> serversThere() {
        return members.keySet().stream()
                .filter(address -> address.role() == Address.Role.SERVER)
                .toList();
    }

    private void onHeartbeat(Address from, long epoch, Outbox out) {
        if (layout.epoch() == 0) {
            return;
        }
        if (epoch < layout.epoch()) {
            tell(from, out);
            return;
        }
        if (ready.add(from) && from.role() == Address.Role.SERVER && ready.containsAll(serversThere())) {
            members.keySet().forEach(address -> {
                if (address.role() == Address.Role.WORKER) {
                    tell(address, out);
                }
            });
        }
        if (ready.size() == servers + workers && !complete.isDone()) {
            complete.complete();
        }
    }

    private void onAsk(Address from, Message.Ask ask, Outbox out) {
        Ranges ranges = shared.get(ask.order());
        if (ranges != null) {
            Ranges.Range range = ranges.give(from.number(), ask.number());
            out.send(from, new Message.Given(ask.order(), ask.number(), range.from(), range.to()));
        }
    }

    /// The first node that has not joined, else the first that has not heard of the layout; null if all have.
    private Address missing() {
        List<Address> expected = Stream.concat(
                        IntStream.range(0, servers).mapToObj(Address::server),
                        IntStream.range(0, workers).mapToObj(Address::worker))
                .toList();
        return expected.stream()
                .filter(node -> !members.containsKey(node))
                .findFirst()
                .or(() ->
                        expected.stream().filter(node -> !ready.contains(node)).findFirst())
                .orElse(null);
    }

    /// A node could not carry out an order.
    public static final class Failed extends RuntimeException {

        private static final long serialVersionUID = 1;

        Failed(Address who, String why) {
            super(why.startsWith(who.toString()) ? why : who + ": " + why);
        }
    }
}
