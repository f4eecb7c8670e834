#!/usr/bin/env python3
"""Compiles the bridge and packs it: ``python3 build.py [-o echis-bridge.jar]``.

Needs a JDK from 17 on, and Silver's and Silicon's classes: Silicon's jar, named by ECHIS_SILVER_JAR, or that of an installed
``nagini``. None of them go into the jar. ``--find`` only prints where Silver's classes were found. Exit code 3 where
something that is needed is missing.
"""

import argparse
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent


def silver():
    """The jar with Silver's classes, if there is one."""
    named = os.environ.get("ECHIS_SILVER_JAR")
    if named:
        return Path(named) if Path(named).is_file() else None
    found = importlib.util.find_spec("nagini_translation")
    if found is None or not found.origin:
        return None
    jar = Path(found.origin).parent / "resources" / "backends" / "silicon.jar"
    return jar if jar.is_file() else None


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("-o", "--output", type=Path, default=HERE / "echis-bridge.jar")
    options.add_argument("--classes", type=Path, help="leave the classes, with those of the tests, in this folder")
    options.add_argument("--find", action="store_true", help="print the jar with Silver's classes and stop")
    args = options.parse_args()
    classes = silver()
    if classes is None:
        print("Silver's classes are not found: ECHIS_SILVER_JAR names a jar, or `pip install nagini`", file=sys.stderr)
        sys.exit(3)
    if args.find:
        print(classes)
        return
    if not shutil.which("javac"):
        print("there is no JDK: javac is not found", file=sys.stderr)
        sys.exit(3)
    if args.classes:
        compile_into(args.classes, classes, ["src", "test"])
        return
    with tempfile.TemporaryDirectory() as folder:
        compile_into(Path(folder), classes, ["src"])
        subprocess.run(["jar", "--create", "--file", args.output, "-C", folder, "."], check=True)


def compile_into(folder, classes, parts):
    sources = sorted(str(path) for part in parts for path in (HERE / part).rglob("*.java"))
    flags = ["-nowarn", "--release", "17"]
    subprocess.run(["javac", *flags, "-cp", classes, "-d", folder, *sources], check=True)


if __name__ == "__main__":
    main()
