package tandem.data;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Names of the features that readers make ids for by hashing. The name of a number column follows from the
/// format; that of a category, `column=value`, only from data that has it.
public final class FeatureNames {

    private final Schema schema;
    private final int hashBits;
    private final Cells cells;
    private final Fields fields = new Fields();

    private FeatureNames(Schema schema, int hashBits) {
        this.schema = schema;
        this.hashBits = hashBits;
        cells = new Cells(schema);
    }

    /// The names of number columns by id; none for LIBSVM, whose ids are what they are.
    public static Map<Long, String> ofNumbers(Format format, int hashBits) {
        Schema schema = schema(format);
        Map<Long, String> names = new HashMap<>();
        if (schema != null) {
            FeatureNames made = new FeatureNames(schema, hashBits);
            for (int c = 0; c < schema.columns().size(); c++) {
                if (schema.columns().get(c).kind() == Column.Kind.NUMBER) {
                    names.put(
                            made.id(made.cells.number(c)),
                            schema.columns().get(c).name());
                }
            }
        }
        return names;
    }

    /// The names of those `wanted` ids that are categories in `data`. Reads its text once, on this thread, until all
    /// are found; holds only what it finds. Lines that cannot be read are passed over.
    public static Map<Long, String> ofCategories(Data data, long[] wanted) throws IOException {
        Schema schema = schema(data.format());
        if (schema == null) {
            throw new IllegalArgumentException("the model was trained on "
                    + data.format().title() + " data, which has ids and no names; leave out --data");
        }
        Set<Long> missing = new HashSet<>();
        for (long id : wanted) {
            missing.add(id);
        }
        Map<Long, String> names = ofNumbers(data.format(), data.hashBits());
        missing.removeAll(names.keySet());
        FeatureNames made = new FeatureNames(schema, data.hashBits());
        for (Source source : Sources.find(data.paths())) {
            made.find(source, missing, names);
        }
        return names;
    }

    /// The columns of `format`, or null if it has none.
    private static Schema schema(Format format) {
        return switch (format) {
            case Format.LibSvm() -> null;
            case Format.Criteo(long seed) -> {
                List<Column> columns = new ArrayList<>();
                columns.add(Column.of("label", Column.Kind.LABEL));
                for (int f = 0; f < CriteoParser.FEATURES; f++) {
                    boolean count = f < CriteoParser.COUNTS;
                    columns.add(Column.of(CriteoParser.name(f), count ? Column.Kind.NUMBER : Column.Kind.CATEGORY));
                }
                yield new Schema('\t', false, columns, seed);
            }
            case Format.Table(Schema schema) -> schema;
            case Format.Unknown _ -> throw new IllegalStateException("the format has not been found out");
        };
    }

    private long id(long hash) {
        return hash << (Long.SIZE - hashBits) >>> (Long.SIZE - hashBits);
    }

    private void find(Source source, Set<Long> missing, Map<Long, String> names) throws IOException {
        TableParser.Layout layout = null;
        try (Chunks chunks = new Chunks(List.of(source), Chunks.CHUNK_BYTES)) {
            Chunk chunk = chunks.chunk();
            while (!missing.isEmpty() && chunks.next(chunk)) {
                for (int at = chunk.from, next; at < chunk.to; at = next) {
                    next = Parser.nextLine(chunk.bytes, at);
                    if (layout == null) {
                        layout = layout(source, chunk.bytes, at);
                        next = schema.header() ? next : at;
                    } else if (isRow(chunk.bytes, at, layout)) {
                        name(chunk.bytes, layout, missing, names);
                    }
                }
            }
        }
    }

    private TableParser.Layout layout(Source source, byte[] text, int at) throws BadData {
        try {
            fields.split(text, at, (byte) schema.delimiter());
            return TableParser.layout(schema, new LabelRule.Ignore(), fields.texts(text));
        } catch (BadLine | IllegalArgumentException e) {
            throw new BadData(source.name() + ":1: " + e.getMessage());
        }
    }

    private boolean isRow(byte[] text, int at, TableParser.Layout layout) {
        try {
            fields.split(text, at, (byte) schema.delimiter());
            return fields.count() == layout.columns().length;
        } catch (BadLine passedOver) {
            return false;
        }
    }

    private void name(byte[] text, TableParser.Layout layout, Set<Long> missing, Map<Long, String> names) {
        for (int f = 0; f < fields.count(); f++) {
            int c = layout.columns()[f];
            if (c >= 0 && schema.columns().get(c).kind() == Column.Kind.CATEGORY && fields.begin(f) < fields.end(f)) {
                long id = id(cells.category(c, text, fields.begin(f), fields.end(f)));
                if (missing.remove(id)) {
                    names.put(id, schema.columns().get(c).name() + "=" + fields.text(text, f));
                }
            }
        }
    }
}
