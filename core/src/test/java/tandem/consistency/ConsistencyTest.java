package tandem.consistency;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConsistencyTest {

    @Test
    void a_read_in_step_sees_all_updates_before_it() {
        assertEquals(new After(7, 7), Consistency.bsp().after(7, 7));
    }

    @Test
    void a_stale_read_may_miss_the_last_clocks_of_others_but_none_of_its_own() {
        assertEquals(new After(7, 4), Consistency.ssp(3).after(7, 7));
    }

    @Test
    void a_delayed_read_may_miss_the_last_tasks_of_all() {
        assertEquals(new After(4, 4), Consistency.bounded(3).after(7, 7));
        assertEquals(new After(0, -2), Consistency.bounded(3).after(1, 1));
    }

    @Test
    void no_delay_is_in_step() {
        assertEquals(Consistency.bsp().after(5, 9), Consistency.ssp(0).after(5, 9));
        assertEquals(Consistency.bsp().after(5, 5), Consistency.bounded(0).after(5, 5));
        assertEquals(0, Consistency.bounded(0).ahead());
    }

    @Test
    void an_asynchronous_read_waits_for_nothing() {
        assertEquals(After.NOTHING, Consistency.async().after(7, 7));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "bsp:1",
                "ssp",
                "ssp:",
                "ssp:-1",
                "ssp:x",
                "bounded:1.5",
                "async:3",
                "fast",
                "fraction",
                "fraction:0",
                "fraction:1.1",
                "fraction:x"
            })
    void a_name_that_says_nothing_is_refused(String name) {
        assertThrows(IllegalArgumentException.class, () -> Consistency.named(name));
    }

    @Test
    void a_model_of_ones_own_is_one_line() {
        Consistency everyTenth = (clock, sent) -> new After(sent, clock - clock % 10);
        assertEquals(new After(17, 10), everyTenth.after(17, 17));
    }

    @Test
    void an_epoch_waits_for_a_share_of_the_workers_and_a_task_in_it_for_nobody() {
        assertEquals(new After(0, 2, 0.75), Consistency.named("fraction:0.75").after(2, 100));
        assertEquals(3, new Fraction(0.75).of(4));
        assertEquals(4, new Fraction(0.75).of(5));
        assertEquals(1, new Fraction(0.01).of(5));
    }

    @Test
    void a_bound_goes_from_one_number_to_another_in_even_steps() {
        Timetable table = new Timetable("bounded:8..2");
        assertEquals("bounded:8", table.at(0, 4));
        assertEquals("bounded:6", table.at(1, 4));
        assertEquals("bounded:2", table.at(3, 4));
        assertEquals("bounded:8", table.at(0, 1));
        assertEquals("ssp:3", new Timetable("ssp:3").at(5, 9));
    }

    @ParameterizedTest
    @ValueSource(strings = {"bsp..2", "bounded:..2", "bounded:2..", "bounded:2..-1", "fraction:1..0.5", "..", "x:1..2"})
    void a_bound_that_goes_nowhere_is_refused(String name) {
        assertThrows(IllegalArgumentException.class, () -> new Timetable(name));
    }

    @Test
    void a_consistency_changes_for_what_comes_after_but_not_its_clock() {
        Changing changing = new Changing(Consistency.bounded(3));
        assertEquals(new After(4, 4), changing.after(7, 7));
        changing.become(Consistency.bounded(1));
        assertEquals(new After(6, 6), changing.after(7, 7));
        Consistency fraction = Consistency.fraction(1);
        assertThrows(IllegalArgumentException.class, () -> changing.become(fraction));
    }
}
