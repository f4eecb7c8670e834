"""What Echis answers, as objects. Each keeps the JSON that it was made of in ``json``."""

import errno
import os
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Sequence, Tuple, Union

from . import _html
from ._process import ask

if TYPE_CHECKING:
    import networkx

Json = Dict[str, Any]


@dataclass(frozen=True)
class Position:
    """A range in a file. Lines and columns count from 1; the end is just behind the last character."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True)
class Annotation:
    """``@name("args")`` before a node."""

    name: str
    args: Tuple[str, ...]


@dataclass(frozen=True)
class Related:
    """Another place that an error speaks of."""

    message: str
    position: Position


@dataclass(frozen=True)
class Counterexample:
    """A state in which an obligation fails. ``confirmed``: an evaluator found every fact of the path true in it."""

    confirmed: bool
    variables: Dict[str, str]
    json: Json = field(repr=False)


@dataclass(frozen=True)
class Error:
    """One obligation that was not proved, or something that is wrong with the program."""

    id: str
    message: str
    member: Optional[str]
    position: Optional[Position]
    #: Where the reason lies, which need not be where the error is reported.
    reason_position: Optional[Position]
    related: Tuple[Related, ...]
    #: The conditions of each path on which it happens.
    paths: Tuple[Tuple[str, ...], ...]
    #: Undecided: the solver could not tell whether the obligation holds.
    undecided: bool
    #: It rests on what an earlier failure left unknown.
    cascade: bool
    counterexample: Optional[Counterexample]
    json: Json = field(repr=False)

    def __str__(self) -> str:
        """As on a terminal, without the excerpt of the source."""
        lines = [f"{'undecided' if self.undecided else 'error'}[{self.id}]: {self.message}"]
        if self.position is not None:
            lines.append(f" --> {self.position}")
        if self.member is not None:
            lines.append(f"  = note: while verifying {self.member}")
        lines += [f"  = note: on the path where {', '.join(path)}" for path in self.paths if path]
        if self.counterexample is not None:
            said = "confirmed" if self.counterexample.confirmed else "possibly spurious"
            lines.append(f"counterexample ({said}):")
            lines += [f"  {name} = {value}" for name, value in self.counterexample.variables.items()]
        return "\n".join(lines)


@dataclass(frozen=True)
class Member:
    """A function, predicate or method that was verified."""

    name: str
    kind: str
    verdict: str
    time_ms: float
    checks: int


@dataclass(frozen=True)
class Node:
    """What a user would point at: a statement, a clause, a conjunct."""

    id: int
    text: str
    member: str
    position: Position
    #: As what it is assumed, and as what it is asserted: ``explicit``, ``implicit``, …; None: it is not.
    assumption: Optional[str]
    assertion: Optional[str]
    failed: bool
    annotations: Tuple[Annotation, ...]

    def __str__(self) -> str:
        return f"{self.position.line}:{self.position.column} {self.text}"


@dataclass(frozen=True)
class Dependencies:
    """What the proof of a node needs."""

    of: Node
    all: Tuple[Node, ...]
    explicit: Tuple[Node, ...]
    direct: Tuple[Node, ...]


@dataclass(frozen=True)
class Graph:
    """All nodes, and the dependencies of those that are asserted and proved."""

    nodes: Tuple[Node, ...]
    dependencies: Tuple[Dependencies, ...]
    json: Json = field(repr=False)

    def of(self, line: int, column: Optional[int] = None) -> Tuple[Dependencies, ...]:
        """The dependencies of what is asserted there."""
        return tuple(found for found in self.dependencies if _is_at(found.of.position, line, column))

    def to_networkx(self) -> "networkx.DiGraph":
        """Nodes by their ids, with ``text``, ``member``, ``line`` and so on; edges lead to what is needed directly."""
        import networkx

        graph = networkx.DiGraph()
        for node in self.nodes:
            graph.add_node(
                node.id,
                text=node.text,
                member=node.member,
                line=node.position.line,
                column=node.position.column,
                assumption=node.assumption,
                assertion=node.assertion,
                failed=node.failed,
            )
        for found in self.dependencies:
            graph.add_edges_from((found.of.id, needed.id) for needed in found.direct)
        return graph

    def _repr_html_(self) -> str:
        return _html.graph(self)


@dataclass(frozen=True)
class Coverage:
    """How much of the program some proof needs, and what no proof needs."""

    covered: int
    total: int
    percent: float
    uncovered: Tuple[Node, ...]


@dataclass(frozen=True)
class Verification:
    """What is true of a program. ``verdict`` is verified, failed, undecided, invalid or error."""

    path: str
    verdict: str
    members: Tuple[Member, ...]
    errors: Tuple[Error, ...]
    warnings: Tuple[str, ...]
    json: Json = field(repr=False)
    _asked: "_Asked" = field(repr=False)

    def __bool__(self) -> bool:
        return self.verdict == "verified"

    @cached_property
    def dependencies(self) -> Graph:
        """Which statements and clauses each proof needs. The program is verified once more for it."""
        return _graph(self._asked.ask("deps", ["--all"]))

    @cached_property
    def coverage(self) -> Coverage:
        """How much of the program the proofs need. The program is verified once more for it."""
        return _coverage(self._asked.ask("cover", ["--no-confirm"]))

    def _repr_html_(self) -> str:
        return _html.verification(self, self._asked.source())


@dataclass(frozen=True)
class _Asked:
    text: Optional[str]
    path: Optional[str]
    options: Tuple[str, ...]

    def ask(self, command: str, more: Sequence[str]) -> Json:
        file = "-" if self.text is not None else str(self.path)
        document = ask([command, file, *self.options, *more], self.text)
        answer: Json = document["files"][0]
        return answer

    def source(self) -> str:
        if self.text is not None:
            return self.text
        try:
            return Path(str(self.path)).read_text(errors="replace")
        except OSError:
            return ""


def verify(
    text: str,
    *,
    member: Union[str, Sequence[str]] = (),
    errors: int = 0,
    counterexample: str = "off",
    timeout: Optional[float] = None,
    jobs: Optional[int] = None,
    assume_injectivity_on_inhale: bool = False,
) -> Verification:
    """Verifies a program that is given as text.

    ``member`` restricts to members whose names match; ``errors`` stops a member after so many (0: finds all);
    ``counterexample`` is off, variables, intermediate, extended or trace; ``timeout`` is in seconds.
    """
    return _verify(text, None, member, errors, counterexample, timeout, jobs, assume_injectivity_on_inhale)


def verify_file(
    path: Union[str, Path],
    *,
    member: Union[str, Sequence[str]] = (),
    errors: int = 0,
    counterexample: str = "off",
    timeout: Optional[float] = None,
    jobs: Optional[int] = None,
    assume_injectivity_on_inhale: bool = False,
) -> Verification:
    """Verifies a file, which may import others. The options are those of :func:`verify`.

    Raises :class:`FileNotFoundError` if there is no such file.
    """
    if not Path(path).exists():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
    return _verify(None, str(path), member, errors, counterexample, timeout, jobs, assume_injectivity_on_inhale)


def _verify(
    text: Optional[str],
    path: Optional[str],
    member: Union[str, Sequence[str]],
    errors: int,
    counterexample: str,
    timeout: Optional[float],
    jobs: Optional[int],
    injective: bool,
) -> Verification:
    members = [member] if isinstance(member, str) else list(member)
    options: List[str] = [word for name in members for word in ("--member", name)]
    if timeout is not None:
        options += ["--timeout", str(timeout)]
    if jobs is not None:
        options += ["--jobs", str(jobs)]
    if injective:
        options.append("--assume-injectivity-on-inhale")
    asked = _Asked(text, path, tuple(options))
    found = asked.ask("verify", ["--errors", str(errors), "--counterexample", counterexample])
    return Verification(
        path=found["path"],
        verdict=found["verdict"],
        members=tuple(
            Member(each["name"], each["kind"], each["verdict"], each["time_ms"], each["checks"])
            for each in found["members"]
        ),
        errors=tuple(_error(each) for each in found["errors"]),
        warnings=tuple(each["message"] for each in found["warnings"]),
        json=found,
        _asked=asked,
    )


def _position(found: Optional[Json]) -> Optional[Position]:
    return None if found is None else _place(found)


def _place(found: Json) -> Position:
    return Position(found["file"], found["line"], found["column"], found["end_line"], found["end_column"])


def _error(found: Json) -> Error:
    example = found.get("counterexample")
    reason = found.get("reason")
    return Error(
        id=found["id"],
        message=found["message"],
        member=found["member"],
        position=_position(found["position"]),
        reason_position=_position(reason["position"]) if reason else None,
        related=tuple(Related(each["message"], _place(each["position"])) for each in found["related"]),
        paths=tuple(tuple(condition["text"] for condition in path) for path in found["paths"]),
        undecided=found["undecided"],
        cascade=found["cascade"],
        counterexample=_counterexample(example) if example else None,
        json=found,
    )


def _counterexample(found: Json) -> Counterexample:
    store = found.get("store", [])
    variables = {each["name"]: str(each.get("value", each.get("elements"))) for each in store}
    return Counterexample(found.get("status") == "confirmed", variables, found)


def _node(found: Json) -> Node:
    return Node(
        id=found["id"],
        text=found["text"],
        member=found["member"],
        position=_place(found["position"]),
        assumption=found["assumption"],
        assertion=found["assertion"],
        failed=found["failed"],
        annotations=tuple(Annotation(each["name"], tuple(each["args"])) for each in found["annotations"]),
    )


def _graph(found: Json) -> Graph:
    nodes = {each["id"]: _node(each) for each in found.get("nodes", [])}

    def some(ids: Sequence[int]) -> Tuple[Node, ...]:
        return tuple(nodes[each] for each in ids)

    dependencies = tuple(
        Dependencies(nodes[each["of"]], some(each["all"]), some(each["explicit"]), some(each["direct"]))
        for each in found.get("dependencies", [])
    )
    return Graph(tuple(nodes.values()), dependencies, found)


def _coverage(found: Json) -> Coverage:
    counted = found.get("coverage", {"covered": 0, "total": 0, "percent": 0.0})
    uncovered = [_node(each) for member in found["members"] for each in member.get("uncovered", [])]
    return Coverage(counted["covered"], counted["total"], counted["percent"], tuple(uncovered))


def _is_at(position: Position, line: int, column: Optional[int]) -> bool:
    start, end = (position.line, position.column), (position.end_line, position.end_column)
    if column is None:
        return position.line <= line <= position.end_line
    return start <= (line, column) < end
