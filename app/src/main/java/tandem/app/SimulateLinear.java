package tandem.app;

import picocli.CommandLine.Command;

/// `simulate linear`: the same job in virtual time, where the model is not the point.
@Command(
        name = "linear",
        header = "Train a linear model in virtual time, to see what a cluster would do.",
        customSynopsis = Tandem.PROGRAM + " simulate linear --data FILE… [--report FILE] [OPTIONS]%n",
        description = "Real arithmetic on real data; the network, the machines and the time they take are modelled."
                + " The same seed gives the same run to the bit.",
        sortOptions = false,
        footer = {
            "",
            "Example:",
            "  " + Tandem.PROGRAM + " simulate linear --data clicks.svm --workers 100 --servers 20 --bandwidth 10Gbit"
                    + " --latency 0.1ms --stragglers 0.05:3 --consistency bounded:8 --report r.json"
        })
final class SimulateLinear extends TrainLinear {

    SimulateLinear(Console console, String[] args) {
        super(console, args);
    }

    @Override
    boolean isOnlySimulated() {
        return true;
    }
}
