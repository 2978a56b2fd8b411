/// The same jobs on Apache Spark: workers and servers live in executors, where the examples are; the coordinator is in
/// the driver. Spark places and restarts them.
package tandem.spark;
