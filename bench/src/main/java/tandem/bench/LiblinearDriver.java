package tandem.bench;

import com.sun.management.OperatingSystemMXBean;
import de.bwaldvogel.liblinear.Linear;
import de.bwaldvogel.liblinear.Model;
import de.bwaldvogel.liblinear.Parameter;
import de.bwaldvogel.liblinear.Problem;
import de.bwaldvogel.liblinear.SolverType;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;

/// liblinear-java as a program of its own: reads a file, trains L1 logistic regression, and prints the
/// seconds of each.
public final class LiblinearDriver {

    private LiblinearDriver() {}

    /// Arguments: the file, the cost C, the tolerance.
    public static void main(String[] args) throws Exception {
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long start = System.nanoTime();
        Problem problem = Problem.readFromFile(Path.of(args[0]), -1);
        System.out.println("read seconds " + (System.nanoTime() - start) / 1e9);
        long cpu = system.getProcessCpuTime();
        start = System.nanoTime();
        Model model = Linear.train(
                problem, new Parameter(SolverType.L1R_LR, Double.parseDouble(args[1]), Double.parseDouble(args[2])));
        System.out.println("train seconds " + (System.nanoTime() - start) / 1e9);
        System.out.println("train cpu " + (system.getProcessCpuTime() - cpu) / 1e9);
        System.out.println("weights " + model.getFeatureWeights().length);
    }
}
