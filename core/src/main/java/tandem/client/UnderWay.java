package tandem.client;

import java.util.Collection;
import java.util.List;
import java.util.TreeMap;

/// Requests that have not been answered by all: reads, and the updates of streams.
final class UnderWay {

    /// The bits of a request's number below those of the life that it is made in.
    private static final int LIFE_BITS = 32;

    private final Streams streams;
    private final TreeMap<Long, Request> reads = new TreeMap<>();
    private long lastNumber;

    UnderWay(Streams streams) {
        this.streams = streams;
    }

    /// Numbers requests apart from those of lives before, because answers to those may still come.
    void inLife(long life) {
        lastNumber = life << LIFE_BITS;
    }

    /// The number that was given out last.
    long lastNumber() {
        return lastNumber;
    }

    /// Gives out another, for a read or a wish.
    long nextNumber() {
        return ++lastNumber;
    }

    void add(Request read) {
        reads.put(read.number, read);
    }

    Collection<Request> reads() {
        return reads.values();
    }

    /// Takes them out, to be asked again.
    List<Request> takeReads() {
        List<Request> taken = List.copyOf(reads.values());
        reads.clear();
        return taken;
    }

    /// The one of this number, or null.
    Request read(long number) {
        return reads.get(number);
    }

    /// The one that an answer names, or null.
    ///
    /// @param number of a read, or of an update in its stream
    Request find(boolean inRead, int stream, long number) {
        return inRead ? reads.get(number) : streams.update(stream, number);
    }

    /// Nobody waits any longer for what was read for streams when others were to be worked on: a read may wait for a
    /// stream that has just come here.
    void endReadsOfStreams() {
        List<Request> asked =
                reads.values().stream().filter(read -> read.stream >= 0).toList();
        asked.forEach(read -> reads.remove(read.number));
        asked.forEach(Request::end);
    }

    void finish(Request request) {
        if (request.isUpdate()) {
            streams.get(request.stream).updates.remove(request.number);
        } else {
            reads.remove(request.number);
        }
        request.end();
    }
}
