package viper.echis;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Plugins of Silver whose nodes Echis understands. Where a client makes the nodes itself, such plugins are left out: what
 * they would make of a program tells less than the program does. (Where Silver reads a text, they have to read their part.)
 */
final class Native {
    private Native() {}

    private static final Set<String> PLUGINS = Set.of(
        "viper.silver.plugin.standard.termination.TerminationPlugin",
        "viper.silver.plugin.standard.predicateinstance.PredicateInstancePlugin",
        "viper.silver.plugin.standard.refute.RefutePlugin");

    static Seq<String> others(Seq<String> plugins) {
        return CollectionConverters.asScala(others(CollectionConverters.asJava(plugins))).toSeq();
    }

    private static List<String> others(List<String> plugins) {
        List<String> kept = new ArrayList<>(plugins);
        kept.removeAll(PLUGINS);
        return kept;
    }

    /** The words of a command line, with less in the value of `--plugin`. */
    static Seq<String> words(Seq<String> words) {
        List<String> kept = new ArrayList<>();
        var rest = CollectionConverters.asJava(words).iterator();
        while (rest.hasNext()) {
            String word = rest.next();
            boolean split = word.equals("--plugin") && rest.hasNext();
            String value = split ? rest.next() : word.startsWith("--plugin=") ? word.substring("--plugin=".length()) : null;
            if (value == null) {
                kept.add(word);
                continue;
            }
            List<String> plugins = others(List.of(value.split(":")));
            if (!plugins.isEmpty()) {
                kept.add("--plugin=" + String.join(":", plugins));
            }
        }
        return CollectionConverters.asScala(kept).toSeq();
    }
}
