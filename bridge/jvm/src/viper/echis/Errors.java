package viper.echis;

import java.util.Map;
import java.util.TreeMap;
import viper.silver.ast.*;
import viper.silver.plugin.standard.predicateinstance.PredicateInstanceNoAccess;
import viper.silver.plugin.standard.refute.RefutationTrue;
import viper.silver.plugin.standard.refute.Refute;
import viper.silver.plugin.standard.refute.RefuteFailed;
import viper.silver.plugin.standard.termination.FunctionTerminationError;
import viper.silver.plugin.standard.termination.LoopTerminationError;
import viper.silver.plugin.standard.termination.MethodTerminationError;
import viper.silver.plugin.standard.termination.TerminationConditionFalse;
import viper.silver.plugin.standard.termination.TupleBoundedFalse;
import viper.silver.plugin.standard.termination.TupleConditionFalse;
import viper.silver.plugin.standard.termination.TupleDecreasesFalse;
import viper.silver.plugin.standard.termination.TupleSimpleFalse;
import viper.silver.verifier.AbstractVerificationError;
import viper.silver.verifier.ErrorReason;
import viper.silver.verifier.errors;
import viper.silver.verifier.reasons;

/** Silver's errors and reasons by their ids: which kind of node each is about, and how it is made. */
final class Errors {
    private Errors() {}

    interface MakeError {
        AbstractVerificationError of(Places.Place place, ErrorReason reason);
    }

    interface MakeReason {
        ErrorReason of(Places.Place place, String message);
    }

    record Kind(Class<?> node, MakeError make) {}

    record Why(Class<?> node, MakeReason make) {}

    static final Map<String, Kind> ERRORS = new TreeMap<>();
    static final Map<String, Why> REASONS = new TreeMap<>();

    private static <N> void error(String id, Class<N> node, java.util.function.BiFunction<N, ErrorReason, AbstractVerificationError> make) {
        ERRORS.put(id, new Kind(node, (place, reason) -> make.apply(node.cast(place.node), reason)));
    }

    private static <N> void reason(String id, Class<N> node, java.util.function.Function<N, ErrorReason> make) {
        REASONS.put(id, new Why(node, (place, message) -> make.apply(node.cast(place.node))));
    }

