package tandem;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import tandem.data.Data;
import tandem.data.Format;
import tandem.model.LinearModel;
import tandem.report.Json;

/// How data were read for training, kept in the model so that other data are read the same way.
final class AsTrained {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String FORMAT = "format";
    private static final String HASH_BITS = "hashBits";

    private AsTrained() {}

    /// What a model keeps of `data`. The format of a stream is kept only if it was given.
    static JsonNode schema(Data data) throws IOException {
        Format format = data.isRepeatable() ? data.known().format() : data.format();
        ObjectNode schema = JsonNodeFactory.instance.objectNode();
        schema.set(FORMAT, format instanceof Format.Unknown ? null : Json.tree(format));
        return schema.put(HASH_BITS, data.hashBits());
    }

    /// `data` in the format of those that `model` was trained on, unless another is given.
    static Data like(LinearModel model, Data data) throws IOException {
        JsonNode format = model.schema().path(FORMAT);
        Data same = data.withHashBits(model.schema().path(HASH_BITS).asInt(data.hashBits()));
        if (!format.isObject() || !(data.format() instanceof Format.Unknown)) {
            return same;
        }
        try {
            return same.withFormat(MAPPER.treeToValue(format, Format.class));
        } catch (JsonProcessingException e) {
            throw new IOException(
                    "the model says its data were in the format " + format
                            + ", which this version cannot read; use the version that trained it",
                    e);
        }
    }
}
