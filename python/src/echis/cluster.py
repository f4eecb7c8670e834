"""Echis on a Ray cluster (``pip install echis[ray]`` on every node).

>>> from echis import cluster
>>> report = cluster.verify(["programs"], address="auto")
>>> report.exit_code

The driver reads each program once and puts it into Ray's object store. Tasks verify batches of members, with one
``echis serve`` process per worker. ``echis merge`` combines the results, so shards of different versions of a program are
rejected, and the report equals that of ``echis verify --format json`` except for times.

``dependencies``, ``coverage`` and ``stability`` process whole programs, one at a time on each worker.
"""

import argparse
import heapq
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Dict, Iterable, List, Optional, Sequence, TextIO, Tuple

from ._pool import Batch, Options, Progress, Run, Unit, ask, batches, connected, lost, with_programs, workers
from ._process import EchisError, executable
from ._server import Json, Server

__all__ = ["Options", "Progress", "Report", "coverage", "dependencies", "stability", "verify"]

#: The cost of a member that is not in the report of an earlier run.
USUAL_COST = 100.0


@dataclass(frozen=True)
class Report:
    """The result of a run: the output of the command with ``--format json``, and its exit code."""

    text: str
    exit_code: int
    #: The slowest members: milliseconds, file and name.
    slowest: Tuple[Tuple[float, str, str], ...]

    @property
    def json(self) -> Json:
        document: Json = json.loads(self.text)
        return document


@dataclass
class _Program:
    path: str
    #: The result of Echis without verifying any member.
    plan: Json
    #: A reference to the texts of all its files in the object store.
    texts: Any

    @property
    def names(self) -> List[str]:
        names: List[str] = self.plan.get("left_out", [])
        return names


def verify(
    paths: Sequence["str | os.PathLike[str]"],
    address: Optional[str] = None,
    *,
    options: Optional[Options] = None,
    costs: Optional[Json] = None,
    progress: Optional[Callable[[Progress], None]] = None,
    is_cancelled: Optional[Callable[[], bool]] = None,
) -> Report:
    """Verifies programs, and all programs in folders, on the cluster at ``address``.

    ``costs`` is the report of an earlier run, whose times are used to balance the load. ``is_cancelled`` is polled; when it
    returns true, or on an interrupt, all tasks are stopped and ``KeyboardInterrupt`` is raised.
    """
    ray = connected(address)
    options = options or Options()
    deadline = _deadline(options)
    with Server(options.arguments) as local:
        programs = [_planned(ray, local, path, options) for path in _programs(paths)]

        def arguments(batch: Batch, seconds: Optional[float]) -> Tuple[Any, ...]:
            return _requests(programs, batch, "verify", options, is_part=True), options, seconds

        run = Run(ray, ask, arguments, deadline, progress, is_cancelled)
        entries = [entry for _, entry in run.answers(batches(_members(programs, costs), workers(ray)))]
        entries.extend(_given_up(programs, run))
        return _merged(local.head, programs, entries)


def dependencies(paths: Sequence["str | os.PathLike[str]"], address: Optional[str] = None, **more: Any) -> Report:
    """Computes the dependencies of proofs: the output of ``echis deps --all --format json`` for several programs.

    Takes the parameters of ``verify``. Programs are not split: each worker processes one at a time.
    """
    return _explained("deps", {}, paths, address, **more)


def coverage(
    paths: Sequence["str | os.PathLike[str]"], address: Optional[str] = None, *, confirm: str = "run", **more: Any
) -> Report:
    """Computes proof coverage: the output of ``echis cover --format json`` for several programs.

    ``confirm`` is ``run``, ``thorough``, ``smoke`` or ``skip``. Takes the parameters of ``verify``.
    """
    return _explained("cover", {"confirm": confirm}, paths, address, **more)


def stability(
    paths: Sequence["str | os.PathLike[str]"], address: Optional[str] = None, *, runs: int = 10, **more: Any
) -> Report:
    """Finds unstable proofs: the output of ``echis verify --stability RUNS --format json`` for several programs.

    Takes the parameters of ``verify``.
    """
    return _explained("verify", {"stability": runs}, paths, address, **more)


