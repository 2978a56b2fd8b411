package tandem.wire;

/// Memory for arrays that are made before all of their bytes have come, shared by those who read. There is little of
/// it,
/// since it is a peer who says how long they are; where there is none left, arrays are made when their bytes are there.
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
}
