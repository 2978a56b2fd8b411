package tandem.spark;

import org.apache.spark.SparkContext;

/// What an executor has for the hosts in it.
///
/// @param hosts     how many tasks it runs at a time, each a host
/// @param heapBytes what Java has for each
record ExecutorRoom(int hosts, long heapBytes) {

    static ExecutorRoom of(SparkContext context) {
        int slots = Math.max(1, Slots.found(context));
        if (context.isLocal()) {
            return new ExecutorRoom(slots, Runtime.getRuntime().maxMemory() / slots);
        }
        int executors = Math.max(1, context.getExecutorIds().size());
        int hosts = Math.ceilDiv(slots, executors);
        return new ExecutorRoom(hosts, ((long) context.executorMemory() << 20) / hosts);
    }
}
