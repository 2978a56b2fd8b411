package tandem.bench;

/// One measured run of requests against a store, as the node that made them tells of it.
///
/// @param seconds    from the first request to the last answer
/// @param cpuSeconds of all processes that took part; NaN where it is not known
/// @param requests   how many there were
/// @param keys       how many keys they had together
/// @param bytes      of values that went one way
/// @param p50Seconds of a single request; NaN where requests overlapped
/// @param p99Seconds likewise
/// @param wireBytes  that really travelled, both ways
record KvTrial(
        double seconds,
        double cpuSeconds,
        long requests,
        long keys,
        long bytes,
        double p50Seconds,
        double p99Seconds,
        long wireBytes) {

    String encode() {
        return "%s %s %d %d %d %s %s %d"
                .formatted(seconds, cpuSeconds, requests, keys, bytes, p50Seconds, p99Seconds, wireBytes);
    }

    static KvTrial decode(String text) {
        String[] words = text.split(" ");
        return new KvTrial(
                Double.parseDouble(words[0]),
                Double.parseDouble(words[1]),
                Long.parseLong(words[2]),
                Long.parseLong(words[3]),
                Long.parseLong(words[4]),
                Double.parseDouble(words[5]),
                Double.parseDouble(words[6]),
                Long.parseLong(words[7]));
    }

    double secondsPerRequest() {
        return seconds / requests;
    }

    double cpuNanosPerKey() {
        return keys == 0 ? Double.NaN : cpuSeconds / keys * 1e9;
    }
}
