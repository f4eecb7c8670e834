"""The results of Echis, as objects. Their attribute ``json`` is the original JSON."""

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
    """A range in a file. Lines and columns are 1-based; the end is just after the last character."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True)
class Annotation:
    """An annotation ``@name("args")`` on a node."""

    name: str
    args: Tuple[str, ...]


@dataclass(frozen=True)
class Related:
    """A related position of an error."""

    message: str
    position: Position


@dataclass(frozen=True)
class Counterexample:
    """A state in which an obligation fails. ``confirmed``: all facts of the path were evaluated and are true in it."""

    confirmed: bool
    variables: Dict[str, str]
    json: Json = field(repr=False)


@dataclass(frozen=True)
class Error:
    """An obligation that was not proved, or an error in the program."""

    id: str
    message: str
    member: Optional[str]
    position: Optional[Position]
    #: The position of the reason, which may differ from that of the error.
    reason_position: Optional[Position]
    related: Tuple[Related, ...]
    #: The path condition of each path on which the error occurs.
    paths: Tuple[Tuple[str, ...], ...]
    #: Whether the solver could not decide the obligation.
    undecided: bool
    #: Whether the error is a consequence of an earlier failure.
    cascade: bool
    counterexample: Optional[Counterexample]
    json: Json = field(repr=False)

    def __str__(self) -> str:
        """The error as printed on a terminal, without the source excerpt."""
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
    """The result of a function, predicate or method."""

    name: str
    kind: str
    verdict: str
    time_ms: float
    checks: int


@dataclass(frozen=True)
class Node:
    """A node of the dependency graph: a statement, a clause, a conjunct."""

    id: int
    text: str
    member: str
    position: Position
    #: The kinds of assumption and assertion (``explicit``, ``implicit``, …); None if it is not assumed or asserted.
    assumption: Optional[str]
    assertion: Optional[str]
    failed: bool
    annotations: Tuple[Annotation, ...]

    def __str__(self) -> str:
        return f"{self.position.line}:{self.position.column} {self.text}"


@dataclass(frozen=True)
class Dependencies:
    """The dependencies of a node."""

    of: Node
    all: Tuple[Node, ...]
    explicit: Tuple[Node, ...]
    direct: Tuple[Node, ...]


@dataclass(frozen=True)
class Graph:
    """The dependency graph: all nodes, and the dependencies of those that are asserted and proved."""

    nodes: Tuple[Node, ...]
    dependencies: Tuple[Dependencies, ...]
    json: Json = field(repr=False)

    def of(self, line: int, column: Optional[int] = None) -> Tuple[Dependencies, ...]:
        """The dependencies of the assertions at a position."""
        return tuple(found for found in self.dependencies if _is_at(found.of.position, line, column))

    def to_networkx(self) -> "networkx.DiGraph":
        """A graph over node ids, with ``text``, ``member``, ``line`` and so on. Edges lead to direct dependencies."""
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
    """The part of the program that some proof needs, and the nodes that no proof needs."""

    covered: int
    total: int
    percent: float
    uncovered: Tuple[Node, ...]


@dataclass(frozen=True)
class Verification:
    """The result for a program. ``verdict`` is verified, failed, undecided, invalid or error."""

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
        """The statements and clauses that each proof needs. Computing them verifies the program again."""
        return _graph(self._asked.ask("deps", ["--all"]))

    @cached_property
    def coverage(self) -> Coverage:
        """The part of the program that the proofs need. Computing it verifies the program again."""
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
    """Verifies a program given as text.

    ``member`` selects members whose names match; ``errors`` is the maximum number of errors per member (0: no limit);
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

    Raises :class:`FileNotFoundError` if there is no such file, and :class:`IsADirectoryError` if it is a folder.
    """
    if not Path(path).exists():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
    if Path(path).is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
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
