package viper.echis;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** A process of `echis serve` that lives as long as this JVM. All verifiers with the same command share one. */
final class Server {
    private static final Map<List<String>, Server> RUNNING = new ConcurrentHashMap<>();

    private final Process process;
    private final OutputStream input;
    private final Map<Long, Request> open = new ConcurrentHashMap<>();
    private final AtomicLong next = new AtomicLong();
    private volatile String version = "";

    private record Request(Consumer<Map<String, Object>> member, CompletableFuture<Map<String, Object>> file) {}

    /** The executable: the property `echis.path`, the environment's ECHIS, or what PATH says. */
    static String executable() {
        String named = System.getProperty("echis.path", System.getenv("ECHIS"));
        return named == null || named.isEmpty() ? "echis" : named;
    }

    /** Starts a process, unless one runs. */
    static Server get(List<String> command) {
        return RUNNING.compute(command, (words, running) ->
            running != null && running.process.isAlive() ? running : start(words));
    }

    private static Server start(List<String> command) {
        List<String> words = new ArrayList<>(command);
        words.add(1, "serve");
        try {
            return new Server(new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.INHERIT).start());
        } catch (IOException e) {
            throw new IllegalStateException("Echis cannot be started as `" + String.join(" ", words)
                + "`; the property echis.path or the environment variable ECHIS names the executable", e);
        }
    }

    private Server(Process process) {
        this.process = process;
        this.input = process.getOutputStream();
        Runtime.getRuntime().addShutdownHook(new Thread(this::close));
        Thread reader = new Thread(this::listen, "echis");
        reader.setDaemon(true);
        reader.start();
    }

    /** Of Echis, once it has said so. */
    String version() {
        return version;
    }

    /** What Echis answers, or refuses. Where the thread is interrupted, the request is cancelled. */
    Map<String, Object> ask(Map<String, Object> request, Consumer<Map<String, Object>> member)
        throws InterruptedException {
        long id = next.getAndIncrement();
        CompletableFuture<Map<String, Object>> file = new CompletableFuture<>();
        open.put(id, new Request(member, file));
        Map<String, Object> named = new java.util.LinkedHashMap<>(Map.of("id", id, "command", "verify"));
        named.putAll(request);
        try {
            say(named);
            return file.get();
        } catch (InterruptedException e) {
            say(Map.of("id", id, "command", "cancel"));
            throw e;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause().getMessage(), e.getCause());
        } finally {
            open.remove(id);
        }
    }

    private void say(Map<String, Object> request) {
        byte[] line = (Json.write(request) + "\n").getBytes(StandardCharsets.UTF_8);
        synchronized (input) {
            try {
                input.write(line);
                input.flush();
            } catch (IOException e) {
                throw new IllegalStateException("Echis has ended", e);
            }
        }
    }

    private void listen() {
        try (var lines = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                hear(Json.object(Json.read(line)));
            }
        } catch (IOException | RuntimeException e) {
            end(e);
        }
        end(new IOException("Echis has ended"));
    }

    private void hear(Map<String, Object> answer) {
        if ("run".equals(answer.get("type"))) {
            version = Json.string(answer.get("echis"));
            return;
        }
        Request request = open.get((long) Json.integer(answer.get("id")));
        if (request == null) {
            return;
        }
        if ("member".equals(answer.get("type"))) {
            try {
                request.member.accept(answer);
            } catch (RuntimeException e) {
                // A client that cannot take what it is told is no reason to end the work of others.
                request.file.completeExceptionally(e);
            }
        } else {
            request.file.complete(answer);
        }
    }

    /** It ends by itself when nobody can ask any more. */
    private void close() {
        try {
            input.close();
        } catch (IOException e) {
            process.destroy();
        }
    }

    private void end(Exception why) {
        close();
        open.values().forEach(request -> request.file.completeExceptionally(why));
    }
}
