package viper.echis;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import viper.silver.ast.AbstractLocalVar;
import viper.silver.ast.Exp;
import viper.silver.ast.FuncApp;
import viper.silver.ast.Function;
import viper.silver.ast.LocalVarDecl;
import viper.silver.ast.Method;
import viper.silver.ast.MethodCall;
import viper.silver.ast.Node;
import viper.silver.ast.NoPosition$;
import viper.silver.ast.Program;
import viper.silver.ast.utility.Expressions;
import viper.silver.verifier.AbortedExceptionally;
import viper.silver.verifier.AbstractError;
import viper.silver.verifier.AbstractVerificationError;
import viper.silver.verifier.ConsistencyError;
import viper.silver.verifier.Counterexample;
import viper.silver.verifier.ErrorReason;
import viper.silver.verifier.Failure;
import viper.silver.verifier.FailureContext;
import viper.silver.verifier.SimpleCounterexample;
import viper.silver.verifier.Success$;
import viper.silver.verifier.TimeoutOccurred;
import viper.silver.verifier.VerificationResult;

/** What Echis answered, in terms of Silver and of the client's own nodes. */
final class Answer {
    private final Places places;
    private final Map<String, String> names;
    private final Program program;
    private final String exampleKind;

    /** `exampleKind` is what Silicon's `--counterexample` says, or empty. */
    Answer(Printer.Printed printed, Program program, String exampleKind) {
        this.places = printed.places();
        this.names = printed.names();
        this.program = program;
        this.exampleKind = exampleKind;
    }

    VerificationResult result(Map<String, Object> file) {
        if ("refused".equals(file.get("type"))) {
            return failure(List.of(new AbortedExceptionally(new RuntimeException(Json.string(file.get("message"))))));
        }
        List<AbstractError> errors = errors(Json.list(file.get("errors")));
        for (Object each : Json.list(file.get("stopped"))) {
            errors.add(stopped(Json.object(each)));
        }
        if (errors.isEmpty() && !isVerified(file)) {
            // Nothing is verified because nobody says why it is not.
            errors.add(new AbortedExceptionally(new RuntimeException("Echis has no verdict: " + file.get("verdict"))));
        }
        return errors.isEmpty() ? Success$.MODULE$ : failure(errors);
    }

    /** Of a file or a member. */
    static boolean isVerified(Map<String, Object> json) {
        return "verified".equals(json.get("verdict")) || "valid".equals(json.get("verdict"));
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

    /** What a precondition says is told in terms of what is passed for its parameters, as Silicon does. */
    private static Places.Place applied(Node at, Places.Place about) {
        if (!(about.node instanceof Exp said)) {
            return about;
        }
        Exp told = said;
        if (at instanceof FuncApp app) {
            Function function = Errors.around(about, Function.class);
            if (function != null && function.name().equals(app.funcname())) {
                told = instantiated(said, function.formalArgs(), app.args());
            }
        } else if (at instanceof MethodCall call) {
            Method method = Errors.around(about, Method.class);
            if (method != null && method.name().equals(call.methodName())) {
                told = instantiated(said, method.formalArgs(), call.args());
            }
        }
        return told == said ? about : new Places.Place(told, about.around, about.start);
    }

    private static Exp instantiated(Exp said, Seq<LocalVarDecl> parameters, Seq<Exp> arguments) {
        if (parameters.size() != arguments.size()) {
            return said;
        }
        List<AbstractLocalVar> variables = new ArrayList<>();
        CollectionConverters.asJava(parameters).forEach(parameter -> variables.add(parameter.localVar()));
        return Expressions.instantiateVariables(said, CollectionConverters.asScala(variables).toSeq(), arguments);
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
    private final class Context implements FailureContext {
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

        @Override
        public scala.Option<Counterexample> counterExample() {
            return example.isEmpty() ? scala.Option.empty() : scala.Some.apply(Answer.this.example(example));
        }

        @Override
        public String toString() {
            return path.isEmpty() ? "" : "\n\t\tunder branch conditions:\n\t\t\t" + String.join("\n\t\t\t", path);
        }
    }

    /** Of Silicon's class where the client has it; otherwise a constant for each variable and each location, as Echis shows it. */
    private Counterexample example(Map<String, Object> json) {
        if (HAS_SILICON) {
            return SiliconExamples.make(exampleKind, json, program, new SiliconExamples.Names() {
                @Override
                public String of(String text) {
                    return names.getOrDefault(text, text);
                }

                @Override
                public LocalVarDecl declared(Map<String, Object> variable) {
                    Places.Place place = place(variable, LocalVarDecl.class);
                    return place != null && place.node instanceof LocalVarDecl declared ? declared : null;
                }
            });
        }
        return new SimpleCounterexample(Models.model(json));
    }

    private static final boolean HAS_SILICON = hasSilicon();

    private static boolean hasSilicon() {
        try {
            Class.forName("viper.silicon.interfaces.SiliconNativeCounterexample", false, Answer.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }
}
