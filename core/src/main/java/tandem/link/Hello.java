package tandem.link;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import tandem.wire.Address;
import tandem.wire.Codec;
import tandem.wire.ProtocolError;

/// The first words of a connection: who opens it, and whom it is for.
public record Hello(Address from, Address to) {

    static final int BYTES = 32;

    /// "TANDEM", 0, version.
    private static final long MAGIC = 0x00_4d_45_44_4e_41_54L | (long) Codec.VERSION << 56;

    /// How everything begins that TLS says first.
    private static final long TLS = 0x0316;

    private static final Address.Role[] ROLES = Address.Role.values();

    ByteBuffer encode() {
        return ByteBuffer.allocateDirect(BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(MAGIC)
                .putInt(from.role().code())
                .putInt(from.number())
                .putInt(to.role().code())
                .putInt(to.number())
                .putLong(0)
                .flip();
    }

    static Hello decode(ByteBuffer bytes) {
        ByteBuffer in = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
        long magic = in.getLong();
        if ((magic & 0xffff) == TLS) {
            throw new ProtocolError(
                    "it speaks TLS, and this node was given no secret; give all nodes of a job the same");
        }
        if (magic << 8 != MAGIC << 8) {
            throw new ProtocolError("it does not speak this protocol");
        }
        if (magic != MAGIC) {
            throw new ProtocolError("it speaks version " + (magic >>> 56) + " and this node version " + Codec.VERSION
                    + "; start all nodes from the same release");
        }
        Hello hello = new Hello(address(in), address(in));
        if (in.getLong() != 0) {
            throw new ProtocolError("its first words end in something unknown");
        }
        return hello;
    }

    private static Address address(ByteBuffer in) {
        int role = in.getInt();
        int number = in.getInt();
        if (role < 0 || role >= ROLES.length || number < 0) {
            throw new ProtocolError("it calls a node number " + number + " of kind " + role);
        }
        return new Address(ROLES[role], number);
    }
}
