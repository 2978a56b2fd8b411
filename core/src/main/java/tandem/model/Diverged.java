package tandem.model;

/// Training ended in weights that are no finite numbers.
public final class Diverged extends ArithmeticException {

    Diverged(String what) {
        super(what + ": training has diverged. Train with a smaller learning rate");
    }
}
