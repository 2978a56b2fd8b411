package tandem.bench;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.HexFormat;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import tandem.link.Place;

/// Somebody who scans ports and speaks other protocols at them, one connection after the other. Belongs to one thread.
final class Strangers implements AutoCloseable {

    /// How many of its connections stay open at a time, saying nothing more.
    private static final int KEPT = 32;

    private static final byte[] NODE = "TANDEM\0\1".getBytes(StandardCharsets.ISO_8859_1);

    /// What is said: nothing, the first words of other protocols, and the beginnings of this one that go wrong.
    private static final List<byte[]> WORDS = List.of(
            new byte[0],
            "GET / HTTP/1.1\r\nHost: tandem\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1),
            "SSH-2.0-OpenSSH_9.2\r\n".getBytes(StandardCharsets.ISO_8859_1),
            "*1\r\n$4\r\nPING\r\n".getBytes(StandardCharsets.ISO_8859_1),
            HexFormat.of().parseHex("1603010200010001fc0303" + "00".repeat(32)),
            NODE,
            hello(9, 0, ""),
            hello(2, 1_000_000, ""),
            hello(2, 0, "ff".repeat(64)),
            hello(3, 7, "00000000" + "ffffff7f" + "01010000"),
            hello(1, 0, "00000000" + "10000000" + "01010000" + "00000000"));

    private final SplittableRandom chance;
    private final Queue<SocketChannel> kept = new ArrayDeque<>();
    private long said;

    Strangers(long seed) {
        chance = new SplittableRandom(seed);
    }

    /// The first words of a node that there is not, to server 0, and something after them.
    private static byte[] hello(int role, int number, String more) {
        byte[] rest = HexFormat.of().parseHex(more);
        return ByteBuffer.allocate(32 + rest.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(NODE)
                .putInt(role)
                .putInt(number)
                .putInt(1)
                .putInt(0)
                .putLong(0)
                .put(rest)
                .array();
    }

    /// Connects once and says something, or nothing, or noise; whoever listens there may end it at any time.
    void call(Place.Tcp at) {
        byte[] words = WORDS.get(chance.nextInt(WORDS.size()));
        if (chance.nextInt(4) == 0) {
            words = new byte[1 + chance.nextInt(4096)];
            chance.nextBytes(words);
        }
        try {
            SocketChannel channel = SocketChannel.open(new InetSocketAddress(at.host(), at.port()));
            kept.add(channel);
            channel.configureBlocking(false);
            channel.write(ByteBuffer.wrap(words));
        } catch (IOException _) {
            // Nobody is there, or it has hung up.
        }
        said++;
        if (kept.size() > KEPT) {
            shut(kept.remove());
        }
    }

    /// How often it has called.
    long said() {
        return said;
    }

    private static void shut(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException _) {
            // There is nothing left to save.
        }
    }

    @Override
    public void close() {
        kept.forEach(Strangers::shut);
        kept.clear();
    }
}
