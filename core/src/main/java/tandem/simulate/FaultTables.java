package tandem.simulate;

import java.util.List;
import tandem.wire.TableSpec;

/// The tables of a run with faults: one that is counted in, between two that only make a seat take longer to copy, so
/// that updates come before, while and after what they change is copied.
final class FaultTables {

    /// The number of the table that is counted in.
    static final int COUNTS = 1;

    private static final int SHARDS = 48;

    static final List<TableSpec> ALL = List.of(
            TableSpec.dense("before", SHARDS, 1).withShards(SHARDS),
            TableSpec.sparse("counts", 1).withDoubles().withShards(6),
            TableSpec.dense("after", SHARDS, 1).withShards(SHARDS));

    private FaultTables() {}
}
