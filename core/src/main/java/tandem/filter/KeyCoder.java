package tandem.filter;

/// Says a list of keys, ascending as unsigned numbers, in fewer bytes.
public non-sealed interface KeyCoder extends Filter {

    /// The bytes of `keys[from]` until `keys[to]`.
    byte[] pack(long[] keys, int from, int to);

    /// The keys that [#pack] was given; throws [tandem.wire.ProtocolError] if they cannot be `count`.
    long[] unpack(byte[] packed, int count);
}
