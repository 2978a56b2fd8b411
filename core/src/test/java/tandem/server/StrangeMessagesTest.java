package tandem.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import tandem.consistency.After;
import tandem.math.Hash;
import tandem.wire.Address;
import tandem.wire.Keys;
import tandem.wire.Layout;
import tandem.wire.Lease;
import tandem.wire.Message;
import tandem.wire.Outbox;
import tandem.wire.Part;
import tandem.wire.TableSpec;
import tandem.wire.Values;

/// Messages that are well formed and make no sense: a server refuses them as somebody's fault, and goes on.
class StrangeMessagesTest {

    private static final TableSpec SPARSE = TableSpec.sparse("sparse", 1).withShards(3);
    private static final TableSpec DENSE = TableSpec.dense("dense", 10, 2).withShards(2);
    private static final TableSpec DOUBLES =
            TableSpec.dense("doubles", 4, 1).withShards(1).withDoubles();
    private static final List<String> FILTERS = List.of("delta", "fixed:1", "lz4");
    private static final TableSpec PACKED =
            TableSpec.sparse("packed", 1).withShards(1).withFilters(FILTERS, FILTERS);
    private static final Layout LAYOUT = new Layout(
            1,
            new TableSpec[] {SPARSE, null, DENSE, DOUBLES, PACKED},
            new int[][] {{0, 1, 0}, null, {0, 0}, {0}, {0}},
            3);

    private final List<Message> answers = new ArrayList<>();
    private final Outbox out = new Outbox() {
        @Override
        public void send(Address to, Message message) {
            answers.add(message instanceof Message.Seated(int _, Message about) ? about : message);
        }

        @Override
        public void wakeAt(long nanos, long tag) {}
    };
    private SplittableRandom chance;

    @RepeatedTest(200)
    void are_refused_or_answered_and_lose_nothing(RepetitionInfo repetition) {
        chance = new SplittableRandom(repetition.getCurrentRepetition());
        Server server = new Server(0, new Rules(), 5);
        server.receive(Address.COORDINATOR, new Message.Placed(LAYOUT, new String[0], new Lease[0]), 0, out);
        int good = 0;
        for (int round = 0; round < 100; round++) {
            try {
                Message strange = strange();
                boolean seated = chance.nextInt(10) > 0;
                int seat = chance.nextInt(10) > 0 ? 0 : chance.nextInt(-1, 3);
                server.receive(Address.worker(1), seated ? new Message.Seated(seat, strange) : strange, round, out);
            } catch (IllegalArgumentException refused) {
                // As it should be: whoever sent it loses the connection.
            }
            if (chance.nextInt(4) == 0) {
                good++;
                server.receive(Address.worker(0), new Message.Seated(0, update(0, good, good, row(3, 1))), round, out);
            }
        }
        answers.clear();
        Part asked = new Part(2, 0, Keys.range(3, 1), 0, 1, 2, null);
        Message pull = new Message.Pull(1, 9, -1, After.NOTHING, false, new Part[] {asked});
        server.receive(Address.worker(0), new Message.Seated(0, pull), 0, out);
        Values.Floats values = (Values.Floats) ((Message.Rows) answers.getFirst()).values()[0];
        assertEquals(good, values.array()[values.at()]);
    }

    private static Message.Update update(int stream, long sequence, long clock, Part... parts) {
        return new Message.Update(1, stream, 1, sequence, clock, parts);
    }

    private static Part row(long key, float value) {
        return new Part(2, 0, Keys.range(key, 1), 0, 1, 2, Values.of(value, 0f));
    }

    /// Nothing here touches stream 0 or row 3 of the dense table rightly.
    private Message strange() {
        return switch (chance.nextInt(5)) {
            case 0 -> new Message.Placed(Layout.NONE, new String[0], new Lease[0]);
            case 1 ->
                new Message.Pull(
                        chance.nextInt(3),
                        chance.nextLong(),
                        chance.nextInt(-2, 6),
                        new After(chance.nextInt(5), chance.nextInt(5)),
                        chance.nextBoolean(),
                        parts(chance.nextInt(10) == 0));
            default ->
                new Message.Update(
                        chance.nextInt(3),
                        chance.nextBoolean()
                                ? 1 + chance.nextInt(2)
                                : chance.nextInt(3, 9) * (chance.nextBoolean() ? 1 : -1),
                        chance.nextInt(3),
                        chance.nextInt(-2, 5),
                        chance.nextInt(-2, 5),
                        parts(chance.nextInt(10) > 0));
        };
    }

    private Part[] parts(boolean withValues) {
        Part[] parts = new Part[chance.nextInt(3)];
        Arrays.setAll(parts, _ -> part(withValues));
        return parts;
    }

    private Part part(boolean withValues) {
        int count = chance.nextInt(4);
        long[] list = chance.longs(count).toArray();
        if (chance.nextBoolean()) {
            Arrays.setAll(list, k -> 4 + k + chance.nextInt(-1000, 3));
        }
        Keys keys = switch (chance.nextInt(5)) {
            case 0 -> Keys.range(chance.nextBoolean() ? chance.nextLong() : chance.nextInt(4, 12), count);
            case 1 -> Keys.once(list, count);
            case 2 -> Keys.repeated(list, count);
            case 3 -> Keys.packed(bytes(chance.nextInt(6)), count, null);
            default -> Keys.known(null, count, new Hash.Signature(chance.nextInt(2), 7));
        };
        int width = 1 + chance.nextInt(2);
        int length = chance.nextInt(5) == 0 ? chance.nextInt(6) : count * width;
        Values values = switch (withValues ? chance.nextInt(3) : 3) {
            case 0 -> Values.of(new float[length]);
            case 1 -> Values.of(new double[length]);
            case 2 -> new Values.Packed(bytes(length));
            default -> null;
        };
        return new Part(chance.nextInt(-1, 6), chance.nextInt(-1, 4), keys, 0, count, width, values);
    }

    /// Small numbers: such bytes are the likeliest to be taken for packed ones.
    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        for (int b = 0; b < length; b++) {
            bytes[b] = (byte) chance.nextInt(4);
        }
        return bytes;
    }
}
