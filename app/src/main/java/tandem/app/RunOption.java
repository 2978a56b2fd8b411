package tandem.app;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// A run of `compare` as it is typed: options of `train linear` without their dashes, where + stands for a comma within
/// a value, such as `solver=ftrl,workers=2,filters=keycache+lz4`.
///
/// @param number from 1
/// @param name   what it is called in tables and pictures
/// @param words  the same for `train linear`
record RunOption(int number, String name, String text, List<String> words) {

    private static final String NAME = "name";

    /// Options of `train linear` that a comparison has no use for.
    private static final Set<String> UNUSED =
            Set.of("model", "overwrite", "report", "checkpoint", "checkpoint-every", "checkpoint-keep", "resume");

    /// @param train   the command whose options it takes
    /// @param compare the command whose options are the same for all runs
    static RunOption of(int number, String text, CommandSpec train, CommandSpec compare) {
        Map<String, String> given = new LinkedHashMap<>();
        for (String part : text.split(",", -1)) {
            int equals = part.indexOf('=');
            String key = (equals < 0 ? part : part.substring(0, equals)).strip();
            if (key.isEmpty()) {
                throw wrong(text, "there is an option without a name; write it as solver=ftrl,passes=3");
            }
            if (given.put(key, equals < 0 ? null : part.substring(equals + 1).strip()) != null) {
                throw wrong(text, key + " is there twice; keep one of them");
            }
        }
        String name = given.containsKey(NAME) ? given.remove(NAME) : text;
        if (name == null || name.isEmpty()) {
            throw wrong(text, "the name is empty; write it as name=fast");
        }
        List<String> words = new ArrayList<>();
        given.forEach((key, value) -> words.add(word(text, key, value, train, compare)));
        return new RunOption(number, name, text, words);
    }

    private static String word(String text, String key, String value, CommandSpec train, CommandSpec compare) {
        Map<String, OptionSpec> shared = compare.optionsMap();
        OptionSpec option = train.optionsMap().get("--" + key);
        if (shared.containsKey("--" + key)) {
            throw wrong(
                    text,
                    key + " is the same for all runs, or they could not be compared; give --" + key
                            + " once, outside of --run");
        }
        if (UNUSED.contains(key)) {
            throw wrong(text, key + " is of no use here: what runs give goes to --out, not to a model; leave it out");
        }
        if (option == null) {
            Set<String> known = train.optionsMap().keySet().stream()
                    .filter(name -> name.startsWith("--"))
                    .map(name -> name.substring(2))
                    .filter(name -> !shared.containsKey("--" + name) && !UNUSED.contains(name))
                    .collect(Collectors.toSet());
            throw wrong(
                    text,
                    "train linear has no option " + key
                            + Nearest.to(key, known)
                                    .map(near -> "; did you mean " + near + "?")
                                    .orElse("; see " + Tandem.PROGRAM + " train linear --help"));
        }
        boolean flag = option.arity().max() == 0;
        if (!flag && (value == null || value.isEmpty())) {
            throw wrong(text, key + " needs a value, as in " + key + "=" + option.paramLabel());
        }
        return value == null ? "--" + key : "--" + key + "=" + value.replace('+', ',');
    }

    /// What is wrong with a run, and with which.
    static IllegalArgumentException wrong(String text, String what) {
        return new IllegalArgumentException("--run '" + text + "': " + what);
    }
}
