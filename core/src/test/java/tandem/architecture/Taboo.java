package tandem.architecture;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/// What code may not touch, so that it gives the same result wherever and whenever it runs.
///
/// Each is a pattern over what a class mentions: `owner` for any use of a type, `owner.member` for a use of a
/// method, field or constructor (`<init>`), followed by its parameter types in brackets.
enum Taboo {
    CLOCK(
            "java\\.lang\\.System\\.(nanoTime|currentTimeMillis)\\(.*",
            "java\\.time\\..*\\.(now|system.*|tick.*)\\(.*",
            "java\\.util\\.Date\\.<init>\\(\\)"),
    DAYTIME(
            "java\\.lang\\.System\\.currentTimeMillis\\(.*",
            "java\\.time\\..*\\.(now|system.*|tick.*)\\(.*",
            "java\\.util\\.Date\\.<init>\\(\\)",
            "java\\.util\\.concurrent\\.locks\\.LockSupport\\.parkUntil\\(.*",
            ".*\\.awaitUntil\\(java\\.util\\.Date\\)"),
    THREADS(
            "java\\.lang\\.Thread(\\$.*|Group|Local)?",
            "java\\.util\\.Timer",
            "java\\.util\\.concurrent\\.(Executor.*|.*Executor.*|ForkJoin.*|CompletableFuture|StructuredTaskScope.*)",
            ".*\\.(parallel|parallelStream)\\(\\)",
            "java\\.util\\.Arrays\\.parallel.*\\(.*"),
    NETWORK("java\\.net\\..*", "java\\.nio\\.channels\\..*", "javax\\.net\\..*"),
    FILES("java\\.io\\.(?!Serializable|IOException|UncheckedIOException)\\w+", "java\\.nio\\.file\\..*"),
    CLASS_NAMES(
            "java\\.lang\\.Class\\.forName\\(.*",
            "java\\.(lang|net|security)\\.\\w*ClassLoader",
            "java\\.lang\\.invoke\\.MethodHandles\\$Lookup\\.(findClass|defineClass|defineHiddenClass.*)\\(.*",
            "javax\\.script\\..*",
            "com\\.fasterxml\\.jackson\\.databind\\.ObjectMapper\\.(activate|enable)DefaultTyping.*"),
    SERIALISATION("java\\.io\\.(Object(In|Out)putStream|Externalizable)"),
    CHANCE(
            "java\\.lang\\.Math\\.random\\(\\)",
            "java\\.util\\.UUID\\.randomUUID\\(\\)",
            "java\\.util\\.concurrent\\.ThreadLocalRandom",
            "java\\.security\\.SecureRandom",
            "java\\.util\\.(Splittable)?Random\\.<init>\\(\\)",
            "java\\.util\\.random\\.RandomGenerator\\.(getDefault|of)\\(.*",
            "java\\.util\\.Collections\\.shuffle\\(java\\.util\\.List\\)"),
    ORDER(
            "java\\.util\\.(Hash(Map|Set|table)|IdentityHashMap|WeakHashMap)",
            "java\\.util\\.concurrent\\.ConcurrentHashMap",
            "java\\.util\\.(Set|Map)\\.(of|ofEntries|copyOf)\\(.*",
            "java\\.util\\.stream\\.Collectors\\.(toSet|toUnmodifiableSet|toUnmodifiableMap)\\(.*",
            "java\\.util\\.stream\\.Collectors\\.toMap\\(java\\.util\\.function\\.Function,"
                    + " java\\.util\\.function\\.Function\\)",
            "java\\.util\\.stream\\.Collectors\\.(groupingBy|partitioningBy)\\((?!.*Supplier).*",
            "java\\.lang\\.System\\.identityHashCode\\(.*"),
    PRINTING("java\\.lang\\.System\\.(out|err)", "java\\.lang\\.IO", ".*\\.printStackTrace\\(\\)");

    private final List<Pattern> patterns;

    Taboo(String... patterns) {
        this.patterns = List.of(patterns).stream().map(Pattern::compile).toList();
    }

    /// That a class touches nothing of the kind.
    ArchCondition<JavaClass> untouched() {
        return new ArchCondition<>("not touch " + name().toLowerCase(Locale.ROOT)) {
            @Override
            public void check(JavaClass one, ConditionEvents events) {
                for (Dependency use : one.getDirectDependenciesFromSelf()) {
                    report(one, use.getTargetClass().getBaseComponentType().getName(), use.getDescription(), events);
                }
                for (JavaAccess<?> use : one.getAccessesFromSelf()) {
                    report(one, target(use), use.getDescription(), events);
                }
            }
        };
    }

    private void report(JavaClass one, String mentioned, String description, ConditionEvents events) {
        if (patterns.stream().anyMatch(pattern -> pattern.matcher(mentioned).matches())) {
            events.add(SimpleConditionEvent.violated(one, description));
        }
    }

    private static String target(JavaAccess<?> use) {
        var target = use.getTarget();
        var name = target.getOwner().getName() + "." + target.getName();
        return target instanceof CodeUnitAccessTarget code
                ? name + "("
                        + String.join(
                                ", ",
                                code.getRawParameterTypes().stream()
                                        .map(JavaClass::getName)
                                        .toList()) + ")"
                : name;
    }
}
