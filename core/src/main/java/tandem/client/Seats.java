package tandem.client;

import java.util.Arrays;
import tandem.wire.KnownLists;
import tandem.wire.Layout;
import tandem.wire.Message;
import tandem.wire.Outbox;
import tandem.wire.Part;

/// The seats that requests go to, as the layout of the moment has them, and which lists of keys each knows.
final class Seats {

    /// Parts of an update that are at least so long together go to a chain ahead of the rest.
    private static final long AHEAD_BYTES = 256 << 10;

    private final Filtering filtering;
    private final KnownLists known = new KnownLists();
    private Layout layout = Layout.NONE;
    private long aheadBytes = AHEAD_BYTES;

    Seats(Filtering filtering) {
        this.filtering = filtering;
    }

    Layout layout() {
        return layout;
    }

    void place(Layout placed) {
        layout = placed;
    }

    /// Has parts of an update go to a chain ahead of the rest as soon as there are so many bytes.
    void sendsAhead(long bytes) {
        aheadBytes = bytes;
    }

    /// A seat has answered for these parts, so it knows their lists.
    void heard(int seat, Part[] parts) {
        known.heard(seat, parts);
    }

    /// A seat does not know one of the lists of these parts.
    void forget(int seat, Part[] parts) {
        known.forget(seat, parts);
    }

    /// Sends a request for the first time.
    void sendFirst(Request request, Outbox out) {
        for (int seat = 0; seat < request.awaited.length; seat++) {
            if (request.awaited[seat] && !sentInPieces(request, seat, out)) {
                send(request, seat, out);
            }
        }
    }

    /// Sends it to all who have not answered.
    void send(Request request, Outbox out) {
        for (int seat = 0; seat < request.awaited.length; seat++) {
            if (request.awaited[seat]) {
                send(request, seat, out);
            }
        }
    }

    void send(Request request, int seat, Outbox out) {
        Message message = request.to(layout.epoch(), keyed(request, seat));
        out.send(request.answerer(seat), new Message.Seated(seat, message));
    }

    /// Says something to a seat that is no request.
    void tell(int seat, Message message, Outbox out) {
        out.send(layout.head(seat), new Message.Seated(seat, message));
    }

    /// Sends a long update piece by piece where a chain can pass on the first while the others are coming. If one is
    /// lost, all of it is sent again as one.
    private boolean sentInPieces(Request request, int seat, Outbox out) {
        Part[] parts = request.parts(seat);
        boolean passedOn = layout.chains()[seat].servers().length > 1;
        if (!passedOn
                || parts.length < 2
                || !(request instanceof Request.Update update)
                || update.wantsRows()
                || !(request.to(layout.epoch(), keyed(request, seat)) instanceof Message.Update all)) {
            return false;
        }
        int from = 0;
        long bytes = 0;
        for (int p = 0; p + 1 < parts.length; p++) {
            bytes += all.parts()[p].lengthBytes();
            if (bytes >= aheadBytes) {
                Part[] piece = Arrays.copyOfRange(all.parts(), from, p + 1);
                tell(seat, new Message.Ahead(all.epoch(), all.stream(), all.lease(), all.sequence(), from, piece), out);
                from = p + 1;
                bytes = 0;
            }
        }
        Part[] rest = Arrays.copyOfRange(all.parts(), from, parts.length);
        tell(seat, from == 0 ? all : new Message.Rest(from, all.with(rest)), out);
        return true;
    }

    /// The parts of a request, without lists of keys that the seat knows.
    private Part[] keyed(Request request, int seat) {
        Part[] parts = request.parts(seat).clone();
        for (int p = 0; p < parts.length; p++) {
            parts[p] = filtering.keyed(request, parts[p], known.has(seat, parts[p]));
        }
        return parts;
    }
}