def _explained(
    command: str,
    request: Json,
    paths: Sequence["str | os.PathLike[str]"],
    address: Optional[str],
    *,
    options: Optional[Options] = None,
    costs: Optional[Json] = None,
    progress: Optional[Callable[[Progress], None]] = None,
    is_cancelled: Optional[Callable[[], bool]] = None,
) -> Report:
    ray = connected(address)
    options = options or Options()
    deadline = _deadline(options)
    asked = Options({**options.request, **request}, options.arguments, options.time_limit, options.memory_limit)
    with Server(options.arguments) as local:
        programs = [_planned(ray, local, path, options) for path in _programs(paths)]
        head = local.head

    def arguments(batch: Batch, seconds: Optional[float]) -> Tuple[Any, ...]:
        return _requests(programs, batch, command, asked, is_part=False), asked, seconds

    run = Run(ray, ask, arguments, deadline, progress, is_cancelled)
    found = run.answers(batches(_whole(programs, costs), workers(ray)))
    found += [(unit.program, _unexplained(programs[unit.program], None)) for batch in run.late for unit in batch.units]
    found += [(unit.program, _unexplained(programs[unit.program], why)) for batch, why in run.lost for unit in batch.units]
    return _document(head, command, with_programs(found))


def _deadline(options: Options) -> Optional[float]:
    return None if options.time_limit is None else time.monotonic() + options.time_limit


def _programs(paths: Sequence["str | os.PathLike[str]"]) -> List[str]:
    """The given files, and the programs in the given folders, in the same way as `echis verify`."""
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
    # Names in angle brackets are built-in files.
    texts = {name: Path(name).read_bytes().decode(errors="replace") for name in sources if not name.startswith("<")}
    return _Program(path, plan, ray.put(texts))


def _members(programs: Sequence[_Program], costs: Optional[Json]) -> List[Unit]:
    known = _known_costs(costs)
    return [
        Unit(index, at, known.get(program.path, {}).get(name, USUAL_COST))
        for index, program in enumerate(programs)
        for at, name in enumerate(program.names)
    ]


def _whole(programs: Sequence[_Program], costs: Optional[Json]) -> List[Unit]:
    """Whole programs as units. The cost of a program is the sum of its members' costs."""
    cost: Dict[int, float] = {index: USUAL_COST for index in range(len(programs))}
    for member in _members(programs, costs):
        cost[member.program] += member.cost
    return [Unit(index, 0, cost[index]) for index in range(len(programs))]


def _requests(
    programs: Sequence[_Program], batch: Batch, command: str, options: Options, is_part: bool
) -> List[Tuple[Json, Any]]:
    """The requests for a batch."""
    requests = []
    for index, at in batch.by_program().items():
        more = {"at": at} if is_part else {}
        request = {"command": command, "path": programs[index].path, "options": {**options.request, **more}}
        requests.append((request, programs[index].texts))
    return requests


def _known_costs(report: Optional[Json]) -> Dict[str, Dict[str, float]]:
    files = (report or {}).get("files", [])
    return {file["path"]: {member["name"]: member["time_ms"] for member in file["members"]} for file in files}


def _given_up(programs: Sequence[_Program], run: Run) -> List[Json]:
    """Results with undecided members, which ran out of time or whose workers died."""
    entries: List[Json] = []
    for batch in run.late:
        entries.extend(_undecided(programs, batch, None))
    for batch, reason in run.lost:
        entries.extend(_undecided(programs, batch, reason))
    return entries


def _undecided(programs: Sequence[_Program], batch: Batch, reason: Optional[str]) -> Iterable[Json]:
    for index, at in batch.by_program().items():
        program = programs[index]
        entry = json.loads(json.dumps(program.plan))
        kinds = entry["part"].pop("kinds")
        names = [program.names[position] for position in at]
        entry["verdict"] = "undecided"
        entry["members"] = [
            {"name": name, "kind": kinds[position], "verdict": "undecided", "time_ms": 0.0, "checks": 0}
            for name, position in zip(names, at)
        ]
        entry["stopped"] = [_stop(name, reason) for name in names]
        entry["part"]["at"] = at
        entry.pop("left_out", None)
        yield _sealed(entry)


def _stop(member: Optional[str], reason: Optional[str]) -> Json:
    """The reason for a missing result: a timeout, or dead workers with the given reason."""
    if reason is None:
        return {"kind": "timeout", "member": member, "message": "not decided in the time given"}
    return {"kind": "lost", "member": member, "message": lost(reason)}


def _unexplained(program: _Program, reason: Optional[str]) -> Json:
    """The result of a program that could not be processed."""
    entry = {key: value for key, value in program.plan.items() if key not in ("part", "left_out")}
    return {**entry, "verdict": "undecided", "members": [], "stopped": [_stop(None, reason)]}


