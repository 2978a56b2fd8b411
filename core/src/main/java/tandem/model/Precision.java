package tandem.model;

/// How weights are written: in memory they are `double`.
public enum Precision {
    /// 32-bit floats, for weights that were trained as such.
    F32(4),
    /// 64-bit floats.
    F64(8);

    private final int bytes;

    Precision(int bytes) {
        this.bytes = bytes;
    }

    /// How many bytes a weight takes in a file.
    public int bytes() {
        return bytes;
    }

    /// The value that a file gives back for `weight`.
    double rounded(double weight) {
        return this == F32 ? (float) weight : weight;
    }
}
