package tandem.spark;

/// What executors have for the hosts in them.
///
/// @param hosts     how many tasks one runs at a time, each a host
/// @param heapBytes what Java has for each
record ExecutorRoom(int hosts, long heapBytes) {}
