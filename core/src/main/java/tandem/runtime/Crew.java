package tandem.runtime;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import tandem.cluster.Cast;
import tandem.cluster.Coordinator;
import tandem.cluster.Standing;
import tandem.cluster.Steward;
import tandem.wire.Address;
import tandem.wire.Outbox;

/// The servers and workers of a cluster, each a process of its own, looked after by the process of the coordinator. A
/// worker whose process ends is replaced by another that goes on where it left off; so is a server, if others have
/// copies of what it held. One that is silent for too long, stopped or hung, is ended first. Where whoever keeps the
/// processes has some already, those of another coordinator that is no more, they go on.
public final class Crew implements AutoCloseable, Keeper.Listener {

    private static final long WATCH_MILLIS = 250;

    /// How many silences those may take to be heard who have copies of what a server had that has ended.
    private static final int PATIENCE = 3;

    private final Sockets ground;
    private final Coordinator coordinator;
    private final Launch launch;
    private final Care care;
    private final Consumer<String> notes;
    private final Keeper keeper;
    private final Map<String, Life> lives = new ConcurrentHashMap<>();
    private int replaced;

    /// Servers that have ended and cannot be given up yet, since when.
    private final Map<String, Long> awaiting = new ConcurrentHashMap<>();
    private final boolean copied;

    /// Processes that were ended because they were silent. Touched by the watch alone.
    private final Set<Life> ended = new HashSet<>();

    /// Nodes that others are known to have taken over from: of elsewhere and silent, or ended here.
    private final Set<Address> leftOut = ConcurrentHashMap.newKeySet();

