package tandem.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import tandem.CacheUse;
import tandem.Linear;
import tandem.LinearTraining;
import tandem.Trained;
import tandem.data.Data;
import tandem.model.ModelDirectory;

/// One FTRL pass straight from text to a model on disk, as a program of its own. The training data is not
/// scored a second time at the end, which other tools do not do either.
public final class TrainDriver {

    private TrainDriver() {}

    /// Arguments: the file, the directory of the model, the number of threads.
    public static void main(String[] args) throws IOException {
        Linear settings = Linear.DEFAULT.withThreads(Integer.parseInt(args[2]));
        Trained trained = LinearTraining.of(settings, Data.of(args[0]))
                .withCache(new CacheUse.Off())
                .withMeasured(false)
                .run();
        ModelDirectory.save(trained.model(), Path.of(args[1]), true);
        System.out.println(
                "logloss " + trained.report().tree().path("progressiveLoss").asDouble());
    }

    static Trial run(Workspace work, Path text, int threads, List<String> jvmOptions)
            throws IOException, InterruptedException {
        List<String> arguments =
                List.of(text.toString(), work.file("tandem.model").toString(), String.valueOf(threads));
        Child.Run run =
                Child.run(Child.java(jvmOptions, List.of(), TrainDriver.class.getName(), arguments), work.folder());
        return run.trial().withLogloss(run.after("logloss "));
    }
}
