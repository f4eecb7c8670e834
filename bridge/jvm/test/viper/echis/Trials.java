package viper.echis;

import static scala.jdk.javaapi.CollectionConverters.asJava;
import static scala.jdk.javaapi.CollectionConverters.asScala;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import viper.silver.ast.*;
import viper.silver.reporter.Message;
import viper.silver.reporter.NoopReporter$;
import viper.silver.reporter.Reporter;
import viper.silver.verifier.AbortedExceptionally;
import viper.silver.verifier.AbstractVerificationError;
import viper.silver.verifier.Counterexample;
import viper.silver.verifier.Failure;
import viper.silver.verifier.Success$;
import viper.silver.verifier.VerificationResult;

/** The verifier where clients, processes and programs are odd: there is always an answer, and never a success by accident. */
public final class Trials {
    private int passed;
    private int failed;

    private Trials() {}

    public static void main(String[] args) throws Exception {
        Trials trials = new Trials();
        try {
            trials.run();
        } catch (Throwable e) {
            e.printStackTrace();
            trials.failed++;
        }
        System.out.println(trials.passed + " passed, " + trials.failed + " failed");
        System.exit(trials.failed == 0 ? 0 : 1);
    }

    private void run() throws Exception {
        severalAtOnce();
        names();
        deep();
        reporterThrows();
        processDies();
        interrupted();
        noVerdict();
        examples();
    }

    /** A file as Silver reads it, with what its plugins read. */
    static Program read(Path file) {
        EchisFrontend frontend = new EchisFrontend(NoopReporter$.MODULE$);
        frontend.setVerifier(frontend.createVerifier(""));
        frontend.prepare(asScala(List.of(file.toString())).toSeq());
        frontend.init(frontend.verifier());
        frontend.reset(file);
        frontend.parsing();
        frontend.semanticAnalysis();
        frontend.translation();
        if (frontend.errors().nonEmpty()) {
            throw new IllegalStateException(frontend.errors().toString());
        }
        return frontend.program().get();
    }

    private static Program program(String text) throws Exception {
        Path file = Files.createTempFile("trial", ".vpr");
        try {
            Files.writeString(file, text, StandardCharsets.UTF_8);
            return read(file);
        } finally {
            Files.delete(file);
        }
    }

    private static VerificationResult verify(String text, String... options) throws Exception {
        EchisVerifier verifier = new EchisVerifier();
        verifier.parseCommandLine(asScala(List.of(options)).toSeq());
        return verifier.verify(program(text));
    }

