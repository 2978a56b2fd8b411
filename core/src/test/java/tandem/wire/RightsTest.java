package tandem.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import tandem.consistency.After;

class RightsTest {

    @Test
    void who_only_reads_joins_lives_and_reads() {
        assertEquals(all("Compute Heartbeat Join Pull Settled"), said(Address.Role.READER));
    }

    @Test
    void a_pull_that_makes_rows_is_for_those_who_may_change_them() {
        Message making = new Message.Pull(1, 1, -1, After.NOTHING, true, new Part[0]);
        for (Address.Role role : Address.Role.values()) {
            assertEquals(role == Address.Role.WORKER, Rights.allow(role, making), role.toString());
        }
    }

    @Test
    void only_the_coordinator_gives_orders_and_it_changes_no_row() {
        assertEquals(
                all("Compute Given Guide Heartbeat Laid Managed Met Order Placed Pull Renewed Settled"),
                said(Address.Role.COORDINATOR));
    }

    @Test
    void servers_answer_and_talk_among_themselves() {
        assertEquals(
                all("Ahead Applied CaughtUp Claimed Computed Done Fenced Followed Forward Give Guided Heartbeat"
                        + " Held Join Refresh Refused Renew Rows Stored Taken UnknownKeys Updated"),
                said(Address.Role.SERVER));
    }

    @Test
    void operators_only_say_what_they_want() {
        assertEquals(all("Manage"), said(Address.Role.OPERATOR));
    }

    @Test
    void workers_ask_and_sum_and_answer_only_orders() {
        assertEquals(
                all("Ahead Ask Change Claim Compute Create Done Drop Follow Got Guided Heartbeat Join Meet Piece Pull"
                        + " PushPull Rest Sent Settled Unfollow Update Wanted"),
                said(Address.Role.WORKER));
    }

    @Test
    void everything_is_for_somebody_to_say() {
        Set<String> all = new TreeSet<>();
        Arrays.stream(Address.Role.values()).forEach(role -> all.addAll(said(role)));
        Set<String> kinds = new TreeSet<>();
        MadeMessages.of(1).forEach(message -> kinds.add(kind(message)));
        kinds.removeAll(Set.of("Copy", "Whole", "Merged")); // they come within others
        assertEquals(kinds, all);
    }

    private static Set<String> all(String names) {
        return new TreeSet<>(Set.of(names.split(" ")));
    }

    private static Set<String> said(Address.Role role) {
        Set<String> said = new TreeSet<>();
        LongStream.range(0, 20)
                .forEach(seed -> MadeMessages.of(seed).stream()
                        .filter(message -> Rights.allow(role, message))
                        .forEach(message -> said.add(kind(message))));
        return said;
    }

    private static String kind(Message message) {
        return message instanceof Message.Seated(int _, Message about)
                ? kind(about)
                : message.getClass().getSimpleName();
    }

    @Test
    void nothing_is_said_about_a_seat_that_is_not() {
        for (Address.Role role : Address.Role.values()) {
            MadeMessages.of(1).stream()
                    .filter(message -> !Rights.isOfSeat(message))
                    .forEach(message -> assertEquals(
                            false, Rights.allow(role, new Message.Seated(0, message)), message.toString()));
        }
    }
}
