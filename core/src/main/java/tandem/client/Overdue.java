package tandem.client;

/// Somebody has not answered for longer than is allowed.
public final class Overdue extends RuntimeException {

    private static final long serialVersionUID = 1;

    Overdue(String message) {
        super(message);
    }
}
