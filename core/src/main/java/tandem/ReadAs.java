package tandem;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import tandem.data.Data;
import tandem.data.Format;
import tandem.model.Fit;
import tandem.model.LinearModel;
import tandem.report.Json;

/// How a model's data was turned into features. A model keeps it, so that other data is read the same way.
record ReadAs(Format format, int hashBits) {

    /// `data` read as the model's was, unless its format was chosen, which then must agree.
    static Data like(LinearModel model, Data data) throws IOException {
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
