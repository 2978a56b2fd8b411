import java.nio.file.Files
import org.apache.spark.ml.evaluation.BinaryClassificationEvaluator
import org.apache.spark.sql.{DataFrame, SparkSession}
import org.apache.spark.sql.functions._
import tandem.spark.ml.{TandemFactorizationMachine, TandemFactorizationMachineModel, TandemLogisticRegression}

/** Predicts clicks from columns as they are: who likes what shows only in pairs of user and site, which a factorisation
  * machine learns and a linear model cannot. Keeps the model, and uses it.
  */
object Clicks {

  def main(args: Array[String]): Unit = {
    val spark = SparkSession.builder().master("local[2]").getOrCreate()
    try run(spark)
    finally spark.stop()
  }

  def run(spark: SparkSession): Unit = {
    val visits = made(spark, 3000)
    val Array(train, test) = visits.randomSplit(Array(0.8, 0.2), 1)
    val columns = Seq("user", "site", "hour")

    val machine = new TandemFactorizationMachine()
      .setLabelCol("click")
      .setInputCols(columns: _*)
      .setCategoricalCols("user")
      .setFactorSize(4)
      .setInitStd(0.1)
      .setMaxIter(10)
      .fit(train)
    val linear = new TandemLogisticRegression().setLabelCol("click").setInputCols(columns: _*).fit(train)

    val auc = new BinaryClassificationEvaluator().setLabelCol("click")
    val ofPairs = auc.evaluate(machine.transform(test))
    val ofSingles = auc.evaluate(linear.transform(test))
    println(f"AUC on ${test.count()} visits not seen: $ofPairs%.3f, of a linear model $ofSingles%.3f")
    println(f"loss by pass: ${machine.summary().objectiveHistory().map(loss => f"$loss%.3f").mkString(", ")}")

    // ./tandem predict --model DIR/clicks/tandem reads the same model.
    val at = Files.createTempDirectory("clicks").resolve("clicks").toString
    machine.write().overwrite().save(at)
    val again = auc.evaluate(TandemFactorizationMachineModel.load(at).transform(test))

    assert(ofPairs > 0.85 && ofSingles < 0.65, s"AUC $ofPairs, $ofSingles")
    assert(math.abs(again - ofPairs) < 1e-9, s"AUC $ofPairs, and $again of the model that was loaded")
  }

  /** Visits of users, half of whom like even sites, and half the others. */
  private def made(spark: SparkSession, rows: Long): DataFrame = {
    def drawn(number: Int, below: Int) = pmod(hash(col("id"), lit(number)), lit(below))
    spark
      .range(0, rows, 1, 2)
      .select(drawn(1, 10).as("user"), drawn(2, 10).as("page"), drawn(3, 24).as("hour"), drawn(4, 100).as("chance"))
      .withColumn("likes", pmod(col("user") + col("page"), lit(2)) === 0)
      .select(
        when(col("chance") < when(col("likes"), 95).otherwise(5), 1).otherwise(0).as("click"),
        col("user"),
        concat(lit("site-"), col("page")).as("site"),
        col("hour")
      )
  }
}
