"""Verification on a Ray cluster (``pip install echis[ray]`` on every node).

>>> from echis import cluster
>>> report = cluster.verify(["programs"], address="auto")
>>> report.exit_code

The driver reads each program once and puts it into Ray's object store. Tasks verify batches of members, with one ``echis
serve`` process in each worker. ``echis merge`` joins the answers, so parts of different versions of a program are refused, and the
report is that of ``echis verify --format json`` apart from times.
"""

import argparse
import heapq
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import deque
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Callable, Deque, Dict, Iterable, List, Optional, Sequence, TextIO, Tuple

from ._process import EchisError, executable
from ._server import Json, Server, ServerDied

#: A batch aims at this share of what one worker has to do, so that workers end at about the same time.
BATCHES_PER_WORKER = 8
#: Batches that wait at a worker while it works on another one.
WAITING_PER_WORKER = 1
#: The cost of a member of which no earlier run tells.
USUAL_COST = 100.0
#: Seconds between two looks at the clock.
PATIENCE = 0.5
#: A member that was alone with its worker this often when the worker died is given up.
MOST_DEATHS = 2


@dataclass(frozen=True)
class Options:
    """How to verify."""

    #: Options of each request, as ``docs/front-ends.md`` describes them: ``errors``, ``counterexample``, ``member``, …
    request: Json = field(default_factory=dict)
    #: Options of ``echis serve``, such as ``["--rlimit", "1000000"]``.
    arguments: Tuple[str, ...] = ()
    #: Seconds for the whole run; members that are not done by then are undecided.
    time_limit: Optional[float] = None
    #: Bytes of address space of each process of Echis and of each solver.
    memory_limit: Optional[int] = None


@dataclass(frozen=True)
class Progress:
    """How far a run is."""

    done: int
    total: int
    batches_running: int
    #: Names of the members that were done last.
    last: Tuple[str, ...]


@dataclass(frozen=True)
class Report:
    """What was found: the document that ``echis verify --format json`` prints, and its exit code."""

    text: str
    exit_code: int
    #: Milliseconds, file and name of the members that took longest.
    slowest: Tuple[Tuple[float, str, str], ...]

    @property
    def json(self) -> Json:
        document: Json = json.loads(self.text)
        return document


@dataclass
class _Program:
    path: str
    #: What Echis says of it when it verifies none of its members.
    plan: Json
    #: In the object store: the texts of all its files.
    texts: Any

    @property
    def names(self) -> List[str]:
        names: List[str] = self.plan.get("left_out", [])
        return names


@dataclass(frozen=True)
class _Item:
    """Members of one program, by position."""

    program: int
    at: Tuple[int, ...]


@dataclass(frozen=True)
class _Batch:
    items: Tuple[_Item, ...]
    cost: float
    #: How often a worker died over this batch, if it is a single member.
    deaths: int = 0

    @property
    def members(self) -> int:
        return sum(len(item.at) for item in self.items)

    def halves(self) -> List["_Batch"]:
        """Two batches with half of the members each, or the same once more."""
        single = [_Item(item.program, (at,)) for item in self.items for at in item.at]
        if len(single) == 1:
            return [replace(self, deaths=self.deaths + 1)]
        middle = len(single) // 2
        return [_Batch(_joined(half), self.cost / 2) for half in (single[:middle], single[middle:])]


def _joined(items: Iterable[_Item]) -> Tuple[_Item, ...]:
    at: Dict[int, List[int]] = {}
    for item in items:
        at.setdefault(item.program, []).extend(item.at)
    return tuple(_Item(program, tuple(sorted(positions))) for program, positions in at.items())


