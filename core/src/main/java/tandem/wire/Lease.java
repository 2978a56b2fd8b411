package tandem.wire;

/// Who holds it works on `stream`. A later lease of the same stream has a larger number, and fences off the holders of
/// earlier ones; from number 2 on, whoever holds it asks servers how far the stream has come.
///
/// @param orphaned whether whoever had it before is gone, and has not told what it did
public record Lease(int stream, long number, boolean orphaned) {}
