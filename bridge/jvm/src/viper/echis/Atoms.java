package viper.echis;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import viper.silver.ast.*;
import viper.silver.plugin.standard.termination.DecreasesClause;
import viper.silver.verifier.ApplicationEntry;
import viper.silver.verifier.ConstantEntry;
import viper.silver.verifier.MapEntry;
import viper.silver.verifier.Model;
import viper.silver.verifier.ModelEntry;
import viper.silver.verifier.ValueEntry;

/**
 * A model as Z3 would have printed it for Silicon: values of its own for references, domains and collections (`$Ref!val!1`),
 * and functions as tables, under the names that Silicon's encoding gives them.
 */
final class Atoms {
    static final String UNSPECIFIED = "#unspecified";
    static final String NULL = "$Ref.null";
    private static final ConstantEntry UNIT = new ConstantEntry("$Snap.unit");

    private final Map<String, Map<String, ValueEntry>> bySort = new LinkedHashMap<>();
    private final Map<String, Map<Seq<ValueEntry>, ValueEntry>> tables = new LinkedHashMap<>();
    private final Map<String, ModelEntry> constants = new LinkedHashMap<>();
    private final Set<String> relations = new HashSet<>();

    Atoms() {
        for (String table : List.of("Seq_length", "Seq_index", "Set_card", "Set_in", "Multiset_card", "Multiset_count",
            "Map_card", "Map_apply", "Map_domain")) {
            table(table);
        }
        constants.put(NULL, value(Ref$.MODULE$, "null"));
    }

    /** The value that Echis wrote, in Z3's words. */
    ValueEntry value(Type type, String text) {
        if (text.equals(UNSPECIFIED) || text.equals("_")) {
            return new ConstantEntry(UNSPECIFIED);
        } else if (type instanceof Int$) {
            return text.startsWith("-") ? apply("-", text.substring(1)) : new ConstantEntry(text);
        } else if (type instanceof Bool$) {
            return new ConstantEntry(text);
        } else if (type instanceof Perm$) {
            String[] parts = text.split("/");
            return parts.length == 2 ? apply("/", parts[0] + ".0", parts[1] + ".0") : new ConstantEntry(text);
        }
        String sort = sort(type);
        Map<String, ValueEntry> known = bySort.computeIfAbsent(sort, each -> new LinkedHashMap<>());
        String prefix = type instanceof Ref$ ? "$Ref" : sort;
        return known.computeIfAbsent(text, each -> new ConstantEntry(prefix + "!val!" + known.size()));
    }

    private static ValueEntry apply(String function, String... arguments) {
        List<ValueEntry> entries = new ArrayList<>();
        for (String argument : arguments) {
            entries.add(new ConstantEntry(argument));
        }
        return new ApplicationEntry(function, seq(entries));
    }

    /** What is known of a value that may be a collection: how long it is and what it contains. */
    ValueEntry described(Type type, Map<String, Object> json) {
        ValueEntry value = value(type, Json.string(json.get("value")));
        if (!(type instanceof CollectionType || type instanceof MapType) || value.equals(new ConstantEntry(UNSPECIFIED))) {
            return value;
        }
        String kind = type instanceof SeqType ? "Seq" : type instanceof SetType ? "Set" : type instanceof MapType ? "Map" : "Multiset";
        if (json.get("length") instanceof Double length) {
            String text = Long.toString((long) (double) length);
            put(kind.equals("Seq") ? "Seq_length" : kind + "_card", value(Int$.MODULE$, text), value);
        }
        for (Object each : Json.list(json.get("elements"))) {
            element(type, value, Json.object(each));
        }
        return value;
    }

    private void element(Type type, ValueEntry of, Map<String, Object> json) {
        String text = Json.string(json.get("value"));
        if (type instanceof SeqType seq && json.get("index") instanceof Double index) {
            ValueEntry at = value(Int$.MODULE$, Long.toString((long) (double) index));
            put("Seq_index", value(seq.elementType(), text), of, at);
        } else if (type instanceof SetType set) {
            ValueEntry member = new ConstantEntry(Boolean.toString(Boolean.TRUE.equals(json.get("member"))));
            put("Set_in", member, value(set.elementType(), text), of);
        } else if (type instanceof MultisetType multiset) {
            put("Multiset_count", value(Int$.MODULE$, Json.string(json.get("count"))), of, value(multiset.elementType(), text));
        } else if (type instanceof MapType map) {
            put("Map_apply", value(map.valueType(), text), of, value(map.keyType(), Json.string(json.get("key"))));
        }
    }

