package tandem.app;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.LongFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tandem.Names;
import tandem.data.Data;
import tandem.model.Export;
import tandem.model.FactorModel;
import tandem.model.LinearModel;
import tandem.model.StoredModel;

/// `export`: a model for other programs.
@Command(
        name = "export",
        header = "Write a model for other programs.",
        customSynopsis = Tandem.PROGRAM + " export --model DIR --format NAME --out FILE [--data FILE…]%n",
        optionListHeading = "%nOptions:%n",
        sortOptions = false,
        footer = {"", "Example:", "  " + Tandem.PROGRAM + " export --model m --format liblinear --out m.liblinear"})
final class ExportModel implements Callable<Integer> {

    private final Console console;

    @Option(names = "--model", paramLabel = "DIR", description = "What train --model wrote.")
    private Path model;

    @Option(
            names = "--format",
            paramLabel = "NAME",
            description = "liblinear (its text model), libfm (its text model, of a factorisation machine), json, or csv"
                    + " (id,name,class,weight,factors); the last two leave out zeros.")
    private String format;

    @Option(names = "--out", paramLabel = "FILE", description = "Where to write; - is standard output.")
    private String out;

    @Option(
            names = "--data",
            arity = "1..*",
            paramLabel = "FILE",
            description = "Tables and Criteo logs: look there for the names of categories, which the model has only as"
                    + " hashes; the training data has all.")
    private List<String> data;

    ExportModel(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        Check.given("--model", model, "which model, such as --model m");
        Check.given("--format", format, "how: liblinear, libfm, json or csv");
        Check.given("--out", out, "where to write, such as --out model.csv, or - for standard output");
        Export export = Export.of(format);
        boolean standardOut = out.equals("-");
        if (!standardOut) {
            Check.writable("--out", Path.of(out));
            Check.spares(
                    "--out",
                    Path.of(out),
                    data == null ? Set.of() : Data.of(data).fingerprints().keySet(),
                    model);
        }
        FactorModel loaded = StoredModel.at(model).loadFactors();
        LinearModel weights = loaded.weights();
        LongFunction<String> names = data == null ? Names.of(weights) : Names.of(weights, Data.of(data), weights.ids());
        if (standardOut) {
            Writer writer = new BufferedWriter(new OutputStreamWriter(console.out(), StandardCharsets.UTF_8), 1 << 16);
            export.write(loaded, writer, names);
            writer.flush();
        } else {
            export.write(loaded, Path.of(out), names);
            console.say(out + ": the model as " + export.title());
        }
        return 0;
    }
}