    private void severalAtOnce() throws Exception {
        var threads = Executors.newFixedThreadPool(4);
        List<Future<VerificationResult>> results = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            String claim = i % 2 == 0 ? "n + " + i + " > n - 1" : "n > " + i;
            Program program = program("method m(n: Int) { assert " + claim + " }");
            results.add(threads.submit(() -> new EchisVerifier().verify(program)));
        }
        for (int i = 0; i < results.size(); i++) {
            expect((results.get(i).get() == Success$.MODULE$) == (i % 2 == 0), "program " + i + " of several at once");
        }
        threads.shutdown();
    }

    /** Clients name things as they like. */
    private void names() throws Exception {
        Program plain = program("field f: Int method m(x: Ref) requires acc(x.f) { assert @a(\"b\") (x.f > 0) }");
        for (String name : List.of("größe", "while", "a b", "x'", "0", "…", "\"")) {
            Field field = new Field(name, Int$.MODULE$, NoPosition$.MODULE$, NoInfo$.MODULE$, NoTrafos$.MODULE$);
            Program renamed = (Program) plain.transform(scala.PartialFunction$.MODULE$.fromFunction(node -> renamed((Node) node, field)),
                viper.silver.ast.utility.rewriter.Traverse$.MODULE$.BottomUp());
            VerificationResult result = new EchisVerifier().verify(renamed);
            boolean same = first(result) instanceof AbstractVerificationError error
                && error.fullId().equals("assert.failed:assertion.false")
                && error.reason().readableMessage().contains(name);
            expect(same, "a field of the name " + name + ": " + result);
        }
        String windows = "method m(n: Int)\r\n  requires n > 0 // größer\r\n{\r\n  assert n > 0\r\n}\r\n";
        expect(verify(windows) == Success$.MODULE$, "lines that end as on Windows");
    }

    private static Node renamed(Node node, Field field) {
        if (node instanceof Field) {
            return field;
        } else if (node instanceof FieldAccess access) {
            return new FieldAccess(access.rcv(), field, access.pos(), access.info(), access.errT());
        }
        return node;
    }

    private void deep() throws Exception {
        Program plain = program("method m(n: Int) { assert n == n }");
        Method method = asJava(plain.methods()).get(0);
        Seqn body = method.body().get();
        Exp claim = ((Assert) asJava(body.ss()).get(0)).exp();
        Exp deep = claim;
        for (int i = 0; i < 3000; i++) {
            deep = new And(claim, deep, NoPosition$.MODULE$, NoInfo$.MODULE$, NoTrafos$.MODULE$);
        }
        Stmt assertion = new Assert(deep, body.pos(), body.info(), body.errT());
        Seqn deeper = new Seqn(asScala(List.of(assertion)).toSeq(), body.scopedSeqnDeclarations(), body.pos(), body.info(), body.errT());
        Method replaced = new Method(method.name(), method.formalArgs(), method.formalReturns(), method.pres(), method.posts(),
            scala.Some.apply(deeper), method.pos(), method.info(), method.errT());
        Program whole = new Program(plain.domains(), plain.fields(), plain.functions(), plain.predicates(),
            asScala(List.of(replaced)).toSeq(), plain.extensions(), plain.pos(), plain.info(), plain.errT());
        expect(new EchisVerifier().verify(whole) == Success$.MODULE$, "a conjunction of 3000");
    }

    /** Whoever cannot be told has no verdict; others do not notice. */
    private void reporterThrows() throws Exception {
        Reporter broken = new Reporter() {
            @Override
            public String name() {
                return "broken";
            }

            @Override
            public void report(Message message) {
                throw new IllegalStateException("broken");
            }
        };
        Program program = program("method m(n: Int) { assert n == n }");
        expect(isAborted(new EchisVerifier(broken).verify(program)), "a reporter that throws");
        expect(new EchisVerifier().verify(program) == Success$.MODULE$, "the next program after a reporter that threw");
    }

    private void processDies() throws Exception {
        Path script = Files.createTempFile("echis", ".sh");
        Files.writeString(script, "#!/bin/sh\necho '{\"type\":\"run\",\"echis\":\"0\"}'\nread line\nexit 1\n");
        script.toFile().setExecutable(true);
        String text = "method m(n: Int) { assert n == n }";
        expect(isAborted(verify(text, "--echisExe", script.toString())), "a process that ends");
        Files.writeString(script, "#!/bin/sh\necho 'no JSON'\nread line\nsleep 10\n");
        expect(isAborted(verify(text, "--echisExe", script.toString())), "a process that speaks otherwise");
        Files.delete(script);
        expect(isAborted(verify(text, "--echisExe", script.toString())), "no process");
        expect(verify(text) == Success$.MODULE$, "the next program after a process that ended");
    }

    private void interrupted() throws Exception {
        // Nobody proves this soon.
        String hard = "method m(a: Int, b: Int, c: Int, n: Int) requires a > 0 && b > 0 && c > 0 "
            + "{ assert a * a * a + b * b * b != c * c * c }";
        Program program = program(hard);
        VerificationResult[] result = new VerificationResult[1];
        Thread client = new Thread(() -> result[0] = new EchisVerifier().verify(program));
        client.start();
        Thread.sleep(300);
        client.interrupt();
        client.join(20_000);
        expect(!client.isAlive() && result[0] instanceof Failure, "a client that is interrupted");
        expect(verify("method m(n: Int) { assert n == n }") == Success$.MODULE$, "the next program after one that was given up");
    }

    private void noVerdict() throws Exception {
        Program program = program("method m() { }");
        Answer answer = new Answer(Printer.print(program), program, "");
        expect(answer.result(Map.of("type", "file", "verdict", "undecided", "errors", List.of())) instanceof Failure,
            "no errors and no verdict");
        expect(answer.result(Map.of("type", "file", "verdict", "verified", "errors", List.of())) == Success$.MODULE$, "verified");
        expect(isAborted(verify("method m() { }", "--setAxiomatizationFile=x")), "an option that is refused");
    }

    /** In the forms that clients of Silicon read. */
    private void examples() throws Exception {
        String text = "field f: Int\npredicate P(x: Ref) { acc(x.f) }\nfunction twice(n: Int): Int requires n > -100 { n + n }\n"
            + "method m(x: Ref, n: Int, s: Seq[Int]) requires acc(x.f) && P(x) && |s| == 2 && x.f == -3 && n > 0\n"
            + "{ x.f := x.f - 4\n assert twice(n) != 8 }";
        for (String kind : List.of("native", "mapped", "variables")) {
            VerificationResult result = verify(text, "--counterexample=" + kind);
            var contexts = first(result) instanceof AbstractVerificationError error ? asJava(error.failureContexts()) : List.<viper.silver.verifier.FailureContext>of();
            if (contexts.isEmpty() || contexts.get(0).counterExample().isEmpty()) {
                expect(false, "a counterexample of the kind " + kind + ": " + result);
                continue;
            }
            Counterexample example = contexts.get(0).counterExample().get();
            String said = example.toString().replaceAll("\\s+", " ");
            boolean right = example.getClass().getSimpleName().toLowerCase().contains(kind.equals("variables") ? "variable" : kind)
                && said.contains(kind.equals("native") ? "twice%limited -> { $Snap.unit 4 -> 8 " : kind.equals("mapped") ? "f(perm: 1/1) <- -7" : "n -> 4");
            expect(right, "a counterexample of the kind " + kind + ": " + said);
        }
    }

    private static Object first(VerificationResult result) {
        return result instanceof Failure failure ? asJava(failure.errors()).get(0) : result;
    }

    private static boolean isAborted(VerificationResult result) {
        return first(result) instanceof AbortedExceptionally;
    }

    private void expect(boolean good, String what) {
        if (good) {
            passed++;
        } else {
            failed++;
            System.out.println("WRONG: " + what);
        }
    }
}
