package tandem.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// Runs Vowpal Wabbit: its command if there is one, else its library in a JVM of its own.
record Vowpal(Peers peers, Workspace work) {

    /// FTRL with our learning rate (its own default learns too slowly for one pass), and room for 16 M weights.
    private static final String LEARN = "--ftrl --ftrl_alpha 0.1 --ftrl_beta 1 --loss_function logistic -b 24";

    String label() {
        return peers.vw() != null ? "vowpal wabbit --ftrl" : "vowpal wabbit --ftrl (library, 1 thread)";
    }

    /// One pass over text, from starting the process to the model on disk.
    Trial textPass(Path vowpalText) throws IOException, InterruptedException {
        String model = " -f " + work.file("vw.model");
        if (peers.vw() != null) {
            Child.Run run =
                    Child.run(words(peers.vw() + " " + LEARN + model + " -P 1e9 -d " + vowpalText), work.folder());
            return run.trial().withLogloss(run.after("average loss ="));
        }
        Child.Run run = driver(LEARN + model + " --quiet", vowpalText.toString());
        return run.trial().withLogloss(run.after("logloss "));
    }

    /// One pass over its cache, made by a pass over the text before that is not counted.
    Trial cachedPass(Path vowpalText) throws IOException, InterruptedException {
        String cache = " --passes 2 --holdout_off -k --cache_file " + work.file("vw.cache");
        Child.Run run = driver(LEARN + cache + " --quiet", vowpalText.toString(), "cached");
        return Trial.of(run.after("pass seconds "), run.after("pass cpu "))
                .withPeakBytes(run.trial().peakBytes());
    }

    /// Reads text, writes its cache and learns nothing.
    Trial parse(Path vowpalText) throws IOException, InterruptedException {
        String cache = "-t -b 24 --quiet -k --cache_file " + work.file("vw.cache");
        if (peers.vw() != null) {
            return Child.run(words(peers.vw() + " " + cache + " -d " + vowpalText), work.folder())
                    .trial();
        }
        return driver(cache, vowpalText.toString()).trial();
    }

    private Child.Run driver(String... arguments) throws IOException, InterruptedException {
        return Child.run(
                Child.java(List.of(), List.of(peers.vwLibrary()), VowpalDriver.class.getName(), List.of(arguments)),
                work.folder());
    }

    private static List<String> words(String command) {
        return List.of(command.split(" "));
    }
}
