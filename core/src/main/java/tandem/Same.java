package tandem;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import tandem.report.Json;

/// What must be the same for a run to go on from a checkpoint, by name.
record Same(Map<String, String> told) {

    private static final int SHOWN = 4;
    private static final int LONGEST = 120;

    String text() {
        return new String(Json.bytes(new TreeMap<>(told)), StandardCharsets.UTF_8);
    }

    /// How `earlier`, the text of another, differs: the first few names with both values; empty if it does not.
    String differences(String earlier) {
        if (earlier.equals(text())) {
            return "";
        }
        Map<?, ?> before;
        try {
            before = Json.read(earlier.getBytes(StandardCharsets.UTF_8), Map.class);
        } catch (IllegalArgumentException e) {
            return "it does not say with which settings it was started";
        }
        TreeSet<String> names = new TreeSet<>(told.keySet());
        before.keySet().forEach(name -> names.add(name.toString()));
        List<String> differences = new ArrayList<>();
        for (String name : names) {
            Object then = before.get(name);
            String now = told.get(name);
            if (now == null || !now.equals(then)) {
                differences.add(difference(name, then, now));
            }
        }
        int more = differences.size() - SHOWN;
        return String.join("; ", differences.subList(0, Math.min(SHOWN, differences.size())))
                + (more > 0 ? "; and " + more + " more" : "");
    }

    private static String difference(String name, Object then, String now) {
        if (then != null && now != null && Math.max(then.toString().length(), now.length()) > LONGEST) {
            return name + " is another";
        }
        return name + " was " + shown(then) + " and is now " + shown(now);
    }

    private static String shown(Object value) {
        if (value == null) {
            return "not given";
        }
        String text = value.toString();
        return text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text;
    }
}
