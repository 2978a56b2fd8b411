package tandem.app;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongFunction;
import tandem.math.Hash;
import tandem.model.LinearModel;

/// Names of the features that have one: the number columns of the table that a model was trained on.
/// Those of categories cannot be told from their hashes.
final class Names {

    private Names() {}

    static LongFunction<String> of(LinearModel model) {
        JsonNode table = model.schema().path("format").path("schema");
        int bits = model.schema().path("hashBits").asInt(Long.SIZE);
        Map<Long, String> names = new HashMap<>();
        for (JsonNode column : table.path("columns")) {
            if (column.path("kind").asText().equals("NUMBER")) {
                byte[] name = column.path("name").asText().getBytes(StandardCharsets.UTF_8);
                long id = Hash.bytes(table.path("seed").asLong(), name, 0, name.length);
                names.put(
                        id << (Long.SIZE - bits) >>> (Long.SIZE - bits),
                        column.path("name").asText());
            }
        }
        return names::get;
    }
}