#: The exit codes of files, by verdict.
_EXITS = {"valid": 0, "verified": 0, "undecided": 1, "failed": 1, "invalid": 2}


def _document(head: Json, command: str, entries: List[Json]) -> Report:
    """Combines the results of whole programs into one document, formatted as by the command."""
    document = {**{key: value for key, value in head.items() if key != "type"}, "command": command, "files": entries}
    pretty = command == "verify"
    layout: Json = {"indent": 2} if pretty else {"separators": (",", ":")}
    text = json.dumps(document, ensure_ascii=False, **layout) + "\n"
    exit_code = max((_EXITS.get(entry["verdict"], 3) for entry in entries), default=0)
    return Report(text, exit_code, _slowest(entries))


def _slowest(entries: Iterable[Json]) -> Tuple[Tuple[float, str, str], ...]:
    times = (
        (member["time_ms"], entry["path"], member["name"])
        for entry in entries
        for member in entry["members"]
        if "time_ms" in member
    )
    return tuple(heapq.nlargest(10, times))


def _sealed(entry: Json) -> Json:
    """Adds the digest that `echis merge` checks."""
    import hashlib

    entry["part"].pop("seal", None)
    text = json.dumps(entry, separators=(",", ":"), ensure_ascii=False)
    entry["part"]["seal"] = hashlib.sha256(text.encode()).hexdigest()
    return entry


def _merged(head: Json, programs: Sequence[_Program], entries: List[Json]) -> Report:
    """Combines the results with `echis merge`, which rejects inconsistent parts."""
    top = {**{key: value for key, value in head.items() if key != "type"}, "command": "verify"}
    with tempfile.TemporaryDirectory(prefix="echis-") as folder:
        documents = [Path(folder) / "plan.json", Path(folder) / "parts.json"]
        for document, files in zip(documents, ([program.plan for program in programs], entries)):
            document.write_text(json.dumps({**top, "files": files}, ensure_ascii=False), encoding="utf-8")
        command = [str(executable()), "merge", "--format", "json", *map(str, documents)]
        merged = subprocess.run(command, capture_output=True, encoding="utf-8")
    if not merged.stdout:
        raise EchisError(merged.stderr.strip())
    return Report(merged.stdout, merged.returncode, _slowest(entries))


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """The command ``echis-cluster``."""
    parser = argparse.ArgumentParser(prog="echis-cluster", description="Verify and explain programs on a Ray cluster.")
    commands = parser.add_subparsers(dest="command", required=True)
    for name, (_, about) in _COMMANDS.items():
        _add_options(name, commands.add_parser(name, help=about, description=about))
    args = parser.parse_args(arguments)
    # Ray writes to standard output, which is reserved for the report.
    out = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    with out:
        return _command(args, out)


#: The functions and descriptions of the commands.
_COMMANDS: Dict[str, Tuple[Callable[..., Report], str]] = {
    "verify": (verify, "verify programs, and programs in folders"),
    "deps": (dependencies, "show what their proofs need (JSON)"),
    "cover": (coverage, "show what no proof needs (JSON)"),
    "stability": (stability, "verify them several times with different solver seeds (JSON)"),
}


def _add_options(name: str, command: argparse.ArgumentParser) -> None:
    command.add_argument("paths", nargs="+", metavar="FILE")
    command.add_argument("--address", help="the cluster [default: RAY_ADDRESS, or one on this machine]")
    if name == "verify":
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
    if name == "cover":
        command.add_argument("--confirm", choices=["run", "thorough", "smoke", "skip"], default="run")
    if name == "stability":
        command.add_argument("--runs", type=int, metavar="N", default=10, help="how often to verify [default: 10]")


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
        function, _ = _COMMANDS[args.command]
        more = {name: getattr(args, name) for name in ("confirm", "runs") if hasattr(args, name)}
        report = function(args.paths, args.address, options=options, costs=costs, progress=shown, **more)
    except (EchisError, OSError, ValueError) as error:
        print(f"echis-cluster: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("echis-cluster: interrupted", file=sys.stderr)
        return 1
    if args.command != "verify" or args.format == "json":
        out.write(report.text)
    else:
        _print(report, out, args.quiet)
    return report.exit_code


def _show(progress: Progress) -> None:
    print(f"{progress.done}/{progress.total} done, {progress.batches_running} batches running", file=sys.stderr)


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
