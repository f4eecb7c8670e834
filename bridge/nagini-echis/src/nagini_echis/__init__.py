"""Nagini with a third verifier: ``--verifier echis``.

Nagini chooses between two verifiers by name in the middle of its ``main``. This package takes the place of one of them
while it runs: where ``--verifier echis`` is asked for, Nagini believes that it calls Silicon, and calls Echis, through the
classes of ``bridge/jvm`` that look like Silicon's. Everything else is Nagini's own.
"""

import os
import sys
from pathlib import Path
from typing import List, Optional

from nagini_translation import main as nagini
from nagini_translation import verifier
from nagini_translation.lib import config
from nagini_translation.lib.jvmaccess import getobject
from nagini_translation.lib.util import list_to_seq

#: Names the executable of Echis; without it, the one of the Python package ``echis``, or on PATH.
EXECUTABLE = "ECHIS"
#: Names the jar of ``bridge/jvm``; without it, the one in this package.
BRIDGE = "ECHIS_BRIDGE_JAR"


class Echis(verifier.Silicon):
    """What Nagini's class for Silicon does, with Echis."""

    def __init__(self, jvm, filename: str, viper_args: List[str], counterexample: bool):
        self.jvm = jvm
        self.silver = jvm.viper.silver
        reporter = getobject(jvm.java, jvm.viper.silver.reporter, "NoopReporter")
        self.silicon = jvm.viper.echis.MinimalEchisFrontendAPI(reporter)
        args = [
            "--assumeInjectivityOnInhale",
            "--disableDefaultPlugins",
            "--plugin=viper.silver.plugin.standard.refute.RefutePlugin:"
            "viper.silver.plugin.standard.termination.TerminationPlugin:"
            "viper.silver.plugin.standard.predicateinstance.PredicateInstancePlugin",
            *executable(),
            *(["--counterexample=native"] if counterexample else []),
            *viper_args,
        ]
        self.silicon.initialize(list_to_seq(args, jvm, jvm.java.lang.String))

    def verify(self, modules, prog, arp=False, sif=False) -> verifier.VerificationResult:
        """The errors in Nagini's words. What is no error of verification is nothing that Nagini has words for."""
        result = self.silicon.verify(prog)
        if arp:
            result = verifier.get_arp_plugin(self.jvm).map_result(result)
        if not isinstance(result, self.silver.verifier.Failure):
            return verifier.Success()
        errors = self.jvm.scala.jdk.javaapi.CollectionConverters.asJava(result.errors())
        others = [error for error in errors if not isinstance(error, self.silver.verifier.VerificationError)]
        if others:
            raise NoVerdict("\n".join(str(error.readableMessage()) for error in others))
        return verifier.Failure(list(errors), self.jvm, modules, sif)


class NoVerdict(Exception):
    """Echis did not come to a verdict: it cannot be started, refuses an option, or ran out of time."""


def executable() -> List[str]:
    """The options that name the executable, unless the bridge finds it by itself."""
    if os.environ.get(EXECUTABLE):
        return ["--echisExe", os.environ[EXECUTABLE]]
    try:
        import echis

        return ["--echisExe", str(echis.executable())]
    except ImportError:
        return []


def bridge() -> Path:
    """The jar with the classes that look like Silicon's."""
    jar = Path(os.environ.get(BRIDGE) or Path(__file__).with_name("echis-bridge.jar"))
    if not jar.exists():
        raise SystemExit(f"nagini-echis: there is no {jar}; `python3 bridge/jvm/build.py` makes it, {BRIDGE} names it")
    return jar


def use_echis() -> None:
    """From now on, what Nagini verifies with Silicon in this process is verified with Echis."""
    nagini.Silicon = Echis
    verifier.Silicon = Echis
    config.classpath = os.pathsep.join(filter(None, [config.classpath, str(bridge())]))


def main(arguments: Optional[List[str]] = None) -> None:
    """Nagini's command line; only ``--verifier echis`` is new."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    for index, word in enumerate(words):
        if word == "--verifier" and words[index + 1 : index + 2] == ["echis"]:
            words[index + 1] = "silicon"
            use_echis()
        elif word == "--verifier=echis":
            words[index] = "--verifier=silicon"
            use_echis()
    sys.argv[1:] = words
    try:
        nagini.main()
    except NoVerdict as error:
        print(f"Echis: {error}", file=sys.stderr)
        sys.exit(3)
