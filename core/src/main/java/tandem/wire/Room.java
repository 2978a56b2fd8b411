package tandem.wire;

/// Memory for arrays that are made before all of their bytes have come, shared by those who read. There is little of
/// it, since it is a peer who says how long they are; where there is none left, arrays are made when their bytes are
/// there.
public interface Room {

    /// None at all.
    Room NONE = new Room() {

        @Override
        public boolean take(long bytes) {
            return false;
        }

        @Override
        public void give(long bytes) {}
    };

    /// Whether so many bytes are left; they are taken then.
    boolean take(long bytes);

    void give(long bytes);

    /// An array for so many numbers, with anything in it: one that was used before, if there is one. To make a long
    /// array costs as much as to fill it, and then it is not in the processor's cache.
    default float[] floats(int length) {
        return new float[length];
    }
}
