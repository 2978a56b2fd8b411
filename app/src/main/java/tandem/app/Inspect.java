package tandem.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.LongFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tandem.Names;
import tandem.data.Data;
import tandem.model.Inspection;
import tandem.model.LinearModel;
import tandem.model.StoredModel;

/// `inspect`: what a model is and where it comes from.
@Command(
        name = "inspect",
        header = "Show a model: sizes, where it comes from, largest weights.",
        customSynopsis = Tandem.PROGRAM + " inspect --model DIR [OPTIONS]%n",
        optionListHeading = "%nOptions:%n",
        sortOptions = false,
        footer = {
            "",
            "Examples:",
            "  " + Tandem.PROGRAM + " inspect --model m --top 20",
            "  " + Tandem.PROGRAM + " inspect --model m --data buyers.csv"
        })
final class Inspect implements Callable<Integer> {

    private final Console console;

    @Option(names = "--model", paramLabel = "DIR", description = "What train --model wrote.")
    private Path model;

    @Option(names = "--top", paramLabel = "N", description = "How many of the largest weights to show. Default: 10.")
    private int top = 10;

    @Option(
            names = "--data",
            arity = "1..*",
            paramLabel = "FILE",
            description = "Tables and Criteo logs: look there for the names of categories, which the model has only as"
                    + " hashes; the training data has all.")
    private List<String> data;

    @Option(names = "--json", description = "Print the model's own description, model.json, instead.")
    private boolean json;

    Inspect(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        Check.given("--model", model, "which model, such as --model m");
        Check.atLeast(0, "--top", top);
        StoredModel stored = StoredModel.at(model);
        LinearModel loaded = stored.loadWeights();
        if (json) {
            console.print(Files.readString(model.resolve("model.json")).stripTrailing());
            return 0;
        }
        LongFunction<String> names =
                data == null ? Names.of(loaded) : Names.of(loaded, Data.of(data), Inspection.largestIds(loaded, top));
        console.print(Inspection.text(stored, loaded, top, names).stripTrailing());
        return 0;
    }
}
