"""Runs batches of work on the processors of a Ray cluster.

Workers may die at any time: with their node, or because a program takes too much memory. A batch whose worker dies is split
in half and submitted again; a single unit whose worker dies twice is given up.
"""

import time
from collections import deque
from dataclasses import dataclass, field, replace
from typing import Any, Callable, Deque, Dict, Iterable, List, Optional, Sequence, Tuple

from ._process import EchisError
from ._server import Json, Server, ServerDied

#: The number of batches per worker. With several small batches, workers finish at about the same time.
BATCHES_PER_WORKER = 8
#: The number of batches queued at a worker while it processes another one.
WAITING_PER_WORKER = 1
#: The polling interval, in seconds.
PATIENCE = 0.5
#: A single unit whose worker died this many times is given up.
MOST_DEATHS = 2


@dataclass(frozen=True)
class Options:
    """Options of a run."""

    #: Options of each request, described in ``docs/front-ends.md``: ``errors``, ``counterexample``, ``member``, …
    request: Json = field(default_factory=dict)
    #: Options of ``echis serve``, such as ``["--rlimit", "1000000"]``.
    arguments: Tuple[str, ...] = ()
    #: Time limit for the whole run, in seconds; members that are not finished by then are undecided.
    time_limit: Optional[float] = None
    #: Limit on the address space of each Echis and solver process, in bytes.
    memory_limit: Optional[int] = None


@dataclass(frozen=True)
class Progress:
    """The progress of a run."""

    done: int
    total: int
    batches_running: int
    #: The names of the most recently finished members.
    last: Tuple[str, ...]


@dataclass(frozen=True)
class Unit:
    """An indivisible unit of work: a member of a program, or a whole program."""

    #: The index of its program.
    program: int
    #: Its position among the units of the program.
    at: int
    cost: float


@dataclass(frozen=True)
class Batch:
    units: Tuple[Unit, ...]
    #: The number of workers that died while processing this batch, if it is a single unit.
    deaths: int = 0

    @property
    def cost(self) -> float:
        return sum(unit.cost for unit in self.units)

    def by_program(self) -> Dict[int, List[int]]:
        """The positions of the units, by program."""
        at: Dict[int, List[int]] = {}
        for unit in self.units:
            at.setdefault(unit.program, []).append(unit.at)
        return {program: sorted(positions) for program, positions in at.items()}

    def halves(self) -> List["Batch"]:
        """Splits the batch in half. A single unit is returned as is, with its deaths incremented."""
        if len(self.units) == 1:
            return [replace(self, deaths=self.deaths + 1)]
        middle = len(self.units) // 2
        return [Batch(half) for half in (self.units[:middle], self.units[middle:])]


def batches(units: Sequence[Unit], workers: int) -> List[Batch]:
    """Groups units into batches of about equal cost, most expensive first. A unit that costs more than a batch gets its own."""
    aim = sum(unit.cost for unit in units) / (workers * BATCHES_PER_WORKER)
    found: List[Batch] = []
    cost, taken = 0.0, []
    for unit in units:
        if taken and cost + unit.cost > aim:
            found.append(Batch(tuple(taken)))
            cost, taken = 0.0, []
        cost += unit.cost
        taken.append(unit)
    if taken:
        found.append(Batch(tuple(taken)))
    return sorted(found, key=lambda batch: -batch.cost)


def connected(address: Optional[str]) -> Any:
    try:
        import ray
    except ImportError as error:
        raise EchisError("Ray is not installed: `pip install echis[ray]`") from error
    if not ray.is_initialized():
        ray.init(address=address, log_to_driver=False)
    return ray


def workers(ray: Any) -> int:
    return max(1, int(ray.cluster_resources().get("CPU", 1)))


#: Computes the arguments of a batch's task, given the remaining seconds.
Arguments = Callable[[Batch, Optional[float]], Tuple[Any, ...]]


