package tandem;

import java.time.Instant;
import tandem.model.ModelCard;

/// What others find of a job that runs, under its name.
///
/// @param pid         the process that the job lasts as long as
/// @param started     when that process started, in seconds; 0 if the system does not say
/// @param coordinator where the coordinator can be reached
/// @param intercept   whether there is a table of one intercept for each output
/// @param model       what it trains
/// @param places      the file that says which keys features have there; null if those are the usual ones
record JobCard(
        String name, long pid, long started, String coordinator, boolean intercept, ModelCard model, String places) {

    /// Systems reckon the start of a process from that of the machine, which they know to a second or two.
    private static final long SLACK_SECONDS = 5;

    /// One of this process.
    static JobCard here(String name, String coordinator, boolean intercept, ModelCard model) {
        return of(ProcessHandle.current(), name, coordinator, intercept, model, null);
    }

    static JobCard of(
            ProcessHandle process, String name, String coordinator, boolean intercept, ModelCard model, String places) {
        return new JobCard(name, process.pid(), started(process), coordinator, intercept, model, places);
    }

    /// Whether its process still runs, and not another that has its number now.
    boolean runs() {
        return ProcessHandle.of(pid)
                .filter(ProcessHandle::isAlive)
                .map(JobCard::started)
                .filter(then -> Math.abs(then - started) <= SLACK_SECONDS)
                .isPresent();
    }

    private static long started(ProcessHandle process) {
        return process.info().startInstant().map(Instant::getEpochSecond).orElse(0L);
    }
}
