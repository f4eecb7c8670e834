// Verifies files one after the other in one JVM and prints, for each, a line: seconds, verdict, path.

import java.nio.file.*;
import java.util.*;
import viper.silicon.SiliconFrontend;

public class SiliconTimes {
  public static void main(String[] args) throws Exception {
    String z3 = args[0];
    long limit = 1000L * Long.parseLong(args[1]);
    for (String file : Files.readAllLines(Path.of(args[2]))) {
      String[] verdict = {"timeout"};
      long start = System.nanoTime();
      // Silicon needs a deep stack, and a thread is what can be given up.
      Thread thread = new Thread(null, () -> verdict[0] = verify(z3, file), "verify", 512L << 20);
      thread.start();
      thread.join(limit);
      boolean late = thread.isAlive();
      System.out.printf(Locale.ROOT, "%.4f %s %s%n", (System.nanoTime() - start) / 1e9, late ? "timeout" : verdict[0], file);
      // A thread that does not end would slow down those after it.
      if (late) System.exit(3);
    }
    System.exit(0);
  }

  static String verify(String z3, String file) {
    SiliconFrontend frontend = null;
    try {
      frontend = new SiliconFrontend(viper.silver.reporter.NoopReporter$.MODULE$, viper.silver.logger.SilentLogger.apply().get());
      List<String> options = List.of("--z3Exe", z3, file);
      frontend.execute(scala.jdk.javaapi.CollectionConverters.asScala(options).toSeq(), scala.Option.empty());
      return frontend.result() instanceof viper.silver.verifier.Failure ? "failed" : "verified";
    } catch (Throwable problem) {
      return "error";
    } finally {
      try { frontend.verifier().stop(); } catch (Throwable ignored) { }
    }
  }
}
