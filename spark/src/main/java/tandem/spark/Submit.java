package tandem.spark;

import java.util.ArrayList;
import java.util.List;
import tandem.app.Tandem;

/// What `spark-submit` starts: the commands of `./tandem`, where to train means on Spark unless something else is said.
public final class Submit {

    private Submit() {}

    public static void main(String[] args) {
        int code = Tandem.call(words(args));
        // Spark takes a program that ends by itself for one that went well, and on YARN one that exits for one that
        // did not, whatever the code.
        if (code != 0) {
            System.exit(code);
        }
    }

    /// The words of a command, with the runtime if it lacks one.
    static String[] words(String... args) {
        List<String> words = new ArrayList<>(List.of(args));
        boolean trains = args.length > 1 && args[0].equals("train");
        if (trains && words.stream().noneMatch(word -> word.equals("--runtime") || word.startsWith("--runtime="))) {
            // Behind the kind of model, since whatever comes last may take several values.
            words.addAll(2, List.of("--runtime", "spark"));
        }
        return words.toArray(String[]::new);
    }
}
