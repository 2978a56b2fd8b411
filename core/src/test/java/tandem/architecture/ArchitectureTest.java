package tandem.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysFalse;
import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;
import tandem.architecture.Layers.Layer;

class ArchitectureTest {

    private static final JavaClasses LIBRARY = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("tandem");

    private static final JavaClasses EXAMPLES = new ClassFileImporter().importPackages("tandem.architecture");

    private static final Layers CROOKED =
            new Layers("tandem.architecture", List.of(Layer.pure("below"), Layer.pure("above", "below")));

    /// The one class of a pure package that hands a thread over to another.
    private static final DescribedPredicate<JavaClass> BATON =
            describe("is the baton", one -> one.getName().startsWith("tandem.simulate.Baton"));

    static final List<Layer> LAYERS = Layers.TANDEM.layers();

    @ParameterizedTest
    @FieldSource("LAYERS")
    void a_package_knows_only_what_the_table_allows(Layer layer) {
        Layers.TANDEM.holds(layer).check(LIBRARY);
    }

    @Test
    void every_package_is_in_the_table() {
        Layers.TANDEM.areComplete().check(LIBRARY);
    }

    @ParameterizedTest
    @EnumSource
    void pure_packages_touch_nothing_that_varies(Taboo taboo) {
        classes()
                .that()
                .resideInAnyPackage(Layers.TANDEM.pure())
                .and(not(taboo == Taboo.THREADS ? BATON : alwaysFalse()))
                .should(taboo.untouched())
                .check(LIBRARY);
    }

    /// It may jump at any moment. Only the date of a model is taken from it, for people to read.
    @Test
    void nothing_is_decided_by_the_time_of_day() {
        classes()
                .that(not(describe("dates a model", one -> one.getName().equals("tandem.Outcome"))))
                .should(Taboo.DAYTIME.untouched())
                .check(LIBRARY);
    }

    @Test
    void the_library_never_prints() {
        classes().should(Taboo.PRINTING.untouched()).check(LIBRARY);
    }

    @Test
    void the_library_never_uses_java_serialisation() {
        classes().should(Taboo.SERIALISATION.untouched()).check(LIBRARY);
    }

    /// So none that comes by the wire or in a file can be made to run.
    @Test
    void the_library_never_looks_for_a_class_by_its_name() {
        classes().should(Taboo.CLASS_NAMES.untouched()).check(LIBRARY);
    }

    @ParameterizedTest
    @MethodSource
    void a_class_that_touches_what_varies_is_caught(Taboo taboo, Class<?> sinner) {
        assertTrue(fails(classes().should(taboo.untouched()), sinner));
    }

    static Stream<Arguments> a_class_that_touches_what_varies_is_caught() {
        return groups().flatMap(group ->
                Arrays.stream(group.getDeclaredClasses()).map(sinner -> Arguments.of(taboo(group), sinner)));
    }

    @Test
    void there_is_a_class_that_breaks_each_taboo() {
        var broken = EnumSet.noneOf(Taboo.class);
        groups().forEach(group -> broken.add(taboo(group)));
        assertEquals(EnumSet.allOf(Taboo.class), broken);
    }

    @ParameterizedTest
    @EnumSource
    void seeded_chance_and_ordered_collections_are_allowed(Taboo taboo) {
        assertFalse(fails(classes().should(taboo.untouched()), Sins.Innocent.class));
    }

    @Test
    void a_class_that_knows_a_layer_above_it_is_caught() {
        Class<?>[] both = {tandem.architecture.below.Wrong.class, tandem.architecture.above.Right.class};
        assertTrue(fails(CROOKED.holds(CROOKED.layers().get(0)), both));
        assertFalse(fails(CROOKED.holds(CROOKED.layers().get(1)), both));
    }

    @Test
    void a_class_in_a_package_outside_the_table_is_caught() {
        assertTrue(fails(Layers.TANDEM.areComplete(), ArchitectureTest.class));
    }

    private static Stream<Class<?>> groups() {
        return Arrays.stream(Sins.class.getDeclaredClasses()).filter(group -> group != Sins.Innocent.class);
    }

    private static Taboo taboo(Class<?> group) {
        return Taboo.valueOf(group.getSimpleName().toUpperCase(Locale.ROOT));
    }

    private static boolean fails(ArchRule rule, Class<?>... classes) {
        var names = Arrays.stream(classes).map(Class::getName).toList();
        var chosen = EXAMPLES.that(describe("are the example", one -> names.contains(one.getName())));
        assertEquals(names.size(), chosen.size());
        return rule.evaluate(chosen).hasViolation();
    }
}
