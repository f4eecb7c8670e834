package viper.echis;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import viper.silver.frontend.SilFrontendConfig;

/** The options of Silver's own front end among those of a command line. The others are for Echis, which knows them. */
final class EchisConfig extends SilFrontendConfig {
    private static final Set<String> FLAGS = Set.of("parseOnly", "dependencies", "noTiming", "ignoreFile",
        "disableCaching", "ideModeAdvanced", "disableDefaultPlugins", "disableTerminationPlugin", "disableAdtPlugin",
        "assumeInjectivityOnInhale", "submitForEvaluation", "reportPartialResults", "help", "version");
    private static final Set<String> VALUES = Set.of("select", "plugin", "counterexample");

    EchisConfig(Seq<String> words) {
        super(silver(words), "Echis");
        verify();
    }

    /** A word that is no option and no option's value is the file: the last one. */
    private static Seq<String> silver(Seq<String> words) {
        List<String> kept = new ArrayList<>();
        List<String> all = CollectionConverters.asJava(words);
        Iterator<String> rest = all.iterator();
        while (rest.hasNext()) {
            String word = rest.next();
            String name = word.startsWith("--") ? word.substring(2).split("=", 2)[0] : "";
            if (FLAGS.contains(name)) {
                kept.add(word);
            } else if (VALUES.contains(name)) {
                kept.add(word);
                if (!word.contains("=") && rest.hasNext()) {
                    kept.add(rest.next());
                }
            } else if (name.isEmpty() && !rest.hasNext()) {
                kept.add(word);
            }
        }
        return CollectionConverters.asScala(kept).toSeq();
    }
}
