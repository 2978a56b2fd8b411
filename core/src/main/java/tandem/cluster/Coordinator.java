package tandem.cluster;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import tandem.client.Client;
import tandem.client.Ticket;
import tandem.filter.Filters;
import tandem.wire.Address;
import tandem.wire.Chain;
import tandem.wire.Layout;
import tandem.wire.Lease;
import tandem.wire.Limits;
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

    private final Cast cast;
    private final List<TableSpec> firstTables;
    private final Tables tables;
    private final Copies copies;
    private final long lookAfterNanos;
    private final Client reader;

    private final Roster roster = new Roster();
    private final Errands errands = new Errands(this::heardNanos);
    private final Guides guides = new Guides();
    private final Sharing sharing = new Sharing(this::leave);
    private final Farewells farewells = new Farewells();
    private final Operators operators = new Operators(this::lifeSign);

    /// What workers asked of the tables, and what came of it.
    private final Wishes wishes = new Wishes();

    private final Ticket complete = new Ticket(this::missing);

    /// Those who wait until everyone knows the layout.
    private final List<Ticket> waiting = new ArrayList<>(List.of(complete));

    /// Who works on which stream.
    private final Leases leases;

    /// Those who wait for somebody to come.
    private final TreeMap<Address, Ticket> arrivals = new TreeMap<>();

    /// What workers are working through; whoever gets more of it, or comes later, is told as well. Null for
    /// nothing.
    private Round standing;

    private Layout layout = Layout.NONE;

    /// How many coordinators there have been, this one included.
    private long term = 1;

    private Journal journal = Journal.NONE;

    private Decided.Numbers numbers;

    /// The same with the usual filters, and nothing held twice.
    public Coordinator(int servers, int workers, int streams, List<TableSpec> tables, long resendNanos) {
        this(Cast.of(servers, workers, streams), tables, new Filters(), resendNanos);
    }

    /// @param filters what tables may name as their filters
    public Coordinator(Cast cast, List<TableSpec> tables, Filters filters, long resendNanos) {
        this.cast = cast;
        this.leases = new Leases(cast);
        this.numbers = new Decided.Numbers(cast.servers(), cast.workers());
        this.firstTables = List.copyOf(tables);
        this.tables = new Tables(cast);
        this.copies = new Copies(cast.replicas() + 1);
        this.lookAfterNanos = Math.min(Math.min(resendNanos, cast.lostNanos() / 8), LIFE_SIGN_NANOS);
        this.reader = new Client(resendNanos, filters);
    }

    /// Has what workers ask for looked at: a table that `check` throws for is refused, and nobody else hears of it.
    public void checking(Consumer<TableSpec> check) {
        tables.checking(check);
    }

    /// Has what it decides kept, so that another coordinator can go on in its place; before [#start].
    public void keeping(Journal other) {
        journal = other;
    }

    /// Goes on in the place of another coordinator, that is no more; before [#start]. What it numbers comes after
    /// everything that those before it have numbered.
    public void goOn(Decided before) {
        term = before.term() + 1;
        layout = before.layout();
        leases.restore(before);
        numbers = before.numbers();
        roster.restore(before);
        before.leaving().forEach(farewells::add);
        reader.inLife(term);
        errands.startAfter(decided().firstNumber());
        guides.startAfter(decided().firstNumber());
    }

    private Decided decided() {
        return new Decided(
                term,
                layout,
                leases.tenures(),
                Roster.lives(roster.members()),
                Roster.lives(roster.lost()),
                farewells.all(),
                roster.gone(),
                numbers);
    }

    /// A node that there has not been, whoever was the coordinator.
    public Address next(Address.Role role) {
        boolean server = role == Address.Role.SERVER;
        Decided.Numbers given = numbers;
        numbers = new Decided.Numbers(given.server() + (server ? 1 : 0), given.worker() + (server ? 0 : 1));
        journal.keep(decided());
        return new Address(role, server ? given.server() : given.worker());
    }

    /// Begins to look after members; once, before anything else.
    @Override
    public void start(long nowNanos, Outbox out) {
        journal.keep(decided());
        out.wakeAt(nowNanos + lookAfterNanos, LOOK_AFTER);
    }

    /// The layout that it has decided on, whether everyone knows it or not.
    public Layout layout() {
        return layout;
    }

    /// Reads rows for the coordinator itself, outside all streams.
    public Client reader() {
        return reader;
    }

    /// What workers have last said of their work, in each of their lives.
    public List<Heard> heard() {
        return roster.heard();
    }

    /// Done when all servers and workers are there and know the layout.
    public Ticket complete() {
        return complete;
    }

    /// When a member was last heard; 0 for never.
    public long heardNanos(Address address) {
        return roster.heardNanos(address);
    }

    /// Gives an order to some nodes. To each node one order goes at a time, in turn.
    ///
    /// @param enough how many of them must carry it out until the round has had enough
    public Round order(List<Address> to, byte[] what, int enough, Outbox out) {
        return errands.give(to, what, enough, out);
    }

    /// Gives an order to all workers that take part, and to those that come to take part, or get more to do,
    /// before it is carried out: who has carried it out and gets more does it again.
    public Round standing(byte[] what, Outbox out) {
        sharing.end();
        standing = order(workersStaying(), what, workersStaying().size(), out);
        standing.enough.whenDone(() -> standing = null);
        Round round = standing;
        settle(out); // who came since the last one has no stream yet
        return round;
    }

    /// The same where they share `batches` batches, of which each counts for the worker that is through with
    /// it first. Once all count for somebody, who is not done is told to leave the rest.
    public Round standing(byte[] what, long batches, long nowNanos, Outbox out) {
        Round round = standing(what, out);
        sharing.begin(round, batches, nowNanos);
        return round;
    }

    private List<Address> workersStaying() {
        return farewells.staying(workersThere());
    }

    /// The same where each of the nodes, which are workers from number 0 on, is handed a share of `batches` batches
    /// piece by piece, and takes over from others when it is through with it.
    public Round order(List<Address> to, byte[] what, int enough, long batches, Outbox out) {
        Round round = order(to, what, enough, out);
        sharing.deal(batches, round);
        return round;
    }

    /// An order under way; its result is there when the ticket is done.
    public record Order(Address to, long number, Ticket ticket) {}

    /// Orders given together, which may become more, and a ticket that is done once enough of them are carried out.
    public record Round(List<Order> orders, Ticket enough) {}

    /// What came of an order whose ticket is done; nothing if its node is gone and others did it. To be asked once.
    public byte[] result(Order order) {
        sharing.forget(order.number);
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
        // Who wants to join may have begun anew, with nothing of what it had.
        if (!(message instanceof Message.Join)) {
            roster.heard(from, nowNanos);
        }
        if (from.role() == Address.Role.READER) {
            onGuest(from, message, out);
            return;
        }
        switch (message) {
            case Message.Join join -> onJoin(from, join, nowNanos, out);
            case Message.Heartbeat heartbeat -> {
                roster.heard(from, heartbeat);
                onHeartbeat(from, heartbeat.epoch(), nowNanos, out);
            }
            case Message.Renew renew -> {
                if (roster.has(from) && renew.epoch() == layout.epoch()) {
                    out.send(from, new Message.Renewed(renew.stamp()));
                }
            }
            case Message.CaughtUp(long epoch, int seat) -> {
                if (copies.hasCaughtUp(from, epoch, seat, layout)) {
                    improve(out);
                }
            }
            case Message.Done done -> errands.onDone(done, out);
            case Message.Guided guided -> guides.onGuided(from, guided.number());
            case Message.Ask ask -> sharing.ask(from, ask, standing, nowNanos, out);
            case Message.Create create -> wishes.grant(from, create.request(), () -> create(create.table(), out), out);
            case Message.Drop drop -> wishes.grant(from, drop.request(), () -> drop(drop.table(), out), out);
            case Message.Meet _ -> onMeet(from, out);
            case Message.Manage manage -> operators.ask(from, manage, layout.epoch() == 0, out);
            case Message.Seated _ -> reader.receive(from, message, nowNanos, out);
            default -> throw new IllegalArgumentException("the coordinator was sent " + message);
        }
    }

    /// Stays heard, and gives orders again that have not been answered: a node carries out each number once.
    @Override
    public void wake(long tag, long nowNanos, Outbox out) {
        if (tag == Sharing.WAKE) {
            sharing.shareOut(standing, nowNanos, out);
            return;
        }
        if (tag != LOOK_AFTER) {
            reader.wake(tag, nowNanos, out);
            return;
        }
        errands.again(out);
        guides.again(out);
        roster.await(nowNanos);
        roster.all().forEach(member -> out.send(member, lifeSign()));
        if (layout.epoch() > 0) {
            silentServers(nowNanos).forEach(server -> lose(server, nowNanos, out));
        }
        out.wakeAt(nowNanos + lookAfterNanos, LOOK_AFTER);
    }

    private void onJoin(Address from, Message.Join join, long nowNanos, Outbox out) {
        if (!isExpected(from)) {
            throw new IllegalArgumentException(from + " wants to join; there are " + cast.servers() + " servers and "
                    + cast.workers() + " workers, numbered from 0");
        }
        long before = roster.incarnation(from);
        if (join.incarnation() < before || roster.isGone(from, join.incarnation())) {
            return;
        }
        if (before > 0 && join.incarnation() > before) {
            if (from.role() == Address.Role.SERVER && has(from) && !lose(from, nowNanos, out)) {
                return; // it asks again; the last copy of something is gone unless others are heard by then
            }
            roster.notReady(from);
            sharing.anew(from, standing);
        }
        roster.join(from, join, nowNanos);
        errands.anew(from);
        if (from.role() == Address.Role.WORKER) {
            leases.live(from, join.incarnation());
        }
        if (layout.epoch() == 0 && roster.all().size() == cast.servers() + cast.workers()) {
            place(out);
        } else if (layout.epoch() > 0) {
            journal.keep(decided());
            tell(from, out);
        }
    }

    /// Servers that have not been heard for so long that they count as lost.
    private List<Address> silentServers(long nowNanos) {
        return serversThere().stream()
                .filter(server -> nowNanos - heardNanos(server) > cast.lostNanos())
                .toList();
    }

    /// Goes on without a server, if that can be: of each seat that it holds, somebody who has all of it must have
    /// been heard just now. The last copy of a seat is never given up.
    ///
    /// @return whether it is out
    public boolean lose(Address server, long nowNanos, Outbox out) {
        if (server.role() == Address.Role.WORKER) {
            return loseWorker(server, out);
        }
        if (!roster.has(server)) {
            return true; // it was lost before, or has never joined
        }
        Chain[] rest = Copies.without(
                server, layout, other -> nowNanos - heardNanos(Address.server(other)) <= cast.lostNanos() / 2);
        if (rest == null) {
            return false;
        }
        roster.lose(server);
        errands.lose(server);
        Ticket gone = farewells.remove(server);
        if (gone != null) {
            gone.complete();
        }
        lay(Copies.next(layout, rest), out);
        return true;
    }

    /// Whether nobody else has all of some seat that a server holds.
    public boolean hasLastCopy(Address server) {
        return roster.has(server) && Copies.areLastAt(server, layout);
    }

    /// Has others do what a worker had to do.
    private boolean loseWorker(Address worker, Outbox out) {
        if (!roster.has(worker) || workersStaying().equals(List.of(worker))) {
            return false;
        }
        roster.remove(worker);
        Ticket gone = farewells.remove(worker);
        share(worker, out); // first, so that nothing is over that others have to go on with
        errands.leave(worker);
        journal.keep(decided());
        if (gone != null) {
            gone.complete();
        }
        settle(out);
        return true;
    }

    /// Takes the next step towards as many copies of each seat as there are to be, once everyone is where the
    /// last one led.
    private void improve(Outbox out) {
        if (!roster.areServersReady()) {
            return;
        }
        Layout next = copies.improved(layout, farewells.holders(serversThere(), cast.replicas() + 1));
        if (next != null) {
            lay(next, out);
        }
    }

    /// A guest is told the layout when it asks, and again when it has an old one; it is no member.
    private void onGuest(Address from, Message message, Outbox out) {
        boolean asks = switch (message) {
            case Message.Join _ -> true;
            case Message.Heartbeat heartbeat -> heartbeat.epoch() < layout.epoch();
            default -> throw new IllegalArgumentException("the coordinator was sent " + message);
        };
        if (asks && layout.epoch() > 0) {
            tell(from, out);
        }
    }

    private boolean isExpected(Address node) {
        return switch (node.role()) {
            case COORDINATOR, READER, OPERATOR -> false;
            case SERVER -> node.number() < (layout.epoch() == 0 ? cast.servers() : Limits.DEFAULT.nodes());
            case WORKER -> node.number() < (layout.epoch() == 0 ? cast.workers() : Limits.DEFAULT.nodes());
        };
    }

    /// Deals the shards to seats, and the seats to servers.
    private void place(Outbox out) {
        lay(tables.first(firstTables, copies.first(serversThere(), cast.seats())), out);
    }

    /// Adds a table, in a new epoch; done when everyone knows.
    public Ticket create(TableSpec table, Outbox out) {
        return change(tables.with(table, layout), out);
    }

    /// Drops a table, in a new epoch; done when everyone knows. Its number is not used again.
    public Ticket drop(String name, Outbox out) {
        return change(tables.without(name, layout), out);
    }

    private Ticket change(Layout next, Outbox out) {
        Ticket ticket = new Ticket(this::missing);
        waiting.add(ticket);
        lay(next, out);
        return ticket;
    }

    /// Makes this the layout, once it is kept. Servers hear of it first, so that nobody is asked for what it does
    /// not have yet.
    private void lay(Layout next, Outbox out) {
        layout = next;
        roster.noneReady();
        journal.keep(decided());
        serversThere().forEach(server -> tell(server, out));
    }

    private void tell(Address to, Outbox out) {
        if (to.role() == Address.Role.SERVER || roster.areServersReady()) {
            out.send(to, new Message.Placed(layout, roster.serverPlaces(), leases(to), roster.incarnation(to)));
        }
    }

    private Lease[] leases(Address holder) {
        return holder.role() == Address.Role.WORKER ? leases.of(holder) : new Lease[0];
    }

    /// In which life each worker is that takes part.
    public TreeMap<Integer, Long> workerLives() {
        TreeMap<Integer, Long> lives = new TreeMap<>();
        workersThere().forEach(worker -> lives.put(worker.number(), roster.incarnation(worker)));
        return lives;
    }

    /// How many coordinators there have been, this one included.
    long term() {
        return term;
    }

    /// The workers that take part, ascending.
    public List<Address> workersThere() {
        return roster.workers();
    }

    /// Shares the streams among the workers that stay.
    private void share(Address gone, Outbox out) {
        List<Address> staying = workersStaying();
        if (!staying.isEmpty() && leases.share(staying, gone)) {
            lay(layout.with(layout.epoch() + 1, layout.chains()), out);
            if (standing != null) {
                errands.hold(standing);
            }
        }
    }

    /// Done when a node that is expected has joined and knows the layout.
    public Ticket joined(Address node) {
        Ticket ticket = new Ticket(() -> roster.isReady(node) ? null : node);
        arrivals.put(node, ticket);
        return ticket;
    }

    /// Whether a node takes part, or has until it was lost.
    public boolean hasJoined(Address node) {
        return roster.has(node) || roster.isLost(node);
    }

    /// Whether a node is to go and has not gone yet.
    public boolean isLeaving(Address node) {
        return farewells.has(node);
    }

    /// Has a node go, once others have what it has. Done when it has gone; who is going already goes once.
    public Ticket dismiss(Address node, Outbox out) {
        if (farewells.has(node)) {
            return farewells.add(node);
        }
        if (!roster.has(node)) {
            throw new IllegalArgumentException("there is no " + node + " that could leave; there are " + roster.all());
        }
        List<Address> there = node.role() == Address.Role.SERVER ? serversThere() : workersThere();
        List<Address> rest = farewells.staying(there).stream()
                .filter(other -> !other.equals(node))
                .toList();
        int least = node.role() == Address.Role.SERVER ? cast.replicas() + 1 : 1;
        if (rest.size() < least) {
            throw new IllegalArgumentException(node + " cannot leave: " + rest.size()
                    + " would be left, and there must be " + least + " or more; add one first");
        }
        Ticket gone = farewells.add(node);
        journal.keep(decided());
        if (node.role() == Address.Role.WORKER) {
            share(null, out);
        }
        settle(out);
        return gone;
    }

    /// Once everyone is where the last layout led, whoever was to leave and has nothing any more goes, newcomers
    /// get their share, and the next step is taken towards as many copies of each seat as there are to be.
    private void settle(Outbox out) {
        if (!roster.areReady()) {
            return;
        }
        List<Ticket> told = List.copyOf(waiting);
        waiting.clear();
        told.forEach(Ticket::complete);
        if (!roster.areReady()) {
            return; // whoever was told had something done that changed the layout
        }
        farewells
                .due(node -> !has(node))
                .forEach(node -> order(List.of(node), Duty.OVER, 1, out).enough.whenDone(() -> forget(node, out)));
        // Everyone knows its streams now, so who has got more, or is new, can be told to work on them.
        if (standing != null && errands.isHeld(standing)) {
            Round round = standing;
            workersStaying().forEach(worker -> errands.join(round, worker, out));
            errands.release(round);
        }
        if (standing != null) {
            share(null, out);
        }
        improve(out);
    }

    private boolean has(Address node) {
        return node.role() == Address.Role.WORKER
                ? leases.isHolder(node)
                : Arrays.stream(layout.chains()).anyMatch(chain -> chain.has(node.number()));
    }

    /// A node that was to go has gone, unless it was given up before: nobody waits for it any more, and it does
    /// nothing of what it was told to do after that.
    private void forget(Address node, Outbox out) {
        Ticket gone = farewells.remove(node);
        if (gone != null) {
            roster.leave(node);
            if (node.role() == Address.Role.WORKER) {
                errands.leave(node);
            } else {
                errands.lose(node);
            }
            journal.keep(decided());
            gone.complete();
            settle(out);
        }
    }

    /// The process of a node has ended as it was told to, perhaps by the coordinator before this one. What it said
    /// last may be lost: a connection that somebody has left breaks when something is sent, whatever is to be read.
    public void left(Address node, Outbox out) {
        errands.leave(node);
        forget(node, out);
    }

    /// The servers that take part, ascending.
    public List<Address> serversThere() {
        return roster.servers();
    }

    private void onHeartbeat(Address from, long epoch, long nowNanos, Outbox out) {
        if (layout.epoch() == 0 || !roster.has(from) && !roster.takeBack(from, nowNanos)) {
            return;
        }
        if (epoch < layout.epoch()) {
            tell(from, out);
            return;
        }
        if (!roster.addReady(from)) {
            return;
        }
        Ticket arrived = arrivals.remove(from);
        if (arrived != null) {
            arrived.complete();
        }
        if (from.role() == Address.Role.SERVER && roster.areServersReady()) {
            Message.Placed placed = new Message.Placed(layout, roster.serverPlaces(), new Lease[0]);
            reader.receive(Address.COORDINATOR, placed, nowNanos, out);
            workersThere().forEach(worker -> tell(worker, out));
        }
        settle(out);
    }

    private Message lifeSign() {
        return new Message.Heartbeat(layout.epoch(), 0, 0);
    }

    /// Has `other` do what operators want; until then they are told to wait. In a turn.
    public void obey(Steward other) {
        operators.obey(other);
    }

    /// What each member is and does, as far as is known here, ascending by address.
    public List<Standing> standings(long nowNanos) {
        return standings(roster.members(), nowNanos);
    }

    /// The same of servers that are left out because they were silent, and may come back.
    public List<Standing> lost(long nowNanos) {
        return standings(roster.lost(), nowNanos);
    }

    private List<Standing> standings(Map<Address, Roster.Entry> nodes, long nowNanos) {
        return nodes.values().stream()
                .map(entry -> {
                    Address node = entry.life.node();
                    return Standing.of(entry, layout, leases(node), farewells.has(node), nowNanos);
                })
                .toList();
    }

    /// Says where the workers are, once all are there.
    private void onMeet(Address from, Outbox out) {
        String[] places = roster.workerPlaces();
        if (places.length == cast.workers()) {
            out.send(from, new Message.Met(places));
        }
    }

    /// The first node that has not joined, else the first that has not heard of the layout; null if all have.
    private Address missing() {
        List<Address> expected = layout.epoch() > 0
                ? List.copyOf(roster.all())
                : Stream.concat(
                                IntStream.range(0, cast.servers()).mapToObj(Address::server),
                                IntStream.range(0, cast.workers()).mapToObj(Address::worker))
                        .toList();
        return expected.stream()
                .filter(node -> !roster.has(node))
                .findFirst()
                .or(() ->
                        expected.stream().filter(node -> !roster.isReady(node)).findFirst())
                .orElse(null);
    }

    /// A node was lost before it had carried out an order; it may be given to others.
    public static final class Gone extends RuntimeException {

        private static final long serialVersionUID = 1;

        Gone(Address who) {
            super(who + " was lost in the middle of its work");
        }
    }

    /// A node could not carry out an order.
    public static final class Failed extends RuntimeException {

        private static final long serialVersionUID = 1;

        Failed(Address who, String why) {
            super(why.startsWith(who.toString()) ? why : who + ": " + why);
        }
    }
}
