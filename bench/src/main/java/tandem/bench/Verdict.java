package tandem.bench;

/// Whether what was published is what was measured, by how many of its claims hold.
final class Verdict {

    private Verdict() {}

    static String of(boolean... claims) {
        int held = 0;
        for (boolean claim : claims) {
            held += claim ? 1 : 0;
        }
        return held == claims.length ? "reproduced" : held == 0 ? "not reproduced" : "reproduced in part";
    }
}
