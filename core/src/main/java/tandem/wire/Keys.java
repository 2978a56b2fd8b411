package tandem.wire;

import tandem.math.Hash;

/// A list of keys, ascending as unsigned numbers, and the signature that stands for the whole of it.
///
/// @param list      may be longer than `count`, or null: then only the signature was sent
/// @param signature null if the list is not worth remembering
public record Keys(long[] list, int count, Hash.Signature signature) {

    /// A list to be remembered where it arrives, because it comes again.
    public static Keys repeated(long[] list, int count) {
        return new Keys(list, count, Hash.signature(list, count));
    }

    /// A list for one use.
    public static Keys once(long[] list, int count) {
        return new Keys(list, count, null);
    }

    /// The same without the list.
    public Keys bare() {
        return new Keys(null, count, signature);
    }

    public boolean isBare() {
        return list == null;
    }
}