def verify(
    paths: Sequence["str | os.PathLike[str]"],
    address: Optional[str] = None,
    *,
    options: Optional[Options] = None,
    costs: Optional[Json] = None,
    progress: Optional[Callable[[Progress], None]] = None,
    is_cancelled: Optional[Callable[[], bool]] = None,
) -> Report:
    """Verifies programs, and programs in folders, on the cluster at ``address``.

    ``costs`` is the report of an earlier run, whose times say what members cost. ``is_cancelled`` is asked now and then; when
    it returns true, or on an interrupt, all tasks are ended and ``KeyboardInterrupt`` is raised.
    """
    ray = _connected(address)
    options = options or Options()
    deadline = None if options.time_limit is None else time.monotonic() + options.time_limit
    with Server(options.arguments) as local:
        programs = [_planned(ray, local, path, options) for path in _programs(paths)]
        run = _Run(ray, programs, options, deadline, progress, is_cancelled or (lambda: False))
        try:
            entries = run.entries(_batches(programs, _workers(ray), costs))
        finally:
            run.end_tasks()
        entries.extend(_given_up(local, programs, run, options))
        return _merged(local.head, programs, entries)


def _connected(address: Optional[str]) -> Any:
    try:
        import ray
    except ImportError as error:
        raise EchisError("Ray is not installed: `pip install echis[ray]`") from error
    if not ray.is_initialized():
        ray.init(address=address, log_to_driver=False)
    return ray


def _workers(ray: Any) -> int:
    return max(1, int(ray.cluster_resources().get("CPU", 1)))


def _programs(paths: Sequence["str | os.PathLike[str]"]) -> List[str]:
    """Files as they are named, and the programs below folders, as `echis verify` finds them."""
    found: List[str] = []
    for path in map(Path, paths):
        if path.is_dir():
            below = sorted(_below(path))
            if not below:
                raise EchisError(f"there is no program (.vpr) in {path}")
            found.extend(below)
        else:
            found.append(os.fspath(path))
    return found


def _below(folder: Path) -> Iterable[str]:
    for entry in sorted(folder.iterdir()):
        if entry.name.startswith("."):
            continue
        if entry.is_dir() and not entry.is_symlink():
            yield from _below(entry)
        elif entry.suffix == ".vpr" and entry.is_file():
            yield os.fspath(entry)


def _planned(ray: Any, local: Server, path: str, options: Options) -> _Program:
    plan = local.ask({"command": "verify", "path": path, "options": {**options.request, "at": []}})
    sources = [source["path"] for source in plan["part"]["run"]["sources"]]
    # What is not a file comes with Echis.
    texts = {name: Path(name).read_bytes().decode(errors="replace") for name in sources if not name.startswith("<")}
    return _Program(path, plan, ray.put(texts))


def _batches(programs: Sequence[_Program], workers: int, costs: Optional[Json]) -> List[_Batch]:
    """Batches of about equal cost, the dearest first. Members that cost more than a batch are alone."""
    known = _known_costs(costs)
    weighed: List[Tuple[float, int, int]] = []
    for index, program in enumerate(programs):
        of_file = known.get(program.path, {})
        weighed.extend((of_file.get(name, USUAL_COST), index, at) for at, name in enumerate(program.names))
    aim = sum(cost for cost, _, _ in weighed) / (workers * BATCHES_PER_WORKER)
    batches: List[_Batch] = []
    cost, items = 0.0, []
    for member_cost, index, at in weighed:
        if items and cost + member_cost > aim:
            batches.append(_Batch(_joined(items), cost))
            cost, items = 0.0, []
        cost += member_cost
        items.append(_Item(index, (at,)))
    if items:
        batches.append(_Batch(_joined(items), cost))
    return sorted(batches, key=lambda batch: -batch.cost)


def _known_costs(report: Optional[Json]) -> Dict[str, Dict[str, float]]:
    files = (report or {}).get("files", [])
    return {file["path"]: {member["name"]: member["time_ms"] for member in file["members"]} for file in files}


