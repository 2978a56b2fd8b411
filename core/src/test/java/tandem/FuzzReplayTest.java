package tandem;

import static org.junit.jupiter.api.Assertions.assertFalse;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// The inputs kept for each fuzz target (what it starts from, and what it once failed on) go through it as they are,
/// without the fuzzer, whose agent takes as long to start as many other tests together.
class FuzzReplayTest {

    private static final List<String> FUZZERS = List.of(
            "tandem.data.ReadersFuzz",
            "tandem.model.ModelFuzz",
            "tandem.CheckpointFuzz",
            "tandem.ConfigurationFuzz",
            "tandem.filter.StackFuzz",
            "tandem.link.LinkFuzz",
            "tandem.wire.WireFuzz");

    @TestFactory
    List<DynamicTest> kept_inputs() throws Exception {
        List<DynamicTest> tests = new ArrayList<>();
        for (String name : FUZZERS) {
            Class<?> fuzzer = Class.forName(name);
            Constructor<?> constructor = fuzzer.getDeclaredConstructor();
            constructor.setAccessible(true);
            for (Method target : fuzzer.getDeclaredMethods()) {
                if (target.isAnnotationPresent(FuzzTest.class)) {
                    target.setAccessible(true);
                    for (Path input : inputs(fuzzer, target.getName())) {
                        String shown = fuzzer.getSimpleName() + " " + target.getName() + " " + input.getFileName();
                        tests.add(DynamicTest.dynamicTest(
                                shown,
                                () -> target.invoke(constructor.newInstance(), (Object) Files.readAllBytes(input))));
                    }
                }
            }
        }
        assertFalse(tests.isEmpty());
        return tests;
    }

    private static List<Path> inputs(Class<?> fuzzer, String target) throws IOException, URISyntaxException {
        String place = fuzzer.getSimpleName() + "Inputs/" + target;
        URL found = fuzzer.getResource(place);
        if (found == null) {
            throw new AssertionError("no inputs are kept in " + place);
        }
        try (Stream<Path> files = Files.list(Path.of(found.toURI()))) {
            return files.sorted().toList();
        }
    }
}
