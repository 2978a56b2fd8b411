package tandem.server;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tandem.wire.Message;

/// Why updates were refused, for those who ask again because they did not hear: the last of them.
final class Refusals {

    private static final int MOST = 1024;

    private record Number(int stream, long sequence) {}

    private final Map<Number, String> reasons = new LinkedHashMap<>() {

        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Number, String> eldest) {
            return size() > MOST;
        }
    };

    void put(int stream, long sequence, String why) {
        reasons.put(new Number(stream, sequence), why);
    }

    /// All that it knows, the oldest first.
    List<Message.Refused> all() {
        return reasons.entrySet().stream()
                .map(entry ->
                        new Message.Refused(false, entry.getKey().stream, entry.getKey().sequence, entry.getValue()))
                .toList();
    }

    /// Null if the update was not refused.
    String find(int stream, long sequence) {
        return reasons.get(new Number(stream, sequence));
    }
}
