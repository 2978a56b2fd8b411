package tandem.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tandem.client.Ticket;
import tandem.wire.Address;
import tandem.wire.Message;
import tandem.wire.Outbox;

/// What operators want of the coordinator.
class OperatorsTest {

    private final List<String> done = new ArrayList<>();
    private final List<Message> said = new ArrayList<>();
    private final Coordinator coordinator = new Coordinator(1, 1, 1, List.of(), 1_000_000_000);

    private final Outbox out = new Outbox() {
        @Override
        public void send(Address to, Message message) {
            said.add(message);
        }

        @Override
        public void wakeAt(long nanos, long tag) {}
    };

    {
        coordinator.receive(Address.server(0), new Message.Join(1, "", 0), 0, out);
        coordinator.receive(Address.worker(0), new Message.Join(1, "", 0), 0, out);
        said.clear();
        coordinator.obey((what, _, _) -> {
            done.add(what);
            return what.equals("wait")
                    ? new Steward.Outcome(new Ticket(() -> null), "waited")
                    : Steward.Outcome.now("did " + what);
        });
    }

    private void ask(int operator, String what) {
        coordinator.receive(Address.operator(operator), new Message.Manage(operator, what, -1), 0, out);
    }

    @Test
    void a_wish_is_granted_once_and_answered_as_often_as_it_is_asked() {
        ask(7, "this");
        ask(7, "this");
        Message.Managed answer = new Message.Managed(7, false, "did this");
        assertEquals(List.of("this"), done);
        assertEquals(List.of(answer, answer), said);
    }

    @Test
    void who_asks_before_anybody_is_there_to_do_it_is_told_to_ask_again() {
        Steward nobody = null;
        coordinator.obey(nobody);
        ask(3, "status");
        assertEquals(List.of(new Message.Heartbeat(coordinator.layout().epoch(), 0, 0)), said);
        coordinator.obey((what, _, _) -> Steward.Outcome.now("did " + what));
        ask(3, "status");
        assertEquals(new Message.Managed(3, false, "did status"), said.getLast());
    }

    @Test
    void answers_of_long_ago_are_forgotten_and_wishes_under_way_are_not() {
        ask(0, "wait");
        for (int operator = 1; operator <= 1_000; operator++) {
            ask(operator, "that");
        }
        assertEquals(1_001, done.size());
        ask(0, "wait");
        ask(1_000, "that");
        assertEquals(1_001, done.size());
        ask(1, "that");
        assertEquals(1_002, done.size());
    }

    @Test
    void a_server_that_was_added_and_ended_before_it_joined_is_nobody_to_wait_for() {
        assertTrue(coordinator.lose(Address.server(9), 0, out));
        assertEquals(List.of(), coordinator.lost(0));
        assertEquals(List.of(), said);
    }
}
