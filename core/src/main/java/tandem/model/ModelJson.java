package tandem.model;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import tandem.report.Json;

/// The text of `model.json`: everything about a model but its weights, and what its shards must be.
///
/// Its last key is the SHA-256 of the text itself, taken with zeros in the place of the checksum.
record ModelJson(
        String loss,
        List<String> classes,
        Precision precision,
        List<Shards.Shard> shards,
        JsonNode schema,
        Provenance provenance) {

    static final String FORMAT = "tandem-linear";
    static final int VERSION = 1;

    static final String ZEROS = "0".repeat(64);
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    int outputs() {
        return classes.size() > 2 ? classes.size() : 1;
    }

    /// The text for `model`, whose weights lie in `shards`.
    static String encode(LinearModel model, List<Shards.Shard> shards) {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.put("format", FORMAT).put("formatVersion", VERSION);
        root.put("loss", model.loss());
        root.set("classes", Json.tree(model.classes()));
        ObjectNode weights = root.putObject("weights");
        weights.put("ids", model.ids().length).put("nonZero", model.nonZero());
        weights.put("outputs", model.outputs()).put("type", model.precision().name());
        weights.set("shards", Json.tree(shards));
        root.set("schema", model.schema());
        root.set("provenance", Json.tree(model.provenance()));
        root.put("sha256", ZEROS);
        return signed(Json.text(root));
    }

    /// `text` with its checksum in place of the zeros.
    static String signed(String text) {
        int at = text.lastIndexOf(ZEROS);
        return text.substring(0, at) + sum(text) + text.substring(at + ZEROS.length());
    }

    static ModelJson decode(String text) throws IOException {
        if (text.isBlank()) {
            throw new IOException("it is empty. Restore it from a copy or train again");
        }
        try {
            JsonNode root = MAPPER.readTree(text);
            check(root, text);
            JsonNode weights = root.path("weights");
            return new ModelJson(
                    root.path("loss").asText(),
                    List.of(MAPPER.treeToValue(root.path("classes"), String[].class)),
                    Precision.valueOf(weights.path("type").asText()),
                    shards(weights.path("shards")),
                    root.path("schema"),
                    MAPPER.treeToValue(root.path("provenance"), Provenance.class));
        } catch (JsonProcessingException e) {
            throw new IOException("it is not JSON as a model has it: " + e.getOriginalMessage(), e);
        } catch (IllegalArgumentException | NullPointerException e) {
            throw new IOException("a key is missing or has a value that no model has", e);
        }
    }

    private static void check(JsonNode root, String text) throws IOException {
        JsonNode format = root.path("format");
        if (!format.asText().equals(FORMAT)) {
            throw new IOException("it is no linear model: "
                    + (format.isMissingNode() ? "it has no format" : "its format is " + format) + ", and a model has \""
                    + FORMAT + "\"");
        }
        if (root.path("formatVersion").asInt() > VERSION) {
            throw new IOException("it was written by a newer Tandem, in format " + root.path("formatVersion")
                    + "; this one reads format " + VERSION + ". Use the newer one");
        }
        String found = root.path("sha256").asText();
        int at = found.length() == ZEROS.length() ? text.lastIndexOf(found) : -1;
        if (at < 0
                || !sum(text.substring(0, at) + ZEROS + text.substring(at + found.length()))
                        .equals(found)) {
            throw new IOException("it does not match its own checksum: it was damaged or edited."
                    + " Restore it from a copy or train again");
        }
    }

    private static List<Shards.Shard> shards(JsonNode nodes) throws IOException {
        List<Shards.Shard> shards = new ArrayList<>();
        for (JsonNode node : nodes) {
            Shards.Shard shard = MAPPER.treeToValue(node, Shards.Shard.class);
            if (!Shards.Shard.isName(shard.file())) {
                throw new IOException("it names a file of weights " + node.path("file")
                        + "; only files like weights-00001-of-00001.safetensors beside it are read");
            }
            shards.add(shard);
        }
        if (shards.isEmpty()) {
            throw new IOException("it names no file of weights");
        }
        return shards;
    }

    private static String sum(String text) {
        return Checksum.of(text.getBytes(StandardCharsets.UTF_8));
    }
}
