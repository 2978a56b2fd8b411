/// Tandem's estimators beside those of Spark's MLlib, in sessions of their own on the same data frame.
package tandem.bench.spark;
