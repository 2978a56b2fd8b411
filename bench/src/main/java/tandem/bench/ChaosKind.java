package tandem.bench;

import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/// What `bench chaos` does to a cluster, and how long pushes may stand still because of it.
enum ChaosKind {
    KILL_SERVER("kill -9 of a server", Duration.ZERO, 1.5),
    KILL_WORKER("kill -9 of a worker", Duration.ZERO, 3),
    KILL_COORDINATOR("kill -9 of the coordinator of a job", Duration.ZERO, 3),
    MEMORY("a node runs out of memory", Duration.ZERO, 3),
    PAUSE("a node is stopped for 0.2 s", Duration.ofMillis(200), 1.7),
    LONG_PAUSE("a node is stopped for 2 s", Duration.ofSeconds(2), 3.5),
    STOP("a node is stopped for 30 s, and ended as silent", Duration.ofSeconds(30), 6.5),
    CUT("a worker and a server have no connection for 2 s", Duration.ofSeconds(2), 3.5),
    ONE_WAY("what one node says to another does not arrive for 2 s", Duration.ofSeconds(2), 3.5),
    HOLE("nothing reaches or leaves a node for 2 s", Duration.ofSeconds(2), 3.5),
    ALONE("nothing reaches or leaves a node for 30 s, and it is ended as silent", Duration.ofSeconds(30), 6.5),
    LOSS("5 % of all frames are lost for 2 s", Duration.ofSeconds(2), 1.5),
    CORRUPTION("a bit is changed in 1 % of all frames for 2 s", Duration.ofSeconds(2), 1.5),
    DELAY("every frame is 20 ms late for 2 s", Duration.ofSeconds(2), 1.5),
    SLOW_WORKER("a worker runs a tenth of the time for 2 s", Duration.ofSeconds(2), 1.5),
    SLOW_READER("a node reads 20 kB/s for 2 s", Duration.ofSeconds(2), 1.5),
    STRANGERS("scans and other protocols at every port for 2 s", Duration.ofSeconds(2), 1.5),
    CLOCK("the time of day jumps by a day and back, for 2 s", Duration.ofSeconds(2), 1.5);

    private final String what;
    private final Duration length;
    private final double limitSeconds;

    ChaosKind(String what, Duration length, double limitSeconds) {
        this.what = what;
        this.length = length;
        this.limitSeconds = limitSeconds;
    }

    /// As a table has it.
    String what() {
        return what;
    }

    /// How long it goes on, if nobody ends it.
    Duration length() {
        return length;
    }

    double limitSeconds() {
        return limitSeconds;
    }

    /// Whether a process ends by it.
    boolean isDeadly() {
        return switch (this) {
            case KILL_SERVER, KILL_WORKER, KILL_COORDINATOR, MEMORY, STOP, ALONE -> true;
            case PAUSE,
                    LONG_PAUSE,
                    CUT,
                    ONE_WAY,
                    HOLE,
                    LOSS,
                    CORRUPTION,
                    DELAY,
                    SLOW_WORKER,
                    SLOW_READER,
                    STRANGERS,
                    CLOCK -> false;
        };
    }

    /// As a user writes it.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static ChaosKind of(String text) {
        return Arrays.stream(values())
                .filter(kind -> kind.toString().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("--kinds has \"" + text + "\"; there are " + names()));
    }

    static String names() {
        return Arrays.stream(values()).map(ChaosKind::toString).collect(Collectors.joining(", "));
    }
}