class _Run:
    """Submits batches and collects answers."""

    def __init__(
        self,
        ray: Any,
        programs: Sequence[_Program],
        options: Options,
        deadline: Optional[float],
        progress: Optional[Callable[[Progress], None]],
        is_cancelled: Callable[[], bool],
    ) -> None:
        self._ray, self._programs, self._options = ray, programs, options
        self._deadline, self._progress, self._is_cancelled = deadline, progress, is_cancelled
        # Retries are counted here: Ray retries a task that ran out of memory without end.
        self._task = ray.remote(num_cpus=1, max_retries=0)(_verify_batch)
        self._running: Dict[Any, _Batch] = {}
        #: Batches that ran out of time.
        self.late: List[_Batch] = []
        #: Members whose worker died repeatedly, with the reason.
        self.lost: List[Tuple[_Batch, str]] = []

    def entries(self, batches: Sequence[_Batch]) -> List[Json]:
        """What Echis says of each part that was verified."""
        waiting: Deque[_Batch] = deque(batches)
        entries: List[Json] = []
        total, done = sum(batch.members for batch in batches), 0
        while waiting or self._running:
            if self._is_cancelled():
                raise KeyboardInterrupt
            if self._deadline is not None and time.monotonic() > self._deadline:
                self.late = [*waiting, *self._running.values()]
                break
            most = _workers(self._ray) * (1 + WAITING_PER_WORKER)
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
                entries.extend(answers)
                done += batch.members
                last = tuple(member["name"] for entry in answers for member in entry["members"])
                if self._progress is not None:
                    self._progress(Progress(done, total, len(self._running), last))
        return entries

    def end_tasks(self) -> None:
        """Ends the tasks that still run, with their processes."""
        for reference in self._running:
            self._ray.cancel(reference, force=True)
        self._running.clear()

    def _submit(self, batch: _Batch) -> None:
        items = [(self._programs[item.program].path, self._programs[item.program].texts, item.at) for item in batch.items]
        seconds = None if self._deadline is None else self._deadline - time.monotonic()
        self._running[self._task.remote(items, self._options, seconds)] = batch

    def _answer(self, reference: Any) -> Tuple[Optional[List[Json]], str]:
        """The answers of a batch, or why its worker died."""
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


#: The process of Echis in this worker, with the options that it was started with.
_server: Optional[Tuple[Any, Server]] = None


def _verify_batch(items: List[Tuple[str, Any, Tuple[int, ...]]], options: Options, seconds: Optional[float]) -> List[Json]:
    """Runs in a worker."""
    import ray

    global _server
    end = None if seconds is None else time.monotonic() + seconds
    started_with = (options.arguments, options.memory_limit)
    if _server is None or _server[0] != started_with or not _server[1].is_running:
        _server = (started_with, Server(options.arguments, options.memory_limit))
    answers = []
    for path, texts, at in items:
        request = {**options.request, "at": list(at)}
        if end is not None:
            request["timeout"] = max(0.001, end - time.monotonic())
        answers.append(_server[1].ask({"command": "verify", "path": path, "files": ray.get(texts), "options": request}))
    return answers


def _given_up(local: Server, programs: Sequence[_Program], run: _Run, options: Options) -> List[Json]:
    """Parts in which members are undecided, because time was over or their workers died."""
    entries = []
    for batch in run.late:
        entries.extend(_undecided(local, programs, batch, options, None))
    for batch, reason in run.lost:
        message = f"not decided: its worker died {MOST_DEATHS} times, the last time because {reason}"
        entries.extend(_undecided(local, programs, batch, options, message))
    return entries


def _undecided(
    local: Server, programs: Sequence[_Program], batch: _Batch, options: Options, lost: Optional[str]
) -> Iterable[Json]:
    for item in batch.items:
        program = programs[item.program]
        entry = json.loads(json.dumps(program.plan))
        kinds = entry["part"].pop("kinds")
        names = [program.names[at] for at in item.at]
        kind, message = ("timeout", "not decided in the time given") if lost is None else ("lost", lost)
        entry["verdict"] = "undecided"
        entry["members"] = [
            {"name": name, "kind": kinds[at], "verdict": "undecided", "time_ms": 0.0, "checks": 0}
            for name, at in zip(names, item.at)
        ]
        entry["stopped"] = [{"kind": kind, "member": name, "message": message} for name in names]
        entry["part"]["at"] = list(item.at)
        entry.pop("left_out", None)
        yield _sealed(entry)


def _sealed(entry: Json) -> Json:
    """With the digest that `echis merge` checks."""
    import hashlib

    entry["part"].pop("seal", None)
    text = json.dumps(entry, separators=(",", ":"), ensure_ascii=False)
    entry["part"]["seal"] = hashlib.sha256(text.encode()).hexdigest()
    return entry


