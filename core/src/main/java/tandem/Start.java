package tandem;

import java.io.IOException;
import tandem.model.LinearModel;
import tandem.model.ModelCard;
import tandem.model.StoredModel;

/// The model that training starts from.
public sealed interface Start {

    /// One in memory.
    record InMemory(LinearModel model) implements Start {}

    /// One on disk, of which servers read their own parts.
    record OnDisk(StoredModel model) implements Start {}

    default ModelCard card() {
        return switch (this) {
            case InMemory(LinearModel model) -> model.card();
            case OnDisk(StoredModel model) -> model.card();
        };
    }

    /// All of it.
    default LinearModel load() throws IOException {
        return switch (this) {
            case InMemory(LinearModel model) -> model;
            case OnDisk(StoredModel model) -> model.load();
        };
    }
}