class Run:
    """Submits batches and collects results. A task returns one document for each program of its batch."""

    def __init__(
        self,
        ray: Any,
        task: Callable[..., List[Json]],
        arguments: Arguments,
        deadline: Optional[float],
        progress: Optional[Callable[[Progress], None]],
        is_cancelled: Optional[Callable[[], bool]],
    ) -> None:
        self._ray, self._arguments, self._deadline = ray, arguments, deadline
        self._progress, self._is_cancelled = progress, is_cancelled or (lambda: False)
        # Retries are counted here, because Ray would retry a task that runs out of memory forever.
        self._task = ray.remote(num_cpus=1, max_retries=0)(task)
        self._running: Dict[Any, Batch] = {}
        #: Batches that did not finish in time.
        self.late: List[Batch] = []
        #: Units whose worker died repeatedly, with the reason.
        self.lost: List[Tuple[Batch, str]] = []

    def answers(self, batches: Sequence[Batch]) -> List[Tuple[int, Json]]:
        """Runs the batches. Returns the results of finished batches, with the indices of their programs."""
        try:
            return self._answers(batches)
        finally:
            self._end_tasks()

    def _answers(self, batches: Sequence[Batch]) -> List[Tuple[int, Json]]:
        waiting: Deque[Batch] = deque(batches)
        found: List[Tuple[int, Json]] = []
        total, done = sum(len(batch.units) for batch in batches), 0
        while waiting or self._running:
            if self._is_cancelled():
                raise KeyboardInterrupt
            if self._deadline is not None and time.monotonic() > self._deadline:
                self.late = [*waiting, *self._running.values()]
                break
            most = workers(self._ray) * (1 + WAITING_PER_WORKER)
            while waiting and len(self._running) < most:
                self._submit(waiting.popleft())
            ready, _ = self._ray.wait(list(self._running), timeout=PATIENCE)
            for reference in ready:
                batch = self._running.pop(reference)
                answers, failure = self._answer(reference)
                if answers is None:
                    again = [half for half in batch.halves() if half.deaths < MOST_DEATHS]
                    waiting.extendleft(again)
                    if not again:
                        self.lost.append((batch, failure))
                        done += 1
                    continue
                found.extend(zip(batch.by_program(), answers))
                done += len(batch.units)
                last = tuple(member["name"] for entry in answers for member in entry.get("members", []))
                if self._progress is not None:
                    self._progress(Progress(done, total, len(self._running), last))
        return found

    def _end_tasks(self) -> None:
        """Stops the running tasks and their processes."""
        for reference in self._running:
            self._ray.cancel(reference, force=True)
        self._running.clear()

    def _submit(self, batch: Batch) -> None:
        seconds = None if self._deadline is None else self._deadline - time.monotonic()
        self._running[self._task.remote(*self._arguments(batch, seconds))] = batch

    def _answer(self, reference: Any) -> Tuple[Optional[List[Json]], str]:
        """The results of a batch, or the reason why its worker died."""
        exceptions = self._ray.exceptions
        try:
            return self._ray.get(reference), ""
        except exceptions.OutOfMemoryError:
            return None, "the node ran out of memory"
        except (exceptions.WorkerCrashedError, exceptions.NodeDiedError) as error:
            return None, str(error).strip().splitlines()[0]
        except exceptions.ObjectLostError:
            return None, "the node with the answer was lost"
        except exceptions.RayTaskError as error:
            if isinstance(error.cause, ServerDied):
                return None, str(error.cause)
            raise


#: The Echis process of this worker, with the options it was started with.
_server: Optional[Tuple[Any, Server]] = None


def ask(requests: List[Tuple[Json, Any]], options: Options, seconds: Optional[float]) -> List[Json]:
    """Sends requests to ``echis serve``; runs in a worker. The files of each request are in the object store."""
    import ray

    global _server
    end = None if seconds is None else time.monotonic() + seconds
    started_with = (options.arguments, options.memory_limit)
    if _server is None or _server[0] != started_with or not _server[1].is_running:
        _server = (started_with, Server(options.arguments, options.memory_limit))
    answers = []
    for request, texts in requests:
        if end is not None:
            request["options"]["timeout"] = max(0.001, end - time.monotonic())
        answers.append(_server[1].ask({**request, "files": ray.get(texts)}))
    return answers


def lost(reason: str) -> str:
    return f"not decided: its worker died {MOST_DEATHS} times, the last time because {reason}"


def with_programs(found: Iterable[Tuple[int, Json]]) -> List[Json]:
    """The results, sorted by program."""
    return [answer for _, answer in sorted(found, key=lambda pair: pair[0])]
