package tandem.app;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;
import tandem.Where;
import tandem.simulate.Network;

/// The options that say what simulated machines and their network are like.
final class SimulationOptions {

    private static final Pattern TIME = Pattern.compile("(\\d+(?:\\.\\d+)?)(ns|us|ms|s)");

    @Option(
            names = "--bandwidth",
            paramLabel = "RATE",
            description = "Simulated: what a node can send, and receive, in a second: 10Gbit, 100MB. Default: 10Gbit.")
    String bandwidth;

    @Option(
            names = "--latency",
            paramLabel = "TIME",
            description = "Simulated: how long a message travels: 0.1ms, 50us. Default: 0.1ms.")
    String latency;

    @Option(
            names = "--jitter",
            paramLabel = "TIME",
            description = "Simulated: how much longer at most, so that messages overtake each other. Default: 0ms.")
    String jitter;

    @Option(
            names = "--loss-rate",
            paramLabel = "SHARE",
            description = "Simulated: the share of messages that are lost, such as 0.01. Default: 0.")
    Double loss;

    @Option(
            names = "--duplicates",
            paramLabel = "SHARE",
            description = "Simulated: the share of messages that arrive twice. Default: 0.")
    Double duplicates;

    @Option(
            names = "--compute",
            paramLabel = "TIME",
            description = "Simulated: how long a worker computes over one entry of a row. Default: 25ns.")
    String compute;

    @Option(
            names = "--stragglers",
            paramLabel = "SHARE:FACTOR",
            description = "Simulated: 0.05:3 makes 5 %% of the workers 3 times slower. Default: none.")
    String stragglers;

    @Option(
            names = "--noise",
            paramLabel = "SHARE",
            description = "Simulated: by what share a task may take longer or shorter, drawn for each, such as 0.3."
                    + " Default: 0.")
    Double noise;

    @Option(
            names = "--paired",
            description = "Simulated: server 0 is on the machine of worker 0, and so on: they share its bandwidth, and"
                    + " what they send each other stays there.")
    boolean paired;

    Where.Simulated where() {
        Where.Simulated usual = Where.Simulated.DEFAULT;
        Network net = usual.network();
        Network network = new Network(
                latency == null ? net.latencyNanos() : Math.round(nanos("--latency", latency)),
                jitter == null ? net.jitterNanos() : Math.round(nanos("--jitter", jitter)),
                bandwidth == null ? net.bytesPerSecond() : Check.rate("--bandwidth", bandwidth),
                loss == null ? net.loss() : loss,
                duplicates == null ? net.duplication() : duplicates);
        String[] slow = stragglers == null ? new String[] {"0", "1"} : stragglers.split(":", -1);
        try {
            if (slow.length == 2) {
                Where.Simulated apart = new Where.Simulated(
                                network,
                                compute == null ? usual.nanosPerEntry() : nanos("--compute", compute),
                                Double.parseDouble(slow[0]),
                                Double.parseDouble(slow[1]))
                        .withNoise(noise == null ? usual.noise() : noise);
                return paired ? apart.withPairs() : apart;
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw new IllegalArgumentException("--stragglers is " + stragglers
                + "; it is a share of the workers and how many times slower they are, such as 0.05:3");
    }

    /// That none is given where nothing is simulated.
    void refuse() {
        refuse("--bandwidth", bandwidth);
        refuse("--latency", latency);
        refuse("--jitter", jitter);
        refuse("--loss-rate", loss);
        refuse("--duplicates", duplicates);
        refuse("--compute", compute);
        refuse("--stragglers", stragglers);
        refuse("--noise", noise);
        refuse("--paired", paired ? true : null);
    }

    private static void refuse(String option, Object value) {
        if (value != null) {
            throw new IllegalArgumentException(
                    option + " is for simulated runs; add --runtime simulated, or leave it out");
        }
    }

    private static double nanos(String option, String text) {
        Matcher parts = TIME.matcher(text.strip());
        if (!parts.matches()) {
            throw new IllegalArgumentException(
                    option + " is " + text + "; it is a time with its unit, such as 25ns, 50us, 0.1ms or 1s");
        }
        return Double.parseDouble(parts.group(1))
                * switch (parts.group(2)) {
                    case "ns" -> 1;
                    case "us" -> 1e3;
                    case "ms" -> 1e6;
                    default -> 1e9;
                };
    }
}
