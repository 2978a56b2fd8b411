package tandem.architecture;

import java.io.ObjectOutputStream;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Classes that break each [Taboo], grouped by its name, to prove that breaking it is noticed; and one that
/// comes close to many of them and breaks none.
@SuppressWarnings("unused")
final class Sins {

    private Sins() {}

    static final class Innocent {
        final Random seeded = new Random(7);
        final SplittableRandom alsoSeeded = new SplittableRandom(7);
        final Map<String, Integer> ordered = new LinkedHashMap<>();
        final List<Integer> fixed = List.copyOf(List.of(3, 1, 2));
        final Instant moment = Instant.ofEpochMilli(0);

        Map<Integer, Long> counts() {
            return Stream.of(1, 1, 2).collect(Collectors.groupingBy(n -> n, LinkedHashMap::new, Collectors.counting()));
        }
    }

    static final class Clock {
        static final class NanoTime {
            final long now = System.nanoTime();
        }

        static final class Reference {
            final LongSupplier now = System::currentTimeMillis;
        }

        static final class Lambda {
            final LongSupplier now = () -> Instant.now().toEpochMilli();
        }

        static final class Today {
            final LocalDate today = LocalDate.now(java.time.ZoneOffset.UTC);
        }
    }

    static final class Daytime {
        static final class Millis {
            final long now = System.currentTimeMillis();
        }

        static final class Moment {
            final Instant now = Instant.now();
        }

        static final class Day {
            final LongSupplier now = () -> new java.util.Date().getTime();
        }

        static final class Parked {
            void until(long millis) {
                java.util.concurrent.locks.LockSupport.parkUntil(millis);
            }
        }
    }

    static final class Threads {
        static final class Starts {
            final Thread thread = Thread.ofVirtual().unstarted(() -> {});
        }

        static final class Keeps {
            final ThreadLocal<String> local = new ThreadLocal<>();
        }

        static final class Pools {
            final Object pool = Executors.newFixedThreadPool(1);
        }

        static final class Streams {
            final long sum = List.of(1, 2).parallelStream().count()
                    + Stream.of(1).parallel().count();
        }

        static final class Sorts {
            void sort(int[] numbers) {
                Arrays.parallelSort(numbers);
            }
        }
    }

    static final class Network {
        static final class Field {
            Socket socket;
        }

        static final class Parameter {
            void send(SocketChannel channel) {}
        }
    }

    static final class Files {
        static final class Old {
            java.io.File file;
        }

        static final class Elements {
            Path[] paths;
        }

        static final class Reads {
            boolean there() {
                return java.nio.file.Files.exists(null);
            }
        }
    }

    static final class Class_names {
        static final class Finds {
            Class<?> of(String name) throws ClassNotFoundException {
                return Class.forName(name);
            }
        }

        static final class Loads {
            Class<?> of(String name) throws ClassNotFoundException {
                return getClass().getClassLoader().loadClass(name);
            }
        }
    }

    static final class Serialisation {
        static final class Writes {
            ObjectOutputStream stream;
        }
    }

    static final class Chance {
        static final class Unseeded {
            final Random random = new Random();
        }

        static final class Split {
            final SplittableRandom random = new SplittableRandom();
        }

        static final class OfTheThread {
            final int number = ThreadLocalRandom.current().nextInt();
        }

        static final class OfMath {
            final double number = Math.random();
        }

        static final class Name {
            final UUID name = UUID.randomUUID();
        }

        static final class Shuffle {
            void shuffle(List<String> list) {
                Collections.shuffle(list);
            }
        }
    }

    static final class Order {
        static final class Mapped {
            final Map<String, String> map = new HashMap<>();
        }

        static final class Collected {
            final List<String> list = new ArrayList<>(new HashSet<String>());
        }

        static final class Literal {
            final Set<Integer> set = Set.of(1, 2);
        }

        static final class LiteralMap {
            final Map<Integer, Integer> map = Map.of(1, 2);
        }

        static final class Copied {
            Set<Integer> copy(List<Integer> list) {
                return Set.copyOf(list);
            }
        }

        static final class Grouped {
            final Object groups = Stream.of(1).collect(Collectors.groupingBy(n -> n));
        }

        static final class Address {
            final int hash = System.identityHashCode(this);
        }
    }

    static final class Printing {
        static final class Out {
            void hello() {
                System.out.println("hello");
            }
        }

        static final class Err {
            void hello() {
                System.err.println("hello");
            }
        }

        static final class Newer {
            void hello() {
                IO.println("hello");
            }
        }

        static final class Trace {
            void hello(Exception e) {
                e.printStackTrace();
            }
        }
    }
}
