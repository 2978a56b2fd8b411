import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tandem.Cluster;
import tandem.client.SharedRows;
import tandem.client.Slice;
import tandem.math.Hash;
import tandem.wire.Keys;
import tandem.wire.TableSpec;

/// Counts words with four workers that share rows: each counts its lines, and sees what the others have counted.
void main() {
    List<String> lines = List.of("to be or not to be", "that is the question", "to sleep to dream", "the rest is silence");
    Cluster cluster = Cluster.embedded(4, 2, TableSpec.sparse("words", 1)).withConsistency("ssp:1");

    Map<String, Integer> counts = cluster.run(
            worker -> {
                SharedRows rows = worker.rows();
                int words = worker.table("words");
                for (int clock = 0; clock < 100; clock++) {
                    for (String word : lines.get(worker.number()).split(" ")) {
                        rows.inc(words, key(word), 1);
                    }
                    rows.clock();
                    // One's own words are all there; of everyone else's those of all clocks but the last.
                    double to = rows.get(words, key("to"))[0];
                    if (to < (worker.number() == 0 ? 2 * (clock + 1) : 2 * clock)) {
                        throw new AssertionError("worker " + worker.number() + " saw " + to + " at clock " + clock);
                    }
                }
            },
            session -> {
                Map<String, Integer> found = new TreeMap<>();
                for (String word : String.join(" ", lines).split(" ")) {
                    float[] count = {0};
                    session.read(new Slice(0, Keys.once(new long[] {key(word)}, 1), count));
                    found.put(word, (int) count[0]);
                }
                return found;
            });

    IO.println(counts);
    if (counts.get("to") != 400 || counts.get("the") != 200 || counts.get("silence") != 100) {
        throw new AssertionError(counts);
    }
}

long key(String word) {
    byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
    return Hash.bytes(0, bytes, 0, bytes.length);
}
