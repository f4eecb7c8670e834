package viper.echis;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import scala.jdk.javaapi.CollectionConverters;
import viper.silver.ast.AbstractSourcePosition;
import viper.silver.reporter.NoopReporter$;
import viper.silver.verifier.AbstractError;
import viper.silver.verifier.AbstractVerificationError;
import viper.silver.verifier.Failure;

/**
 * Verifies files that Silver reads, and prints of each error its id and the lines of its node and of its reason's node: what
 * `echis verify` says of the same files, if each node is found again. Options of Silicon first, then files.
 */
public final class Lines {
    private Lines() {}

    public static void main(String[] args) throws Exception {
        Thread thread = new Thread(null, () -> run(List.of(args)), "lines", 1L << 29);
        thread.start();
        thread.join();
        System.exit(0);
    }

    private static void run(List<String> args) {
        List<String> options = args.stream().filter(word -> word.startsWith("--")).toList();
        for (String file : args) {
            if (file.startsWith("--")) {
                continue;
            }
            System.out.println("= " + file);
            List<String> words = new ArrayList<>(options);
            words.add(file);
            try {
                EchisFrontend frontend = new EchisFrontend(NoopReporter$.MODULE$);
                frontend.execute(CollectionConverters.asScala(words).toSeq(), scala.Option.empty());
                if (frontend.result() instanceof Failure failure) {
                    TreeSet<String> lines = new TreeSet<>();
                    CollectionConverters.asJava(failure.errors()).forEach(error -> lines.add(line(error)));
                    lines.forEach(System.out::println);
                }
            } catch (Throwable e) {
                System.out.println("exception " + e);
            }
        }
    }

    private static String line(AbstractError error) {
        if (error instanceof AbstractVerificationError failed) {
            return failed.fullId() + " " + start(failed.offendingNode()) + " " + start(failed.reason().offendingNode());
        }
        return error.fullId() + " " + error.readableMessage().replaceAll("\\s+", " ");
    }

    private static String start(Object node) {
        return node instanceof viper.silver.ast.Positioned positioned
            && positioned.pos() instanceof AbstractSourcePosition position ? Integer.toString(position.line()) : "?";
    }
}