    /** A function of a domain, as `f<Sort>`. */
    void domainFunction(DomainFunc function, List<Object> cases) {
        String sort = sort(function.typ()).replace('[', '<').replace(']', '>');
        cases(function.name() + "<" + sort + ">", CollectionConverters.asJava(function.formalArgs()), function.typ(), cases, Snapshot.NONE);
    }

    /** A function, whose first argument is the snapshot that it depends on, and what it is where it is not unfolded. */
    void function(Function function, List<Object> cases) {
        List<? extends AnyLocalVarDecl> parameters = CollectionConverters.asJava(function.formalArgs());
        boolean reads = CollectionConverters.asJava(function.pres()).stream().anyMatch(clause ->
            !(clause instanceof DecreasesClause) && !clause.isPure());
        Snapshot snapshot = reads ? Snapshot.STATE : Snapshot.UNIT;
        cases(function.name(), parameters, function.typ(), cases, snapshot);
        cases(function.name() + "%limited", parameters, function.typ(), cases, snapshot);
    }

    /** What a function is given of the heap: nothing, the snapshot of nothing, or that of a state. */
    private enum Snapshot { NONE, UNIT, STATE }

    private void cases(String name, List<? extends AnyLocalVarDecl> parameters, Type result, List<Object> cases, Snapshot snapshot) {
        if (parameters.isEmpty() && snapshot == Snapshot.NONE) {
            for (Object each : cases) {
                constants.put(name, value(result, Json.string(Json.object(each).get("value"))));
            }
            return;
        }
        table(name);
        if (result instanceof Bool$ && snapshot == Snapshot.NONE) {
            relations.add(name);
        }
        for (Object each : cases) {
            Map<String, Object> json = Json.object(each);
            List<Object> texts = Json.list(json.get("args"));
            List<ValueEntry> arguments = new ArrayList<>();
            if (snapshot != Snapshot.NONE) {
                boolean reads = snapshot == Snapshot.STATE && json.get("heap") instanceof String;
                arguments.add(reads ? new ConstantEntry(Json.string(json.get("heap"))) : UNIT);
            }
            for (int i = 0; i < Math.min(parameters.size(), texts.size()); i++) {
                arguments.add(value(parameters.get(i).typ(), Json.string(texts.get(i))));
            }
            put(name, value(result, Json.string(json.get("value"))), arguments.toArray(new ValueEntry[0]));
        }
    }

    void constant(String name, ValueEntry value) {
        constants.put(name, value);
    }

    private Map<Seq<ValueEntry>, ValueEntry> table(String name) {
        return tables.computeIfAbsent(name, each -> new LinkedHashMap<>());
    }

    private void put(String table, ValueEntry value, ValueEntry... at) {
        table(table).put(seq(List.of(at)), value);
    }

    /** With `closed`, what is not known to hold does not: Nagini takes any answer but `false` for a yes (`issubtype`). */
    Model model(boolean closed) {
        Map<String, ModelEntry> entries = new LinkedHashMap<>(constants);
        tables.forEach((name, cases) -> entries.put(name,
            new MapEntry(map(cases), new ConstantEntry(closed && relations.contains(name) ? "false" : UNSPECIFIED))));
        return new Model(map(entries));
    }

    /** As Silicon names it. */
    static String sort(Type type) {
        if (type instanceof SeqType seq) {
            return "Seq<" + sort(seq.elementType()) + ">";
        } else if (type instanceof SetType set) {
            return "Set<" + sort(set.elementType()) + ">";
        } else if (type instanceof MultisetType multiset) {
            return "Multiset<" + sort(multiset.elementType()) + ">";
        } else if (type instanceof MapType map) {
            return "Map<" + sort(map.keyType()) + "~_" + sort(map.valueType()) + ">";
        }
        return type.toString();
    }

    private static <T> Seq<T> seq(List<T> elements) {
        return CollectionConverters.asScala(elements).toSeq();
    }

    private static <K, V> scala.collection.immutable.Map<K, V> map(Map<K, V> entries) {
        return scala.collection.immutable.Map$.MODULE$.from(CollectionConverters.asScala(entries));
    }
}
