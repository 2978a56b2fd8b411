package tandem;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import tandem.client.Call;
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
import tandem.consistency.After;
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
import tandem.server.ServerChange;
import tandem.server.ServerFunction;
import tandem.solver.Averaged;
import tandem.solver.Balance;
import tandem.solver.BlockFigures;
import tandem.solver.BlockProximal;
import tandem.solver.ClockProximal;
import tandem.solver.ClockSum;
import tandem.solver.DiFacto;
import tandem.solver.DualFigures;
import tandem.solver.DualPull;
import tandem.solver.GroupFigures;
import tandem.solver.GroupProximal;
import tandem.solver.LastPushed;
import tandem.solver.LbfgsRows;
import tandem.topology.AllReduce;
import tandem.topology.Peers;
import tandem.topology.Topology;
import tandem.wire.Address;
import tandem.wire.Figures;
import tandem.wire.TableSpec;
import tandem.worker.AveragingLoop;
import tandem.worker.BlockLoop;
import tandem.worker.BlockTask;
import tandem.worker.DualLoop;
import tandem.worker.DualTask;
import tandem.worker.FirstIntercept;
import tandem.worker.Form;
import tandem.worker.GradientLoop;
import tandem.worker.GradientTask;
import tandem.worker.Learned;
import tandem.worker.Local;
import tandem.worker.MinibatchLoop;
import tandem.worker.MinibatchTask;
import tandem.worker.ProximalLoop;
import tandem.worker.ProximalTask;
import tandem.worker.Ranges;

