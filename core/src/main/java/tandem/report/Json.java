package tandem.report;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

/// JSON as Tandem writes it: records by component, indented by two, `null` for NaN and infinities.
public final class Json {

    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .disable(MapperFeature.AUTO_DETECT_IS_GETTERS)
            .build()
            .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);

    private Json() {}

    /// `value` (a record, map, list, number, text, tree or null) as a tree without NaN or infinities.
    public static JsonNode tree(Object value) {
        return finite(MAPPER.<JsonNode>valueToTree(value));
    }

    /// The record of `type` that a tree stands for.
    public static <T> T value(JsonNode tree, Class<T> type) throws IOException {
        return MAPPER.treeToValue(tree, type);
    }

    /// A record as bytes, for another node to [#read].
    public static byte[] bytes(Object value) {
        try {
            return MAPPER.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a record of plain values could not be written as JSON", e);
        }
    }

    /// The record of `type` that another node wrote.
    public static <T> T read(byte[] bytes, Class<T> type) {
        try {
            return MAPPER.readValue(bytes, type);
        } catch (IOException e) {
            throw new IllegalArgumentException("what another node said could not be read: " + e.getMessage(), e);
        }
    }

    public static String text(JsonNode tree) {
        var printer = new DefaultPrettyPrinter();
        printer.indentArraysWith(new DefaultIndenter("  ", "\n"));
        printer.indentObjectsWith(new DefaultIndenter("  ", "\n"));
        try {
            return MAPPER.writer(printer).writeValueAsString(tree) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree of plain values could not be written as JSON", e);
        }
    }

    /// Writes `tree` so that `file` holds all of it or what it held before.
    public static void write(Path file, JsonNode tree) throws IOException {
        AtomicFile.write(file, out -> out.write(text(tree).getBytes(StandardCharsets.UTF_8)));
    }

    private static JsonNode finite(JsonNode node) {
        switch (node) {
            case ObjectNode object -> {
                for (Map.Entry<String, JsonNode> entry : object.properties()) {
                    entry.setValue(finite(entry.getValue()));
                }
                return object;
            }
            case ArrayNode array -> {
                for (int i = 0; i < array.size(); i++) {
                    array.set(i, finite(array.get(i)));
                }
                return array;
            }
            case null -> {
                return NullNode.instance;
            }
            default -> {
                return node.isFloatingPointNumber() && !Double.isFinite(node.doubleValue()) ? NullNode.instance : node;
            }
        }
    }
}
