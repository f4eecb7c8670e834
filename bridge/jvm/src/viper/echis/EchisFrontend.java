package viper.echis;

import ch.qos.logback.classic.Logger;
import java.util.ArrayList;
import java.util.List;
import scala.Option;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import viper.silver.frontend.SilFrontendConfig;
import viper.silver.logger.SilentLogger;
import viper.silver.reporter.Reporter;
import viper.silver.verifier.Verifier;

/** Silver's front end with Echis behind it: reads files, runs plugins, verifies. */
public class EchisFrontend extends FrontendBase {
    private EchisVerifier echis;

    public EchisFrontend(Reporter reporter, Logger logger) {
        super(reporter, logger);
    }

    public EchisFrontend(Reporter reporter) {
        this(reporter, SilentLogger.apply().get());
    }

    @Override
    public Option<String> backendTypeFormat() {
        return Option.apply("SMTLIB");
    }

    @Override
    public Verifier createVerifier(String command) {
        echis = new EchisVerifier(reporter());
        return echis;
    }

    /** The file, which is the last word, is Silver's affair. */
    @Override
    public SilFrontendConfig configureVerifier(Seq<String> words) {
        List<String> options = new ArrayList<>(CollectionConverters.asJava(words));
        if (!options.isEmpty() && !options.get(options.size() - 1).startsWith("--")) {
            options.remove(options.size() - 1);
        }
        echis.parseCommandLine(CollectionConverters.asScala(options).toSeq());
        return new EchisConfig(words);
    }
}
