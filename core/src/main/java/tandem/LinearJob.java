package tandem;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import tandem.client.Client;
import tandem.client.Session;
import tandem.cluster.Coordinator;
import tandem.cluster.Decided;
import tandem.cluster.Ground;
import tandem.cluster.Journal;
import tandem.cluster.Member;
import tandem.data.Batches;
import tandem.problem.Loss;
import tandem.server.Server;
import tandem.topology.AllReduce;
import tandem.topology.Peers;
import tandem.topology.Topology;
import tandem.wire.Address;
import tandem.wire.TableSpec;
import tandem.worker.FirstIntercept;
import tandem.worker.Form;
import tandem.worker.Local;
import tandem.worker.MinibatchTask;

/// A distributed run as each of its nodes knows it: what tables there are, what is to be learned, and how a node is put
/// on its ground. Has a table of weights for each problem, and one for its intercept after it.
///
/// @param terms    what the nodes agree on, whatever they compute
/// @param problems how many problems there are, one for each class against the rest
/// @param files    where servers write and read
record LinearJob(
        ClusterTerms terms,
        String loss,
        String positive,
        double positiveWeight,
        boolean intercept,
        int problems,
        Method method,
        ServerFiles files) {

    private static final long HEARTBEAT_NANOS = 200_000_000;

    /// The same with intercepts that fit the first batch, where they are not fitted like other weights.
    LinearJob fitted(Batches data) throws IOException {
        if (!(method instanceof Method.Batches || method instanceof Method.Factors)) {
            return this;
        }
        List<Float> fitting = new ArrayList<>();
        for (MinibatchTask task : tasks(data)) {
            fitting.add(FirstIntercept.of(task, data));
        }
        Method fitted = switch (method) {
            case Method.Batches online -> online.withFirsts(fitting);
            case Method.Factors factors -> factors.withWeights(factors.weights().withFirsts(fitting));
            case Method.Blocks _, Method.Dual _, Method.Proximal _, Method.Vectors _ -> method;
        };
        return new LinearJob(terms, loss, positive, positiveWeight, intercept, problems, fitted, files);
    }

    /// The table of a problem's weights.
    int table(int problem) {
        return intercept ? 2 * problem : problem;
    }

    /// The table of a problem's intercept; negative if there is none.
    int interceptTable(int problem) {
        return intercept ? 2 * problem + 1 : -1;
    }

    /// The table of the slopes of a problem's examples, after those of weights and intercepts, where the method has
    /// any.
    int slopesTable(int problem) {
        return table(problems) + problem;
    }

    /// The table of the margins of a problem's examples, in the same place; negative if there is none.
    int marginTable(int problem) {
        return method instanceof Method.Proximal proximal && proximal.sharesMargins() ? table(problems) + problem : -1;
    }

    /// What they hold, each at its number.
    List<TableSpec> tables() {
        return new JobTables(this).specs();
    }

    /// Whether servers keep weights with others of their group.
    boolean keepsGroups() {
        return method instanceof Method.Blocks blocks && blocks.groups() != null;
    }

    /// Whether servers apply updates clock by clock: where that makes the bits the same, or weights move only when all
    /// workers have said what they think of them.
    boolean inOrder() {
        return terms.rhythm().deterministic()
                || method instanceof Method.Batches online && online.averages() && online.topology() == null
                || method instanceof Method.Blocks
                || method instanceof Method.Dual
                || method instanceof Method.Proximal;
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
        ground.add(Address.COORDINATOR, coordinator);
        return coordinator;
    }

    /// Puts a server on the ground.
    ///
    /// @param life which one of those that have been under this number
    void host(Ground ground, Address address, String place, int life) {
        Server server = new Server(
                address.number(),
                SolverRules.of(method),
                terms.filterKinds(),
                new Server.Ways(
                        ThreadLocalRandom.current().nextLong(),
                        Server.LIST_BYTES,
                        ground.resendNanos(),
                        terms.leaseNanos(),
                        inOrder(),
                        terms.copies().replication() == Copies.Replication.AGGREGATE ? Server.GATHER_NANOS : 0,
                        terms.reached()));
        Member member = new Member(server, life, place, ProcessHandle.current().pid(), HEARTBEAT_NANOS);
        ground.add(address, member);
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
        AllReduce sums = topology() == null
                ? null
                : new AllReduce(client, address.number(), Math.min(ground.resendNanos(), HEARTBEAT_NANOS));
        Member member = new Member(
                sums == null ? client : sums,
                life,
                place,
                ProcessHandle.current().pid(),
                HEARTBEAT_NANOS);
        ground.add(address, member);
        ground.loop(address, station -> {
            Session session = new Session(address, client, station, terms.silenceNanos());
            Workplace at = new Workplace(this, session, member, data, life, () -> ground.traffic(address));
            WorkerDuty duty = sums == null
                    ? WorkerDuty.at(at)
                    : new AveragingDuty(at, new Peers(address, sums, station, terms.silenceNanos()), address.number());
            duty.run(address, member, station, terms.silenceNanos());
        });
    }

    /// How workers sum their weights by themselves; null if they do not.
    Topology topology() {
        return method instanceof Method.Batches online ? online.topology() : null;
    }

    /// What the rows of a table of weights are.
    Form form() {
        return method instanceof Method.Factors factors ? new Form.Factors(factors.dimension()) : new Form.Weights();
    }

    List<MinibatchTask> tasks(Batches data) {
        Loss of = Loss.named(loss);
        Classes classes = of.binary() ? Classes.of(data.labels(), positive) : Classes.regression(data.labels(), of);
        List<MinibatchTask> tasks = new ArrayList<>();
        for (int k = 0; k < problems; k++) {
            tasks.add(new MinibatchTask(
                    of, classes.problems().get(k), positiveWeight, table(k), interceptTable(k), form(), local(k)));
        }
        return tasks;
    }

    /// What workers make of the batches of a problem. Who averages begins with the intercept that fits, unless there is
    /// a model to begin with.
    private Local local(int problem) {
        if (!(method instanceof Method.Batches online)) {
            return Local.GRADIENT;
        }
        boolean fits = files.start() == null && problem < online.firsts().size();
        return online.local() instanceof Local.Averaging how
                ? how.withSteps(how.steps().withFirst(fits ? online.firsts().get(problem) : 0))
                : online.local();
    }
}
