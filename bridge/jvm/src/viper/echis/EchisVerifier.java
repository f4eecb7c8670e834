package viper.echis;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import scala.Tuple2;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import viper.silver.ast.Member;
import viper.silver.ast.Program;
import viper.silver.reporter.EntityFailureMessage;
import viper.silver.reporter.EntitySuccessMessage;
import viper.silver.reporter.NoopReporter$;
import viper.silver.reporter.Reporter;
import viper.silver.verifier.AbortedExceptionally;
import viper.silver.verifier.AbstractError;
import viper.silver.verifier.Dependency;
import viper.silver.verifier.VerificationResult;
import viper.silver.verifier.Verifier;

/**
 * Echis as a verifier of Silver's. It takes Silicon's options: which ones have a meaning, Echis knows. Of its own it has
 * `--echisExe PATH` and `--echisArg WORD`, which is passed to `echis serve`.
 */
public class EchisVerifier implements Verifier {
    /** Programs of front ends nest deeply. The system gives what is used only. */
    private static final long STACK = 1L << 30;

    private static final String EXAMPLE = "--counterexample";

    private final Reporter reporter;
    private String executable = Server.executable();
    private final List<String> arguments = new ArrayList<>();
    private final List<String> options = new ArrayList<>();

    public EchisVerifier(Reporter reporter) {
        this.reporter = reporter;
        Verifier.$init$(this);
    }

    public EchisVerifier() {
        this(NoopReporter$.MODULE$);
    }

    @Override
    public String name() {
        return "Echis";
    }

    @Override
    public String version() {
        return server().version();
    }

    @Override
    public String buildVersion() {
        return "";
    }

    @Override
    public String copyright() {
        return "";
    }

    @Override
    public Reporter reporter() {
        return reporter;
    }

    @Override
    public void debugInfo(Seq<Tuple2<String, Object>> info) {}

    @Override
    public Seq<Dependency> dependencies() {
        return CollectionConverters.<Dependency>asScala(List.<Dependency>of()).toSeq();
    }

    /** Options of Silicon, without a file. */
    @Override
    public void parseCommandLine(Seq<String> words) {
        options.clear();
        var rest = CollectionConverters.asJava(words).iterator();
        while (rest.hasNext()) {
            String word = rest.next();
            if (word.equals("--echisExe") && rest.hasNext()) {
                executable = rest.next();
            } else if (word.equals("--echisArg") && rest.hasNext()) {
                arguments.add(rest.next());
            } else {
                options.add(word);
            }
        }
    }

    @Override
    public void start() {
        server();
    }

    /** The process stays for whoever verifies next; it ends with the JVM. */
    @Override
    public void stop() {}

    /** What kind of counterexamples the client asked for, in Silicon's words. */
    private String exampleKind() {
        for (int i = 0; i < options.size(); i++) {
            if (options.get(i).startsWith(EXAMPLE + "=")) {
                return options.get(i).substring(EXAMPLE.length() + 1);
            } else if (options.get(i).equals(EXAMPLE) && i + 1 < options.size()) {
                return options.get(i + 1);
            }
        }
        return "";
    }

    private Server server() {
        List<String> command = new ArrayList<>(List.of(executable));
        command.addAll(arguments);
        return Server.get(command);
    }

    @Override
    public VerificationResult verify(Program program) {
        Worker worker = new Worker(program);
        Thread thread = new Thread(null, worker, "echis-verify", STACK);
        thread.start();
        try {
            thread.join();
        } catch (InterruptedException e) {
            thread.interrupt();
            Thread.currentThread().interrupt();
            return Answer.failure(List.of(new AbortedExceptionally(e)));
        }
        return worker.result;
    }

    /** The work on one program, in a thread with enough stack. */
    private final class Worker implements Runnable {
        private final Program program;
        private VerificationResult result;

        Worker(Program program) {
            this.program = program;
        }

        @Override
        public void run() {
            try {
                Printer.Printed printed = Printer.print(program);
                Answer answer = new Answer(printed, program, exampleKind());
                Map<String, Object> file = server().ask(request(printed.text()), member -> tell(answer, member));
                result = answer.result(file);
            } catch (Throwable e) {
                result = Answer.failure(List.of(new AbortedExceptionally(e)));
            }
        }

        /** Silicon's default is one error for each member. */
        private Map<String, Object> request(String text) {
            Map<String, Object> request = new LinkedHashMap<>();
            request.put("text", text);
            request.put("silicon", exampleKind().isEmpty() ? options : withExamples());
            boolean counted = options.stream().anyMatch(option -> option.startsWith("--numberOfErrorsToReport"));
            request.put("options", counted ? Map.of("members", true) : Map.of("members", true, "errors", 1));
            return request;
        }

        /** Whatever Silicon's class tells less, all of it is made of the same. */
        private List<String> withExamples() {
            List<String> words = new ArrayList<>(options);
            for (int i = 0; i < words.size(); i++) {
                if (words.get(i).startsWith(EXAMPLE + "=")) {
                    words.set(i, EXAMPLE + "=extended");
                } else if (words.get(i).equals(EXAMPLE) && i + 1 < words.size()) {
                    words.set(i + 1, "extended");
                }
            }
            return words;
        }

        private void tell(Answer answer, Map<String, Object> json) {
            String name = Json.string(json.get("name"));
            for (Member member : CollectionConverters.asJava(program.members())) {
                if (member.name().equals(name)) {
                    report(member, json, answer.errors(Json.list(json.get("errors"))));
                }
            }
        }

        private void report(Member member, Map<String, Object> json, List<AbstractError> errors) {
            if (errors.isEmpty() && !Answer.isVerified(json)) {
                return;
            }
            long time = Json.integer(json.get("time_ms"));
            boolean cached = Boolean.TRUE.equals(json.get("cached"));
            reporter.report(errors.isEmpty()
                ? new EntitySuccessMessage(name(), member, time, cached)
                : new EntityFailureMessage(name(), member, time, Answer.failure(errors), cached));
        }
    }
}
