package tandem.data;

import java.io.IOException;

/// Data that cannot be used as it is. The message is complete: where, what was found, what is wrong
/// with it, what to do.
public final class BadData extends IOException {

    public BadData(String message) {
        super(message);
    }
}