    private final ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("tandem-crew").daemon().factory());

    /// A node, and which one of those that have been under its number.
    private record Life(Address node, int number) {}

    /// Says what the process of a node is.
    @FunctionalInterface
    public interface Launch {
        Keeper.Child of(Address node, int life) throws IOException;
    }

    /// What is done for nodes that end.
    ///
    /// @param resumes       whether another worker can go on where one left off
    /// @param mostLives     how often a node may end before that is no accident
    /// @param silenceMillis how long one that can be replaced may be silent
    public record Care(boolean resumes, int mostLives, long silenceMillis) {}

    /// @param keeper of the processes
    /// @param notes  told what the nodes say, and what became of them
    public Crew(
            Sockets ground,
            Coordinator coordinator,
            Cast cast,
            Keeper keeper,
            Launch launch,
            Care care,
            Consumer<String> notes) {
        this.ground = ground;
        this.coordinator = coordinator;
        this.launch = launch;
        this.care = care;
        this.notes = notes;
        this.copied = cast.replicas() > 0;
        this.keeper = keeper;
        for (Keeper.Child child : keeper.known()) {
            lives.put(child.name(), new Life(Address.of(child.name()), child.life()));
        }
        // What became of these was said by the coordinator before this one.
        coordinator.lost(System.nanoTime()).forEach(one -> leftOut.add(one.node()));
        keeper.attend(this);
        watch.scheduleWithFixedDelay(this::endSilent, WATCH_MILLIS, WATCH_MILLIS, TimeUnit.MILLISECONDS);
    }

    /// Ends nodes that have been silent for too long and can be replaced: whether such a one is dead nobody can tell,
    /// so it is made so.
    private void endSilent() {
        try {
            List<Standing> all = ground.turn(
                    Address.COORDINATOR,
                    (now, _) -> Stream.concat(coordinator.standings(now).stream(), coordinator.lost(now).stream())
                            .toList());
            for (Standing one : all) {
                boolean replaceable = one.node().role() == Address.Role.SERVER ? copied : care.resumes;
                boolean silent = one.epoch() > 0 && one.heardMillis() > care.silenceMillis;
                Life life = lives.get(one.node().toString());
                // Another may be on its way already in its place.
                boolean isHere = life != null && life.number == one.life();
                if (replaceable && silent && life == null) {
                    leaveOut(one);
                } else if (replaceable && silent && isHere && ended.add(life)) {
                    notes.accept(one.node() + " has been silent for " + one.heardMillis() / 1000 + " s and is ended");
                    keeper.end(one.node().toString());
                }
            }
        } catch (RuntimeException e) {
            ground.fail(e);
        }
    }

    /// Goes on without a node that was not started from here, and so perhaps runs on another machine.
    private void leaveOut(Standing one) {
        if (ground.turn(Address.COORDINATOR, (now, out) -> coordinator.lose(one.node(), now, out))
                && leftOut.add(one.node())) {
            notes.accept(one.node() + " has been silent for " + one.heardMillis() / 1000 + " s; others do what it did");
        }
    }

    /// Starts a node that is there from the beginning, unless it has been.
    public void start(Address node) {
        if (!lives.containsKey(node.toString())) {
            start(node, 1);
        }
    }

    private void start(Address node, int life) {
        lives.put(node.toString(), new Life(node, life));
        try {
            keeper.start(launch.of(node, life));
        } catch (IOException e) {
            throw new IllegalStateException(node + " could not be started: " + e.getMessage(), e);
        }
    }

    /// Ends all of them.
    @Override
    public void close() {
        watch.shutdownNow();
        keeper.close();
    }

    @Override
    public void said(String line) {
        notes.accept(line);
    }

    /// A process has ended. Whoever is done with its work ends with 0.
    @Override
    public void ended(Keeper.Ended ended) {
        int life = lives.get(ended.name()).number;
        try {
            boolean settled = ground.turn(Address.COORDINATOR, (now, out) -> {
                if (ended.code() == 0) {
                    coordinator.left(lives.get(ended.name()).node, out);
                    return true;
                }
                return replace(ended, now, out);
            });
            if (settled) {
                keeper.settle(ended.name(), life);
            }
        } catch (RuntimeException e) {
            ground.fail(e);
        }
    }

    /// In a turn of the coordinator, as everything that is done with nodes. Whether that could be done.
    private boolean replace(Keeper.Ended ended, long nowNanos, Outbox out) {
        Life life = lives.get(ended.name());
        boolean placed = coordinator.layout().epoch() > 0;
        if (life.number >= care.mostLives || replaced >= (long) care.mostLives * lives.size()) {
            throw new Lost(ended);
        }
        if (placed && life.node.role() == Address.Role.SERVER) {
            if (!replaceServer(ended, life, nowNanos, out)) {
                return false;
            }
        } else if (placed ? care.resumes : ended.isBySignal()) {
            notes.accept(ended + "; another process goes on where it left off");
            start(life.node, life.number + 1);
        } else {
            throw new Lost(ended);
        }
        replaced++;
        return true;
    }

    /// Others have copies, but have not been heard yet, as when this coordinator has just begun.
    private void replaceLater(Keeper.Ended ended, long nowNanos) {
        long since = awaiting.computeIfAbsent(ended.name(), _ -> nowNanos);
        if (nowNanos - since > TimeUnit.MILLISECONDS.toNanos(PATIENCE * care.silenceMillis)) {
            throw new Lost(ended);
        }
        watch.schedule(() -> ended(ended), WATCH_MILLIS, TimeUnit.MILLISECONDS);
    }

    /// One that was on its way out, or had not come yet, leaves no gap. Whether that could be done.
    private boolean replaceServer(Keeper.Ended ended, Life life, long nowNanos, Outbox out) {
        boolean joined = coordinator.hasJoined(life.node);
        boolean leaving = coordinator.isLeaving(life.node);
        if (coordinator.hasLastCopy(life.node)) {
            throw new Lost(ended);
        }
        if (!coordinator.lose(life.node, nowNanos, out)) {
            replaceLater(ended, nowNanos);
            return false;
        }
        awaiting.remove(ended.name());
        if (!joined) {
            notes.accept(ended + " before it took part; another process does what it was to do");
            start(life.node, life.number + 1);
            return true;
        }
        lives.remove(ended.name());
        leftOut.add(life.node);
        if (leaving) {
            notes.accept(ended + " when it was about to leave; others have what it had");
            return true;
        }
        Address other = coordinator.next(Address.Role.SERVER);
        notes.accept(ended + "; others have copies of what it held, and " + other + " takes its place");
        start(other, 1);
        return true;
    }

    /// Does what operators want, as far as it is about nodes that come and go.
    public Steward.Outcome manage(String what, int number, Outbox out) {
        return switch (what) {
            case "add-server" -> add(Address.Role.SERVER);
            case "add-worker" -> add(Address.Role.WORKER);
            case "remove-server" -> remove(Address.server(number), out);
            case "remove-worker" -> remove(Address.worker(number), out);
            default -> throw new IllegalArgumentException("a job cannot " + what);
        };
    }

    /// The number of a node that somebody else starts, on whatever machine. Nobody starts it again: when it is silent
    /// for too long, others do what it did, if they can. In a turn of the coordinator.
    public Address invite(Address.Role role) {
        checkElastic(role);
        return coordinator.next(role);
    }

    private Steward.Outcome add(Address.Role role) {
        checkElastic(role);
        Address node = coordinator.next(role);
        start(node, 1);
        return new Steward.Outcome(coordinator.joined(node), node + " takes part now");
    }

    private Steward.Outcome remove(Address node, Outbox out) {
        checkElastic(node.role());
        return new Steward.Outcome(coordinator.dismiss(node, out), node + " has gone; others have what it had");
    }

    private void checkElastic(Address.Role role) {
        if (role == Address.Role.WORKER && !care.resumes) {
            throw new IllegalArgumentException("workers cannot come or go with this consistency and these filters;"
                    + " they can with bsp, ssp:S, essp:S, bounded:T and async, without --steal, --push-budget,"
                    + " skip and significant");
        }
    }

    /// A node's process ended, and nobody can take its place.
    public static final class Lost extends RuntimeException {

        private static final long serialVersionUID = 1;

        Lost(Keeper.Ended ended) {
            super(ended + " in the middle of its work; what it said, if anything, is above");
        }
    }
}
