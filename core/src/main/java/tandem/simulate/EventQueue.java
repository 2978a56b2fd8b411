package tandem.simulate;

import java.util.Arrays;

/// Events by time, and in the order they were added at the same time: a heap over plain arrays in which a place has
/// four children, whose times and orders lie side by side in one cache line.
final class EventQueue {

    /// `keys[2i]` is the time of place i and `keys[2i + 1]` its order. Places start at 3, so that the four children of
    /// i, from 4i − 8 on, begin at a multiple of four.
    private static final int FIRST = 3;

    private long[] keys = new long[2048];
    private Object[] events = new Object[1024];
    private int end = FIRST;
    private long added;

    boolean isEmpty() {
        return end == FIRST;
    }

    /// The time of the next event.
    long nextNanos() {
        return keys[2 * FIRST];
    }

    void add(long nanos, Object event) {
        if (end == events.length) {
            keys = Arrays.copyOf(keys, 2 * keys.length);
            events = Arrays.copyOf(events, 2 * end);
        }
        long order = added++;
        int place = end++;
        while (place > FIRST) {
            int parent = (place >> 2) + 2;
            if (!isBefore(nanos, order, parent)) {
                break;
            }
            move(parent, place);
            place = parent;
        }
        put(place, nanos, order, event);
    }

    /// Takes the next event out.
    Object poll() {
        Object first = events[FIRST];
        end--;
        long nanos = keys[2 * end];
        long order = keys[2 * end + 1];
        Object last = events[end];
        events[end] = null;
        if (end > FIRST) {
            int place = FIRST;
            for (int child = firstChild(place); child < end; child = firstChild(place)) {
                int least = leastOf(child);
                if (isBefore(nanos, order, least)) {
                    break;
                }
                move(least, place);
                place = least;
            }
            put(place, nanos, order, last);
        }
        return first;
    }

    private static int firstChild(int place) {
        return 4 * place - 8;
    }

    /// The next to come of the siblings from `first` on.
    private int leastOf(int first) {
        int least = first;
        int until = Math.min(first + 4, end);
        for (int sibling = first + 1; sibling < until; sibling++) {
            least = isBefore(keys[2 * sibling], keys[2 * sibling + 1], least) ? sibling : least;
        }
        return least;
    }

    private boolean isBefore(long nanos, long order, int place) {
        return nanos < keys[2 * place] || nanos == keys[2 * place] && order < keys[2 * place + 1];
    }

    private void move(int from, int to) {
        put(to, keys[2 * from], keys[2 * from + 1], events[from]);
    }

    private void put(int place, long nanos, long order, Object event) {
        keys[2 * place] = nanos;
        keys[2 * place + 1] = order;
        events[place] = event;
    }
}
