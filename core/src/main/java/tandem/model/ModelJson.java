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
import java.util.function.Function;
import tandem.problem.Span;
import tandem.report.Json;

/// The text of `model.json`: everything about a model but its weights, and what its shards must be.
///
/// Its last key is the SHA-256 of the text itself, taken with zeros in the place of the checksum.
///
/// @param shards     the files of a model that was written from memory; empty if it was written range by range
/// @param ranges     the files of a model that was written range by range; empty if it was written from memory
/// @param intercepts one an output, in a model that was written range by range; else they are in the first shard
record ModelJson(ModelCard card, List<Shards.Shard> shards, List<RangeFile> ranges, double[] intercepts) {

    static final String FORMAT = "tandem-linear";

    /// Of a model whose features have factors beside their weight.
    static final String FACTOR_FORMAT = "tandem-factor";

    /// The newest version that is read here: 1 is written from memory, 2 range by range.
    static final int VERSION = 2;

    static final String ZEROS = "0".repeat(64);
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    boolean isRanged() {
        return !ranges.isEmpty();
    }

    /// The text for `model`, whose weights lie in `shards`.
    static String encode(LinearModel model, List<Shards.Shard> shards) {
        ObjectNode root = root(1, model.card());
        ObjectNode weights = root.putObject("weights");
        weights.put("ids", model.ids().length).put("nonZero", model.nonZero());
        weights.put("outputs", model.outputs()).put("type", model.precision().name());
        weights.set("shards", Json.tree(shards));
        return finished(root, model.card());
    }

    /// The text for a model whose weights lie in `ranges`, none of them zero.
    static String encode(ModelCard card, double[] intercepts, List<RangeFile> ranges) {
        ObjectNode root = root(2, card);
        long ids = ranges.stream().mapToLong(RangeFile::ids).sum();
        ObjectNode weights = root.putObject("weights");
        weights.put("ids", ids).put("nonZero", ids);
        weights.put("outputs", card.outputs()).put("type", card.precision().name());
        weights.set("intercepts", Json.tree(intercepts));
        weights.set("ranges", Json.tree(ranges));
        if (card.dimension() > 0) {
            root.putObject("factors").put("dimension", card.dimension()).put("type", Precision.F32.name());
        }
        return finished(root, card);
    }

    private static ObjectNode root(int version, ModelCard card) {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.put("format", card.dimension() > 0 ? FACTOR_FORMAT : FORMAT).put("formatVersion", version);
        root.put("loss", card.loss());
        root.set("classes", Json.tree(card.classes()));
        if (!card.span().equals(Span.ALL)) {
            root.set("span", Json.tree(card.span()));
        }
        return root;
    }

    private static String finished(ObjectNode root, ModelCard card) {
        root.set("schema", card.schema());
        root.set("provenance", Json.tree(card.provenance()));
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
            ModelCard card = new ModelCard(
                    root.path("loss").asText(),
                    List.of(MAPPER.treeToValue(root.path("classes"), String[].class)),
                    Precision.valueOf(weights.path("type").asText()),
                    root.path("schema"),
                    MAPPER.treeToValue(root.path("provenance"), Provenance.class),
                    root.path("factors").path("dimension").asInt(0),
                    root.has("span") ? MAPPER.treeToValue(root.path("span"), Span.class) : Span.ALL);
            if (root.path("formatVersion").asInt() == 1) {
                return new ModelJson(
                        card, files(weights.path("shards"), Shards.Shard.class, Shards.Shard::file), List.of(), null);
            }
            double[] intercepts = MAPPER.treeToValue(weights.path("intercepts"), double[].class);
            if (intercepts.length != card.outputs()) {
                throw new IOException("it has " + intercepts.length + " intercepts and " + card.outputs()
                        + " outputs; there must be one each");
            }
            return new ModelJson(
                    card, List.of(), files(weights.path("ranges"), RangeFile.class, RangeFile::file), intercepts);
        } catch (JsonProcessingException e) {
            throw new IOException("it is not JSON as a model has it: " + e.getOriginalMessage(), e);
        } catch (IllegalArgumentException | NullPointerException e) {
            throw new IOException("a key is missing or has a value that no model has", e);
        }
    }

    private static void check(JsonNode root, String text) throws IOException {
        JsonNode format = root.path("format");
        boolean factors = format.asText().equals(FACTOR_FORMAT);
        if (!factors && !format.asText().equals(FORMAT)) {
            throw new IOException("it is no model: "
                    + (format.isMissingNode() ? "it has no format" : "its format is " + format) + ", and a model has \""
                    + FORMAT + "\" or \"" + FACTOR_FORMAT + "\"");
        }
        if (factors != root.path("factors").path("dimension").asInt(0) > 0) {
            throw new IOException("its format is " + format + ", and its factors are " + root.path("factors")
                    + ". Restore it from a copy or train again");
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

    private static <T> List<T> files(JsonNode nodes, Class<T> type, Function<T, String> name) throws IOException {
        List<T> files = new ArrayList<>();
        for (JsonNode node : nodes) {
            T file = MAPPER.treeToValue(node, type);
            if (!Shards.Shard.isName(name.apply(file))) {
                throw new IOException("it names a file of weights " + node.path("file")
                        + "; only files like weights-00001-of-00001.safetensors beside it are read");
            }
            files.add(file);
        }
        if (files.isEmpty()) {
            throw new IOException("it names no file of weights");
        }
        return files;
    }

    private static String sum(String text) {
        return Checksum.of(text.getBytes(StandardCharsets.UTF_8));
    }
}
