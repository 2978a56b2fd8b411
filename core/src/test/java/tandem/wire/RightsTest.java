package tandem.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RightsTest {

    @Test
    void who_only_reads_joins_lives_and_reads() {
        assertEquals(new TreeSet<>(Set.of("Compute", "Heartbeat", "Join", "Pull")), said(Address.Role.READER));
        Message making = new Message.Pull(1, 1, -1, tandem.consistency.After.NOTHING, true, new Part[0]);
        assertEquals(false, Rights.allow(Address.Role.READER, making));
    }

    @Test
    void only_the_coordinator_gives_orders() {
        for (Address.Role role : Address.Role.values()) {
            Set<String> said = said(role);
            said.retainAll(Set.of("Order", "Placed", "Guide", "Given", "Laid", "Met"));
            assertEquals(role == Address.Role.COORDINATOR ? 6 : 0, said.size(), role.toString());
        }
    }

    @Test
    void everything_is_for_somebody_to_say() {
        Set<String> all = new TreeSet<>();
        Arrays.stream(Address.Role.values()).forEach(role -> all.addAll(said(role)));
        Set<String> kinds = new TreeSet<>();
        MadeMessages.of(1).forEach(message -> kinds.add(kind(message)));
        kinds.removeAll(Set.of("Copy", "Whole")); // they come within a Give
        assertEquals(kinds, all);
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
