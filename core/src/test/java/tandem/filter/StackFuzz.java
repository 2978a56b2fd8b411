package tandem.filter;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.Arrays;
import java.util.List;
import tandem.wire.ProtocolError;
import tandem.wire.Values;

/// Whatever the bytes, packed values and keys are read or refused, and never become more than was asked for.
class StackFuzz {

    private static final List<String> STACKS = List.of(
            "runs",
            "fixed:1",
            "fixed:3",
            "bf16",
            "lz4",
            "zstd",
            "skip:0.5,runs,fixed:2,lz4",
            "significant:1,runs,fp16,zstd,lz4");

    private static final int ROWS = 40;
    private static final int WIDTH = 3;

    /// The first byte says which filters, and whether the numbers are doubles.
    @FuzzTest(maxDuration = "30s")
    void values(byte[] bytes) {
        if (bytes.length == 0) {
            return;
        }
        String filters = STACKS.get((bytes[0] & 0x7f) % STACKS.size());
        Values.Packed packed = new Values.Packed(Arrays.copyOfRange(bytes, 1, bytes.length));
        try {
            Stack.Unpacked read = Sent.stack(filters, new Tally()).unpack(packed, ROWS, ROWS * WIDTH, bytes[0] < 0);
            if (read.count() > ROWS * WIDTH || read.leftOut().length() > ROWS) {
                throw new AssertionError(read.count() + " numbers");
            }
        } catch (ProtocolError expected) {
            // A message about the bytes.
        }
    }

    /// Compressed blocks alone, where a few bytes can stand for many: the first byte says by which of the two.
    @FuzzTest(maxDuration = "30s")
    void blocks(byte[] bytes) {
        if (bytes.length == 0) {
            return;
        }
        Values.Packed packed = new Values.Packed(Arrays.copyOfRange(bytes, 1, bytes.length));
        try {
            Stack.Unpacked read =
                    Sent.stack(bytes[0] < 0 ? "lz4" : "zstd", new Tally()).unpack(packed, ROWS, ROWS * WIDTH, false);
            if (read.count() > ROWS * WIDTH) {
                throw new AssertionError(read.count() + " numbers");
            }
        } catch (ProtocolError expected) {
            // A message about the bytes.
        }
    }

    /// The first byte says how many keys there should be.
    @FuzzTest(maxDuration = "30s")
    void keys(byte[] bytes) {
        if (bytes.length == 0) {
            return;
        }
        try {
            new DeltaKeys().unpack(Arrays.copyOfRange(bytes, 1, bytes.length), bytes[0] & 0xff);
        } catch (ProtocolError expected) {
            // A message about the bytes.
        }
    }
}