/// A distributed run as each of its nodes knows it: what tables there are, and what servers and workers do when
/// they are told to. Has a table of weights for each problem, and one for its intercept after it.
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

    /// What servers know the functions of solvers by.
    private static final Map<String, ServerFunction> FUNCTIONS = Map.of(
            "block state", BlockFigures.STATE,
            "clock state", BlockFigures.CLOCKED,
            "block conjugate", BlockFigures.CONJUGATE,
            "block before", BlockFigures.BEFORE,
            "dual state", DualFigures.STATE,
            "lbfgs look", LbfgsRows.LOOK,
            "lbfgs along", LbfgsRows.ALONG,
            "lbfgs conjugate", LbfgsRows.CONJUGATE);

    /// What servers know the changes of L-BFGS by, which begin with this and go on with the order's name.
    private static final String LBFGS = "lbfgs ";

    private static final Map<String, ServerChange> CHANGES =
            Map.of(LBFGS + "turn", LbfgsRows.TURN, LBFGS + "slide", LbfgsRows.SLIDE, LBFGS + "unit", LbfgsRows.UNIT);

    private static final String BLOCK_RULE = "block proximal";
    private static final String GROUP_RULE = "group proximal";
    private static final String VECTOR_RULE = "lbfgs";
    private static final String PULL_RULE = "dual pull";
    private static final String SLOPE_RULE = "last pushed";
    private static final String CLOCK_RULE = "clock proximal";
    private static final String SUM_RULE = "clock sum";

    private static final String FACTOR_RULE = "difacto";
    private static final String MEAN_RULE = "mean";
    private static final String TOLD_RULE = "told mean";

    /// An order: to a worker, to work through a pass; to a server, to save the weights of a problem, to start from an
    /// earlier model, or to say what it holds.
    ///
    /// @param what   `pass`, `blocks`, `vectors`, `dual`, `clocks`, `astray`, `save`, `sums`, `start`, `memory`, or
    ///               of checkpoints `copy`, `write` or `restore`
    /// @param table  the problem
    /// @param number the pass
    /// @param rounds passes that came before, of all problems
    /// @param until  the clock that workers stop at; for a checkpoint, its generation; to save, the epoch
    /// @param consistency what reads of the pass wait for; null for servers
    /// @param blocks      what a round over blocks is for; null for other orders
    /// @param vectors     what is done with vectors; null for other orders
    /// @param dual        what is done with slopes of examples; null for other orders
    /// @param clocks      what a round of clocks is for; null for other orders
    /// @param averages    who takes part in a pass of workers that average among themselves; null for other orders
    /// @param astray      weights to save that are on other servers than their files; null for other orders
    record Order(
            String what,
            int table,
            int number,
            long rounds,
            long until,
            String consistency,
            Blocks blocks,
            Vectors vectors,
            Dual dual,
            Clocks clocks,
            Averages averages,
            Astray astray) {

        Order(String what, int table, int number, long rounds, long until, String consistency) {
            this(what, table, number, rounds, until, consistency, null, null, null, null, null, null);
        }

        static Order pass(int problem, int number, long rounds, long until, String consistency) {
            return new Order("pass", problem, number, rounds, until, consistency);
        }

        static Order blocks(int problem, long rounds, String consistency, Blocks blocks) {
            return new Order(
                    "blocks", problem, 0, rounds, Long.MAX_VALUE, consistency, blocks, null, null, null, null, null);
        }

        static Order vectors(int problem, long rounds, Vectors vectors) {
            return new Order(
                    "vectors", problem, 0, rounds, Long.MAX_VALUE, null, null, vectors, null, null, null, null);
        }

        static Order dual(int problem, long rounds, Dual dual) {
            return new Order("dual", problem, 0, rounds, Long.MAX_VALUE, null, null, null, dual, null, null, null);
        }

        static Order clocks(int problem, long rounds, String consistency, Clocks clocks) {
            return new Order(
                    "clocks", problem, 0, rounds, clocks.until(), consistency, null, null, null, clocks, null, null);
        }

        static Order averages(int problem, int number, long rounds, Averages averages) {
            return new Order(
                    "averages", problem, number, rounds, Long.MAX_VALUE, null, null, null, null, null, averages, null);
        }

        /// @param astray null if all weights are on the servers of their files
        static Order save(int problem, long epoch, Astray astray) {
            return new Order("save", problem, 0, 0, epoch, null, null, null, null, null, null, astray);
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

    /// A pass of workers that average among themselves, or the end of it.
    ///
    /// @param generation rises with every order
    /// @param lives      by worker, the life in which it takes part
    /// @param writers    by worker, the part of the average that it tells servers; null for the pass itself
    record Averages(long generation, Map<Integer, Long> lives, Map<Integer, Integer> writers) {

        AveragingLoop.Round round(Order order, int self, Ticket enough) {
            return new AveragingLoop.Round(order.number, order.rounds, generation, self, lives.size(), enough);
        }
    }

    /// A round over blocks.
    ///
    /// @param what  `move` the weights, `measure` their gradient or that at the `origin`, where all are 0, or
    ///              `bound` the objective from below, for which nothing is sent
    /// @param scale for a bound: what slopes are multiplied by
    /// @param whole whether filters may lose nothing of what is pushed
    /// @param holding the number of the round among those in which weights move, from 1, if servers leave small
    ///                steps for later; 0 if they take all
    record Blocks(
            String what,
            double step,
            double momentum,
            double slack,
            double falls,
            double rises,
            double scale,
            boolean whole,
            int holding) {

        static Blocks move(double step, double momentum, double slack, int holding) {
            return new Blocks("move", step, momentum, slack, 1, 1, 1, false, holding);
        }

        /// @param what `measure` or `origin`
        static Blocks look(String what, double falls, double rises, int holding) {
            return new Blocks(what, 1, 0, Double.POSITIVE_INFINITY, falls, rises, 1, false, holding);
        }

        static Blocks bound(double falls, double rises, double scale) {
            return new Blocks("bound", 1, 0, 0, falls, rises, scale, false, 0);
        }

        Blocks asWhole() {
            return new Blocks(what, step, momentum, slack, falls, rises, scale, true, holding);
        }

        BlockLoop.Round round(long number, int delay, Ticket enough) {
            BlockLoop.Aim aim = switch (what) {
                case "measure" -> BlockLoop.Aim.MEASURE;
                case "origin" -> BlockLoop.Aim.MEASURE_ORIGIN;
                default -> BlockLoop.Aim.MOVE;
            };
            return new BlockLoop.Round(number, aim, step, momentum, slack, falls, rises, whole, holding, delay, enough);
        }
    }

    /// A round of clocks, the last of which measures (see [ProximalLoop.Round]).
    record Clocks(
            long until, int moves, double leap, boolean origin, double step, double falls, double rises, double scale) {

        /// One clock, that measures the gradient.
        static final Clocks MEASURE = new Clocks(0, 0, Double.NaN, false, 1, 1, 1, 1);

        /// The same at the origin, where all weights are 0.
        static final Clocks ORIGIN = new Clocks(0, 0, Double.NaN, true, 1, 1, 1, 1);

        /// @param far how far weights leap first; NaN if they do not
        static Clocks moves(int many, double far, double length) {
            return new Clocks(0, many, far, false, length, 1, 1, 1);
        }

        /// How many clocks it takes.
        int count() {
            return (Double.isNaN(leap) ? 0 : 1) + moves + 1;
        }

        Clocks until(long clock) {
            return new Clocks(clock, moves, leap, origin, step, falls, rises, scale);
        }

        Clocks balanced(Balance by) {
            return new Clocks(until, moves, leap, origin, step, by.falls(), by.rises(), scale);
        }

        Clocks scaled(double factor) {
            return new Clocks(until, moves, leap, origin, step, falls, rises, factor);
        }

        ProximalLoop.Round round(int delay, Ticket enough) {
            return new ProximalLoop.Round(until, moves, leap, origin, step, falls, rises, scale, delay, enough);
        }
    }

    /// What is done with vectors.
    ///
    /// @param what   servers `turn` or `slide`; workers `look` at the point, each at any batches or at those of
    ///               its `own` streams, `push` what they saw there, say by a `tick` that a round is over, what
    ///               the loss is `between` the point and its base, or bound it from below by its `dual`
    /// @param change what servers are told
    /// @param shares by stream, the portions whose gradient it pushes
    /// @param number how far between, or what slopes are multiplied by
    record Vectors(
            String what,
            Figures change,
            GradientLoop.Point point,
            Map<Integer, List<GradientLoop.Portion>> shares,
            double number) {

        Vectors at(double other) {
            return new Vectors(what, change, point, shares, other);
        }
    }

    /// A round of dual coordinate ascent.
    ///
    /// @param falls what slopes below 0 are multiplied by, to balance them
    /// @param rises the same of those above
    record Dual(DualLoop.Aim aim, DualLoop.Intercept intercept, double falls, double rises) {

        DualLoop.Round round(long rounds, Ticket enough) {
            // Nothing is sent to look: the streams are where they should be.
            long number = aim == DualLoop.Aim.LOOK ? rounds - 1 : rounds;
            return new DualLoop.Round(number, aim, intercept, falls, rises, enough);
        }
    }

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

    /// The table of the margins of a problem's examples, after all others; negative if there is none.
    int marginTable(int problem) {
        return sharesMargins() ? (intercept ? 2 : 1) * problems + problem : -1;
    }

    private boolean sharesMargins() {
        return method instanceof Method.Proximal proximal && proximal.sharesMargins();
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
            tables.add(weights(k)
                    .withFilters(filters.push(), filters.pull())
                    .withShards(terms.shards())
                    .withUpkeep(terms.upkeep()));
            if (intercept) {
                tables.add(intercept(k));
            }
        }
        for (int k = 0; method instanceof Method.Dual dual && k < problems; k++) {
            tables.add(TableSpec.dense("slopes " + k, dual.examples(), 1)
                    .withDoubles()
                    .withRule(SLOPE_RULE));
        }
        for (int k = 0; k < problems && sharesMargins(); k++) {
            tables.add(TableSpec.dense("margins " + k, ((Method.Proximal) method).rows(), 1)
                    .withDoubles()
                    .withRule(SUM_RULE)
                    .withFilters(filters.push(), filters.pull()));
        }
        return tables;
    }

    /// The table of the slopes of a problem's examples, after those of weights and intercepts.
    private int slopesTable(int problem) {
        return table(problems) + problem;
    }

    private TableSpec weights(int problem) {
        String name = weightsName(problem);
        return switch (method) {
            case Method.Batches online -> ruled(TableSpec.sparse(name, online.width()), online, online.penalty(), 0);
            case Method.Factors factors ->
                TableSpec.sparse(name, DiFacto.width(factors.dimension()))
                        .withVariableRows()
                        .withRule(FACTOR_RULE, factors.settings(terms.seed()));
            case Method.Blocks blocks ->
                blocks.groups() == null
                        ? TableSpec.sparse(name, 2)
                                .withDoubles()
                                .withRule(BLOCK_RULE, rule(blocks.penalty(), blocks.hold()))
                        : TableSpec.sparse(name, 2)
                                .withDoubles()
                                .withRule(GROUP_RULE, blocks.penalty().l1());
            case Method.Vectors vectors ->
                TableSpec.sparse(name, 1).withDoubles().withRule(VECTOR_RULE, vectors.memory());
            case Method.Dual dual -> TableSpec.sparse(name, 1).withDoubles().withRule(PULL_RULE, rule(dual.penalty()));
            case Method.Proximal proximal ->
                TableSpec.sparse(name, 2).withDoubles().withRule(clockRule(), rule(proximal.penalty()));
        };
    }

    private TableSpec intercept(int problem) {
        String name = interceptName(problem);
        return switch (method) {
            case Method.Batches online -> intercept(name, online, problem);
            case Method.Factors factors -> intercept(name, factors.weights(), problem);
            case Method.Blocks _ ->
                TableSpec.dense(name, 1, 2).withDoubles().withRule(BLOCK_RULE, rule(Separable.NONE, 0));
            // Only what an earlier model has: the coordinator learns it.
            case Method.Dual _, Method.Vectors _ -> TableSpec.dense(name, 1, 1).withDoubles();
            case Method.Proximal _ ->
                TableSpec.dense(name, 1, 2).withDoubles().withRule(clockRule(), rule(Separable.NONE));
        };
    }

    /// Of weights that workers move themselves, or that servers move once a clock.
    private String clockRule() {
        return sharesMargins() ? SUM_RULE : CLOCK_RULE;
    }

    private static TableSpec intercept(String name, Method.Batches online, int problem) {
        return ruled(
                TableSpec.dense(name, 1, online.width()),
                online,
                Separable.NONE,
                online.firsts().get(problem));
    }

    /// Workers of EMSO and of averaging send their share of the way to what they found, so servers only add that up.
    private static TableSpec ruled(TableSpec table, Method.Batches online, Separable met, float first) {
        if (online.averages()) {
            return table.withRule(online.topology() == null ? MEAN_RULE : TOLD_RULE);
        }
        return online.local() instanceof Local.Emso
                ? table
                : table.withRule(
                        online.rule().label(),
                        online.alpha(),
                        online.beta(),
                        met.l1(),
                        met.l2(),
                        met.low(),
                        met.high(),
                        first);
    }

    private static double[] rule(Separable penalty, double hold) {
        return new double[] {penalty.l1(), penalty.l2(), penalty.low(), penalty.high(), hold};
    }

    private static double[] rule(Separable penalty) {
        return new double[] {penalty.l1(), penalty.l2(), penalty.low(), penalty.high()};
    }

    /// The update rules and functions of training, for servers.
    static Rules rules() {
        Rules rules = new Rules();
        for (Solver.Rule rule : Solver.Rule.values()) {
            rules.with(rule.label(), rule::of);
        }
        rules.with(BLOCK_RULE, of -> new BlockProximal(new Separable(of[0], of[1], of[2], of[3]), of[4]));
        rules.with(PULL_RULE, of -> new DualPull(new Separable(of[0], of[1], of[2], of[3])));
        rules.with(SLOPE_RULE, _ -> new LastPushed());
        rules.withRows(FACTOR_RULE, Method.Factors::rule);
        rules.with(CLOCK_RULE, of -> new ClockProximal(new Separable(of[0], of[1], of[2], of[3])));
        rules.with(SUM_RULE, _ -> new ClockSum());
        rules.with(MEAN_RULE, _ -> new Averaged(true));
        rules.with(TOLD_RULE, _ -> new Averaged(false));
        rules.with(VECTOR_RULE, of -> new LbfgsRows((int) of[0]));
        FUNCTIONS.forEach(rules::withFunction);
        CHANGES.forEach(rules::withChange);
        return rules;
    }

    /// The same with what only the servers of this job know.
    private Rules ownRules() {
        return method instanceof Method.Blocks blocks && blocks.groups() != null
                ? rules().with(GROUP_RULE, of -> new GroupProximal(of[0], blocks.groups()))
                        .withFunction(GroupFigures.NAME, new GroupFigures(blocks.groups()))
                : rules();
    }

    /// Whether servers keep weights with others of their group.
    boolean keepsGroups() {
        return method instanceof Method.Blocks blocks && blocks.groups() != null;
    }

    /// What servers know a function by.
    static String name(ServerFunction function) {
        return FUNCTIONS.entrySet().stream()
                .filter(entry -> entry.getValue() == function)
                .findFirst()
                .orElseThrow()
                .getKey();
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
                ownRules(),
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
            Supplier<Traffic> traffic = () -> ground.traffic(address);
            Peers peers = sums == null ? null : new Peers(address, sums, station, terms.silenceNanos());
            (peers == null
                            ? duty(session, member, data, life, traffic)
                            : averagingDuty(session, peers, address.number(), member, data, life, traffic))
                    .run(address, member, station, terms.silenceNanos());
        });
    }

    private Duty duty(Session session, Member member, Batches data, int life, Supplier<Traffic> traffic) {
        return switch (method) {
            case Method.Batches _, Method.Factors _ -> batchDuty(session, member, data, life, traffic);
            case Method.Blocks blocks -> blockDuty(blocks, session, member, data, life, traffic);
            case Method.Dual dual -> dualDuty(dual, session, member, data, life, traffic);
            case Method.Vectors _ -> vectorDuty(session, member, data, life, traffic);
            case Method.Proximal proximal -> clockDuty(proximal, session, member, data, life, traffic);
        };
    }

    private Duty clockDuty(
            Method.Proximal proximal,
            Session session,
            Member member,
            Batches data,
            int life,
            Supplier<Traffic> traffic) {
        ProximalLoop loop = new ProximalLoop(session, data, learned -> tell(learned, session, member));
        List<ProximalTask> tasks = new ArrayList<>();
        for (MinibatchTask task : tasks(data)) {
            tasks.add(new ProximalTask(
                    task.loss(),
                    task.target(),
                    task.positiveWeight(),
                    task.table(),
                    task.intercept(),
                    marginTable(tasks.size()),
                    proximal.penalty(),
                    proximal.guaranteed()));
        }
        return what -> {
            Order order = Json.read(what, Order.class);
            Ticket enough = session.station().turn((_, _) -> member.enough());
            ProximalLoop.Round round = order.clocks().round(ProximalCourse.delay(order.consistency()), enough);
            try {
                boolean over = loop.run(tasks.get(order.table()), round);
                return Json.bytes(WorkerReport.of(life, loop.learned(), over, session, traffic.get())
                        .saying(loop.sums(round).stream()
                                .collect(Collectors.toMap(ProximalLoop.Sums::stream, ProximalLoop.Sums::numbers))));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };
    }

    private Duty dualDuty(
            Method.Dual dual, Session session, Member member, Batches data, int life, Supplier<Traffic> traffic) {
        DualLoop loop = new DualLoop(session, data, learned -> tell(learned, session, member));
        List<DualTask> tasks = new ArrayList<>();
        for (MinibatchTask task : tasks(data)) {
            tasks.add(new DualTask(
                    task.loss(),
                    task.target(),
                    task.positiveWeight(),
                    task.table(),
                    slopesTable(tasks.size()),
                    dual.penalty(),
                    intercept,
                    dual.batchRows(),
                    terms.seed()));
        }
        return what -> {
            Order order = Json.read(what, Order.class);
            DualTask task = tasks.get(order.table());
            Ticket enough = session.station().turn((_, _) -> member.enough());
            DualLoop.Round round = order.dual().round(order.rounds(), enough);
            try {
                boolean over = loop.run(task, round);
                return Json.bytes(WorkerReport.of(life, loop.learned(), over, session, traffic.get())
                        .withSlopes(over ? loop.sums(round) : List.of()));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };
    }

    private Duty vectorDuty(Session session, Member member, Batches data, int life, Supplier<Traffic> traffic) {
        GradientLoop loop = new GradientLoop(session, data, learned -> tell(learned, session, member));
        List<GradientTask> tasks = tasks(data).stream()
                .map(task -> new GradientTask(task.loss(), task.target(), task.positiveWeight(), task.table()))
                .toList();
        return what -> {
            Order order = Json.read(what, Order.class);
            GradientTask task = tasks.get(order.table());
            Vectors vectors = order.vectors();
            GradientLoop.Point point = vectors.point();
            Ticket enough = session.station().turn((_, _) -> member.enough());
            Map<Integer, GradientLoop.Seen> seen = Map.of();
            Map<Integer, double[]> figures = Map.of();
            try {
                switch (vectors.what()) {
                    case "look" -> seen = loop.look(task, point, new MemberRanges(member, session, enough), enough);
                    case "own" -> seen = loop.look(task, point, vectors.shares(), enough);
                    case "tick" -> loop.tick(task, order.rounds(), enough);
                    case "push" -> loop.push(task, order.rounds(), point, vectors.shares(), enough);
                    case "between" -> figures = loop.between(point.base(), point.number(), vectors.number());
                    case "dual" -> figures = loop.dual(point.number(), point.balance(), vectors.number());
                    default -> {
                        Call call = new Call(task.table(), LBFGS + vectors.what(), vectors.change());
                        loop.change(task, order.rounds(), call, enough);
                    }
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            WorkerReport report = WorkerReport.of(life, loop.learned(), true, session, traffic.get());
            return Json.bytes(report.seeing(seen).saying(figures));
        };
    }

    private Duty blockDuty(
            Method.Blocks blocks, Session session, Member member, Batches data, int life, Supplier<Traffic> traffic) {
        BlockLoop loop = new BlockLoop(session, data, blocks.columns(), learned -> tell(learned, session, member));
        List<BlockTask> tasks = tasks(data).stream()
                .map(task -> new BlockTask(
                        task.loss(),
                        task.target(),
                        task.positiveWeight(),
                        task.table(),
                        task.intercept(),
                        blocks.ranges(),
                        blocks.proven(),
                        blocks.groups(),
                        terms.seed()))
                .toList();
        return what -> {
            Order order = Json.read(what, Order.class);
            BlockTask task = tasks.get(order.table());
            Ticket enough = session.station().turn((_, _) -> member.enough());
            Blocks round = order.blocks();
            // Nothing is sent for a bound: the streams are where they should be.
            boolean bounds = round.what().equals("bound");
            long number = bounds ? order.rounds() - 1 : order.rounds();
            try {
                boolean over = loop.run(task, round.round(number, delay(order.consistency()), enough));
                return Json.bytes(WorkerReport.of(life, loop.learned(), over, session, traffic.get())
                        .with(bounds ? loop.bounds(round.falls(), round.rises(), round.scale()) : loop.sums()));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };
    }

    /// How many blocks a worker may go on before it knows what came of one.
    static int delay(String consistency) {
        Consistency named = Consistency.named(consistency);
        After after = named.after(0, 0);
        if (after.everyone() == Long.MIN_VALUE || named.byPass() || named.isEager()) {
            throw new IllegalArgumentException("the consistency is " + consistency
                    + ", which bounds no delay of blocks; use bounded:T, such as bounded:8, or bsp");
        }
        return Math.toIntExact(-after.everyone());
    }

    private static void tell(Learned learned, Session session, Member member) {
        session.station().turn((_, _) -> {
            member.learned(learned.examples(), learned.loss());
            return null;
        });
    }

    private Duty batchDuty(Session session, Member member, Batches data, int life, Supplier<Traffic> traffic) {
        List<MinibatchTask> tasks = tasks(data);
        Changing now =
                new Changing(Consistency.named(new Timetable(terms.rhythm().consistency()).at(0, 1)));
        member.whenGuided(name -> now.become(Consistency.named(name)));
        MinibatchLoop loop = new MinibatchLoop(
                session,
                data,
                new MinibatchLoop.Beat(
                        now, terms.rhythm().batchesPerClock(), terms.rhythm().pushBytesPerSecond(), inOrder()),
                learned -> tell(learned, session, member));
        return what -> {
            Order order = Json.read(what, Order.class);
            now.become(Consistency.named(order.consistency()));
            Ticket enough = session.station().turn((_, _) -> member.enough());
            Ranges ranges = terms.rhythm().steal() ? new MemberRanges(member, session, enough) : null;
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

    /// How workers sum their weights by themselves; null if they do not.
    Topology topology() {
        return method instanceof Method.Batches online ? online.topology() : null;
    }

    /// An order that was given to this worker in an earlier life is not for it: others wait for sums that it has
    /// forgotten.
    private Duty averagingDuty(
            Session session, Peers peers, int self, Member member, Batches data, int life, Supplier<Traffic> traffic) {
        List<MinibatchTask> tasks = tasks(data);
        AveragingLoop loop =
                new AveragingLoop(session, data, peers, topology(), learned -> tell(learned, session, member));
        return what -> {
            Order order = Json.read(what, Order.class);
            Averages averages = order.averages();
            MinibatchTask task = tasks.get(order.table());
            Ticket enough = session.station().turn((_, _) -> member.enough());
            AveragingLoop.Round round = averages.round(order, self, enough);
            try {
                boolean over = averages.lives().get(self) == life
                        && (averages.writers() == null
                                ? loop.run(task, round)
                                : loop.write(task, round, averages.writers()));
                return Json.bytes(WorkerReport.of(life, loop.learned(), over, session, traffic.get()));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };
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
