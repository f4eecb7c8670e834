package viper.echis;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import scala.jdk.javaapi.CollectionConverters;
import viper.silver.ast.AbstractLocalVar;
import viper.silver.ast.Exp;
import viper.silver.ast.FuncApp;
import viper.silver.ast.Function;
import viper.silver.ast.Node;
import viper.silver.ast.NoPosition$;
import viper.silver.ast.Program;
import viper.silver.ast.utility.Expressions;
import viper.silver.verifier.AbortedExceptionally;
import viper.silver.verifier.AbstractError;
import viper.silver.verifier.AbstractVerificationError;
import viper.silver.verifier.ConsistencyError;
import viper.silver.verifier.ErrorReason;
import viper.silver.verifier.Failure;
import viper.silver.verifier.FailureContext;
import viper.silver.verifier.Success$;
import viper.silver.verifier.TimeoutOccurred;
import viper.silver.verifier.VerificationResult;

/** What Echis answered, in terms of Silver and of the client's own nodes. */
final class Answer {
    private final Places places;
    private final Program program;

    Answer(Printer.Printed printed, Program program) {
        this.places = printed.places();
        this.program = program;
    }

    VerificationResult result(Map<String, Object> file) {
        if ("refused".equals(file.get("type"))) {
            return failure(List.of(new AbortedExceptionally(new RuntimeException(Json.string(file.get("message"))))));
        }
        List<AbstractError> errors = errors(Json.list(file.get("errors")));
        for (Object each : Json.list(file.get("stopped"))) {
            errors.add(stopped(Json.object(each)));
        }
        return errors.isEmpty() ? Success$.MODULE$ : failure(errors);
    }

    static Failure failure(List<AbstractError> errors) {
        return new Failure(CollectionConverters.asScala(errors).toSeq());
    }

    /** What rests on other errors is left out: nobody could tell it from them. */
    List<AbstractError> errors(List<Object> found) {
        List<AbstractError> errors = new ArrayList<>();
        for (Object each : found) {
            Map<String, Object> error = Json.object(each);
            if (!Boolean.TRUE.equals(error.get("cascade"))) {
                errors.add(error(error));
            }
        }
        return errors;
    }

    private AbstractError stopped(Map<String, Object> stop) {
        String message = Json.string(stop.get("message"));
        return "timeout".equals(stop.get("kind"))
            ? new TimeoutOccurred(0, "seconds: " + message)
            : new AbortedExceptionally(new RuntimeException(message));
    }

    /** One error; where Silver has no class for it, it says what it is. */
    AbstractError error(Map<String, Object> error) {
        String id = Json.string(error.get("id"));
        String[] ids = id.split(":", 2);
        Errors.Kind kind = Errors.ERRORS.get(ids[0]);
        Errors.Why why = ids.length == 2 ? Errors.REASONS.get(ids[1]) : null;
        String message = Json.string(error.get("message"));
        if (kind == null || why == null) {
            return new ConsistencyError("Echis: " + id + ": " + message, NoPosition$.MODULE$);
        }
        Map<String, Object> reasonJson = Json.object(error.get("reason"));
        Places.Place at = place(Json.object(error.get("offending")), kind.node());
        Places.Place about = place(reasonJson, why.node());
        at = at == null ? whole() : at;
        about = about == null ? at : about;
        if (!kind.node().isInstance(at.node) || !why.node().isInstance(about.node)) {
            return new viper.silver.verifier.errors.Internal(at.node,
                new viper.silver.verifier.reasons.InternalReason(about.node, id + ": " + message), false);
        }
        about = applied(at.node, answering(about, why.node()));
        ErrorReason reason = why.make().of(about, Json.string(reasonJson.get("message")));
        AbstractVerificationError made = kind.make().of(at, reason);
        addContext(made, error);
        return made;
    }

    /**
     * Plugins put their own reason in the place of one about some node. Echis may name a part of that node, such as one of
     * several conjuncts; then the node is meant.
     */
    private static Places.Place answering(Places.Place about, Class<?> kind) {
        for (Places.Place place = about; place != null && kind.isInstance(place.node); place = place.around) {
            if (place.node instanceof viper.silver.ast.TransformableErrors node
                && node.errT().rTransformations().nonEmpty()) {
                return place;
            }
        }
        return about;
    }

    /** What the precondition of a function says is told in terms of its application. */
    private Places.Place applied(Node at, Places.Place about) {
        if (!(at instanceof FuncApp app) || !(about.node instanceof Exp said)) {
            return about;
        }
        Function function = Errors.around(about, Function.class);
        if (function == null || !function.name().equals(app.funcname()) || function.formalArgs().size() != app.args().size()) {
            return about;
        }
        List<AbstractLocalVar> parameters = new ArrayList<>();
        CollectionConverters.asJava(function.formalArgs()).forEach(parameter -> parameters.add(parameter.localVar()));
        Exp told = Expressions.instantiateVariables(said, CollectionConverters.asScala(parameters).toSeq(), app.args());
        return new Places.Place(told, about.around, about.start);
    }

    private void addContext(AbstractVerificationError made, Map<String, Object> error) {
        Context context = new Context(error);
        if (context.matters()) {
            made.failureContexts_$eq(CollectionConverters.<FailureContext>asScala(List.<FailureContext>of(context)).toSeq());
        }
    }

    private Places.Place place(Map<String, Object> named, Class<?> kind) {
        Map<String, Object> position = Json.object(named.get("position"));
        int start = places.offset(Json.integer(position.get("line")), Json.integer(position.get("column")));
        int end = places.offset(Json.integer(position.get("end_line")), Json.integer(position.get("end_column")));
        return start < 0 || end < start ? null : places.place(start, end, kind);
    }

    private Places.Place whole() {
        return new Places.Place((Node) program, null, 0);
    }

    /** The path on which an error happens, and a state in which it does. */
    static final class Context implements FailureContext {
        private final List<String> path = new ArrayList<>();
        private final Map<String, Object> example;

        Context(Map<String, Object> error) {
            for (Object condition : Json.list(error.get("branch_conditions"))) {
                path.add(Json.string(Json.object(condition).get("text")));
            }
            example = Json.object(error.get("counterexample"));
        }

        boolean matters() {
            return !path.isEmpty() || !example.isEmpty();
        }

        /** In the program's names, as Echis shows it: a constant for each variable and each location. */
        @Override
        public scala.Option<viper.silver.verifier.Counterexample> counterExample() {
            if (example.isEmpty()) {
                return scala.Option.empty();
            }
            return scala.Some.apply(new viper.silver.verifier.SimpleCounterexample(Models.model(example)));
        }

        @Override
        public String toString() {
            return path.isEmpty() ? "" : "\n\t\tunder branch conditions:\n\t\t\t" + String.join("\n\t\t\t", path);
        }
    }
}
