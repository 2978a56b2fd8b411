package tandem;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tandem.filter.Filters;

/// The filters of a plan by their names, and what they do to numbers.
///
/// @param all in their order, such as `keycache,kkt`, or `none`
record FilterNames(String all) {

    private static final String KKT = "kkt";

    /// Filters that could change numbers and are told not to.
    private static final Pattern NEUTRAL = Pattern.compile("(skip|fixed):0+(\\.0*)?|.*:exact");

    private static final List<String> KEEPING = List.of("keycache", "delta", "runs", "lz4", "zstd");

    /// Filters that change no number.
    static final String EXACT = String.join(", ", KEEPING);

    /// Whether weights at rest are left out, as block solvers can.
    boolean kkt() {
        return List.of(all.split(",")).contains(KKT);
    }

    /// Those of messages: all but the one that decides what there is to send.
    String messages() {
        String rest = Arrays.stream(all.split(",", -1))
                .filter(filter -> !filter.equals(KKT))
                .collect(Collectors.joining(","));
        return rest.isEmpty() && !all.isEmpty() ? "none" : rest;
    }

    /// The same, by what they are for; refuses names that there are not.
    Filters.Both sent() {
        return new Filters().parse(messages());
    }

    /// A filter of what is pulled that holds small steps back, if there is one.
    Optional<String> significantPull() {
        return sent().pull().stream().filter(FilterNames::isSignificant).findFirst();
    }

    private static boolean isSignificant(String filter) {
        return kind(filter).equals("significant");
    }

    /// What steps of weights must exceed to be worth telling workers, in the first round; 0 if all are.
    double pullThreshold() {
        return significantPull()
                .map(filter -> Double.parseDouble(filter.substring(filter.indexOf(':') + 1)))
                .orElse(0.0);
    }

    /// Whether something of what is pushed is lost, as it is not by those that are set to lose nothing.
    boolean losesPushes() {
        return inexact(sent().push().stream()
                        .filter(filter -> !NEUTRAL.matcher(filter).matches()))
                .isPresent();
    }

    /// A filter that changes numbers on their way, if there is one.
    Optional<String> inexact() {
        Filters.Both both = sent();
        return inexact(Stream.concat(both.push().stream(), both.pull().stream()));
    }

    /// The same of those that change what is pulled other than by holding small steps back.
    Optional<String> inexactPull() {
        return inexact(sent().pull().stream().filter(filter -> !isSignificant(filter)));
    }

    private static Optional<String> inexact(Stream<String> filters) {
        return filters.filter(filter -> !KEEPING.contains(kind(filter))).findFirst();
    }

    private static String kind(String filter) {
        return filter.replaceAll(":.*", "");
    }
}
