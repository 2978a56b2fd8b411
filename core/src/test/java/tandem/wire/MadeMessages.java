package tandem.wire;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import tandem.consistency.After;
import tandem.math.Hash;

/// One message of every kind, with sizes and contents that follow from a seed.
final class MadeMessages {

    private final SplittableRandom chance;

    private MadeMessages(long seed) {
        chance = new SplittableRandom(seed);
    }

    static List<Message> of(long seed) {
        return new MadeMessages(seed).all();
    }

    private List<Message> all() {
        List<Message> all = new ArrayList<>();
        all.add(new Message.Update(any(), number(), any(), any(), any(), parts(true)));
        all.add(new Message.Update(any(), number(), any(), any(), any(), new Age(number(), number()), parts(true)));
        all.add(new Message.Applied(number(), any()));
        all.add(new Message.Pull(
                any(),
                any(),
                -1,
                new After(any(), any(), chance.nextDouble(0.1, 1)),
                chance.nextBoolean(),
                chance.nextBoolean(),
                parts(false)));
        all.add(new Message.Rows(any(), any(), any(), Values.of(floats(number())), values(5)));
        all.add(new Message.Rows(any(), any(), any()));
        all.add(new Message.PushPull(new Message.Update(any(), number(), any(), any(), any(), parts(true))));
        all.add(new Message.Updated(number(), any(), any(), Values.of(floats(number())), Values.of(0.5, -1)));
        all.add(new Message.Rows(any(), any(), any(), ragged(), Values.Ragged.packed(new float[0])));
        all.add(new Message.Change(any(), number(), any(), any(), any(), number(), "größer", figures()));
        all.add(new Message.Compute(any(), any(), -1, new After(any(), any(), 1), number(), "dot", figures()));
        all.add(new Message.Computed(any(), any(), figures(), Figures.NONE, figures()));
        all.add(new Message.Refused(chance.nextBoolean(), number(), any(), "nobody knows größer"));
        all.add(new Message.Follow(
                new Message.Pull(any(), any(), 3, new After(any(), any()), chance.nextBoolean(), parts(false))));
        all.add(new Message.Settled(
                new Message.Pull(any(), any(), 3, new After(any(), any()), chance.nextBoolean(), parts(false))));
        all.add(new Message.Followed(
                any(), new long[] {any(), any()}, new Message.Rows(any(), any(), any(), values(3))));
        all.add(new Message.Refresh(
                any(), any(), any(), any(), chance.longs(number()).toArray(), parts(true)));
        all.add(new Message.Unfollow(any(), any(), parts(false)));
        all.add(new Message.Meet());
        all.add(new Message.Met(new String[] {"unix:/tmp/größer", null, ""}));
        all.add(new Message.Piece(any(), number(), number(), number(), values(3)));
        all.add(new Message.Wanted(any(), chance.longs(number()).toArray()));
        all.add(new Message.Got(any()));
        all.add(new Message.Sent(any()));
        all.add(new Message.UnknownKeys(chance.nextBoolean(), number(), any()));
        all.add(new Message.Held(any(), number(), any()));
        all.add(new Message.Fenced(any(), number(), any()));
        all.add(new Message.Join(any(), "tcp:127.0.0.1:" + number(), any()));
        all.add(new Message.Join(any(), null, any()));
        all.add(new Message.Placed(Layout.NONE, new String[0], new Lease[0]));
        all.add(new Message.Placed(layout(), new String[] {"unix:/tmp/größer", null, ""}, leases(), 3));
        all.add(new Message.Create(any(), layout().tables()[0]));
        all.add(new Message.Drop(any(), "größe"));
        all.add(new Message.Laid(any(), null));
        all.add(new Message.Laid(any(), "there is one already"));
        all.add(new Message.Heartbeat(any(), any(), chance.nextDouble()));
        all.add(new Message.Order(any(), bytes()));
        all.add(new Message.Done(any(), chance.nextBoolean(), bytes()));
        all.add(new Message.Guide(any(), any(), "bounded:" + number()));
        all.add(new Message.Guide(any(), any(), null));
        all.add(new Message.Guided(any()));
        all.add(new Message.Ask(any(), number()));
        all.add(new Message.Given(any(), number(), any(), any(), chance.nextBoolean()));
        Message change = new Message.Update(any(), number(), any(), any(), any(), parts(true));
        all.add(new Message.Forward(any(), any(), change));
        all.add(new Message.Stored(any(), any()));
        all.add(new Message.Give(any(), any(), change));
        Part copied = new Part(1, 2, Keys.once(new long[] {any(), any()}, 2), 0, 2, 1, Values.of(1f, 2f, 3f, 4f));
        Message copy = new Message.Copy(copied, chance.nextBoolean());
        long[] none = {};
        List<Message.Refused> refused = List.of(new Message.Refused(false, number(), any(), "größer"));
        Message whole = new Message.Whole(any(), new long[] {any()}, new long[] {any()}, none, none, refused);
        Message.Update rest = new Message.Update(any(), number(), any(), any(), any(), parts(true));
        Message merged = new Message.Merged(new long[] {any(), any(), any(), any()}, parts(true));
        all.add(new Message.Ahead(any(), number(), any(), any(), number(), parts(true)));
        all.add(new Message.Rest(number(), rest));
        all.add(new Message.Forward(any(), any(), new Message.Rest(number(), rest)));
        all.add(merged);
        all.add(new Message.Forward(any(), any(), merged));
        all.add(new Message.Give(any(), any(), merged));
        all.add(copy);
        all.add(whole);
        all.add(new Message.Give(any(), any(), copy));
        all.add(new Message.Give(any(), any(), whole));
        all.add(new Message.Taken(any(), any()));
        all.add(new Message.CaughtUp(any(), number()));
        all.add(new Message.Claim(any(), number(), any()));
        all.add(new Message.Claimed(number(), any(), any(), any()));
        all.add(new Message.Manage(any(), "größer", number()));
        all.add(new Message.Managed(any(), chance.nextBoolean(), "größer"));
        all.add(new Message.Renew(any(), any()));
        all.add(new Message.Renewed(any()));
        List<Message> seated = all.stream()
                .filter(Rights::isOfSeat)
                .<Message>map(message -> new Message.Seated(number(), message))
                .toList();
        all.addAll(seated);
        return all;
    }

