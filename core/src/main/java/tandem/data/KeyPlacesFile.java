package tandem.data;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;

/// A file of the places of features, for those who read the weights of a job from another process. The layout is
/// described in `docs/cache.md`.
final class KeyPlacesFile {

    private static final int VERSION = 1;
    private static final int PIECE_HEADER_BYTES = 8;
    private static final int FEATURE_BYTES = Long.BYTES + 1;
    private static final int PIECE_FEATURES = 1 << 16;

    private static final PieceFile.Kind KIND =
            PieceFile.Kind.of("a file of places of features", "tnkey", VERSION, PIECE_HEADER_BYTES);

    private KeyPlacesFile() {}

    static void write(KeyPlaces places, Path target) throws IOException {
        int pieces = Math.max(1, Math.ceilDiv(places.count(), PIECE_FEATURES));
        long[] starts = new long[pieces];
        int[] lengths = new int[pieces];
        long at = PieceFile.MAGIC_BYTES;
        try (Draft draft = new Draft(target, "draft", FileChannel::open, Draft.PLACES)) {
            draft.open(false);
            draft.write(KIND.bytes(), 0);
            for (int p = 0; p < pieces; p++) {
                int from = p * PIECE_FEATURES;
                byte[] piece = piece(places, from, Math.min(places.count(), from + PIECE_FEATURES));
                draft.write(ByteBuffer.wrap(piece), at);
                starts[p] = at;
                lengths[p] = piece.length;
                at += piece.length;
            }
            byte[] header = ByteBuffer.allocate(2 * Integer.BYTES)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putInt(places.parts())
                    .putInt(places.count())
                    .array();
            draft.write(PieceFile.end(KIND, header, starts, lengths, at), at);
            draft.become(target);
        }
    }

    /// The features from number `from` until `to`: a checksum, how many there are, mixed keys, and parts.
    static byte[] piece(KeyPlaces places, int from, int to) {
        ByteBuffer piece = ByteBuffer.allocate(PIECE_HEADER_BYTES + FEATURE_BYTES * (to - from))
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(0)
                .putInt(to - from);
        for (int number = from; number < to; number++) {
            piece.putLong(places.mixedAt(number));
        }
        for (int number = from; number < to; number++) {
            piece.put(places.ownerAt(number));
        }
        return piece.putInt(0, PieceFile.sum(piece.array(), Integer.BYTES, piece.capacity()))
                .array();
    }

    static KeyPlaces read(Path path) throws IOException {
        try {
            PieceFile.Opened opened = PieceFile.open(KIND, path);
            try (var _ = opened.file()) {
                return read(opened);
            }
        } catch (IOException e) {
            throw new IOException(
                    path + ": the places of features cannot be read (" + reason(e)
                            + "); train again, and they will be written anew",
                    e);
        }
    }

    /// In words: the system says only the path.
    private static String reason(IOException e) {
        return switch (e) {
            case NoSuchFileException _ -> "it is not there";
            case AccessDeniedException _ -> "permission denied";
            case FileSystemException other when other.getReason() != null -> other.getReason();
            default -> e.getMessage();
        };
    }

    private static KeyPlaces read(PieceFile.Opened opened) throws IOException {
        ByteBuffer header = ByteBuffer.wrap(opened.header()).order(ByteOrder.LITTLE_ENDIAN);
        if (header.capacity() != 2 * Integer.BYTES) {
            throw new IOException("its header is damaged");
        }
        Reader reader = new Reader(header.getInt(), header.getInt());
        for (int p = 0; p < opened.lengths().length; p++) {
            byte[] piece = new byte[opened.lengths()[p]];
            opened.read(p, piece);
            reader.add(piece);
        }
        return reader.places();
    }

    /// Puts pieces together, and refuses what [KeyPlaces] cannot be.
    static final class Reader {

        private final int parts;
        private final int expected;
        private long[] mixed = new long[PIECE_FEATURES];
        private byte[] owners = new byte[PIECE_FEATURES];
        private int count;

        Reader(int parts, int expected) throws IOException {
            if (parts < 1 || parts > Parsa.MOST_PARTS || expected < 0) {
                throw new IOException("it is of " + expected + " features in " + parts + " parts");
            }
            this.parts = parts;
            this.expected = expected;
        }

        void add(byte[] bytes) throws IOException {
            ByteBuffer piece = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
            if (bytes.length < PIECE_HEADER_BYTES
                    || PieceFile.sum(bytes, Integer.BYTES, bytes.length) != piece.getInt()) {
                throw new IOException("a piece does not match its checksum");
            }
            int more = piece.getInt();
            if (more < 0
                    || more > expected - count
                    || bytes.length != PIECE_HEADER_BYTES + (long) FEATURE_BYTES * more) {
                throw new IOException("a piece has " + bytes.length + " bytes for " + more + " features");
            }
            if (mixed.length < count + more) {
                mixed = Arrays.copyOf(mixed, Math.max(count + more, (int) Math.min(expected, 2L * mixed.length)));
                owners = Arrays.copyOf(owners, mixed.length);
            }
            for (int k = 0; k < more; k++) {
                mixed[count + k] = piece.getLong();
            }
            piece.get(owners, count, more);
            count += more;
        }

        KeyPlaces places() throws IOException {
            if (count != expected) {
                throw new IOException("it has " + count + " features of " + expected);
            }
            for (int k = 0; k < count; k++) {
                if (owners[k] < 0 || owners[k] >= parts) {
                    throw new IOException("a feature is of part " + owners[k] + " of " + parts);
                }
                if (k > 0 && Long.compareUnsigned(mixed[k - 1], mixed[k]) >= 0) {
                    throw new IOException("its features do not ascend");
                }
            }
            KeyPlaces places = KeyPlaces.of(Arrays.copyOf(mixed, count), Arrays.copyOf(owners, count), parts);
            if (places.count() != count && parts > 1) {
                throw new IOException("two features are in one place");
            }
            return places;
        }
    }
}
