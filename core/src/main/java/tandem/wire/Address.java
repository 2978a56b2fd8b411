package tandem.wire;

import java.util.List;
import java.util.Locale;

/// A node: what it does in the cluster, and which one of its kind it is.
public record Address(Role role, int number) implements Comparable<Address> {

    /// What a node is there for.
    public enum Role {
        COORDINATOR(0),
        SERVER(1),
        WORKER(2),
        /// Somebody from outside who only reads.
        READER(3),
        /// Somebody from outside who says which nodes there are to be.
        OPERATOR(4);

        private final int code;

        Role(int code) {
            this.code = code;
        }

        /// What stands for it on the wire.
        public int code() {
            return code;
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public static final Address COORDINATOR = new Address(Role.COORDINATOR, 0);

    public Address {
        if (number < 0) {
            throw new IllegalArgumentException(role + " number " + number + "; numbers start at 0");
        }
    }

    public static Address server(int number) {
        return new Address(Role.SERVER, number);
    }

    public static Address worker(int number) {
        return new Address(Role.WORKER, number);
    }

    public static Address operator(int number) {
        return new Address(Role.OPERATOR, number);
    }

    public static Address reader(int number) {
        return new Address(Role.READER, number);
    }

    /// The server or worker that a text as of [#toString] names.
    public static Address of(String text) {
        for (Role role : List.of(Role.SERVER, Role.WORKER)) {
            if (text.startsWith(role + " ")) {
                return new Address(
                        role, Integer.parseInt(text.substring(role.toString().length() + 1)));
            }
        }
        throw new IllegalArgumentException(text + " is neither a server nor a worker");
    }

    @Override
    public int compareTo(Address other) {
        int byRole = role.compareTo(other.role);
        return byRole != 0 ? byRole : Integer.compare(number, other.number);
    }

    /// As a user reads it: "server 1"; there is one coordinator.
    @Override
    public String toString() {
        return role == Role.COORDINATOR ? "the coordinator" : role + " " + number;
    }
}
