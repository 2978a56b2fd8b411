package tandem.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import tandem.client.Client;
import tandem.client.Overdue;
import tandem.client.Session;
import tandem.client.Slice;
import tandem.client.Station;
import tandem.consistency.Changing;
import tandem.consistency.Consistency;
import tandem.server.Rules;
import tandem.server.Server;
import tandem.simulate.Machines;
import tandem.simulate.Network;
import tandem.simulate.Simulation;
import tandem.wire.Address;
import tandem.wire.Keys;
import tandem.wire.Message;
import tandem.wire.Outbox;
import tandem.wire.Party;
import tandem.wire.TableSpec;

class ConductorTest {

    private static final long SILENCE = 30_000_000_000L;
    private static final long TICK = 100_000_000;
    private static final List<Address> WORKERS =
            IntStream.range(0, 3).mapToObj(Address::worker).toList();

    private final Simulation simulation =
            new Simulation(1, Network.DEFAULT.withFaults(0.1, 0.1, 500_000), Machines.even(1));
    private final Coordinator coordinator =
            new Coordinator(1, 3, 3, List.of(TableSpec.sparse("t", 1).withShards(4)), simulation.resendNanos());

    @Test
    void orders_are_carried_out_once_each_though_messages_are_lost_and_doubled() {
        int[] carriedOut = new int[3];
        for (Address worker : WORKERS) {
            member(worker, new Client(simulation.resendNanos()), what -> {
                carriedOut[worker.number()]++;
                return what;
            });
        }
        conduct(conductor -> {
            for (byte order = 1; order <= 20; order++) {
                byte[] what = {order};
                conductor.order(WORKERS, what, TICK, () -> {}).forEach(result -> assertEquals(what[0], result[0]));
            }
        });
        assertEquals(List.of(20, 20, 20), IntStream.of(carriedOut).boxed().toList());
    }

