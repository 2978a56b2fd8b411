package tandem.data;

import java.util.List;

/// The bad lines that were passed over: how many, and the messages of the first few in the order of the data.
public record Skipped(long count, List<String> examples) {

    public static final Skipped NONE = new Skipped(0, List.of());

    /// How many messages are kept.
    public static final int EXAMPLES = 5;

    public Skipped {
        examples = List.copyOf(examples);
    }
}
