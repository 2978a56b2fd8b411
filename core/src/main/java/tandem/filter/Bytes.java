package tandem.filter;

/// Squeezes bytes, whatever they mean.
public non-sealed interface Bytes extends Filter {

    byte[] pack(byte[] bytes);

    /// What [#pack] was given; throws [tandem.wire.ProtocolError] rather than make more than `most` bytes.
    byte[] unpack(byte[] packed, int most);
}
