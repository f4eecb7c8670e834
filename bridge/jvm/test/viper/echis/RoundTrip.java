package viper.echis;

import static scala.jdk.javaapi.CollectionConverters.asJava;
import static scala.jdk.javaapi.CollectionConverters.asScala;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.jar.JarFile;
import viper.silver.ast.*;
import viper.silver.reporter.NoopReporter$;
import viper.silver.verifier.AbstractVerificationError;
import viper.silver.verifier.ErrorReason;

/**
 * Makes an error of each of Silver's classes about nodes of a program, says it as Echis would, and looks whether the bridge
 * makes the same error of it, about the very same nodes. Prints what is wrong and ends with a count.
 */
public final class RoundTrip {
    private final Printer.Printed printed;
    private final Program program;
    private final List<Places.Place> places = new ArrayList<>();
    private int passed;
    private int failed;

    private RoundTrip(Program program) {
        this.program = program;
        this.printed = Printer.print(program);
        printed.places().roots().forEach(this::collect);
    }

    private void collect(Places.Place place) {
        places.add(place);
        place.inside.forEach(this::collect);
    }

    /** A program that has a node of each kind. */
    public static void main(String[] args) throws Exception {
        EchisFrontend frontend = new EchisFrontend(NoopReporter$.MODULE$);
        frontend.setVerifier(frontend.createVerifier(""));
        frontend.prepare(asScala(List.of(args[0])).toSeq());
        frontend.init(frontend.verifier());
        frontend.reset(Path.of(args[0]));
        frontend.parsing();
        frontend.semanticAnalysis();
        frontend.translation();
        if (frontend.errors().nonEmpty()) {
            throw new IllegalStateException(frontend.errors().toString());
        }
        RoundTrip test = new RoundTrip(frontend.program().get());
        test.run();
        System.out.println(test.passed + " passed, " + test.failed + " failed");
        System.exit(test.failed == 0 ? 0 : 1);
    }

    private void run() throws Exception {
        TreeSet<Class<?>> made = new TreeSet<>(java.util.Comparator.comparing(Class::getName));
        Errors.ERRORS.forEach((id, kind) -> made.add(error(id, kind)));
        Errors.REASONS.forEach((id, why) -> made.add(reason(id, why)));
        for (String id : List.of("termination.failed")) {
            for (Class<? extends Node> node : List.of(Function.class, FuncApp.class, While.class, MethodCall.class)) {
                made.add(terminates(id, node));
            }
        }
        for (Class<?> known : classes()) {
            expect(made.contains(known), known.getName() + " is never made");
        }
    }

    private Class<?> error(String id, Errors.Kind kind) {
        Places.Place at = some(kind.node());
        Places.Place about = some(Exp.class);
        ErrorReason reason = Errors.REASONS.get("assertion.false").make().of(about, "");
        return check(id + ":assertion.false", at, about, kind.make().of(at, reason));
    }

    private Class<?> terminates(String id, Class<? extends Node> node) {
        Places.Place at = node == FuncApp.class ? inFunction() : some(node);
        Places.Place about = some(Exp.class);
        ErrorReason reason = Errors.REASONS.get("assertion.false").make().of(about, "");
        return check(id + ":assertion.false", at, about, Errors.ERRORS.get(id).make().of(at, reason));
    }

    private Places.Place inFunction() {
        return places.stream()
            .filter(place -> place.node instanceof FuncApp && Errors.around(place, Function.class) != null)
            .findFirst().orElseThrow();
    }

    private Class<?> reason(String id, Errors.Why why) {
        Places.Place at = some(Assert.class);
        Places.Place about = id.startsWith("seq.") ? inside(SeqIndex.class, 1)
            : id.startsWith("map.") ? inside(MapLookup.class, 1) : some(why.node());
        ErrorReason reason = why.make().of(about, "message");
        check("assert.failed:" + id, at, about, Errors.ERRORS.get("assert.failed").make().of(at, reason));
        return reason.getClass();
    }

    /** What stands in the program of that kind; where several would do, not the first, which may be found by chance. */
    private Places.Place some(Class<?> kind) {
        List<Places.Place> found = places.stream().filter(place -> kind.isInstance(place.node)).toList();
        if (found.isEmpty()) {
            throw new IllegalStateException("the program has no " + kind.getSimpleName());
        }
        return found.get(found.size() / 2);
    }

    private Places.Place inside(Class<?> kind, int index) {
        return some(kind).inside.get(index);
    }

    private Class<?> check(String id, Places.Place at, Places.Place about, AbstractVerificationError wanted) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("id", id);
        json.put("message", "");
        json.put("offending", Map.of("position", position(at)));
        json.put("reason", Map.of("position", position(about), "message", "message"));
        Object read = Json.read(Json.write(json));
        Object made = new Answer(printed, program, "").error(Json.object(read));
        boolean same = made instanceof AbstractVerificationError error
            && error.getClass() == wanted.getClass()
            && error.offendingNode() == wanted.offendingNode()
            && error.reason().getClass() == wanted.reason().getClass()
            && error.reason().offendingNode() == wanted.reason().offendingNode()
            && error.readableMessage().equals(wanted.readableMessage());
        expect(same, id + ": " + made + " instead of " + wanted);
        return wanted.getClass();
    }

    private Map<String, Object> position(Places.Place place) {
        int[] start = printed.places().lineAndColumn(place.start);
        int[] end = printed.places().lineAndColumn(place.end);
        return Map.of("line", start[0], "column", start[1], "end_line", end[0], "end_column", end[1]);
    }

    private void expect(boolean good, String otherwise) {
        if (good) {
            passed++;
        } else {
            failed++;
            System.out.println(otherwise);
        }
    }

    /** All classes of errors and reasons that Silver and its standard plugins have, but for abstract ones and wrappers. */
    private static List<Class<?>> classes() throws Exception {
        List<Class<?>> found = new ArrayList<>();
        String source = new File(Program.class.getProtectionDomain().getCodeSource().getLocation().toURI()).getPath();
        try (JarFile jar = new JarFile(source)) {
            for (var entry : (Iterable<java.util.jar.JarEntry>) jar.stream()::iterator) {
                String name = entry.getName();
                if (name.endsWith(".class") && name.matches("viper/silver/(verifier/(errors|reasons)\\$|plugin/standard/).*")) {
                    Class<?> known = Class.forName(name.replace('/', '.').replaceAll("\\.class$", ""), false, RoundTrip.class.getClassLoader());
                    boolean concrete = !java.lang.reflect.Modifier.isAbstract(known.getModifiers());
                    boolean wraps = known.getSimpleName().startsWith("ErrorWrapper") || known.getSimpleName().contains("WithCounterexample")
                        || known.getSimpleName().contains("Unreachable") || known.getName().matches(".*(anon|Dummy|Ext).*");
                    if (concrete && !wraps && (AbstractVerificationError.class.isAssignableFrom(known) || ErrorReason.class.isAssignableFrom(known))) {
                        found.add(known);
                    }
                }
            }
        }
        return found;
    }
}
