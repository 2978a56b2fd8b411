package tandem.bench.spark;

import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/// A system that trains on data frames.
interface Contender {

    /// What is timed.
    Fitted fit(Dataset<Row> training, Order order) throws Exception;

    /// A model, and how it came about.
    interface Fitted {

        /// Label and score of each row.
        JavaRDD<double[]> scores(Dataset<Row> rows);

        /// What the weights cost beside the mean loss.
        double penalty();

        long nonZeros();

        /// The objective after each iteration, where the system tells.
        double[] history();

        /// Where the time of both slots went.
        ///
        /// @param tasks       what Spark has seen of tasks
        /// @param slotSeconds of both together
        Answer.Split split(TaskTimes.Sums tasks, double slotSeconds);
    }
}
