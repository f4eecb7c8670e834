package viper.echis;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import scala.Option;
import scala.Tuple2;
import scala.collection.immutable.Seq;
import scala.collection.immutable.TreeSeqMap;
import scala.jdk.javaapi.CollectionConverters;
import scala.math.BigInt;
import viper.silicon.Config;
import viper.silicon.interfaces.SiliconMappedCounterexample;
import viper.silicon.interfaces.SiliconNativeCounterexample;
import viper.silicon.interfaces.SiliconVariableCounterexample;
import viper.silicon.interfaces.state.Chunk;
import viper.silicon.resources.BaseID;
import viper.silicon.resources.FieldID$;
import viper.silicon.resources.PredicateID$;
import viper.silicon.state.BasicChunk;
import viper.silicon.state.BasicChunkIdentifier;
import viper.silicon.state.Heap;
import viper.silicon.state.ListBackedHeap;
import viper.silicon.state.MapBackedStore;
import viper.silicon.state.SimpleIdentifier;
import viper.silicon.state.terms.App;
import viper.silicon.state.terms.FractionPermLiteral$;
import viper.silicon.state.terms.Fun;
import viper.silicon.state.terms.Sort;
import viper.silicon.state.terms.Term;
import viper.silicon.state.terms.Unit$;
import viper.silicon.state.terms.Var;
import viper.silicon.state.terms.sorts;
import viper.silicon.verifier.Verifier$;
import viper.silver.ast.*;
import viper.silver.utility.Common;
import viper.silver.verifier.Counterexample;
import viper.silver.verifier.Model;
import viper.silver.verifier.ValueEntry;

/**
 * Counterexamples of Silicon's classes, which its clients read: Nagini `native`, Prusti `mapped`. The symbolic state in them
 * has a variable for each value, which the model knows. Only loaded where Silicon's classes are.
 */
final class SiliconExamples {
    private final Program program;
    private final Names names;
    private final Atoms atoms = new Atoms();
    private final Map<String, Term> terms = new LinkedHashMap<>();
    /** Functions without parameters, by the value they have: globals of a client. */
    private final Map<ValueEntry, Function> constants = new LinkedHashMap<>();
    private int fresh;

    /** What stands in the text, in the client's terms. */
    interface Names {
        String of(String text);

        LocalVarDecl declared(Map<String, Object> variable);
    }

    private SiliconExamples(Program program, Names names) {
        this.program = program;
        this.names = names;
    }

    /** `kind` is what Silicon's option says. */
    static Counterexample make(String kind, Map<String, Object> example, Program program, Names names) {
        configured();
        return new SiliconExamples(program, names).make(kind, example);
    }

    /** Silicon's terms ask its options how they are to be compared, which are nobody's where Silicon does not run. */
    private static synchronized void configured() {
        if (Verifier$.MODULE$.config() == null) {
            Config config = new Config(CollectionConverters.asScala(List.of("--ignoreFile", "echis.vpr")).toSeq());
            config.verify();
            Verifier$.MODULE$.config_$eq(config);
        }
    }

    private Counterexample make(String kind, Map<String, Object> example) {
        functions(example);
        MapBackedStore store = store(Json.list(example.get("store")));
        List<Chunk> current = new ArrayList<>();
        Map<String, List<Chunk>> older = new LinkedHashMap<>();
        for (Object each : Json.list(example.get("heaps"))) {
            Map<String, Object> heap = Json.object(each);
            String state = Json.string(heap.get("state"));
            List<Chunk> chunks = state.equals("current") ? current : older.computeIfAbsent(names.of(state), name -> new ArrayList<>());
            Json.list(heap.get("entries")).forEach(entry -> chunk(Json.object(entry), chunks));
        }
        // Terms and tables refer to values that are met on the way, so the model comes last.
        Model model = atoms.model(!kind.equals("mapped") && !kind.equals("variables"));
        return switch (kind) {
            case "variables" -> new SiliconVariableCounterexample(store, model);
            case "mapped" -> new SiliconMappedCounterexample(store, iterable(current), heaps(older), model, program);
            default -> new SiliconNativeCounterexample(store, iterable(current), chunks(older), model);
        };
    }

    private MapBackedStore store(List<Object> variables) {
        List<Tuple2<AbstractLocalVar, Tuple2<Term, Option<Exp>>>> values = new ArrayList<>();
        for (Object each : variables) {
            Map<String, Object> variable = Json.object(each);
            LocalVarDecl declared = names.declared(variable);
            if (declared != null) {
                Term term = term(declared.name(), declared.typ(), atoms.described(declared.typ(), variable));
                values.add(new Tuple2<>(declared.localVar(), new Tuple2<>(term, Option.empty())));
            }
        }
        return new MapBackedStore(TreeSeqMap.from(CollectionConverters.asScala(values)));
    }

    private void functions(Map<String, Object> example) {
        Map<String, List<Object>> cases = new LinkedHashMap<>();
        Json.list(example.get("functions")).forEach(each -> cases(Json.object(each), cases));
        for (Object domain : Json.list(example.get("domains"))) {
            Json.list(Json.object(domain).get("functions")).forEach(each -> cases(Json.object(each), cases));
        }
        for (Domain domain : CollectionConverters.asJava(program.domains())) {
            for (DomainFunc function : CollectionConverters.asJava(domain.functions())) {
                // Of generic domains there may be several of the same name.
                if (domain.typVars().isEmpty()) {
                    atoms.domainFunction(function, cases.getOrDefault(function.name(), List.of()));
                }
            }
        }
        for (Function function : CollectionConverters.asJava(program.functions())) {
            List<Object> known = cases.getOrDefault(function.name(), List.of());
            atoms.function(function, known);
            if (function.formalArgs().isEmpty()) {
                known.forEach(each ->
                    constants.put(atoms.value(function.typ(), Json.string(Json.object(each).get("value"))), function));
            }
        }
    }

