package tandem.spark.ml;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import scala.tools.nsc.Global;
import scala.tools.nsc.Settings;
import scala.tools.nsc.reporters.StoreReporter;

/// The program in Scala compiles against the estimators, runs, and checks what it claims.
@Timeout(300)
class ScalaExampleTest {

    @Test
    void clicks_are_predicted() throws Exception {
        compile(Path.of("..", "examples", "spark", "Clicks.scala"));
        Class.forName("Clicks").getMethod("run", SparkSession.class).invoke(null, Frames.session());
    }

    /// Compiles to where executors, which are threads of this process, find classes too.
    private static void compile(Path source) throws Exception {
        Path here = Path.of(ScalaExampleTest.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        Settings settings = new Settings();
        settings.processArguments(
                scala.jdk.javaapi.CollectionConverters.asScala(List.of(
                                "-classpath",
                                System.getProperty("java.class.path"),
                                "-d",
                                here.toString(),
                                "-Werror",
                                "-deprecation"))
                        .toList(),
                true);
        StoreReporter said = new StoreReporter(settings);
        Global compiler = new Global(settings, said);
        Global.Run run = compiler.new Run();
        run.compile(scala.jdk.javaapi.CollectionConverters.asScala(List.of(source.toString()))
                .toList());
        assertTrue(!said.hasErrors(), said.infos().mkString("\n"));
    }
}
