package tandem.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ColumnWindowTest {

    /// Pieces of 10 bytes, each with one column whose key is its number; notes who reads what.
    private static class Pieces implements ColumnWindow.Source {
        final List<Integer> read = Collections.synchronizedList(new ArrayList<>());
        final List<Thread> readers = Collections.synchronizedList(new ArrayList<>());

        @Override
        public int bytes(int piece) {
            return 10;
        }

        @Override
        public Columns columns(int piece) throws IOException {
            read.add(piece);
            readers.add(Thread.currentThread());
            return new Columns(
                    new long[] {piece}, new int[2], new int[0], new int[2], new float[0], new double[0], new float[0]);
        }

        void is(int piece, Columns found) {
            assertEquals(piece, found.keys()[0]);
        }
    }

    @Test
    void pieces_that_fit_are_read_once() throws IOException {
        ColumnWindow window = new ColumnWindow(30);
        Pieces pieces = new Pieces();
        for (int time = 0; time < 3; time++) {
            for (int piece = 0; piece < 3; piece++) {
                pieces.is(piece, window.columns(pieces, piece));
            }
        }
        assertEquals(List.of(0, 1, 2), pieces.read);
    }

    @Test
    void where_memory_is_short_what_is_kept_goes_and_the_piece_is_read_again() throws IOException {
        ColumnWindow window = new ColumnWindow(30);
        Pieces pieces = new Pieces() {
            @Override
            public Columns columns(int piece) throws IOException {
                if (piece == 2 && !read.contains(2)) {
                    read.add(2);
                    throw new OutOfMemoryError("Java heap space");
                }
                return super.columns(piece);
            }
        };
        for (int piece : new int[] {0, 1, 2, 0}) {
            pieces.is(piece, window.columns(pieces, piece));
        }
        assertEquals(List.of(0, 1, 2, 2, 0), pieces.read);
    }

    @Test
    void the_one_that_was_used_longest_ago_makes_room() throws IOException {
        ColumnWindow window = new ColumnWindow(30);
        Pieces pieces = new Pieces();
        for (int piece : new int[] {0, 1, 2, 0, 3, 0, 1}) {
            pieces.is(piece, window.columns(pieces, piece));
        }
        assertEquals(List.of(0, 1, 2, 3, 1), pieces.read);
    }

    @Test
    void a_piece_that_is_larger_than_the_room_can_be_had_by_itself() throws IOException {
        ColumnWindow window = new ColumnWindow(1);
        Pieces pieces = new Pieces();
        pieces.is(4, window.columns(pieces, 4));
        pieces.is(5, window.columns(pieces, 5));
        assertEquals(List.of(4, 5), pieces.read);
    }

    @Test
    void what_is_expected_is_read_by_another_thread_into_half_of_the_room() throws Exception {
        ColumnWindow window = new ColumnWindow(60);
        Semaphore done = new Semaphore(0);
        Pieces pieces = new Pieces() {
            @Override
            public Columns columns(int piece) throws IOException {
                Columns columns = super.columns(piece);
                done.release();
                return columns;
            }
        };
        window.expect(pieces, new int[] {7, 3, 5, 1, 2});
        assertTrue(done.tryAcquire(3, 60, TimeUnit.SECONDS));
        assertEquals(List.of(7, 3, 5), pieces.read);
        assertTrue(pieces.readers.stream().noneMatch(Thread.currentThread()::equals));
        pieces.is(7, window.columns(pieces, 7));
        window.expect(pieces, new int[] {3, 5, 1, 2});
        assertTrue(done.tryAcquire(60, TimeUnit.SECONDS));
        assertEquals(List.of(7, 3, 5, 1), pieces.read);
    }

    /// Otherwise what is passed over would keep others from being read ahead.
    @Test
    void what_is_expected_no_more_takes_no_room_from_what_is() throws Exception {
        ColumnWindow window = new ColumnWindow(40);
        Semaphore done = new Semaphore(0);
        Pieces pieces = new Pieces() {
            @Override
            public Columns columns(int piece) throws IOException {
                Columns columns = super.columns(piece);
                done.release();
                return columns;
            }
        };
        window.expect(pieces, new int[] {0, 1});
        window.expect(pieces, new int[] {2, 3});
        assertTrue(done.tryAcquire(4, 60, TimeUnit.SECONDS));
        assertEquals(List.of(0, 1, 2, 3), pieces.read);
    }

    @Test
    void who_comes_while_a_piece_is_being_read_waits_for_it() throws Exception {
        ColumnWindow window = new ColumnWindow(100);
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Pieces pieces = new Pieces() {
            @Override
            public Columns columns(int piece) throws IOException {
                begun.countDown();
                try {
                    goOn.await();
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
                return super.columns(piece);
            }
        };
        window.expect(pieces, new int[] {0});
        assertTrue(begun.await(60, TimeUnit.SECONDS));
        goOn.countDown();
        pieces.is(0, window.columns(pieces, 0));
        assertSame(window.columns(pieces, 0), window.columns(pieces, 0));
        assertEquals(List.of(0), pieces.read);
    }

    @Test
    void a_piece_that_cannot_be_read_is_tried_again_when_it_is_asked_for_again() throws IOException {
        ColumnWindow window = new ColumnWindow(100);
        AtomicInteger times = new AtomicInteger();
        Pieces pieces = new Pieces() {
            @Override
            public Columns columns(int piece) throws IOException {
                if (times.getAndIncrement() == 0) {
                    throw new IOException("not now");
                }
                return super.columns(piece);
            }
        };
        assertEquals(
                "not now",
                assertThrows(IOException.class, () -> window.columns(pieces, 0)).getMessage());
        pieces.is(0, window.columns(pieces, 0));
    }

    @Test
    void pieces_of_others_stay_when_a_source_is_forgotten() throws IOException {
        ColumnWindow window = new ColumnWindow(100);
        Pieces one = new Pieces();
        Pieces other = new Pieces();
        window.columns(one, 0);
        window.columns(other, 0);
        window.forget(one);
        window.columns(one, 0);
        window.columns(other, 0);
        assertEquals(List.of(0, 0), one.read);
        assertEquals(List.of(0), other.read);
    }
}
