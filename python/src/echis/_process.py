"""Locates and runs the executable."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any, Dict, List, Optional


class EchisError(Exception):
    """Echis could not run: it was not found, rejected an option, or failed internally."""


def executable() -> Path:
    """Locates the executable: given by the environment variable ECHIS, bundled with this package, or on PATH."""
    named = os.environ.get("ECHIS")
    if named:
        return Path(named)
    name = "echis.exe" if sys.platform == "win32" else "echis"
    for folder in (sysconfig.get_path("scripts"), os.path.dirname(sys.executable)):
        if folder and (Path(folder) / name).is_file():
            return Path(folder) / name
    found = shutil.which("echis")
    if found is None:
        raise EchisError("the executable `echis` is not found; the environment variable ECHIS names it")
    return Path(found)


def version() -> str:
    """The version of Echis."""
    return _run(["--version"], None).split()[-1]


def ask(arguments: List[str], text: Optional[str]) -> Dict[str, Any]:
    """Runs a command and returns its JSON output."""
    answer: Dict[str, Any] = json.loads(_run([*arguments, "--format", "json"], text))
    return answer


def _run(arguments: List[str], text: Optional[str]) -> str:
    try:
        run = subprocess.run(
            [str(executable()), *arguments],
            input=None if text is None else text.encode(),
            stdin=subprocess.DEVNULL if text is None else None,
            capture_output=True,
        )
    except OSError as error:
        raise EchisError(f"Echis cannot be started: {error}") from error
    if not run.stdout:
        raise EchisError(run.stderr.decode(errors="replace").strip() or f"Echis ended with {run.returncode}")
    return run.stdout.decode()
