#!/usr/bin/env python3
"""Verifies Python programs with Silicon and with Echis and tells where they differ: ``compare.py FILE…``

Both verify the same translation, in one JVM. Messages are compared as sets of lines. A program whose first line is
``# nagini: sif`` is verified for information flow.
"""

import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "src"))

import nagini_echis
from nagini_translation import main as nagini
from nagini_translation import verifier
from nagini_translation.lib import config
from nagini_translation.lib.jvmaccess import JVM


def translate(jvm, path):
    """Nagini's modules and Viper's program, and whether two executions are compared."""
    # Left open, so that Nagini looks whether the program speaks of obligations.
    config.obligation_config._info.pop("disable_all", None)
    with open(path, encoding="utf-8") as file:
        sif = file.readline().strip() == "# nagini: sif"
    # What was loaded for programs of the other kind does not fit.
    reload = sif or translate.sif
    translate.sif = sif
    return nagini.translate(path, jvm, 8, base_dir=os.path.dirname(path), sif=sif, reload_resources=reload), sif


translate.sif = False


def verify(kind, jvm, path, modules, program, sif):
    """What is printed, without what differs from run to run, and the time."""
    start = time.time()
    try:
        result = kind(jvm, path, [], False).verify(modules, program, sif=sif)
        lines = set(result.to_string(False, True).splitlines())
    except nagini_echis.NoVerdict as error:
        lines = {f"no verdict: {error}"}
    return lines, time.time() - start


def main():
    silicon = verifier.Silicon
    nagini_echis.use_echis()
    jvm = JVM(config.classpath)
    same = verdicts = failing = 0
    times = [0.0, 0.0]
    files = sys.argv[1:]
    for path in files:
        try:
            (modules, program), sif = translate(jvm, path)
        except Exception as error:  # Nagini has several kinds, and JPype has more.
            print(f"NO PROGRAM {path}: {error!r}")
            continue
        theirs, their_time = verify(silicon, jvm, path, modules, program, sif)
        ours, our_time = verify(nagini_echis.Echis, jvm, path, modules, program, sif)
        times = [times[0] + their_time, times[1] + our_time]
        verdicts += ("Verification successful" in ours) == ("Verification successful" in theirs)
        same += ours == theirs
        failing += "Verification failed" in theirs
        print(f"{'same' if ours == theirs else 'DIFFERENT'} {path}: Silicon {their_time:.1f} s, Echis {our_time:.1f} s", flush=True)
        for name, lines in (("Silicon", theirs - ours), ("Echis", ours - theirs)):
            for line in sorted(lines):
                print(f"  {name} only: {line}")
    print(f"{len(files)} programs, {failing} with errors: {verdicts} with the same verdict, {same} with the same messages;", end=" ")
    print(f"Silicon {times[0]:.1f} s, Echis {times[1]:.1f} s")


if __name__ == "__main__":
    main()
