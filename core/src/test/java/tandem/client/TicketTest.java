package tandem.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TicketTest {

    private final Ticket ticket = new Ticket(() -> null);
    private final List<String> heard = new ArrayList<>();

    @Test
    void all_actions_run_once_in_their_order_and_late_ones_at_once() {
        ticket.whenDone(() -> heard.add("one"));
        ticket.whenDone(() -> heard.add("two"));
        assertEquals(List.of(), heard);
        ticket.complete();
        ticket.whenDone(() -> heard.add("late"));
        assertEquals(List.of("one", "two", "late"), heard);
    }

    @Test
    void only_the_last_waiter_is_woken_and_before_any_action() {
        ticket.whenDone(() -> heard.add("action"));
        ticket.wakes(() -> heard.add("first"));
        ticket.wakes(() -> heard.add("second"));
        ticket.complete();
        assertEquals(List.of("second", "action"), heard);
    }

    @Test
    void what_failed_says_why_to_actions_and_to_whoever_checks() {
        IllegalStateException why = new IllegalStateException("no such table");
        ticket.whenDone(() -> heard.add(ticket.failure().getMessage()));
        assertNull(ticket.failure());
        ticket.fail(why);
        assertEquals(List.of("no such table"), heard);
        assertSame(why, assertThrows(IllegalStateException.class, ticket::check));
    }

    @Test
    void what_went_well_has_no_failure() {
        assertFalse(ticket.isDone());
        ticket.complete();
        ticket.check();
        assertNull(ticket.failure());
    }
}
