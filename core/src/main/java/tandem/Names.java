package tandem;

import java.io.IOException;
import java.util.Map;
import java.util.function.LongFunction;
import tandem.data.Data;
import tandem.data.FeatureNames;
import tandem.model.LinearModel;
import tandem.report.Json;

/// Names of a model's features by id, as [tandem.model.Export] and [tandem.model.Inspection] take them; null for
/// an id that has none.
public final class Names {

    private Names() {}

    /// Those known from the model alone: the number columns of a table, the counts of a Criteo log.
    public static LongFunction<String> of(LinearModel model) throws IOException {
        if (model.schema().isNull()) {
            return _ -> null;
        }
        ReadAs trained = Json.value(model.schema(), ReadAs.class);
        Map<Long, String> names = FeatureNames.ofNumbers(trained.format(), trained.hashBits());
        return names::get;
    }

    /// The same with those of the categories among `wanted` that `data` has, for which its text is read once.
    public static LongFunction<String> of(LinearModel model, Data data, long[] wanted) throws IOException {
        Map<Long, String> names = FeatureNames.ofCategories(ReadAs.like(model.card(), data), wanted);
        return names::get;
    }
}