def _merged(head: Json, programs: Sequence[_Program], entries: List[Json]) -> Report:
    """One report, made by `echis merge`, which refuses parts that do not belong together."""
    top = {**{key: value for key, value in head.items() if key != "type"}, "command": "verify"}
    with tempfile.TemporaryDirectory(prefix="echis-") as folder:
        documents = [Path(folder) / "plan.json", Path(folder) / "parts.json"]
        for document, files in zip(documents, ([program.plan for program in programs], entries)):
            document.write_text(json.dumps({**top, "files": files}, ensure_ascii=False), encoding="utf-8")
        command = [str(executable()), "merge", "--format", "json", *map(str, documents)]
        merged = subprocess.run(command, capture_output=True, encoding="utf-8")
    if not merged.stdout:
        raise EchisError(merged.stderr.strip())
    times = (
        (member["time_ms"], entry["path"], member["name"]) for entry in entries for member in entry["members"]
    )
    return Report(merged.stdout, merged.returncode, tuple(heapq.nlargest(10, times)))


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """The command ``echis-cluster``."""
    parser = argparse.ArgumentParser(prog="echis-cluster", description="Verify programs on a Ray cluster.")
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("verify", help="verify programs, and programs in folders")
    command.add_argument("paths", nargs="+", metavar="FILE")
    command.add_argument("--address", help="the cluster [default: RAY_ADDRESS, or one on this machine]")
    command.add_argument("--format", choices=["human", "json"], default="human")
    command.add_argument("--costs", metavar="REPORT", help="a report (--format json) of an earlier run")
    command.add_argument("--time-limit", type=float, metavar="SECONDS", help="for the whole run")
    command.add_argument("--memory-limit", type=int, metavar="MB", help="of each process")
    command.add_argument("--errors", type=int, metavar="N", help="stop a member after this many errors")
    command.add_argument("--rlimit", metavar="N", help="the solver's effort for each obligation")
    command.add_argument("--cache-url", metavar="URL", help="the shared cache")
    command.add_argument("--trust-cache", action="store_true", help="believe entries that are not signed")
    command.add_argument("--no-cache", action="store_true")
    command.add_argument("-q", "--quiet", action="store_true", help="print findings only")
    args = parser.parse_args(arguments)
    # Ray writes to standard output; that is for the report.
    out = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    with out:
        return _command(args, out)


def _command(args: argparse.Namespace, out: TextIO) -> int:
    serve = ["--jobs", "1"]
    for name, value in (("--rlimit", args.rlimit), ("--cache-url", args.cache_url)):
        serve += [] if value is None else [name, value]
    serve += ["--trust-cache"] if args.trust_cache else []
    serve += ["--no-cache"] if args.no_cache else []
    options = Options(
        request={} if args.errors is None else {"errors": args.errors},
        arguments=tuple(serve),
        time_limit=args.time_limit,
        memory_limit=None if args.memory_limit is None else args.memory_limit << 20,
    )
    try:
        costs = None if args.costs is None else json.loads(Path(args.costs).read_text(encoding="utf-8"))
        shown = None if args.quiet else _show
        report = verify(args.paths, args.address, options=options, costs=costs, progress=shown)
    except (EchisError, OSError, ValueError) as error:
        print(f"echis-cluster: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("echis-cluster: interrupted", file=sys.stderr)
        return 1
    if args.format == "json":
        out.write(report.text)
    else:
        _print(report, out, args.quiet)
    return report.exit_code


def _show(progress: Progress) -> None:
    print(f"{progress.done}/{progress.total} members, {progress.batches_running} batches running", file=sys.stderr)


def _print(report: Report, out: TextIO, quiet: bool) -> None:
    for file in report.json["files"]:
        for error in file["errors"]:
            place = error["position"] or {"line": 0, "column": 0}
            print(f"{file['path']}:{place['line']}:{place['column']}: {error['message']} ({error['id']})", file=out)
        for stop in file["stopped"]:
            print(f"{file['path']}: {stop['member']}: {stop['message']}", file=out)
        print(f"{file['path']}: {file['verdict']} ({len(file['members'])} members)", file=out)
    if not quiet:
        for milliseconds, path, name in report.slowest:
            print(f"{milliseconds / 1000:9.3f} s  {path}: {name}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