    private void cases(Map<String, Object> function, Map<String, List<Object>> into) {
        into.put(names.of(Json.string(function.get("name"))), Json.list(function.get("cases")));
    }

    private void chunk(Map<String, Object> entry, List<Chunk> into) {
        if ("field".equals(entry.get("kind"))) {
            String name = names.of(Json.string(entry.get("field")));
            Option<Field> field = program.findFieldOptionally(name);
            if (field.isDefined()) {
                Type type = field.get().typ();
                Term receiver = receiver(atoms.value(Ref$.MODULE$, Json.string(entry.get("receiver"))));
                Term value = term(name, type, atoms.described(type, entry));
                into.add(chunk(FieldID$.MODULE$, name, List.of(receiver), value, entry));
            }
        } else if ("predicate".equals(entry.get("kind"))) {
            String name = names.of(Json.string(entry.get("name")));
            Option<Predicate> predicate = program.findPredicateOptionally(name);
            List<Object> texts = Json.list(entry.get("args"));
            if (predicate.isDefined() && predicate.get().formalArgs().size() == texts.size()) {
                List<Term> arguments = new ArrayList<>();
                for (LocalVarDecl parameter : CollectionConverters.asJava(predicate.get().formalArgs())) {
                    String text = Json.string(texts.get(arguments.size()));
                    arguments.add(term(parameter.name(), parameter.typ(), atoms.value(parameter.typ(), text)));
                }
                into.add(chunk(PredicateID$.MODULE$, name, arguments, Unit$.MODULE$, entry));
            }
        }
    }

    private static Chunk chunk(BaseID kind, String name, List<Term> arguments, Term value, Map<String, Object> entry) {
        String[] parts = Json.string(entry.get("perm")).split("/");
        boolean known = parts.length == 2 && parts[0].matches("\\d+") && parts[1].matches("\\d+");
        Term amount = FractionPermLiteral$.MODULE$.apply(new Common.Rational(
            BigInt.apply(known ? parts[0] : "1"), BigInt.apply(known ? parts[1] : "1")));
        return new BasicChunk(kind, new BasicChunkIdentifier(name), CollectionConverters.asScala(arguments).toSeq(),
            Option.empty(), value, Option.empty(), amount, Option.empty());
    }

    /** Clients know globals by the functions that stand for them. */
    private Term receiver(ValueEntry value) {
        Function global = constants.get(value);
        if (global == null) {
            return term("r", Ref$.MODULE$, value);
        }
        Seq<Sort> parameters = CollectionConverters.<Sort>asScala(List.<Sort>of(sorts.Snap$.MODULE$)).toSeq();
        Fun function = Fun.apply(new SimpleIdentifier(global.name()), parameters, sorts.Ref$.MODULE$);
        return App.apply(function, CollectionConverters.<Term>asScala(List.<Term>of(Unit$.MODULE$)).toSeq());
    }

    /** A variable that has the value; the same one for the same value of the same type. */
    private Term term(String hint, Type type, ValueEntry value) {
        return terms.computeIfAbsent(Atoms.sort(type) + " " + value, key -> {
            String name = hint + "@" + fresh++ + "@00";
            atoms.constant(name, value);
            return new Var(new SimpleIdentifier(name), sort(type), false);
        });
    }

    private static Sort sort(Type type) {
        if (type instanceof Int$) {
            return sorts.Int$.MODULE$;
        } else if (type instanceof Bool$) {
            return sorts.Bool$.MODULE$;
        } else if (type instanceof Perm$) {
            return sorts.Perm$.MODULE$;
        } else if (type instanceof Ref$) {
            return sorts.Ref$.MODULE$;
        } else if (type instanceof SeqType seq) {
            return new sorts.Seq(sort(seq.elementType()));
        } else if (type instanceof SetType set) {
            return new sorts.Set(sort(set.elementType()));
        } else if (type instanceof MultisetType multiset) {
            return new sorts.Multiset(sort(multiset.elementType()));
        } else if (type instanceof MapType map) {
            return new sorts.Map(sort(map.keyType()), sort(map.valueType()));
        }
        return new sorts.UserSort(new SimpleIdentifier(Atoms.sort(type)));
    }

    private static scala.collection.Iterable<Chunk> iterable(List<Chunk> chunks) {
        return CollectionConverters.asScala(chunks).toSeq();
    }

    private static scala.collection.immutable.Map<String, scala.collection.Iterable<Chunk>> chunks(Map<String, List<Chunk>> heaps) {
        Map<String, scala.collection.Iterable<Chunk>> all = new LinkedHashMap<>();
        heaps.forEach((state, chunks) -> all.put(state, iterable(chunks)));
        return scala.collection.immutable.Map$.MODULE$.from(CollectionConverters.asScala(all));
    }

    private static TreeSeqMap<String, Heap> heaps(Map<String, List<Chunk>> heaps) {
        Map<String, Heap> all = new LinkedHashMap<>();
        heaps.forEach((state, chunks) -> all.put(state, new ListBackedHeap(CollectionConverters.asScala(chunks).toVector())));
        return TreeSeqMap.from(CollectionConverters.asScala(all));
    }
}
