package tandem.topology;

/// An array cut into as many chunks as there are workers, and each chunk into segments, which travel one by one so that
/// one is on its way while another is added. Lengths need not be divisible: chunks and segments differ by one number at
/// most, and may be empty.
///
/// @param length   numbers of the array
/// @param workers  how many take part
/// @param segments pieces a chunk
record Cut(int length, int workers, int segments) {

    /// Below this a chunk is not worth cutting.
    private static final int LEAST_SEGMENT = 1024;

    /// Segments of `most` numbers, or a few less, and two at least of a chunk that is long enough.
    static Cut of(int length, int workers, int most) {
        int chunk = Math.ceilDiv(length, workers);
        return new Cut(length, workers, Math.max(Math.ceilDiv(chunk, most), chunk >= 2 * LEAST_SEGMENT ? 2 : 1));
    }

    /// Where a segment of a chunk starts; segment `segments` would start where the next chunk does.
    int start(int chunk, int segment) {
        long first = (long) length * chunk / workers;
        long next = (long) length * (chunk + 1) / workers;
        return (int) (first + (next - first) * segment / segments);
    }

    /// How many numbers a segment has.
    int size(int chunk, int segment) {
        return start(chunk, segment + 1) - start(chunk, segment);
    }
}