    static {
        error("apply.failed", Apply.class, (n, r) -> new errors.ApplyFailed(n, r, false));
        error("assert.failed", Assert.class, (n, r) -> new errors.AssertFailed(n, r, false));
        error("assignment.failed", AbstractAssign.class, (n, r) -> new errors.AssignmentFailed(n, r, false));
        error("call.failed", MethodCall.class, (n, r) -> new errors.CallFailed(n, r, false));
        error("call.precondition", MethodCall.class, (n, r) -> new errors.PreconditionInCallFalse(n, r, false));
        error("application.precondition", FuncApp.class, (n, r) -> new errors.PreconditionInAppFalse(n, r, false));
        error("not.wellformed", Exp.class, (n, r) -> new errors.ContractNotWellformed(n, r, false));
        error("exhale.failed", Exhale.class, (n, r) -> new errors.ExhaleFailed(n, r, false));
        error("inhale.failed", Inhale.class, (n, r) -> new errors.InhaleFailed(n, r, false));
        error("fold.failed", Fold.class, (n, r) -> new errors.FoldFailed(n, r, false));
        error("unfold.failed", Unfold.class, (n, r) -> new errors.UnfoldFailed(n, r, false));
        error("function.not.wellformed", Function.class, (n, r) -> new errors.FunctionNotWellformed(n, r, false));
        error("predicate.not.wellformed", Predicate.class, (n, r) -> new errors.PredicateNotWellformed(n, r, false));
        error("wand.not.wellformed", MagicWand.class, (n, r) -> new errors.MagicWandNotWellformed(n, r, false));
        error("quasihavoc.failed", Quasihavoc.class, (n, r) -> new errors.QuasihavocFailed(n, r, false));
        error("quasihavocall.failed", Quasihavocall.class, (n, r) -> new errors.HavocallFailed(n, r, false));
        error("if.failed", Exp.class, (n, r) -> new errors.IfFailed(n, r, false));
        error("while.failed", Exp.class, (n, r) -> new errors.WhileFailed(n, r, false));
        error("invariant.not.established", Exp.class, (n, r) -> new errors.LoopInvariantNotEstablished(n, r, false));
        error("invariant.not.preserved", Exp.class, (n, r) -> new errors.LoopInvariantNotPreserved(n, r, false));
        error("package.failed", viper.silver.ast.Package.class, (n, r) -> new errors.PackageFailed(n, r, false));
        error("letwand.failed", LocalVarAssign.class, (n, r) -> new errors.LetWandFailed(n, r, false));
        error("heuristics.failed", Node.class, (n, r) -> new errors.HeuristicsFailed(n, r, false));
        error("refute.failed", Refute.class, (n, r) -> new RefuteFailed(n, r, false));
        error("predicateinstance.no.access", Node.class, (n, r) -> new PredicateInstanceNoAccess(n, r, false));
        error("internal", Node.class, (n, r) -> new errors.Internal(n, r, false));
        ERRORS.put("postcondition.violated", new Kind(Exp.class, (place, reason) ->
            new errors.PostconditionViolated((Exp) place.node, around(place, Contracted.class), reason, false)));
        ERRORS.put("termination.failed", new Kind(Node.class, Errors::termination));

        reason("assertion.false", Exp.class, reasons.AssertionFalse::new);
        reason("division.by.zero", Exp.class, reasons.DivisionByZero::new);
        reason("epsilon.as.param", Exp.class, reasons.EpsilonAsParam::new);
        reason("insufficient.permission", LocationAccess.class, reasons.InsufficientPermission::new);
        reason("receiver.null", LocationAccess.class, reasons.ReceiverNull::new);
        reason("invalid.perm.multiplication", PermMul.class, reasons.InvalidPermMultiplication::new);
        reason("labelled.state.not.reached", LabelledOld.class, reasons.LabelledStateNotReached::new);
        reason("wand.not.found", MagicWand.class, reasons.MagicWandChunkNotFound::new);
        reason("negative.permission", Exp.class, reasons.NegativePermission::new);
        reason("permission.not.positive", Exp.class, reasons.NonPositivePermission::new);
        reason("qp.not.injective", ResourceAccess.class, reasons.QPAssertionNotInjective::new);
        reason("quasihavocall.not.injective", Quasihavocall.class, reasons.QuasihavocallNotInjective::new);
        reason("refutation.true", Node.class, RefutationTrue::new);
        reason("termination.condition.false", Node.class, TerminationConditionFalse::new);
        reason("tuple.bounded.false", Node.class, TupleBoundedFalse::new);
        reason("tuple.condition.false", Node.class, TupleConditionFalse::new);
        reason("tuple.decreases.false", Node.class, TupleDecreasesFalse::new);
        reason("tuple.false", Node.class, TupleSimpleFalse::new);
        REASONS.put("feature.unsupported", new Why(Node.class, (place, message) ->
            new reasons.FeatureUnsupported(place.node, message)));
        REASONS.put("internal", new Why(Node.class, (place, message) ->
            new reasons.InternalReason(place.node, message)));
        REASONS.put("unexpected.node", new Why(Node.class, (place, message) ->
            new reasons.UnexpectedNode(place.node, message, scala.jdk.javaapi.CollectionConverters
                .<StackTraceElement>asScala(java.util.List.<StackTraceElement>of()).toSeq())));
        REASONS.put("seq.index.negative", new Why(Exp.class, (place, message) ->
            new reasons.SeqIndexNegative(sequence(place), key(place))));
        REASONS.put("seq.index.length", new Why(Exp.class, (place, message) ->
            new reasons.SeqIndexExceedsLength(sequence(place), key(place))));
        REASONS.put("map.key.contains", new Why(Exp.class, (place, message) ->
            new reasons.MapKeyNotContained(sequence(place), key(place))));
    }

    /** The innermost node of a kind that a place is in. */
    static <N> N around(Places.Place place, Class<N> kind) {
        for (; place != null; place = place.around) {
            if (kind.isInstance(place.node)) {
                return kind.cast(place.node);
            }
        }
        return null;
    }

    private static AbstractVerificationError termination(Places.Place place, ErrorReason reason) {
        Node node = place.node;
        if (around(place, Function.class) != null) {
            return node instanceof Function function && !isPluginReason(reason)
                ? new errors.TerminationFailed(function, reason, false)
                : new FunctionTerminationError(node, reason, false);
        }
        return around(place, While.class) != null
            ? new LoopTerminationError(node, reason, false)
            : new MethodTerminationError(node, reason, false);
    }

    private static boolean isPluginReason(ErrorReason reason) {
        return reason.getClass().getName().contains(".termination.");
    }

    /** The access whose index or key is meant, or which is meant itself. */
    private static Node access(Places.Place place) {
        for (Places.Place each = place; each != null; each = each.around) {
            if (each.node instanceof SeqIndex || each.node instanceof SeqUpdate || each.node instanceof MapLookup) {
                return each.node;
            }
        }
        return place.node;
    }

    private static Exp sequence(Places.Place place) {
        Node access = access(place);
        return access instanceof SeqIndex index ? index.s()
            : access instanceof SeqUpdate update ? update.s()
            : access instanceof MapLookup lookup ? lookup.base() : (Exp) place.node;
    }

    private static Exp key(Places.Place place) {
        Node access = access(place);
        return access instanceof SeqIndex index ? index.idx()
            : access instanceof SeqUpdate update ? update.idx()
            : access instanceof MapLookup lookup ? lookup.key() : (Exp) place.node;
    }
}
