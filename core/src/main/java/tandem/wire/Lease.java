package tandem.wire;

/// Who holds it works on `stream`: its updates go on after number `sequence`, at `clock`. A later lease of the same
/// stream has a larger number, and fences off the holders of earlier ones.
public record Lease(int stream, long number, long sequence, long clock) {}
