package tandem.model;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import tandem.report.AtomicFile;

/// A form in which other programs can read a model.
public enum Export {
    /// The text model of LIBLINEAR.
    LIBLINEAR,
    /// One object with a list of the weights that are not zero.
    JSON,
    /// A line for each weight that is not zero: `id,name,class,weight`, and what factors there are.
    CSV,
    /// The text model of libFM, for factorisation machines.
    LIBFM;

    /// The form called `name` on the command line.
    public static Export of(String name) {
        for (Export export : values()) {
            if (export.title().equals(name)) {
                return export;
            }
        }
        String known = Arrays.stream(values()).map(Export::title).collect(Collectors.joining(", "));
        throw new IllegalArgumentException("a model cannot be exported as " + name + "; choose one of " + known);
    }

    public String title() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// Writes `file`, whole or not at all. `names` gives the name of a feature id, or null if it has none.
    public void write(LinearModel model, Path file, LongFunction<String> names) throws IOException {
        write(FactorModel.linear(model.stored()), file, names);
    }

    /// The same of a factorisation machine.
    public void write(FactorModel model, Path file, LongFunction<String> names) throws IOException {
        AtomicFile.write(file, out -> {
            Writer writer = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8), 1 << 16);
            write(model, writer, names);
            writer.flush();
        });
    }

    public void write(LinearModel model, Writer out, LongFunction<String> names) throws IOException {
        write(FactorModel.linear(model.stored()), out, names);
    }

    public void write(FactorModel model, Writer out, LongFunction<String> names) throws IOException {
        switch (this) {
            case LIBLINEAR -> {
                if (model.dimension() > 0) {
                    throw new IllegalArgumentException("the model is a factorisation machine, and LIBLINEAR has weights"
                            + " only; export it as libfm, json or csv");
                }
                LiblinearText.write(model.weights(), out);
            }
            case LIBFM -> LibfmText.write(model, out);
            case JSON -> json(model, out, names);
            case CSV -> csv(model, out, names);
        }
    }

    /// Begins a line for each element of the outer lists.
    private static final class Lines extends MinimalPrettyPrinter {

        @Override
        public void beforeArrayValues(JsonGenerator json) throws IOException {
            breakLine(json);
        }

        @Override
        public void writeArrayValueSeparator(JsonGenerator json) throws IOException {
            json.writeRaw(',');
            breakLine(json);
        }

        private static void breakLine(JsonGenerator json) throws IOException {
            if (json.getOutputContext().getParent().getParent().inRoot()) {
                json.writeRaw('\n');
            }
        }
    }

    private static void json(FactorModel machine, Writer out, LongFunction<String> names) throws IOException {
        LinearModel model = machine.weights();
        JsonGenerator json = new JsonFactory().createGenerator(out).disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
        json.setPrettyPrinter(new Lines());
        json.writeStartObject();
        json.writeStringField("loss", model.loss());
        json.writeArrayFieldStart("classes");
        for (String name : model.classes()) {
            json.writeString(name);
        }
        json.writeEndArray();
        json.writeFieldName("intercepts");
        json.writeArray(model.intercepts(), 0, model.outputs());
        json.writeArrayFieldStart("weights");
        for (int i = 0; i < model.ids().length; i++) {
            json.writeStartObject();
            // As text: many readers of JSON lose digits of whole numbers beyond 2⁵³.
            json.writeStringField("id", Long.toUnsignedString(model.ids()[i]));
            String name = names.apply(model.ids()[i]);
            if (name != null) {
                json.writeStringField("name", name);
            }
            json.writeArrayFieldStart("weights");
            for (double[] row : model.weights()) {
                json.writeNumber(row[i]);
            }
            json.writeEndArray();
            factors(machine, i, json);
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
        json.close();
        out.write("\n");
    }

    private static void factors(FactorModel machine, int place, JsonGenerator json) throws IOException {
        if (machine.dimension() == 0) {
            return;
        }
        json.writeArrayFieldStart("factors");
        for (int k = 0; k < machine.weights().outputs(); k++) {
            json.writeStartArray();
            for (int f = 0; f < machine.dimension() && machine.isFactored(k, place); f++) {
                json.writeNumber(machine.factor(k, place, f));
            }
            json.writeEndArray();
        }
        json.writeEndArray();
    }

    private static void csv(FactorModel machine, Writer out, LongFunction<String> names) throws IOException {
        LinearModel model = machine.weights();
        out.write("id,name,class,weight");
        for (int f = 1; f <= machine.dimension(); f++) {
            out.write(",factor" + f);
        }
        out.write("\n");
        for (int k = 0; k < model.outputs(); k++) {
            String label = quoted(outputName(model, k));
            if (model.intercepts()[k] != 0) {
                out.write(
                        ",(intercept)," + label + "," + model.intercepts()[k] + ",".repeat(machine.dimension()) + "\n");
            }
            for (int i = 0; i < model.ids().length; i++) {
                double weight = model.weights()[k][i];
                boolean factored = machine.isFactored(k, i);
                if (weight != 0 || factored) {
                    String name = quoted(names.apply(model.ids()[i]));
                    out.write(Long.toUnsignedString(model.ids()[i]) + "," + name + "," + label + "," + weight);
                    for (int f = 0; f < machine.dimension(); f++) {
                        out.write("," + (factored ? machine.factor(k, i, f) : ""));
                    }
                    out.write("\n");
                }
            }
        }
    }

    /// The class that a high score of output `k` speaks for; empty where numbers are predicted.
    static String outputName(LinearModel model, int k) {
        return switch (model.classes().size()) {
            case 0 -> "";
            case 2 -> model.classes().getLast();
            default -> model.classes().get(k);
        };
    }

    private static String quoted(String text) {
        if (text == null) {
            return "";
        }
        return text.matches("(?s).*[,\"\r\n].*") ? "\"" + text.replace("\"", "\"\"") + "\"" : text;
    }
}
