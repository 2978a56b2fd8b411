package tandem;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import tandem.client.Client;
import tandem.client.Session;
import tandem.client.Ticket;
import tandem.cluster.Coordinator;
import tandem.cluster.Decided;
import tandem.cluster.Duty;
import tandem.cluster.Ground;
import tandem.cluster.Journal;
import tandem.cluster.Member;
import tandem.cluster.Traffic;
import tandem.consistency.Changing;
import tandem.consistency.Consistency;
import tandem.consistency.Timetable;
import tandem.data.Batches;
import tandem.filter.Filters;
import tandem.problem.Loss;
import tandem.problem.Separable;
import tandem.report.Json;
import tandem.server.Rules;
import tandem.server.Server;
import tandem.wire.Address;
import tandem.wire.TableSpec;
import tandem.worker.FirstIntercept;
import tandem.worker.MinibatchLoop;
import tandem.worker.MinibatchTask;
import tandem.worker.Ranges;

/// A distributed run as each of its nodes knows it: what tables there are, and what servers and workers do when
/// they are told to. Has a table of weights for each problem, and one for its intercept after it.
///
/// @param terms    what the nodes agree on, whatever they compute
/// @param problems how many problems there are, one for each class against the rest
/// @param rule     the update rule, by its name on the command line
/// @param alpha    its learning rate
/// @param penalty  what it meets at every update
/// @param firsts   where the intercept of each problem begins
/// @param files    where servers write and read
record LinearJob(
        ClusterTerms terms,
        String loss,
        String positive,
        double positiveWeight,
        boolean intercept,
        int problems,
        Solver.Rule rule,
        double alpha,
        double beta,
        Separable penalty,
        List<Float> firsts,
        ServerFiles files) {

    private static final long HEARTBEAT_NANOS = 200_000_000;

    /// An order: to a worker, to work through a pass; to a server, to save the weights of a problem, to start from an
    /// earlier model, or to say what it holds.
    ///
    /// @param what   `pass`, `save`, `sums`, `start`, `memory`, or of checkpoints `copy`, `write` or `restore`
    /// @param table  the problem
    /// @param number the pass
    /// @param rounds passes that came before, of all problems
    /// @param until  the clock that workers stop at; for a checkpoint, its generation; to save, the epoch
    /// @param consistency what reads of the pass wait for; null for servers
    record Order(String what, int table, int number, long rounds, long until, String consistency) {

        static Order pass(int problem, int number, long rounds, long until, String consistency) {
            return new Order("pass", problem, number, rounds, until, consistency);
        }

        static Order save(int problem, long epoch) {
            return new Order("save", problem, 0, 0, epoch, null);
        }

        static Order of(String what, int problem) {
            return new Order(what, problem, 0, 0, 0, null);
        }

        static Order checkpoint(String what, long generation) {
            return new Order(what, 0, 0, 0, generation, null);
        }

        byte[] bytes() {
            return Json.bytes(this);
        }
    }

    /// The same with intercepts that fit the first batch.
    LinearJob fitted(Batches data) throws IOException {
        List<Float> fitting = new ArrayList<>();
        for (MinibatchTask task : tasks(data)) {
            fitting.add(FirstIntercept.of(task, data));
        }
        return new LinearJob(
                terms, loss, positive, positiveWeight, intercept, problems, rule, alpha, beta, penalty, fitting, files);
    }

    /// The table of a problem's weights.
    int table(int problem) {
        return intercept ? 2 * problem : problem;
    }

    /// The table of a problem's intercept; negative if there is none.
    int interceptTable(int problem) {
        return intercept ? 2 * problem + 1 : -1;
    }

    /// What the table of a problem's weights is called.
    static String weightsName(int problem) {
        return "weights " + problem;
    }

    /// What the table of its intercept is called.
    static String interceptName(int problem) {
        return "intercept " + problem;
    }

    List<TableSpec> tables() {
        List<TableSpec> tables = new ArrayList<>();
        Filters.Both filters = terms.filterKinds().parse(terms.filters());
        for (int k = 0; k < problems; k++) {
            tables.add(TableSpec.sparse(weightsName(k), 1)
                    .withFilters(filters.push(), filters.pull())
                    .withShards(terms.shards())
                    .withUpkeep(terms.upkeep())
                    .withRule(rule.label(), rule(penalty, 0)));
            if (intercept) {
                tables.add(TableSpec.dense(interceptName(k), 1, 1)
                        .withRule(rule.label(), rule(Separable.NONE, firsts.get(k))));
            }
        }
        return tables;
    }

    private double[] rule(Separable met, float first) {
        return new double[] {alpha, beta, met.l1(), met.l2(), met.low(), met.high(), first};
    }

    /// The update rules of online training, for servers.
    static Rules rules() {
        Rules rules = new Rules();
        for (Solver.Rule rule : Solver.Rule.values()) {
            rules.with(rule.label(), rule::of);
        }
        return rules;
    }

    Coordinator coordinator(Ground ground) {
        return coordinator(ground, Journal.NONE, null);
    }

    /// @param before what the coordinator before this one has decided; null if there was none
    Coordinator coordinator(Ground ground, Journal journal, Decided before) {
        Coordinator coordinator = new Coordinator(terms.cast(), tables(), terms.filterKinds(), ground.resendNanos());
        coordinator.keeping(journal);
        if (before != null) {
            coordinator.goOn(before);
        }
        coordinator.start(0, ground.add(Address.COORDINATOR, coordinator));
        return coordinator;
    }

    /// Puts a server on the ground.
    ///
    /// @param life which one of those that have been under this number
    void host(Ground ground, Address address, String place, int life) {
        Server server = new Server(
                address.number(),
                rules(),
                terms.filterKinds(),
                new Server.Ways(
                        ThreadLocalRandom.current().nextLong(),
                        Server.LIST_BYTES,
                        ground.resendNanos(),
                        terms.leaseNanos(),
                        terms.rhythm().deterministic(),
                        terms.copies().replication() == Copies.Replication.AGGREGATE ? Server.GATHER_NANOS : 0,
                        terms.reached()));
        Member member = new Member(server, life, place, ProcessHandle.current().pid(), HEARTBEAT_NANOS);
        member.start(0, ground.add(address, member));
        ground.loop(
                address,
                station -> new ServerDuty(this, server, station).run(address, member, station, terms.silenceNanos()));
    }

    /// Puts a worker on the ground.
    ///
    /// @param life which one of those that have worked under this number
    void host(Ground ground, Address address, String place, Batches data, int life) {
        Client client = new Client(ground.resendNanos(), terms.filterKinds());
        client.inLife(life);
        client.readsFrom(terms.copies().reads());
        Member member = new Member(client, life, place, ProcessHandle.current().pid(), HEARTBEAT_NANOS);
        member.start(0, ground.add(address, member));
        ground.loop(address, station -> {
            Session session = new Session(address, client, station, terms.silenceNanos());
            duty(session, member, data, life, () -> ground.traffic(address))
                    .run(address, member, station, terms.silenceNanos());
        });
    }

    private Duty duty(Session session, Member member, Batches data, int life, Supplier<Traffic> traffic) {
        List<MinibatchTask> tasks = tasks(data);
        Changing now =
                new Changing(Consistency.named(new Timetable(terms.rhythm().consistency()).at(0, 1)));
        member.whenGuided(name -> now.become(Consistency.named(name)));
        MinibatchLoop loop = new MinibatchLoop(
                session,
                data,
                new MinibatchLoop.Beat(
                        now,
                        terms.rhythm().batchesPerClock(),
                        terms.rhythm().pushBytesPerSecond(),
                        terms.rhythm().deterministic()),
                learned -> session.station().turn((_, _) -> {
                    member.learned(learned.examples(), learned.loss());
                    return null;
                }));
        return what -> {
            Order order = Json.read(what, Order.class);
            now.become(Consistency.named(order.consistency()));
            Ticket enough = session.station().turn((_, _) -> member.enough());
            Ranges ranges = terms.rhythm().steal() ? new MemberRanges(member, session) : null;
            try {
                boolean over = loop.run(
                        tasks.get(order.table()),
                        new MinibatchLoop.Round(order.number(), order.rounds(), order.until(), enough, ranges));
                return Json.bytes(WorkerReport.of(life, loop.learned(), over, session, traffic.get()));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };
    }

    List<MinibatchTask> tasks(Batches data) {
        Loss of = Loss.named(loss);
        Classes classes = of.binary() ? Classes.of(data.labels(), positive) : Classes.regression(data.labels(), of);
        List<MinibatchTask> tasks = new ArrayList<>();
        for (int k = 0; k < problems; k++) {
            tasks.add(new MinibatchTask(of, classes.problems().get(k), positiveWeight, table(k), interceptTable(k)));
        }
        return tasks;
    }
}
