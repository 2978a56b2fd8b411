package tandem.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tandem.data.Clicks;

/// Servers and workers from the command line.
class ClusterTest {

    @TempDir
    private Path at;

    private Path data;
    private Path model;
    private Path report;

    @BeforeEach
    void data() throws IOException {
        data = at.resolve("clicks.svm");
        model = at.resolve("model");
        report = at.resolve("report.json");
        Clicks.DEFAULT.withRows(6_000).withFeatures(2_000).write(data, 1, _ -> {});
    }

    @ParameterizedTest
    @ValueSource(strings = {"bsp", "ssp:3", "essp:3", "bounded:2", "async"})
    void threads_train_under_every_consistency(String consistency) throws IOException {
        JsonNode told = train("--runtime", "threads", "--workers", 2, "--servers", 2, "--consistency", consistency);
        assertEquals(2, told.get("workers").size());
        assertTrue(told.at("/metrics/auc").asDouble() > 0.7);
    }

    @ParameterizedTest
    @ValueSource(strings = {"unix", "tcp"})
    void processes_train_and_leave_nothing_behind(String transport) throws IOException {
        JsonNode told = train(
                "--runtime",
                "processes",
                "--workers",
                2,
                "--servers",
                2,
                "--transport",
                transport,
                "--consistency",
                "ssp:3");
        assertTrue(told.at("/metrics/auc").asDouble() > 0.7);
        assertTrue(told.at("/staleness/max").asDouble() <= 3);
        assertTrue(Files.exists(model.resolve("model.json")));
        assertEquals(
                0,
                ProcessHandle.current()
                        .children()
                        .filter(ProcessHandle::isAlive)
                        .count());
    }

    @Test
    void a_simulated_run_needs_no_model_and_repeats_itself() throws IOException {
        assertEquals(simulate(), simulate());
        assertFalse(Files.exists(model));
    }

    private String simulate() throws IOException {
        Call.good(
                "simulate",
                "linear",
                "--data",
                data,
                "--workers",
                30,
                "--servers",
                5,
                "--bandwidth",
                "1Gbit",
                "--latency",
                "0.2ms",
                "--jitter",
                "0.1ms",
                "--loss-rate",
                0.01,
                "--duplicates",
                0.01,
                "--stragglers",
                "0.1:4",
                "--consistency",
                "bounded:4",
                "--update-rows",
                20,
                "--passes",
                1,
                "--report",
                report);
        return new ObjectMapper().readTree(report.toFile()).get("simulated").toString();
    }

    @ParameterizedTest
    @CsvSource({"--quiet, 1", "--servers 2, 1", "--workers 2, 2"})
    void sdca_has_one_worker_unless_more_are_asked_for(String options, int workers) throws IOException {
        Stream<Object> sdca = Stream.of("train", "linear", "--solver", "sdca", "--l2", 1, "--max-iterations", 2);
        Stream<Object> files = Stream.of("--data", data, "--model", model, "--report", report);
        Call.good(Stream.of(sdca, files, Stream.<Object>of((Object[]) options.split(" ")))
                .flatMap(words -> words)
                .toArray());
        assertEquals(
                workers,
                new ObjectMapper().readTree(report.toFile()).get("workers").size());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--workers 0 | --workers is 0; use 1 or more",
                "--servers -1 | --servers is -1; use 1 or more",
                "--consistency ssp | consistency is ssp; use bsp, ssp:S, essp:S, bounded:T, async or fraction:F",
                "--consistency ssp:x | after the colon comes a whole number",
                "--workers 2 --solver batch | the batch solver works in one process",
                "--workers 2 --bandwidth 1Gbit | --bandwidth is for simulated runs",
                "--latency 1ms | --latency is for simulated runs",
                "--runtime simulated --bandwidth fast | --bandwidth is fast; it is an amount a second",
                "--runtime simulated --stragglers 2 | --stragglers is 2; it is a share",
                "--runtime simulated --loss-rate 1 | lose less than all",
                "--workers 2 --transport tcp | --transport is for --runtime processes",
                "--workers 2 --silence 0 | --silence is 0",
                "--filters keycash | no filter is called keycash; there are bf16, delta, fixed",
                "--filters lz4,fixed:2 | filter fixed comes after lz4",
                "--filters pull=skip:0.1 | filter skip is for what is pushed",
                "--consistency fraction:0.5 --resume | go on from a checkpoint only if each stream has a fixed part",
                "--runtime simulated --checkpoint c | a simulated run keeps no checkpoint",
                "--workers 2 --checkpoint-keep 0 | --checkpoint-keep",
                "--checkpoint-keep 3 | --checkpoint-keep is for runs on servers and workers",
                "--deterministic --consistency ssp:3 | the consistency bsp, not ssp:3",
                "--deterministic --clock 2 | in a deterministic run a clock is a batch",
                "--deterministic --steal | leave out --clock, --push-budget and --steal",
                "--steal | use --steal with a consistency such as fraction:0.75, not ssp:3",
                "--solver auto --steal | use --steal with a consistency such as fraction:0.75, not ssp:3",
                "--push-budget 1MB | set the batches of a clock (--clock 8)",
                "--solver auto --push-budget 1MB | set the batches of a clock (--clock 8)",
                "--solver lbfgs --push-budget 1MB | shares out work by itself; leave out --admit, --table-bytes,"
                        + " --steal",
                "--servers 2 --replicas 1 --replication aggregate | use --replication aggregate with --consistency bsp",
                "--placement parsa --steal | with --steal workers take any batches; leave it out, or --placement",
                "--solver lbfgs --steal | shares out work by itself; leave out --admit, --table-bytes, --steal",
                "--solver ssp-prox --steal --consistency fraction:0.75 | leave out --admit, --table-bytes, --steal",
                "--solver averaging --steal | leave out --admit, --table-bytes, --steal",
                "--deterministic --workers 9 | 8 streams for 9 workers",
                "--workers 2 --streams 1 | 1 stream for 2 workers",
                "--workers 100000 | use at most 1000 of each, or simulate more",
                "--runtime processes --servers 1000 | use at most 200 of each",
                "--workers 2 --secret-file f | --secret-file is for --runtime processes",
                "--runtime processes --listen 192.0.2.7 | write HOST:PORT, such as 192.0.2.7:7000",
                "--runtime processes --listen 0.0.0.0:0 | name the one that other nodes reach it at",
                "--runtime processes --listen 127.0.0.1:0 --transport unix | which is for --transport tcp",
                "--runtime processes --transport udp | --transport is 'udp'; it takes unix, tcp",
                "--runtime elsewhere | elsewhere"
            })
    void what_cannot_be_is_refused(String options, String message) {
        Object[] args = Stream.concat(
                        Stream.of("train", "linear", "--data", data, "--model", model),
                        Arrays.stream(options.split(" ")))
                .toArray();
        String told = Call.bad(2, args);
        assertTrue(told.contains(message), told);
        assertFalse(Files.exists(model));
    }

    private JsonNode train(Object... more) throws IOException {
        Object[] args = Stream.concat(
                        Stream.of(
                                "train",
                                "linear",
                                "--data",
                                data,
                                "--split",
                                0.2,
                                "--update-rows",
                                64,
                                "--model",
                                model,
                                "--report",
                                report),
                        Stream.of(more))
                .toArray();
        Call.good(args);
        return new ObjectMapper().readTree(report.toFile());
    }
}
