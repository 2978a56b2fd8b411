package tandem.simulate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/// What happened to one row that is only counted up: whether all of it could have happened one thing at a time, each
/// between when it began and when it ended (Herlihy and Wing 1990).
///
/// In general that takes a search (Wing and Gong 1993). Here additions differ in nothing but their times, so the one
/// that ends first can always go first; a read can go as soon as the count is right; and the count is best kept low,
/// because it never falls. So one pass decides, and whole histories can be looked at.
final class FaultHistory {

    /// What has not ended.
    static final long NEVER = Long.MAX_VALUE;

    private static final long ADDITION = -1;

    private final List<Event> events = new ArrayList<>();

    /// @param value what was read, or less than 0 for an addition of 1
    record Event(long from, long until, long value) {

        boolean isAddition() {
            return value < 0;
        }
    }

    /// 1 was added; [#NEVER] if nobody was told so.
    void added(long from, long until) {
        events.add(new Event(from, until, ADDITION));
    }

    void read(long from, long until, long value) {
        events.add(new Event(from, until, value));
    }

    List<Event> events() {
        return events;
    }

    /// The first event that cannot have happened where it did; null if there is none.
    Event impossible() {
        List<Event> coming = new ArrayList<>(events);
        coming.sort(Comparator.comparingLong(Event::from));
        PriorityQueue<Event> ending = new PriorityQueue<>(Comparator.comparingLong(Event::until));
        ending.addAll(events);
        PriorityQueue<Event> additions = new PriorityQueue<>(Comparator.comparingLong(Event::until));
        PriorityQueue<Event> reads = new PriorityQueue<>(Comparator.comparingLong(Event::value));
        long count = 0;
        int come = 0;
        // Each in turn must have happened before it ended, with some of what had begun by then.
        for (Event next = ending.poll(); next != null && next.until != NEVER; next = ending.poll()) {
            for (; come < coming.size() && coming.get(come).from <= next.until; come++) {
                (coming.get(come).isAddition() ? additions : reads).add(coming.get(come));
            }
            while (next.isAddition() ? additions.contains(next) : reads.contains(next)) {
                while (!reads.isEmpty() && reads.peek().value == count) {
                    reads.poll();
                }
                if (!next.isAddition() && !reads.contains(next)) {
                    break;
                }
                if (!reads.isEmpty() && reads.peek().value < count) {
                    return reads.peek();
                }
                if (additions.isEmpty()) {
                    return next;
                }
                additions.poll();
                count++;
            }
        }
        return null;
    }
}
