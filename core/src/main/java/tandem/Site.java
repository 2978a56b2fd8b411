package tandem;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import tandem.model.ModelDraft;
import tandem.runtime.RunDirectory;

/// Where a run on servers and workers has its files: the draft of its model, which nobody else writes to. Servers fill
/// it, examples and features as they were placed are there too until the model is published, and a coordinator that
/// takes the run over finds all of that again.
///
/// @param before    what the coordinator before this one wrote down of the work; null if there was none
/// @param place     where the model goes
/// @param temporary the directory that the model is in only until it is loaded; null if it is to stay
record Site(Logbook log, NodeProcess.Work before, ModelDraft draft, Path place, Path temporary)
        implements AutoCloseable {

    private static final String PLACES = "features.places";
    private static final String EXAMPLES = "examples.batches";

    static Site of(LinearTraining job) throws IOException {
        Where where = job.cluster().where();
        Logbook log = where instanceof Where.Processes processes ? NodeProcesses.logbook(processes) : Logbook.NONE;
        long owner = where instanceof Where.Processes processes
                ? NodeProcesses.owner(processes).pid()
                : ProcessHandle.current().pid();
        if (job.model() != null) {
            return of(log, job.model(), owner, null);
        }
        if (job.settings().solver() instanceof Solver.Factors) {
            throw new IllegalArgumentException(
                    "a factorisation machine is scored where servers have written it; say where with a model"
                            + " directory");
        }
        Path temporary = Files.createTempDirectory("tandem-");
        return of(log, new ModelPlace(temporary.resolve("model"), false), owner, temporary);
    }

    /// @param owner the process that the draft is of use to as long as that runs
    private static Site of(Logbook log, ModelPlace model, long owner, Path temporary) throws IOException {
        NodeProcess.Work before = log.work();
        ModelDraft draft = before == null
                ? ModelDraft.of(model.directory(), model.overwrite(), owner)
                : ModelDraft.again(model.directory(), model.overwrite(), owner);
        return new Site(log, before, draft, model.directory(), temporary);
    }

    /// The file that says where features are.
    Path places() {
        return draft.directory().resolve(PLACES);
    }

    /// The file of examples in parts.
    Path examples() {
        return draft.directory().resolve(EXAMPLES);
    }

    @Override
    public void close() throws IOException {
        try {
            draft.close();
        } finally {
            if (temporary != null) {
                RunDirectory.remove(temporary);
            }
        }
    }
}
