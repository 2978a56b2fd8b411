package tandem.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.stream.Stream;

/// The packages below `root`, and which of their neighbours each may import. The root package itself may
/// import them all, and none of them may import it.
record Layers(String root, List<Layer> layers) {

    /// One package, whether it is pure, and the neighbours it may know.
    record Layer(String name, boolean pure, List<String> knows) {

        static Layer pure(String name, String... knows) {
            return new Layer(name, true, List.of(knows));
        }

        static Layer free(String name, String... knows) {
            return new Layer(name, false, List.of(knows));
        }
    }

    /// The packages of the library. `docs/architecture.md` shows the same table.
    static final Layers TANDEM = new Layers(
            "tandem",
            List.of(
                    Layer.pure("math"),
                    Layer.free("data", "math"),
                    Layer.pure("problem", "math"),
                    Layer.pure("consistency"),
                    Layer.pure("wire", "consistency", "math"),
                    Layer.pure("filter", "wire", "math"),
                    Layer.pure("server", "filter", "wire", "consistency", "math"),
                    Layer.pure("client", "filter", "wire", "consistency", "math"),
                    Layer.pure("topology", "client", "wire"),
                    Layer.pure("cluster", "client", "filter", "wire", "math"),
                    Layer.pure("simulate", "cluster", "server", "client", "filter", "consistency", "wire", "math"),
                    Layer.free("link", "wire"),
                    Layer.free("runtime", "link", "cluster", "client", "wire", "report"),
                    Layer.pure("solver", "data", "problem", "server", "wire", "math"),
                    Layer.free(
                            "worker",
                            "data",
                            "problem",
                            "solver",
                            "server",
                            "topology",
                            "client",
                            "consistency",
                            "wire",
                            "math"),
                    Layer.free("model", "data", "problem", "report", "math"),
                    Layer.free("report", "problem", "math")));

    /// That a layer knows only itself and what the table allows it.
    ArchRule holds(Layer layer) {
        var known = Stream.concat(Stream.of(layer.name), layer.knows.stream())
                .map(this::inside)
                .toArray(String[]::new);
        return classes()
                .that()
                .resideInAPackage(inside(layer.name))
                .should()
                .onlyDependOnClassesThat(resideOutsideOfPackage(root + "..").or(resideInAnyPackage(known)))
                .allowEmptyShould(true);
    }

    /// That every class is in the root or in a package of the table.
    ArchRule areComplete() {
        var all = layers.stream().map(layer -> inside(layer.name)).toArray(String[]::new);
        return classes().should().resideInAnyPackage(all).orShould().resideInAPackage(root);
    }

    /// The packages of pure layers, as patterns.
    String[] pure() {
        return layers.stream()
                .filter(Layer::pure)
                .map(layer -> inside(layer.name))
                .toArray(String[]::new);
    }

    private String inside(String name) {
        return root + "." + name + "..";
    }
}
