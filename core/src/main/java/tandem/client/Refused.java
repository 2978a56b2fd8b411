package tandem.client;

/// A request came to nothing, and asking again would not help: its table was dropped, or a function failed.
public final class Refused extends RuntimeException {

    private static final long serialVersionUID = 1;

    Refused(String why) {
        super(why);
    }
}
