/// Estimators and models of Spark ML that train with Tandem: data frames of vectors go in, models that score on
/// executors come out.
package tandem.spark.ml;
