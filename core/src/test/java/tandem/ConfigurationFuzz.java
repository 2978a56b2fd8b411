package tandem;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import tandem.consistency.Timetable;
import tandem.data.Declared;
import tandem.filter.Filters;
import tandem.link.Place;
import tandem.report.Json;

/// Whatever the text, a setting is taken or refused with a message.
class ConfigurationFuzz {

    private static final Filters FILTERS = new Filters();

    private static final List<Consumer<String>> SETTINGS = List.of(
            text -> new Timetable(text).at(1, 3),
            FILTERS::parse,
            Place::of,
            text -> Place.Tcp.of("--listen", text),
            JobDirectory::checkName,
            Declared::parse);

    /// What options say; the first byte says which.
    @FuzzTest(maxDuration = "30s")
    void options(byte[] bytes) {
        if (bytes.length == 0) {
            return;
        }
        String text = new String(bytes, 1, bytes.length - 1, StandardCharsets.UTF_8);
        try {
            SETTINGS.get((bytes[0] & 0xff) % SETTINGS.size()).accept(text);
        } catch (IllegalArgumentException expected) {
            if (expected.getMessage() == null) {
                throw new AssertionError("refused without a word", expected);
            }
        }
    }

    /// What nodes are told to do, and jobs are found by; the first byte says which.
    @FuzzTest(maxDuration = "30s")
    void descriptions(byte[] bytes) {
        if (bytes.length == 0) {
            return;
        }
        byte[] text = Arrays.copyOfRange(bytes, 1, bytes.length);
        try {
            switch ((bytes[0] & 0xff) % 5) {
                case 0 -> Json.read(text, NodeProcess.Work.class);
                case 1 -> Json.read(text, Order.class);
                case 2 -> Json.read(text, JobCard.class);
                case 3 -> Json.read(text, WorkerReport.class);
                default -> Json.read(text, ServerOrder.class);
            }
        } catch (IllegalArgumentException expected) {
            // A message about the text.
        }
    }
}
