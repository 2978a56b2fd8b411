package tandem.spark;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.SparkEnv$;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.package$;
import tandem.Version;
import tandem.report.Json;

/// What executors are, as they say themselves before a job begins.
final class Executors {

    private Executors() {}

    /// An executor.
    ///
    /// @param id        what Spark calls it
    /// @param tandem    which Tandem it has
    /// @param spark     which Spark
    /// @param heapBytes what Java may use there
    record Card(String id, String tandem, String spark, long heapBytes) {

        static Card here() {
            SparkEnv env = SparkEnv$.MODULE$.get();
            return new Card(
                    env.executorId(),
                    Version.current(),
                    package$.MODULE$.SPARK_VERSION(),
                    Runtime.getRuntime().maxMemory());
        }
    }

    /// Asks executors, by so many tasks, and refuses those that are not like the driver. What each host has.
    ///
    /// @param group the name that Spark knows the tasks by
    static ExecutorRoom asked(JavaSparkContext context, String group, int tasks) throws IOException {
        List<Integer> numbers = IntStream.range(0, tasks).boxed().toList();
        List<Card> cards = Failures.watched(
                        context,
                        group,
                        "asking executors what they are",
                        () -> context.parallelize(numbers, tasks)
                                .mapPartitions(new Ask())
                                .collect())
                .stream()
                .map(bytes -> Json.read(bytes, Card.class))
                .toList();
        check(cards, Card.here());
        long least = cards.stream().mapToLong(Card::heapBytes).min().orElseThrow();
        int executors = Math.max(
                1, context.sc().isLocal() ? 1 : context.sc().getExecutorIds().size());
        int hosts = Math.max(1, Math.ceilDiv(Slots.found(context.sc()), executors));
        return new ExecutorRoom(hosts, least / hosts);
    }

    /// Refuses executors that have another Tandem or another Spark than the driver.
    static void check(List<Card> cards, Card driver) {
        List<String> wrong = new ArrayList<>();
        for (Card card : cards) {
            if (!card.tandem.equals(driver.tandem)) {
                wrong.add("executor " + card.id + " has Tandem " + card.tandem + " and the driver " + driver.tandem
                        + "; hand the driver's jar to executors (spark.jars), and take others off"
                        + " spark.executor.extraClassPath");
            } else if (!card.spark.equals(driver.spark)) {
                wrong.add("executor " + card.id + " runs Spark " + card.spark + " and the driver " + driver.spark
                        + "; submit with the Spark that the cluster runs");
            }
        }
        if (!wrong.isEmpty()) {
            throw new IllegalArgumentException(wrong.getFirst());
        }
    }

    /// Says what the executor is that it runs in.
    private static final class Ask implements FlatMapFunction<Iterator<Integer>, byte[]> {

        private static final long serialVersionUID = 1;

        @Override
        public Iterator<byte[]> call(Iterator<Integer> numbers) {
            return List.of(Json.bytes(Card.here())).iterator();
        }
    }
}
