package tandem.spark.ml;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/// A session of two threads that all tests share, and data frames in it.
final class Frames {

    static final int ROWS = 500;
    static final int FEATURES = 6;

    private static SparkSession session;
    private static Dataset<Row> vectors;

    private Frames() {}

    static synchronized SparkSession session() {
        if (session == null) {
            session = SparkSession.builder()
                    .master("local[2]")
                    .config("spark.driver.host", "127.0.0.1")
                    .config("spark.driver.bindAddress", "127.0.0.1")
                    .config("spark.ui.enabled", "false")
                    .config("spark.sql.shuffle.partitions", "2")
                    .getOrCreate();
        }
        return session;
    }

    /// Columns `label` (0 or 1), `number`, `weight` and `features`, of which some are 0.
    static synchronized Dataset<Row> vectors() {
        if (vectors == null) {
            vectors = session()
                    .createDataFrame(
                            generated(),
                            new StructType()
                                    .add("label", DataTypes.DoubleType)
                                    .add("number", DataTypes.DoubleType)
                                    .add("weight", DataTypes.DoubleType)
                                    .add("features", SQLDataTypes.VectorType()))
                    .repartition(3)
                    .cache();
        }
        return vectors;
    }

    private static List<Row> generated() {
        Random random = new Random(7);
        List<Row> all = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            double[] x = new double[FEATURES];
            double score = 0.3;
            for (int j = 0; j < FEATURES; j++) {
                x[j] = random.nextInt(3) == 0 ? 0 : random.nextGaussian() * (1 + j % 2);
                score += x[j] * (j - 2) / 2;
            }
            double label = random.nextDouble() < 1 / (1 + Math.exp(-score)) ? 1 : 0;
            Vector features = i % 2 == 0 ? Vectors.dense(x) : Vectors.dense(x).toSparse();
            all.add(RowFactory.create(label, score + random.nextGaussian(), 0.5 + random.nextInt(3), features));
        }
        return all;
    }

    /// The rows as a LIBSVM file, with the labels of a column.
    static void writeLibSvm(Dataset<Row> rows, String label, Path file) throws IOException {
        List<String> lines = new ArrayList<>();
        for (Row row : rows.collectAsList()) {
            StringBuilder line = new StringBuilder().append(row.<Double>getAs(label));
            Entries x = Entries.of(row.getAs("features"), null);
            for (int e = 0; e < x.count(); e++) {
                line.append(' ').append(x.ids()[e]).append(':').append(x.values()[e]);
            }
            lines.add(line.toString());
        }
        Files.write(file, lines);
    }

    /// What the command line predicts for the rows of a file.
    static double[] predicted(Path model, Path data, tandem.Prediction.Kind kind) throws IOException {
        StringBuilder text = new StringBuilder();
        try (var scorer = tandem.model.StoredModel.at(model).scorer()) {
            tandem.Prediction.write(scorer, tandem.data.Data.of(data.toString()), kind, text, tandem.Watch.SILENT);
        }
        return text.toString().lines().mapToDouble(Double::parseDouble).toArray();
    }
}
