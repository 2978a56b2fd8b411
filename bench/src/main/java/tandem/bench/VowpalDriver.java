package tandem.bench;

import java.io.BufferedReader;
import java.io.Closeable;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/// Vowpal Wabbit through its library for Java, as a program of its own: learns from a file in its text
/// format, and with a second argument `cached` learns once more from the cache that it made meanwhile.
///
/// The library takes text line by line, and parses and learns on one thread (its command parses on
/// another); lines are read ahead here on a second thread. The pass over its cache is its own, on its own
/// two threads.
public final class VowpalDriver {

    private static final List<String> END = List.of();

    private VowpalDriver() {}

    /// Arguments: the options of Vowpal Wabbit, the file, and perhaps `cached`.
    public static void main(String[] args) throws Throwable {
        Class<?> type = Class.forName("org.vowpalwabbit.spark.VowpalWabbitNative");
        MethodHandles.Lookup lookup = MethodHandles.publicLookup();
        MethodHandle learn =
                lookup.findVirtual(type, "learnFromString", MethodType.methodType(Object.class, String.class));
        MethodHandle remaining = lookup.findVirtual(type, "performRemainingPasses", MethodType.methodType(void.class));
        Object vw = type.getConstructor(String.class).newInstance(args[0]);
        BlockingQueue<List<String>> lines = new ArrayBlockingQueue<>(64);
        Thread reader = Thread.ofPlatform().daemon().start(() -> read(Path.of(args[1]), lines));
        for (List<String> some = lines.take(); !some.isEmpty(); some = lines.take()) {
            for (String line : some) {
                Object _ = learn.invoke(vw, line);
            }
        }
        reader.join();
        System.out.println("logloss " + logloss(vw));
        if (args.length > 2) {
            long start = System.nanoTime();
            long cpu = cpuNanos();
            remaining.invoke(vw);
            System.out.println("pass seconds " + (System.nanoTime() - start) / 1e9);
            System.out.println("pass cpu " + (cpuNanos() - cpu) / 1e9);
        }
        ((Closeable) vw).close();
    }

    private static void read(Path file, BlockingQueue<List<String>> lines) {
        try (BufferedReader in = Files.newBufferedReader(file)) {
            List<String> some = new ArrayList<>();
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                some.add(line);
                if (some.size() == 256) {
                    lines.put(some);
                    some = new ArrayList<>();
                }
            }
            if (!some.isEmpty()) {
                lines.put(some);
            }
            lines.put(END);
        } catch (Exception e) {
            e.printStackTrace();
            System.exit(1);
        }
    }

    /// The mean loss of each example before it was learned.
    private static double logloss(Object vw) throws ReflectiveOperationException {
        Object statistics = vw.getClass().getMethod("getPerformanceStatistics").invoke(vw);
        return (double) statistics.getClass().getMethod("getAverageLoss").invoke(statistics);
    }

    private static long cpuNanos() {
        return ((com.sun.management.OperatingSystemMXBean)
                        java.lang.management.ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }
}
