package tandem.bench;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tandem.Solver;
import tandem.math.Mix;
import tandem.problem.Separable;
import tandem.report.Json;
import tandem.server.Rules;
import tandem.server.Server;
import tandem.server.UpdateRule;
import tandem.solver.AdaDelay;
import tandem.solver.AdaGrad;
import tandem.solver.Ftrl;
import tandem.solver.Sgd;
import tandem.wire.Address;
import tandem.wire.Keys;
import tandem.wire.Layout;
import tandem.wire.Lease;
import tandem.wire.Message;
import tandem.wire.Outbox;
import tandem.wire.Part;
import tandem.wire.TableSpec;
import tandem.wire.Values;

/// `bench big`: fills one server with keys, as updates bring them, and weighs it.
@Command(
        name = "big",
        header = "How much memory does a key take, and how many fit?",
        description = "Updates of new keys to one server of 8 shards, until it holds --keys of them.",
        sortOptions = false)
final class BigBench implements Callable<Integer> {

    private static final int SHARDS = 8;
    private static final int BATCH = 1_000_000;

    @Option(names = "--keys", paramLabel = "N", description = "How many. Default: 100,000,000.")
    private long keys = 100_000_000;

    @Option(names = "--rule", paramLabel = "NAME", description = "ftrl, adagrad, adadelay or sgd. Default: ftrl.")
    private Solver.Rule rule = Solver.Rule.FTRL;

    @Mixin
    private JsonOption printed = new JsonOption();

    private final PrintStream out;
    private final Notes notes;

    BigBench(PrintStream out, Notes notes) {
        this.out = out;
        this.notes = notes;
    }

    @Override
    public Integer call() {
        if (keys < BATCH) {
            throw new IllegalArgumentException("--keys is " + keys + "; use " + BATCH + " or more");
        }
        Machine machine = Machine.here();
        Filled filled = fill(new Filled());
        Server.Memory held = filled.server.memory();
        double listBytes = filled.listBytesPerKey();
        ObjectNode found = JsonNodeFactory.instance.objectNode();
        found.put("rule", rule.name().toLowerCase(Locale.ROOT)).put("keys", held.rows());
        found.put("bytesPerKey", (double) (held.rowBytes() + held.indexBytes()) / held.rows());
        found.put("rowBytesPerKey", (double) held.rowBytes() / held.rows());
        found.put("indexBytesPerKey", (double) held.indexBytes() / held.rows());
        found.put("leastBytesPerKey", filled.least).put("mostBytesPerKey", filled.most);
        found.put("listBytesPerKey", listBytes);
        found.put("aliveBytes", filled.aliveBytes).put("peakResidentBytes", peakResidentBytes());
        found.put("cpuNanosPerKey", (double) filled.cpuNanos / held.rows());
        found.put("machine", machine.toString());
        if (printed.json) {
            out.print(Json.text(found));
        } else {
            print(found);
        }
        return 0;
    }

    private void print(ObjectNode found) {
        out.println("# How much memory does a key take, and how many fit?");
        found.properties()
                .forEach(one -> out.printf(
                        Locale.ROOT,
                        "%-20s %s%n",
                        one.getKey(),
                        one.getValue().isDouble()
                                ? String.format(
                                        Locale.ROOT, "%.1f", one.getValue().asDouble())
                                : one.getValue().asText()));
    }

    private Filled fill(Filled filled) {
        long last = System.nanoTime();
        for (long first = 0; first < keys; first += BATCH) {
            filled.add(first, (int) Math.min(BATCH, keys - first));
            if (System.nanoTime() - last > 5_000_000_000L) {
                last = System.nanoTime();
                notes.progress("%,d of %,d keys".formatted(first, keys));
            }
        }
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        filled.aliveBytes = runtime.totalMemory() - runtime.freeMemory();
        return filled;
    }

    private UpdateRule update() {
        return switch (rule) {
            case FTRL -> new Ftrl(0.1, 1, Separable.NONE);
            case ADAGRAD -> new AdaGrad(0.1, 1, Separable.NONE);
            case ADADELAY -> new AdaDelay(0.1, 1, Separable.NONE);
            case SGD -> new Sgd(0.1, 1, Separable.NONE);
        };
    }

    private static long peakResidentBytes() {
        String kilobytes = Machine.field("/proc/self/status", "VmHWM", "0 kB");
        return Long.parseLong(kilobytes.split(" ")[0]) << 10;
    }

    /// A server that is being filled.
    private final class Filled implements Outbox {

        final Server server;
        final TableSpec table =
                TableSpec.sparse("weights", 1).withShards(SHARDS).withRule("rule");
        double least = Double.POSITIVE_INFINITY;
        double most;
        long cpuNanos;
        long aliveBytes;
        private long sequence;
        private long answered;

        Filled() {
            server = new Server(0, new Rules().with("rule", _ -> update()), 1);
            Layout layout = new Layout(1, new TableSpec[] {table}, new int[][] {new int[SHARDS]}, 1);
            server.receive(Address.COORDINATOR, new Message.Placed(layout, new String[] {""}, new Lease[0]), 0, this);
        }

        /// Brings the keys of ids from `first` on.
        void add(long first, int count) {
            push(Keys.once(sorted(first, count), count));
            Server.Memory held = server.memory();
            double perKey = (double) (held.rowBytes() + held.indexBytes()) / held.rows();
            least = Math.min(least, perKey);
            most = Math.max(most, perKey);
        }

        /// What a list takes that is remembered.
        double listBytesPerKey() {
            push(Keys.repeated(sorted(0, BATCH), BATCH));
            return (double) server.memory().listBytes() / BATCH;
        }

        private void push(Keys list) {
            int count = list.count();
            float[] gradients = new float[count];
            Arrays.fill(gradients, 0.5f);
            Part[] parts = new Part[SHARDS];
            for (int s = 0, from = 0; s < SHARDS; s++) {
                int to = s + 1 == SHARDS ? count : list.positionOf(table.firstKey(s + 1), from, count);
                parts[s] =
                        new Part(0, s, list, from, to, 1, Values.of(gradients).piece(from, to - from));
                from = to;
            }
            long before = cpuNow();
            Message.Update update = new Message.Update(1, 0, 1, ++sequence, sequence, parts);
            server.receive(Address.worker(0), new Message.Seated(0, update), 0, this);
            cpuNanos += cpuNow() - before;
            if (answered != sequence) {
                throw new IllegalStateException("update " + sequence + " was not applied");
            }
        }

        private static long[] sorted(long first, int count) {
            long[] keys = new long[count];
            for (int k = 0; k < count; k++) {
                keys[k] = Mix.mix(first + k) ^ Long.MIN_VALUE;
            }
            Arrays.sort(keys);
            for (int k = 0; k < count; k++) {
                keys[k] ^= Long.MIN_VALUE;
            }
            return keys;
        }

        private static long cpuNow() {
            return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        }

        @Override
        public void send(Address to, Message message) {
            answered =
                    message instanceof Message.Seated(int _, Message.Applied(int _, long number)) ? number : answered;
        }

        @Override
        public void wakeAt(long nanos, long tag) {}
    }
}