    private Part[] parts(boolean withValues) {
        Part[] parts = new Part[chance.nextInt(4)];
        long[] list = chance.longs(40).toArray();
        Keys keys = switch (chance.nextInt(3)) {
            case 0 -> Keys.repeated(list, 40);
            case 1 -> Keys.once(list, 40);
            default -> Keys.range(any(), 40);
        };
        for (int p = 0; p < parts.length; p++) {
            int from = chance.nextInt(20);
            int to = from + chance.nextInt(20);
            int width = 1 + chance.nextInt(3);
            boolean bare = keys.signature() != null && chance.nextBoolean();
            Values values = withValues ? values((to - from) * width) : null;
            parts[p] = new Part(number(), number(), bare ? keys.bare() : keys, from, to, width, values);
            if (chance.nextInt(4) == 0) {
                parts[p] = parts[p].with(Keys.packed(bytes(), to - from, keys.signature()));
            }
        }
        return parts;
    }

    private Layout layout() {
        TableSpec one = TableSpec.sparse("weights", 1)
                .withShards(5)
                .withDoubles()
                .withRule("ftrl", 0.1, Double.NaN, -0.0)
                .withFilters(List.of("skip:0.5", "größe"), List.of("lz4"));
        TableSpec two = TableSpec.dense("größe", 17, 3).withShards(2);
        return new Layout(
                any(), new TableSpec[] {one, null, two}, new int[][] {{0, 1, 2, 1, 0}, null, {2, 2}}, number());
    }

    private Lease[] leases() {
        Lease[] leases = new Lease[chance.nextInt(3)];
        for (int l = 0; l < leases.length; l++) {
            leases[l] = new Lease(number(), any(), chance.nextBoolean());
        }
        return leases;
    }

    private Values values(int count) {
        return switch (chance.nextInt(3)) {
            case 0 -> new Values.Floats(floats(count + 7), 3, count);
            case 1 -> new Values.Doubles(chance.doubles(count + 7).toArray(), 7, count);
            default -> new Values.Packed(bytes());
        };
    }

    private Values ragged() {
        Values.Ragged rows = Values.Ragged.packed(floats(9), 2, 0, 3, 4);
        return chance.nextBoolean() ? rows : rows.rows(1, 3, 0);
    }

    private Figures figures() {
        return new Figures(
                chance.longs(chance.nextInt(4)).toArray(),
                chance.doubles(chance.nextInt(4)).toArray());
    }

    private float[] floats(int count) {
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            values[i] = Float.intBitsToFloat(0x3f800000 | chance.nextInt(1 << 23));
        }
        return values;
    }

    private byte[] bytes() {
        byte[] bytes = new byte[chance.nextInt(30)];
        chance.nextBytes(bytes);
        return bytes;
    }

    private long any() {
        return Hash.number(chance.nextLong(), 0);
    }

    private int number() {
        return chance.nextInt(100);
    }
}
