package tandem.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Where a model comes from, so that it can be told apart and trained again.
///
/// @param version of Tandem that trained it
/// @param created when, as ISO 8601 in UTC
/// @param seed of the run
/// @param features how many distinct feature ids the training data had, or 0 if that was not counted
/// @param largestId of those, as unsigned decimal text, or empty if that is not known
/// @param data what it was trained on
/// @param settings every setting of the run by its name on the command line, defaults included
/// @param metrics as in a report, or null
/// @param certificate as in a report, or null
public record Provenance(
        String version,
        String created,
        long seed,
        long features,
        String largestId,
        List<Source> data,
        Map<String, String> settings,
        JsonNode metrics,
        JsonNode certificate) {

    /// A file that was read, and a fingerprint of its content.
    public record Source(String path, String fingerprint) {}

    /// Of a model made by hand.
    public static final Provenance NONE = new Provenance("", "", 0, 0, "", List.of(), Map.of(), null, null);

    public Provenance {
        version = version == null ? "" : version;
        created = created == null ? "" : created;
        largestId = largestId == null ? "" : largestId;
        data = data == null ? List.of() : List.copyOf(data);
        settings = settings == null ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(settings));
        metrics = metrics == null ? NullNode.instance : metrics;
        certificate = certificate == null ? NullNode.instance : certificate;
    }

    /// The same with how good the model turned out, as in a report.
    public Provenance withResults(JsonNode metrics, JsonNode certificate) {
        return new Provenance(version, created, seed, features, largestId, data, settings, metrics, certificate);
    }
}
