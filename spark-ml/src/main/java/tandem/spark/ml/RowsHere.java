package tandem.spark.ml;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import tandem.data.BadData;

/// Gathers the rows of a data frame in this process, where driver and executors are one: tasks leave them here.
final class RowsHere {

    /// What tasks have left, by who has asked and by partition. Tasks are threads of this process.
    private static final Map<String, Map<Integer, List<FrameRows>>> LEFT = new ConcurrentHashMap<>();

    private RowsHere() {}

    /// @param frame label, weight and vector
    static List<FrameRows> of(Dataset<Row> frame) throws BadData {
        String asked = UUID.randomUUID().toString();
        LEFT.put(asked, new ConcurrentHashMap<>());
        try {
            JavaRDD<InternalRow> rows = frame.queryExecution().toRdd().toJavaRDD();
            List<String> complaints = rows.mapPartitions(new Leave(asked)::call).collect();
            if (!complaints.isEmpty()) {
                throw new BadData(complaints.getFirst());
            }
            return LEFT.get(asked).entrySet().stream()
                    .sorted(Comparator.comparingInt(Map.Entry::getKey))
                    .flatMap(part -> part.getValue().stream())
                    .toList();
        } finally {
            LEFT.remove(asked);
        }
    }

    /// Leaves the rows of a partition, and says what is wrong with them: a task that fails would be tried again.
    private record Leave(String asked) implements Serializable {

        Iterator<String> call(Iterator<InternalRow> rows) {
            List<FrameRows> gathered = new ArrayList<>(List.of(new FrameRows()));
            try {
                while (rows.hasNext()) {
                    if (gathered.getLast().isFull()) {
                        gathered.add(new FrameRows());
                    }
                    gathered.getLast().add(rows.next());
                }
            } catch (BadData e) {
                return List.of(e.getMessage()).iterator();
            }
            LEFT.get(asked).put(TaskContext.getPartitionId(), gathered);
            return List.<String>of().iterator();
        }
    }
}
