#!/usr/bin/env python3
"""Verifies Python programs with Silicon and with Echis and tells where they differ: ``compare.py FILE…``

Both verify the same translation, in one JVM. Messages are compared as sets of lines.
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


def verify(kind, jvm, path, modules, program):
    """What is printed, without what differs from run to run, and the time."""
    start = time.time()
    try:
        result = kind(jvm, path, [], False).verify(modules, program)
        lines = set(result.to_string(False, True).splitlines())
    except nagini_echis.NoVerdict as error:
        lines = {f"no verdict: {error}"}
    return lines, time.time() - start


def main():
    silicon = verifier.Silicon
    nagini_echis.use_echis()
    jvm = JVM(config.classpath)
    same = verdicts = 0
    times = [0.0, 0.0]
    files = sys.argv[1:]
    for path in files:
        config.obligation_config.disable_all = True
        modules, program = nagini.translate(path, jvm, 8, base_dir=os.path.dirname(path))
        theirs, their_time = verify(silicon, jvm, path, modules, program)
        ours, our_time = verify(nagini_echis.Echis, jvm, path, modules, program)
        times = [times[0] + their_time, times[1] + our_time]
        verdicts += ("Verification successful" in ours) == ("Verification successful" in theirs)
        same += ours == theirs
        print(f"{'same' if ours == theirs else 'DIFFERENT'} {path}: Silicon {their_time:.1f} s, Echis {our_time:.1f} s")
        for name, lines in (("Silicon", theirs - ours), ("Echis", ours - theirs)):
            for line in sorted(lines):
                print(f"  {name} only: {line}")
    print(f"{len(files)} programs: {verdicts} with the same verdict, {same} with the same messages;", end=" ")
    print(f"Silicon {times[0]:.1f} s, Echis {times[1]:.1f} s")


if __name__ == "__main__":
    main()
