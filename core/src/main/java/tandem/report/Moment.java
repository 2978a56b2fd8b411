package tandem.report;

/// How far a run had come when the training objective was what it was.
///
/// @param passes        over the data; iterations of a batch solver
/// @param seconds       since training began, without the time it took to find the objective
/// @param sentBytes     by all workers so far
/// @param receivedBytes by all workers so far
/// @param objective     on the sum scale, with the regulariser
public record Moment(double passes, double seconds, long sentBytes, long receivedBytes, double objective) {

    public long bytes() {
        return sentBytes + receivedBytes;
    }
}
