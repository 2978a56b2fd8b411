package tandem.simulate;

import java.util.Arrays;

/// Events by time, and in the order they were added at the same time: a binary heap over plain arrays.
final class EventQueue {

    private long[] times = new long[1024];
    private long[] orders = new long[1024];
    private Object[] events = new Object[1024];
    private int size;
    private long added;

    boolean isEmpty() {
        return size == 0;
    }

    /// The time of the next event.
    long nextNanos() {
        return times[0];
    }

    void add(long nanos, Object event) {
        if (size == times.length) {
            times = Arrays.copyOf(times, 2 * size);
            orders = Arrays.copyOf(orders, 2 * size);
            events = Arrays.copyOf(events, 2 * size);
        }
        long order = added++;
        int place = size++;
        while (place > 0) {
            int parent = (place - 1) >>> 1;
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
        Object first = events[0];
        size--;
        long nanos = times[size];
        long order = orders[size];
        Object last = events[size];
        events[size] = null;
        if (size > 0) {
            int place = 0;
            while (2 * place + 1 < size) {
                int child = 2 * place + 1;
                if (child + 1 < size && isBefore(times[child + 1], orders[child + 1], child)) {
                    child++;
                }
                if (isBefore(nanos, order, child)) {
                    break;
                }
                move(child, place);
                place = child;
            }
            put(place, nanos, order, last);
        }
        return first;
    }

    private boolean isBefore(long nanos, long order, int place) {
        return nanos < times[place] || nanos == times[place] && order < orders[place];
    }

    private void move(int from, int to) {
        put(to, times[from], orders[from], events[from]);
    }

    private void put(int place, long nanos, long order, Object event) {
        times[place] = nanos;
        orders[place] = order;
        events[place] = event;
    }
}
