package tandem.bench.spark;

/// What a stage is opened for.
///
/// @param system   who trains
/// @param model    what
/// @param training LIBSVM text
/// @param heldOut  the same
/// @param features how long vectors are
/// @param regParam strength of the penalty beside the mean loss
/// @param l1Share  how much of it is L1
/// @param solver   of Tandem; null for what it takes by itself
/// @param factors  a feature, for a factorisation machine
/// @param stepSize of MLlib's factorisation machine
/// @param place    a directory for what is needed meanwhile
record Play(
        System system,
        Model model,
        String training,
        String heldOut,
        int features,
        double regParam,
        double l1Share,
        String solver,
        int factors,
        double stepSize,
        String place) {

    enum System {
        TANDEM,
        MLLIB
    }

    enum Model {
        LOGISTIC,
        FACTORS
    }
}
