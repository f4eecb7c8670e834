package viper.echis;

import static scala.jdk.javaapi.CollectionConverters.asJava;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import viper.silver.ast.*;
import viper.silver.plugin.standard.termination.DecreasesClause;
import viper.silver.plugin.standard.termination.DecreasesTuple;

/**
 * Silver's programs as text that Echis reads, with a record of which text belongs to which node. Operands are put into
 * parentheses, so that nothing depends on precedence. Names that are no identifiers of the language get others.
 */
final class Printer {
    private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_$][A-Za-z0-9_$]*");
    /** What a string in a text cannot have. */
    private static final Pattern UNPRINTABLE = Pattern.compile("[\"\\p{Cntrl}]");
    private static final Set<String> RESERVED = Set.of((
        "acc adt apply applying assert asserting assume axiom define derives decreases domain else elseif ensures "
        + "epsilon exhale exists false field fold forall forperm function goto havoc havocall if import in inhale "
        + "interpretation intersection invariant label let lhs Map method Multiset new none null old oldLhs package perm "
        + "predicate quasihavoc quasihavocall range Ref refute requires result returns Seq Set setminus subset true "
        + "unfold unfolding union unique var while wildcard write Int Bool Perm Rational wand").split(" "));

    private final StringBuilder out = new StringBuilder();
    private final Places places = new Places();
    private final Map<Named, String> names = new HashMap<>();
    private final Set<String> taken = new HashSet<>();
    private int indent;

    /** The names are those of the client, by those in the text. */
    record Printed(String text, Places places, Map<String, String> names) {}

    static Printed print(Program program) {
        Printer printer = new Printer();
        printer.program(program);
        String text = printer.out.toString();
        printer.places.close(text);
        Map<String, String> renamed = new HashMap<>();
        printer.names.forEach((named, chosen) -> renamed.put(chosen, named.name()));
        return new Printed(text, printer.places, renamed);
    }

    private void program(Program program) {
        claim(program);
        asJava(program.domains()).forEach(this::domain);
        asJava(program.fields()).forEach(field -> in(field, () -> put("field ", name(Kind.FIELD, field.name()), ": ", type(field.typ()))));
        asJava(program.functions()).forEach(this::function);
        asJava(program.predicates()).forEach(this::predicate);
        asJava(program.methods()).forEach(this::method);
        asJava(program.extensions()).forEach(member -> in(member, () -> put(member.toString())));
    }

    /** A member, on lines of its own. */
    private void in(Node node, Runnable body) {
        annotations(node);
        place(node, body);
        line();
    }

    private void place(Node node, Runnable body) {
        places.begin(node, out.length());
        body.run();
        places.end(out.length());
    }

    private void put(String... texts) {
        for (String text : texts) {
            out.append(text);
        }
    }

    private void line() {
        out.append('\n').append("  ".repeat(indent));
    }

    /** What a name names. Clients may use a name for things of several kinds; in a text it names one. */
    private enum Kind { DOMAIN, DOMAIN_FUNCTION, FIELD, FUNCTION, PREDICATE, METHOD, LOCAL }

    private record Named(Kind kind, String name) {}

    /** The name in the text: itself, unless nobody could read it or something else has it. */
    private String name(Kind kind, String name) {
        return names.computeIfAbsent(new Named(kind, name), key -> {
            boolean fits = IDENTIFIER.matcher(name).matches() && !RESERVED.contains(name);
            if (fits && taken.add(name)) {
                return name;
            }
            StringBuilder base = new StringBuilder(fits ? "" : "n_");
            name.chars().forEach(c -> base.append(c < 128 && (Character.isLetterOrDigit(c) || c == '_' || c == '$') ? (char) c : '_'));
            String chosen = base.toString();
            for (int i = 1; !taken.add(chosen); i++) {
                chosen = base + "_" + i;
            }
            return chosen;
        });
    }

    private String name(String local) {
        return name(Kind.LOCAL, local);
    }

    /** Of members first, so that locals give way. */
    private void claim(Program program) {
        for (Domain domain : asJava(program.domains())) {
            asJava(domain.functions()).forEach(function -> name(Kind.DOMAIN_FUNCTION, function.name()));
        }
        asJava(program.domains()).forEach(domain -> name(Kind.DOMAIN, domain.name()));
        asJava(program.fields()).forEach(field -> name(Kind.FIELD, field.name()));
        asJava(program.functions()).forEach(function -> name(Kind.FUNCTION, function.name()));
        asJava(program.predicates()).forEach(predicate -> name(Kind.PREDICATE, predicate.name()));
        asJava(program.methods()).forEach(method -> name(Kind.METHOD, method.name()));
    }

    private void annotations(Node node) {
        if (node instanceof Infoed infoed) {
            annotations(infoed.info());
        }
    }

    private void annotations(Info info) {
        if (info instanceof ConsInfo both) {
            annotations((Info) both.productElement(0));
            annotations((Info) both.productElement(1));
        } else if (info instanceof WeightedQuantifier quantifier) {
            put("@weight(\"", Integer.toString(quantifier.weight()), "\") ");
        } else if (info instanceof AnnotationInfo annotation) {
            asJava(annotation.values()).forEach((key, values) -> {
                if (!IDENTIFIER.matcher(key).matches()) {
                    return;
                }
                put("@", key, "(");
                String before = "\"";
                for (String value : asJava(values)) {
                    put(before, UNPRINTABLE.matcher(value).replaceAll("'"), "\"");
                    before = ", \"";
                }
                put(") ");
            });
        }
    }

    // Types

    private String type(Type type) {
        if (type instanceof DomainType domain) {
            StringBuilder text = new StringBuilder(name(Kind.DOMAIN, domain.domainName()));
            String before = "[";
            for (TypeVar parameter : asJava(domain.typeParameters())) {
                text.append(before).append(type(asJava(domain.typVarsMap()).getOrDefault(parameter, parameter)));
                before = ", ";
            }
            return text.append(before.equals("[") ? "" : "]").toString();
        } else if (type instanceof SeqType seq) {
            return "Seq[" + type(seq.elementType()) + "]";
        } else if (type instanceof SetType set) {
            return "Set[" + type(set.elementType()) + "]";
        } else if (type instanceof MultisetType multiset) {
            return "Multiset[" + type(multiset.elementType()) + "]";
        } else if (type instanceof MapType map) {
            return "Map[" + type(map.keyType()) + ", " + type(map.valueType()) + "]";
        } else if (type instanceof TypeVar variable) {
            return name(variable.name());
        } else if (type instanceof BackendType backend) {
            return name(Kind.DOMAIN, backend.viperName());
        }
        return type.toString();
    }

    private void declare(LocalVarDecl variable) {
        place(variable, () -> put(name(variable.name()), ": ", type(variable.typ())));
    }

    private void declarations(List<LocalVarDecl> variables) {
        separated(variables, this::declare);
    }

    private <T> void separated(Iterable<T> elements, java.util.function.Consumer<T> each) {
        String before = "";
        for (T element : elements) {
            put(before);
            each.accept(element);
            before = ", ";
        }
    }

    // Members

    private void domain(Domain domain) {
        in(domain, () -> {
            put("domain ", name(Kind.DOMAIN, domain.name()));
            List<TypeVar> variables = asJava(domain.typVars());
            if (!variables.isEmpty()) {
                put("[");
                separated(variables, variable -> put(name(variable.name())));
                put("]");
            }
            if (domain.interpretations().isDefined()) {
                put(" interpretation (");
                separated(asJava(domain.interpretations().get()).entrySet(),
                    entry -> put(entry.getKey(), ": \"", entry.getValue(), "\""));
                put(")");
            }
            put(" {");
            indent++;
            asJava(domain.functions()).forEach(this::domainFunction);
            asJava(domain.axioms()).forEach(this::axiom);
            indent--;
            line();
            put("}");
        });
    }

    private void domainFunction(DomainFunc function) {
        line();
        annotations(function);
        place(function, () -> {
            put(function.unique() ? "unique " : "", "function ", name(Kind.DOMAIN_FUNCTION, function.name()), "(");
            separated(asJava(function.formalArgs()), argument -> {
                if (argument instanceof LocalVarDecl named) {
                    declare(named);
                } else {
                    put(type(argument.typ()));
                }
            });
            put("): ", type(function.typ()));
            if (function.interpretation().isDefined()) {
                put(" interpretation \"", function.interpretation().get(), "\"");
            }
        });
    }

    private void axiom(DomainAxiom axiom) {
        line();
        annotations(axiom);
        place(axiom, () -> {
            put("axiom ", axiom instanceof NamedDomainAxiom named ? name("axiom " + named.name()) + " " : "", "{ ");
            top(axiom.exp());
            put(" }");
        });
    }

    private void function(Function function) {
        in(function, () -> {
            put("function ", name(Kind.FUNCTION, function.name()), "(");
            declarations(asJava(function.formalArgs()));
            put("): ", type(function.typ()));
            indent++;
            clauses("requires", asJava(function.pres()));
            clauses("ensures", asJava(function.posts()));
            indent--;
            if (function.body().isDefined()) {
                line();
                put("{ ");
                top(function.body().get());
                put(" }");
            }
        });
    }

    private void predicate(Predicate predicate) {
        in(predicate, () -> {
            put("predicate ", name(Kind.PREDICATE, predicate.name()), "(");
            declarations(asJava(predicate.formalArgs()));
            put(")");
            if (predicate.body().isDefined()) {
                put(" { ");
                top(predicate.body().get());
                put(" }");
            }
        });
    }

    private void method(Method method) {
        in(method, () -> {
            put("method ", name(Kind.METHOD, method.name()), "(");
            declarations(asJava(method.formalArgs()));
            put(")");
            if (method.formalReturns().nonEmpty()) {
                put(" returns (");
                declarations(asJava(method.formalReturns()));
                put(")");
            }
            indent++;
            clauses("requires", asJava(method.pres()));
            clauses("ensures", asJava(method.posts()));
            indent--;
            if (method.body().isDefined()) {
                line();
                block(method.body().get());
            }
        });
    }

    /** Clauses of extensions, such as `decreases`, say themselves what they are. */
    private void clauses(String keyword, List<Exp> clauses) {
        for (Exp clause : clauses) {
            line();
            if (!(clause instanceof DecreasesClause)) {
                put(keyword, " ");
            }
            top(clause);
        }
    }

    // Statements

    private void block(Seqn block) {
        place(block, () -> {
            put("{");
            indent++;
            for (Declaration declaration : asJava(block.scopedSeqnDeclarations())) {
                if (declaration instanceof LocalVarDecl variable) {
                    line();
                    put("var ");
                    declare(variable);
                }
            }
            asJava(block.ss()).forEach(this::statement);
            indent--;
            line();
            put("}");
        });
    }

    private void statement(Stmt statement) {
        line();
        annotations(statement);
        if (statement instanceof Seqn block) {
            block(block);
            return;
        }
        place(statement, () -> plain(statement));
    }

    private void plain(Stmt statement) {
        if (statement instanceof LocalVarAssign assign) {
            expression(assign.lhs());
            put(" := ");
            top(assign.rhs());
        } else if (statement instanceof FieldAssign assign) {
            expression(assign.lhs());
            put(" := ");
            top(assign.rhs());
        } else if (statement instanceof NewStmt creation) {
            expression(creation.lhs());
            put(" := new(");
            separated(asJava(creation.fields()), field -> put(name(Kind.FIELD, field.name())));
            put(")");
        } else if (statement instanceof MethodCall call) {
            separated(asJava(call.targets()), this::expression);
            put(call.targets().isEmpty() ? "" : " := ", name(Kind.METHOD, call.methodName()));
            arguments(asJava(call.args()));
        } else if (statement instanceof Exhale exhale) {
            put("exhale ");
            top(exhale.exp());
        } else if (statement instanceof Inhale inhale) {
            put("inhale ");
            top(inhale.exp());
        } else if (statement instanceof Assert assertion) {
            put("assert ");
            top(assertion.exp());
        } else if (statement instanceof Assume assumption) {
            put("assume ");
            top(assumption.exp());
        } else if (statement instanceof Fold fold) {
            put("fold ");
            top(fold.acc());
        } else if (statement instanceof Unfold unfold) {
            put("unfold ");
            top(unfold.acc());
        } else if (statement instanceof viper.silver.ast.Package packaging) {
            put("package ");
            top(packaging.wand());
            put(" ");
            block(packaging.proofScript());
        } else if (statement instanceof Apply apply) {
            put("apply ");
            top(apply.exp());
        } else if (statement instanceof If branching) {
            branching(branching);
        } else if (statement instanceof While loop) {
            put("while (");
            top(loop.cond());
            put(")");
            indent++;
            clauses("invariant", asJava(loop.invs()));
            indent--;
            line();
            block(loop.body());
        } else if (statement instanceof Label label) {
            put("label ", name(label.name()));
            clauses("invariant", asJava(label.invs()));
        } else if (statement instanceof Goto jump) {
            put("goto ", name(jump.target()));
        } else if (statement instanceof Quasihavoc havoc) {
            put("quasihavoc ");
            havoc(havoc.lhs(), havoc.exp());
        } else if (statement instanceof Quasihavocall havoc) {
            put("quasihavocall ");
            declarations(asJava(havoc.vars()));
            put(" :: ");
            havoc(havoc.lhs(), havoc.exp());
        } else if (statement instanceof LocalVarDeclStmt declaration) {
            put("var ");
            declare(declaration.decl());
        } else if (statement instanceof viper.silver.plugin.standard.refute.Refute refute) {
            put("refute ");
            top(refute.exp());
        } else {
            put(statement.toString());
        }
    }

    private void branching(If branching) {
        put("if (");
        top(branching.cond());
        put(") ");
        block(branching.thn());
        if (branching.els().ss().nonEmpty() || branching.els().scopedSeqnDeclarations().nonEmpty()) {
            put(" else ");
            block(branching.els());
        }
    }

    private void havoc(scala.Option<Exp> condition, ResourceAccess resource) {
        if (condition.isDefined()) {
            expression(condition.get());
            put(" ==> ");
        }
        expression((Exp) resource);
    }

    // Expressions

    private void arguments(Iterable<Exp> arguments) {
        put("(");
        separated(arguments, this::top);
        put(")");
    }

    /** An expression that stands where nothing can bind stronger. */
    private void top(Exp expression) {
        if (hasAnnotations(((Infoed) expression).info())) {
            expression(expression);
            return;
        }
        place(expression, () -> plain(expression));
    }

    private static boolean hasAnnotations(Info info) {
        return info instanceof AnnotationInfo || info instanceof WeightedQuantifier
            || info instanceof ConsInfo both
                && (hasAnnotations((Info) both.productElement(0)) || hasAnnotations((Info) both.productElement(1)));
    }

    /** An operand. */
    private void expression(Exp expression) {
        boolean alone = isAlone(expression) && !hasAnnotations(((Infoed) expression).info());
        put(alone ? "" : "(");
        annotations(expression);
        place(expression, () -> plain(expression));
        put(alone ? "" : ")");
    }

    private static boolean isAlone(Exp expression) {
        return expression instanceof AbstractLocalVar || expression instanceof BoolLit || expression instanceof NullLit
            || expression instanceof FuncApp || expression instanceof FieldAccess
            || expression instanceof PredicateAccess || expression instanceof FieldAccessPredicate
            || expression instanceof PredicateAccessPredicate || expression instanceof FullPerm
            || expression instanceof NoPerm || expression instanceof WildcardPerm || expression instanceof EpsilonPerm
            || expression instanceof IntLit number && number.i().signum() >= 0
            || expression instanceof ExplicitSeq || expression instanceof ExplicitSet
            || expression instanceof ExplicitMultiset || expression instanceof EmptySeq
            || expression instanceof EmptySet || expression instanceof EmptyMultiset || expression instanceof Old
            || expression instanceof LabelledOld || expression instanceof CurrentPerm
            || expression instanceof DomainFuncApp app && app.typVarMap().isEmpty()
            || expression instanceof BackendFuncApp || expression instanceof SeqIndex;
    }

    private void binary(Exp left, String operator, Exp right) {
        expression(left);
        put(" ", operator, " ");
        expression(right);
    }

    private void plain(Exp e) {
        String operator = Operators.binary(e);
        if (operator != null) {
            List<Exp> operands = asJava(e.subExps());
            binary(operands.get(0), operator, operands.get(1));
        } else if (e instanceof Literal || e instanceof AbstractLocalVar || e instanceof PermExp) {
            simple(e);
        } else if (e instanceof LocationAccess || e instanceof AccessPredicate || e instanceof FuncLikeApp) {
            application(e);
        } else if (e instanceof QuantifiedExp quantified) {
            quantified(quantified);
        } else if (e instanceof SeqExp || e instanceof SetExp || e instanceof MultisetExp || e instanceof MapExp
            || e instanceof AnySetExp) {
            collection(e);
        } else {
            other(e);
        }
    }

    private void simple(Exp e) {
        if (e instanceof AbstractLocalVar variable) {
            put(e instanceof Result ? "result" : name(variable.name()));
        } else if (e instanceof IntLit number) {
            put(number.i().toString());
        } else if (e instanceof TrueLit) {
            put("true");
        } else if (e instanceof FalseLit) {
            put("false");
        } else if (e instanceof NullLit) {
            put("null");
        } else if (e instanceof FullPerm) {
            put("write");
        } else if (e instanceof NoPerm) {
            put("none");
        } else if (e instanceof WildcardPerm) {
            put("wildcard");
        } else if (e instanceof EpsilonPerm) {
            put("epsilon");
        } else if (e instanceof CurrentPerm amount) {
            put("perm(");
            top((Exp) amount.res());
            put(")");
        } else if (e instanceof PermMinus minus) {
            put("-");
            expression(minus.exp());
        } else {
            put(e.toString());
        }
    }

    private void application(Exp e) {
        if (e instanceof FieldAccess access) {
            expression(access.rcv());
            put(".", name(Kind.FIELD, access.field().name()));
        } else if (e instanceof PredicateAccess access) {
            put(name(Kind.PREDICATE, access.predicateName()));
            arguments(asJava(access.args()));
        } else if (e instanceof FieldAccessPredicate access) {
            access(access.loc(), access.perm());
        } else if (e instanceof PredicateAccessPredicate access) {
            access(access.loc(), access.perm());
        } else if (e instanceof MagicWand wand) {
            binary(wand.left(), "--*", wand.right());
        } else if (e instanceof DomainFuncApp app && !app.typVarMap().isEmpty()) {
            // What its type parameters are may not be known from its arguments.
            put("(", name(Kind.DOMAIN_FUNCTION, app.funcname()));
            arguments(asJava(app.args()));
            put(": ", type(app.typ()), ")");
        } else if (e instanceof DomainFuncApp || e instanceof FuncApp || e instanceof BackendFuncApp) {
            FuncLikeApp app = (FuncLikeApp) e;
            put(name(e instanceof FuncApp ? Kind.FUNCTION : Kind.DOMAIN_FUNCTION, app.funcname()));
            arguments(asJava(app.args()));
        } else {
            other(e);
        }
    }

    private void access(Exp location, Exp amount) {
        put("acc(");
        top(location);
        put(", ");
        top(amount);
        put(")");
    }

    private void quantified(QuantifiedExp e) {
        if (e instanceof ForPerm quantifier) {
            put("forperm ");
            declarations(asJava(quantifier.variables()));
            put(" [");
            top((Exp) quantifier.resource());
            put("] :: ");
            expression(quantifier.body());
            return;
        }
        put(e instanceof Forall ? "forall " : "exists ");
        declarations(asJava(e.variables()));
        put(" :: ");
        var triggers = e instanceof Forall forall ? forall.triggers() : ((Exists) e).triggers();
        for (Trigger trigger : asJava(triggers)) {
            place(trigger, () -> {
                put("{ ");
                separated(asJava(trigger.exps()), this::top);
                put(" }");
            });
            put(" ");
        }
        expression(e.exp());
    }

    private void collection(Exp e) {
        if (e instanceof EmptySeq empty) {
            put("Seq[", type(empty.elemTyp()), "]()");
        } else if (e instanceof EmptySet empty) {
            put("Set[", type(empty.elemTyp()), "]()");
        } else if (e instanceof EmptyMultiset empty) {
            put("Multiset[", type(empty.elemTyp()), "]()");
        } else if (e instanceof EmptyMap empty) {
            put("Map[", type(empty.keyType()), ", ", type(empty.valueType()), "]()");
        } else if (e instanceof ExplicitSeq explicit) {
            put("Seq");
            arguments(asJava(explicit.elems()));
        } else if (e instanceof ExplicitSet explicit) {
            put("Set");
            arguments(asJava(explicit.elems()));
        } else if (e instanceof ExplicitMultiset explicit) {
            put("Multiset");
            arguments(asJava(explicit.elems()));
        } else if (e instanceof ExplicitMap explicit) {
            put("Map");
            arguments(asJava(explicit.elems()));
        } else if (e instanceof Maplet maplet) {
            binary(maplet.key(), ":=", maplet.value());
        } else if (e instanceof RangeSeq range) {
            put("[");
            top(range.low());
            put("..");
            top(range.high());
            put(")");
        } else if (e instanceof SeqIndex index) {
            indexed(index.s(), index.idx(), null);
        } else if (e instanceof MapLookup lookup) {
            indexed(lookup.base(), lookup.key(), null);
        } else if (e instanceof SeqUpdate update) {
            indexed(update.s(), update.idx(), update.elem());
        } else if (e instanceof MapUpdate update) {
            indexed(update.base(), update.key(), update.value());
        } else if (e instanceof SeqTake take) {
            expression(take.s());
            put("[..");
            top(take.n());
            put("]");
        } else if (e instanceof SeqDrop drop) {
            expression(drop.s());
            put("[");
            top(drop.n());
            put("..]");
        } else if (e instanceof SeqLength length) {
            counted(length.s());
        } else if (e instanceof AnySetCardinality count) {
            counted(count.s());
        } else if (e instanceof MapCardinality count) {
            counted(count.base());
        } else if (e instanceof SeqContains contains) {
            binary(contains.elem(), "in", contains.s());
        } else if (e instanceof AnySetContains contains) {
            binary(contains.elem(), "in", contains.s());
        } else if (e instanceof MapContains contains) {
            binary(contains.key(), "in", contains.base());
        } else if (e instanceof MapDomain domain) {
            put("domain(");
            top(domain.base());
            put(")");
        } else if (e instanceof MapRange range) {
            put("range(");
            top(range.base());
            put(")");
        } else {
            other(e);
        }
    }

    private void counted(Exp collection) {
        put("|");
        expression(collection);
        put("|");
    }

    private void indexed(Exp base, Exp key, Exp value) {
        expression(base);
        put("[");
        top(key);
        if (value != null) {
            put(" := ");
            top(value);
        }
        put("]");
    }

    private void other(Exp e) {
        if (e instanceof Not not) {
            put("!");
            expression(not.exp());
        } else if (e instanceof Minus minus) {
            put("-");
            expression(minus.exp());
        } else if (e instanceof CondExp conditional) {
            expression(conditional.cond());
            put(" ? ");
            expression(conditional.thn());
            put(" : ");
            expression(conditional.els());
        } else if (e instanceof Old old) {
            put("old(");
            top(old.exp());
            put(")");
        } else if (e instanceof LabelledOld old) {
            put("old[", old.oldLabel().equals("lhs") ? "lhs" : name(old.oldLabel()), "](");
            top(old.exp());
            put(")");
        } else if (e instanceof Unfolding unfolding) {
            put("unfolding ");
            expression(unfolding.acc());
            put(" in ");
            expression(unfolding.body());
        } else if (e instanceof Applying applying) {
            put("applying ");
            expression(applying.wand());
            put(" in ");
            expression(applying.body());
        } else if (e instanceof Asserting asserting) {
            put("asserting (");
            top(asserting.a());
            put(") in ");
            expression(asserting.body());
        } else if (e instanceof Let let) {
            put("let ", name(let.variable().name()), " == (");
            top(let.exp());
            put(") in ");
            expression(let.body());
        } else if (e instanceof InhaleExhaleExp both) {
            put("[");
            top(both.in());
            put(", ");
            top(both.ex());
            put("]");
        } else if (e instanceof DecreasesTuple tuple) {
            put("decreases ");
            separated(asJava(tuple.tupleExpressions()), this::top);
            if (tuple.condition().isDefined()) {
                put(" if ");
                top(tuple.condition().get());
            }
        } else {
            put(e.toString());
        }
    }
}
