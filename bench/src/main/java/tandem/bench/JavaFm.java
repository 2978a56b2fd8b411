package tandem.bench;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleBinaryOperator;

/// JavaFM, called by reflection because its jar is there only where it was installed: gradient descent, a row at a
/// time, with a fixed rate and an L2 penalty on factors at each step, which is what libFM does with `-method sgd`. It
/// takes any loss, so it gets the logistic one.
final class JavaFm implements FactorLearner {

    private static final String PACKAGE = "org.ranksys.javafm.";
    private static final double FIRST_FACTORS = 0.02;
    private static final long SEED = 1;

    private final Object machine;
    private final Object rows;
    private final Object descent;
    private final Method learn;
    private final Method predict;

    JavaFm(List<String> lines, int features, int dimension, FactorChoice choice) throws ReflectiveOperationException {
        machine = make("FM", features, dimension, new Random(SEED), FIRST_FACTORS);
        List<Object> instances = new ArrayList<>(lines.size());
        for (String line : lines) {
            instances.add(instance(line));
        }
        rows = make("data.SimpleFMData", features, new Random(SEED), instances);
        double[] onFactors = new double[features];
        Arrays.fill(onFactors, choice.l2());
        DoubleBinaryOperator loss = (score, label) -> Math.log1p(Math.exp(-label * score));
        DoubleBinaryOperator slope = (score, label) -> -label / (1 + Math.exp(label * score));
        descent = make(
                "learner.gd.PointWiseGradientDescent",
                choice.rate(),
                1,
                make("learner.gd.PointWiseError", loss, slope),
                0.0,
                new double[features],
                onFactors);
        learn = method(descent, "learn", 3);
        predict = method(machine, "predict", 1);
    }

    @Override
    public void pass() throws ReflectiveOperationException {
        learn.invoke(descent, machine, rows, rows);
    }

    @Override
    public double score(String line) throws ReflectiveOperationException {
        return (double) predict.invoke(machine, instance(line));
    }

    private static Object instance(String line) throws ReflectiveOperationException {
        String[] words = line.split(" ");
        int[] ids = new int[words.length - 1];
        double[] values = new double[ids.length];
        for (int i = 0; i < ids.length; i++) {
            int colon = words[i + 1].indexOf(':');
            ids[i] = Integer.parseInt(words[i + 1], 0, colon, 10);
            values[i] = Double.parseDouble(words[i + 1].substring(colon + 1));
        }
        return make("FMInstance", words[0].equals("1") ? 1.0 : -1.0, ids, values);
    }

    /// By the one constructor that takes so many arguments.
    private static Object make(String type, Object... arguments) throws ReflectiveOperationException {
        for (Constructor<?> constructor : Class.forName(PACKAGE + type).getConstructors()) {
            if (constructor.getParameterCount() == arguments.length) {
                return constructor.newInstance(arguments);
            }
        }
        throw new NoSuchMethodException(type + " with " + arguments.length + " arguments");
    }

    private static Method method(Object object, String name, int arguments) throws NoSuchMethodException {
        for (Method method : object.getClass().getMethods()) {
            if (method.getName().equals(name) && method.getParameterCount() == arguments && !method.isBridge()) {
                return method;
            }
        }
        throw new NoSuchMethodException(name + " with " + arguments + " arguments");
    }
}
