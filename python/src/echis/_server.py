"""``echis serve``: a process that verifies programs one at a time."""

import ctypes
import json
import signal
import subprocess
import sys
from typing import Any, Callable, Dict, List, Optional, Sequence

from ._process import EchisError, executable

Json = Dict[str, Any]


class ServerDied(EchisError):
    """The process died during a request."""


class Refused(EchisError):
    """The request is invalid."""


class Server:
    """A running ``echis serve`` process. It ends with this process, even if this process is killed."""

    def __init__(self, arguments: Sequence[str] = (), memory_limit: Optional[int] = None) -> None:
        command: List[str] = [str(executable()), "serve", *arguments]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            preexec_fn=before_start(memory_limit),
        )
        self._next = 0
        try:
            #: The versions of Echis and of the solver.
            self.head: Json = self._read()
        except ServerDied:
            self.close()
            raise EchisError(f"`{' '.join(command)}` does not start") from None

    def ask(self, request: Json) -> Json:
        """Sends a request about a file and returns the result."""
        self._next += 1
        line = json.dumps({"id": self._next, **request}) + "\n"
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line.encode())
            self._process.stdin.flush()
        except OSError:
            raise ServerDied(self._why()) from None
        answer = self._read()
        while answer.get("type") == "member":
            answer = self._read()
        if answer["type"] == "refused":
            raise Refused(answer["message"])
        return {key: value for key, value in answer.items() if key not in ("id", "type")}

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:
                    pass

    @property
    def is_running(self) -> bool:
        return self._process.poll() is None

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _read(self) -> Json:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line.endswith(b"\n"):
            raise ServerDied(self._why())
        answer: Json = json.loads(line)
        return answer

    def _why(self) -> str:
        code = self._process.wait()
        if code < 0:
            return f"Echis was ended by {signal.Signals(-code).name}"
        return f"Echis ended with code {code}"


def before_start(memory_limit: Optional[int]) -> Optional[Callable[[], None]]:
    """A function to run in the child process before Echis starts: sets its limits, and ends it with its parent."""
    if sys.platform == "win32":
        return None

    def prepare() -> None:
        if sys.platform == "linux":
            set_parent_death_signal = 1
            ctypes.CDLL(None).prctl(set_parent_death_signal, signal.SIGKILL)
        if memory_limit is not None:
            import resource

            resource.setrlimit(resource.RLIMIT_AS, (memory_limit, memory_limit))

    return prepare