    @Test
    void only_nodes_that_are_expected_join() {
        Outbox out = new Outbox() {
            @Override
            public void send(Address to, Message message) {
                throw new AssertionError("said " + message + " to " + to);
            }

            @Override
            public void wakeAt(long nanos, long tag) {}
        };
        for (Address stranger : List.of(Address.COORDINATOR, Address.server(1), Address.worker(3), Address.worker(9))) {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> coordinator.receive(stranger, new Message.Join(1, "", 0), 0, out));
        }
    }

    @Test
    void a_worker_that_fell_silent_is_named_even_while_another_is_waited_for() {
        for (Address worker : WORKERS) {
            Member member = new Member(new Client(simulation.resendNanos()), 1, "", TICK);
            simulation.add(worker, worker.number() == 2 ? new Mute(member, 5_000_000_000L) : member);
        }
        Overdue overdue = assertThrows(
                Overdue.class, () -> conduct(conductor -> conductor.order(WORKERS, new byte[] {1}, TICK, () -> {})));
        assertEquals(
                "the coordinator has waited 35 s for worker 2, last heard",
                overdue.getMessage().substring(0, 56));
    }

    @Test
    void a_node_that_never_came_is_named() {
        WORKERS.subList(0, 2).forEach(worker -> member(worker, new Client(simulation.resendNanos()), what -> what));
        Overdue overdue = assertThrows(Overdue.class, () -> conduct(_ -> {}));
        assertEquals(
                "the coordinator has waited 30 s for worker 2, never heard",
                overdue.getMessage().substring(0, 57));
    }

    /// Does nothing from some time on.
    private record Mute(Party party, long fromNanos) implements Party {

        @Override
        public void start(long nowNanos, Outbox out) {
            party.start(nowNanos, out);
        }

        @Override
        public void receive(Address from, Message message, long nowNanos, Outbox out) {
            if (nowNanos < fromNanos) {
                party.receive(from, message, nowNanos, out);
            }
        }

        @Override
        public void wake(long tag, long nowNanos, Outbox out) {
            if (nowNanos < fromNanos) {
                party.wake(tag, nowNanos, out);
            }
        }
    }

    @Test
    void what_a_worker_says_went_wrong_is_told_with_its_name() {
        for (Address worker : WORKERS) {
            member(worker, new Client(simulation.resendNanos()), what -> {
                if (worker.number() == 1) {
                    throw new IllegalStateException("the disk is full");
                }
                return what;
            });
        }
        Coordinator.Failed failed = assertThrows(
                Coordinator.Failed.class,
                () -> conduct(conductor -> conductor.order(WORKERS, new byte[] {1}, TICK, () -> {})));
        assertEquals("worker 1: the disk is full", failed.getMessage());
    }

    @Test
    void what_went_wrong_is_told_though_another_worker_is_never_done() {
        Member busy = new Member(new Client(simulation.resendNanos()), 1, "", TICK);
        simulation.add(WORKERS.getFirst(), busy);
        for (Address worker : WORKERS.subList(1, 3)) {
            member(worker, new Client(simulation.resendNanos()), _ -> {
                throw new IllegalStateException("the disk is full");
            });
        }
        Coordinator.Failed failed = assertThrows(
                Coordinator.Failed.class,
                () -> conduct(conductor -> conductor.order(WORKERS, new byte[] {1}, TICK, () -> {})));
        assertEquals("the disk is full", failed.getMessage().substring("worker 1: ".length()));
    }

    /// What a worker saw that began to read at some time: how far the slowest was behind.
    private record Look(long nanos, long behind) {}

    @Test
    void a_bound_that_is_changed_holds_for_every_read_of_all_workers_once_they_are_told() {
        List<Look> looks = new ArrayList<>();
        long[] keys = LongStream.range(1, 4).toArray();
        for (Address worker : WORKERS) {
            Client client = new Client(simulation.resendNanos());
            Member member = new Member(client, 1, "", TICK);
            Changing bound = new Changing(Consistency.bounded(6));
            member.whenGuided(name -> bound.become(Consistency.named(name)));
            simulation.add(worker, member);
            simulation.loop(worker, station -> {
                Session session = new Session(worker, client, station, SILENCE);
                Duty duty = what -> {
                    count(worker.number(), session, bound, keys, looks);
                    return what;
                };
                duty.run(worker, member, station, SILENCE);
            });
        }
        long[] changed = {0, 0};
        conduct(conductor -> {
            Coordinator.Round round = conductor.begin(WORKERS, new byte[] {1}, 3);
            conductor.awaitEnough(round, TICK, () -> {
                if (changed[0] == 0 && simulation.nowNanos() > 2_000_000_000L) {
                    changed[0] = simulation.nowNanos();
                    conductor.change(WORKERS, "bounded:1", TICK);
                    changed[1] = simulation.nowNanos();
                }
            });
        });
        assertTrue(looks.stream().allMatch(look -> look.behind <= 6), looks::toString);
        assertTrue(looks.stream().filter(look -> look.nanos > changed[1]).count() > 20, looks::toString);
        assertTrue(
                looks.stream().filter(look -> look.nanos > changed[1]).allMatch(look -> look.behind <= 1),
                looks::toString);
        assertTrue(
                looks.stream().anyMatch(look -> look.nanos < changed[0] && look.behind > 1),
                "nobody was behind before");
    }

    private static void count(int worker, Session session, Consistency bound, long[] keys, List<Look> looks) {
        for (long clock = 0; clock < 60; clock++) {
            float[] seen = new float[keys.length];
            long began = session.station().nowNanos();
            session.await(session.pull(
                    worker,
                    bound.after(session.clock(worker), session.sent(worker)),
                    new Slice(0, Keys.once(keys, keys.length), seen)));
            looks.add(new Look(began, clock - (long) Math.min(seen[0], Math.min(seen[1], seen[2]))));
            session.station().worked(worker == 0 ? 80_000_000 : 1_000_000);
            session.update(worker, clock + 1, new Slice(0, Keys.once(new long[] {keys[worker]}, 1), new float[] {1}));
        }
        session.flush(worker);
    }

    /// A newcomer may have been given a shard before an earlier model was put into it.
    @Test
    void what_changes_rows_without_an_update_is_done_again_if_an_epoch_has_begun_meanwhile() {
        WORKERS.forEach(worker -> member(worker, new Client(simulation.resendNanos()), what -> what));
        int[] times = {0};
        conduct((conductor, station) -> conductor.settled(() -> {
            if (++times[0] == 1) {
                // Nobody has heard of it when the change is done.
                station.turn((_, out) -> coordinator.create(TableSpec.sparse("another", 1), out));
            }
        }));
        assertEquals(2, times[0]);
    }

    /// It was told to go, and nothing more is heard of it, not even that it goes.
    @Test
    void a_run_that_is_through_does_not_fail_because_last_words_are_lost() {
        WORKERS.subList(0, 2).forEach(worker -> member(worker, new Client(simulation.resendNanos()), what -> what));
        Member member = new Member(new Client(simulation.resendNanos()), 1, "", TICK);
        simulation.add(Address.worker(2), new Mute(member, 1_000_000_000L));
        List<String> unheard = new ArrayList<>();
        direct((conductor, _) -> conductor.sendHome(() -> WORKERS, TICK, Long.MAX_VALUE / 2, unheard::add));
        assertEquals(1, unheard.size());
        assertTrue(unheard.getFirst().contains("for worker 2, last heard"), unheard::toString);
    }

    private void member(Address address, Client client, Duty duty) {
        Member member = new Member(client, 1, "", TICK);
        simulation.add(address, member);
        simulation.loop(address, station -> duty.run(address, member, station, SILENCE));
    }

    private void conduct(Consumer<Conductor> body) {
        conduct((conductor, _) -> body.accept(conductor));
    }

    private void conduct(BiConsumer<Conductor, Station> body) {
        direct((conductor, station) -> {
            body.accept(conductor, station);
            conductor.dismiss(WORKERS, TICK);
        });
    }

    private void direct(BiConsumer<Conductor, Station> body) {
        Server server = new Server(0, new Rules(), 0);
        Member member = new Member(server, 1, "", TICK);
        simulation.add(Address.server(0), member);
        simulation.add(Address.COORDINATOR, coordinator);
        simulation.run(station -> {
            Conductor conductor = new Conductor(coordinator, station, SILENCE);
            conductor.awaitAll(TICK, () -> {});
            body.accept(conductor, station);
        });
    }
}
