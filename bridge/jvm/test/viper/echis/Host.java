package viper.echis;

import static scala.jdk.javaapi.CollectionConverters.asJava;
import static scala.jdk.javaapi.CollectionConverters.asScala;

import ch.qos.logback.classic.Logger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import viper.silver.ast.Program;
import viper.silver.frontend.SilFrontend;
import viper.silver.logger.SilentLogger;
import viper.silver.reporter.EntityFailureMessage;
import viper.silver.reporter.EntitySuccessMessage;
import viper.silver.reporter.Message;
import viper.silver.reporter.Reporter;
import viper.silver.verifier.AbstractError;
import viper.silver.verifier.Failure;
import viper.silver.verifier.VerificationResult;

/**
 * Does with a class that is named what ViperServer does with a custom backend (`custom CLASS OPTIONS`): finds it by its name,
 * makes it with a reporter and a logger, hands it options and a file to ignore, runs the plugins on a program that was read
 * elsewhere, verifies it, and stops it. Arguments: the class, a file, options. Prints what is reported, and the errors.
 */
public final class Host {
    private Host() {}

    public static void main(String[] args) throws Exception {
        List<String> told = new ArrayList<>();
        Reporter reporter = new Reporter() {
            @Override
            public String name() {
                return "host";
            }

            @Override
            public void report(Message message) {
                if (message instanceof EntitySuccessMessage success) {
                    told.add(success.verifier() + ": " + success.concerning().name() + " verified");
                } else if (message instanceof EntityFailureMessage failure) {
                    told.add(failure.verifier() + ": " + failure.concerning().name() + " failed");
                }
            }
        };
        Program program = Trials.read(Path.of(args[1]));
        SilFrontend frontend = (SilFrontend) Class.forName(args[0]).getConstructor(Reporter.class, Logger.class)
            .newInstance(reporter, SilentLogger.apply().get());
        List<String> words = new ArrayList<>(List.of(args).subList(2, args.length));
        words.addAll(List.of("--ignoreFile", "dummy-file-to-prevent-cli-parser-from-complaining-about-missing-file-name.silver"));
        frontend.setStartTime();
        frontend.setVerifier(frontend.createVerifier(String.join(" ", words)));
        if (!frontend.prepare(asScala(words).toSeq())) {
            throw new IllegalArgumentException("the options are not accepted: " + words);
        }
        frontend.resetPlugins();
        frontend.init(frontend.verifier());
        Program transformed = frontend.plugins().beforeVerify(frontend.plugins().beforeMethodFilter(program).get()).get();
        VerificationResult result = frontend.plugins().mapVerificationResult(transformed, frontend.verifier().verify(transformed));
        frontend.verifier().stop();
        told.stream().sorted().forEach(System.out::println);
        if (result instanceof Failure failure) {
            for (AbstractError error : asJava(failure.errors())) {
                System.out.println(error.fullId() + " " + error.readableMessage().replaceAll("\\s+", " "));
            }
        }
        System.out.println(result instanceof Failure ? "failed" : "verified");
        System.exit(0);
    }
}
