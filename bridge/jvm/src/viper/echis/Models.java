package viper.echis;

import java.util.LinkedHashMap;
import java.util.Map;
import scala.jdk.javaapi.CollectionConverters;
import viper.silver.verifier.Model;
import viper.silver.verifier.ModelEntry;
import viper.silver.verifier.ConstantEntry;

/** Counterexamples as models of Silver: what each variable and each location is. */
final class Models {
    private Models() {}

    static Model model(Map<String, Object> example) {
        Map<String, ModelEntry> entries = new LinkedHashMap<>();
        for (Object each : Json.list(example.get("store"))) {
            Map<String, Object> variable = Json.object(each);
            entries.put(Json.string(variable.get("name")), new ConstantEntry(value(variable)));
        }
        for (Object each : Json.list(example.get("heaps"))) {
            Map<String, Object> heap = Json.object(each);
            String state = Json.string(heap.get("state"));
            for (Object entry : Json.list(heap.get("entries"))) {
                location(Json.object(entry), state, entries);
            }
        }
        var pairs = CollectionConverters.asScala(entries);
        return new Model(scala.collection.immutable.Map$.MODULE$.from(pairs));
    }

    private static void location(Map<String, Object> entry, String state, Map<String, ModelEntry> into) {
        if ("field".equals(entry.get("kind"))) {
            String place = Json.string(entry.get("receiver")) + "." + Json.string(entry.get("field"));
            into.put(state.equals("current") ? place : "old[" + state + "](" + place + ")", new ConstantEntry(value(entry)));
        }
    }

    private static String value(Map<String, Object> of) {
        return of.get("value") instanceof String value ? value : Json.write(of.getOrDefault("elements", java.util.List.of()));
    }
}
