package tandem.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tandem.model.Inspection;
import tandem.model.LinearModel;
import tandem.model.ModelDirectory;

/// `inspect`: what a model is and where it comes from.
@Command(
        name = "inspect",
        header = "Show a model: sizes, where it comes from, largest weights.",
        customSynopsis = Tandem.PROGRAM + " inspect --model DIR [OPTIONS]%n",
        optionListHeading = "%nOptions:%n",
        sortOptions = false,
        footer = {"", "Example:", "  " + Tandem.PROGRAM + " inspect --model m --top 20"})
final class Inspect implements Callable<Integer> {

    private final Console console;

    @Option(names = "--model", paramLabel = "DIR", description = "What train --model wrote.")
    private Path model;

    @Option(names = "--top", paramLabel = "N", description = "How many of the largest weights to show. Default: 10.")
    private int top = 10;

    @Option(names = "--json", description = "Print the model's own description, model.json, instead.")
    private boolean json;

    Inspect(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        Check.given("--model", model, "which model, such as --model m");
        Check.atLeast(0, "--top", top);
        LinearModel loaded = ModelDirectory.load(model);
        console.print(
                json
                        ? Files.readString(model.resolve("model.json")).stripTrailing()
                        : Inspection.text(loaded, top, Names.of(loaded)).stripTrailing());
        return 0;
    }
}
