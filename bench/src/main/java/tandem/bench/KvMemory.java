package tandem.bench;

import java.util.ArrayList;
import java.util.List;

/// Ten million requests in one process: does memory stay where it was after the first million?
record KvMemory(KvSettings settings, KvCluster embedded, Notes notes) implements Part {

    private static final String NAME = "10 M requests, embedded";
    private static final int MILLION = 1_000_000;

    @Override
    public Findings run() {
        int each = settings.scaled(MILLION) / 2;
        List<KvTrial> trials = new ArrayList<>();
        long first = 0;
        long last = 0;
        for (int million = 0; million < 10; million++) {
            notes.progress("%s: %d of 10".formatted(NAME, million + 1));
            trials.add(embedded.work("one pull " + each));
            trials.add(embedded.work("one push " + each));
            last = liveBytes();
            first = million == 0 ? last : first;
        }
        return new Findings(
                List.of(KvRow.of(NAME, "tandem", trials)),
                List.of(
                        Ratio.plain(NAME, "MB alive after 1 M requests", first / 1e6),
                        Ratio.plain(NAME, "MB alive after 10 M requests", last / 1e6),
                        Ratio.atMost(1.05, NAME, "memory alive at the end against after 1 M", (double) last / first)));
    }

    private static long liveBytes() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
