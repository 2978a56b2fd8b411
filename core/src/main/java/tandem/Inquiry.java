package tandem;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import tandem.client.Call;
import tandem.server.ServerFunction;
import tandem.wire.Figures;
import tandem.worker.PulledScores;
import tandem.worker.PulledWeights;

/// What a [Course] asks workers and servers of one problem.
record Inquiry(DistributedTraining training, int problem) {

    /// Whether it starts from the weights of an earlier model.
    boolean isWarm() {
        return training.job().files().start() != null;
    }

    /// The intercept to start from: that of the earlier model, or 0.
    double firstIntercept() {
        LinearJob job = training.job();
        return isWarm() && job.intercept()
                ? PulledWeights.of(training.reader(), job.interceptTable(problem), PulledScores.INTERCEPT)[0]
                : 0;
    }

    /// What a function makes of the rows of all weights.
    Figures figures(ServerFunction function, Figures arguments) {
        return figures(training.job().table(problem), function, arguments);
    }

    /// The same of a function that servers know by another name than usual.
    Figures figures(String name, ServerFunction function, Figures arguments) {
        Call call = new Call(training.job().table(problem), name, arguments);
        return training.reader().compute(call, function::merge);
    }

    Figures figures(int table, ServerFunction function, Figures arguments) {
        Call call = new Call(table, SolverRules.name(function), arguments);
        return training.reader().compute(call, function::merge);
    }

    /// Has workers do something, again if some streams had nobody to tell of them; by stream, what was told.
    ///
    /// @param taking what to take from a report
    <T> Map<Integer, T> ask(Order order, BiConsumer<WorkerReport, Map<Integer, T>> taking) {
        Map<Integer, T> told = new TreeMap<>();
        while (told.size() < training.job().terms().streams()) {
            told.clear();
            training.together(order).forEach(report -> taking.accept(report, told));
        }
        return told;
    }
}
