package tandem.bench;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/// How much nodes hold over time, each from when it had warmed up. Belongs to one thread.
final class Soak {

    /// Weighings of a node before it has all the code and connections that it will have.
    private static final int WARM_UP = 3;

    private final LongSupplier clock;
    private final Map<Long, Course> courses = new TreeMap<>();

    private static final class Course {
        int seen;
        Weight first;
        Weight last;
        long sinceNanos;
        long lastNanos;
    }

    Soak(LongSupplier clock) {
        this.clock = clock;
    }

    void add(List<Weight> weights) {
        for (Weight weight : weights) {
            Course course = courses.computeIfAbsent(weight.pid(), _ -> new Course());
            if (++course.seen == WARM_UP) {
                course.first = weight;
                course.sinceNanos = clock.getAsLong();
            }
            course.last = weight;
            course.lastNanos = clock.getAsLong();
        }
        courses.keySet().removeIf(pid -> weights.stream().noneMatch(weight -> weight.pid() == pid));
    }

    /// Of those that are there and have been weighed often enough.
    List<SoakRow> rows() {
        return courses.values().stream()
                .filter(course -> course.seen > WARM_UP)
                .map(course -> SoakRow.of(course.first, course.last, (course.lastNanos - course.sinceNanos) * 1e-9))
                .toList();
    }
}
