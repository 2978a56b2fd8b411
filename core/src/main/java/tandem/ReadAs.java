package tandem;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import tandem.data.Column;
import tandem.data.Data;
import tandem.data.Format;
import tandem.data.Schema;
import tandem.model.Fit;
import tandem.model.ModelCard;
import tandem.report.Json;

/// How a model's data was turned into features. A model keeps it, so that other data is read the same way.
record ReadAs(Format format, int hashBits) {

    /// Refuses to start from a model whose features or classes are not those of the data.
    static void checkStart(ModelCard start, Data data, List<String> classes, Solver solver) throws IOException {
        if (start.dimension() > 0) {
            checkFactors(start.dimension(), solver);
        }
        if (!suits(start.classes(), classes)) {
            throw new IOException("the model to start from tells " + said(start.classes()) + ", but the data have "
                    + said(classes) + "; start from a model of the same classes, or leave out --warm-start");
        }
        if (start.schema().isNull()) {
            return;
        }
        ReadAs trained = Json.value(start.schema(), ReadAs.class);
        String other = "";
        if (trained.hashBits() != data.hashBits()) {
            other = "with --hash-bits " + trained.hashBits() + ", not " + data.hashBits();
        } else if (trained.format() instanceof Format.Table(Schema then)
                && data.format() instanceof Format.Table(Schema now)) {
            other = otherFeatures(then.columns(), now.columns());
        } else if (!trained.format().equals(data.format())) {
            other = "from " + trained.format().title() + ", not "
                    + data.format().title();
        }
        if (!other.isEmpty()) {
            throw new IOException("the model to start from was trained " + other
                    + ", so its features are not those of the data; read them in the same way, or leave out"
                    + " --warm-start");
        }
    }

    /// Refuses to start from a machine where its factors have no place.
    private static void checkFactors(int dimension, Solver solver) throws IOException {
        if (!(solver instanceof Solver.Factors factors)) {
            throw new IOException("the model to start from is a factorisation machine, whose weights without their"
                    + " factors are no model; start from a linear one, or leave out --warm-start");
        }
        if (factors.dimension() != dimension) {
            throw new IOException("the model to start from has " + dimension + " factors a feature, not "
                    + factors.dimension() + "; use --dimension " + dimension + ", or leave out --warm-start");
        }
    }

    /// In words, why features made from `then` are not those made from `now`; empty if they are.
    private static String otherFeatures(List<Column> then, List<Column> now) {
        boolean shared = false;
        for (Column column : then) {
            for (Column other : now) {
                if (!column.name().equals(other.name()) || !isFeature(column) || !isFeature(other)) {
                    continue;
                }
                if (column.kind() != other.kind()) {
                    return "with the column " + column.name() + " as a "
                            + column.kind().name().toLowerCase(Locale.ROOT) + ", not a "
                            + other.kind().name().toLowerCase(Locale.ROOT);
                }
                shared = true;
            }
        }
        return shared ? "" : "on columns of other names";
    }

    private static boolean isFeature(Column column) {
        return column.kind() == Column.Kind.NUMBER || column.kind() == Column.Kind.CATEGORY;
    }

    /// Two classes may be called 0 and 1 or -1 and 1; and a number may be learned from weights that told classes.
    private static boolean suits(List<String> start, List<String> data) {
        boolean single = start.size() <= 2 && data.size() <= 2;
        return start.equals(data)
                || single && (start.isEmpty() || data.isEmpty())
                || single && isSigns(start) && isSigns(data);
    }

    private static boolean isSigns(List<String> names) {
        return names.equals(List.of("0", "1")) || names.equals(List.of("-1", "1"));
    }

    private static String said(List<String> classes) {
        return classes.isEmpty() ? "numbers" : "the classes " + String.join(", ", classes);
    }

    /// `data` read as the model's was, unless its format was chosen, which then must agree.
    static Data like(ModelCard model, Data data) throws IOException {
        JsonNode schema = model.schema();
        if (schema.isNull()) {
            return data.known();
        }
        ReadAs trained = Json.value(schema, ReadAs.class);
        Data like = data.withHashBits(trained.hashBits());
        if (data.format() instanceof Format.Unknown) {
            return like.withFormat(trained.format());
        }
        Fit.check(schema, Json.tree(new ReadAs(data.known().format(), trained.hashBits())));
        return like;
    }
}
