"""Output for notebooks: plain HTML and SVG, without scripts."""

from html import escape
from typing import TYPE_CHECKING, Dict, List

if TYPE_CHECKING:
    from ._results import Error, Graph, Verification

_COLOURS = {"verified": "#1a7f37", "failed": "#b42318", "undecided": "#9a6700", "invalid": "#b42318", "error": "#b42318"}
_ROW = 22
_ARCS = 160


def verification(result: "Verification", source: str) -> str:
    lines = source.splitlines()
    colour = _COLOURS.get(result.verdict, "inherit")
    head = f'<p><b style="color:{colour}">{escape(result.verdict)}</b> {escape(result.path)}</p>'
    members = "".join(
        f'<tr><td>{escape(member.kind)}</td><td><code>{escape(member.name)}</code></td>'
        f'<td style="color:{_COLOURS.get(member.verdict, "inherit")}">{escape(member.verdict)}</td>'
        f"<td>{member.time_ms:.0f} ms</td></tr>"
        for member in result.members
    )
    table = f"<table>{members}</table>" if members else ""
    return f"<div>{head}{table}{''.join(_error(error, lines) for error in result.errors)}</div>"


def _error(error: "Error", lines: List[str]) -> str:
    place = f" line {error.position.line}" if error.position else ""
    text = f"<p><b>{escape(error.message)}</b><br><small>{escape(error.id)}{place}</small></p>"
    if error.position and 0 < error.position.line <= len(lines):
        line = lines[error.position.line - 1]
        start = error.position.column - 1
        end = error.position.end_column - 1 if error.position.end_line == error.position.line else len(line)
        marked = f'{escape(line[:start])}<u style="color:#b42318">{escape(line[start:end])}</u>{escape(line[end:])}'
        text += f'<pre style="margin-left:1em">{error.position.line:4} {marked}</pre>'
    if error.counterexample and error.counterexample.variables:
        values = ", ".join(f"{name} = {value}" for name, value in error.counterexample.variables.items())
        how = "confirmed" if error.counterexample.confirmed else "possibly spurious"
        text += f"<p><small>counterexample ({how}): <code>{escape(values)}</code></small></p>"
    return text


def graph(found: "Graph") -> str:
    """The nodes in textual order, with arcs to their direct dependencies."""
    nodes = sorted(found.nodes, key=lambda node: (node.position.line, node.position.column, node.id))
    rows: Dict[int, int] = {node.id: index for index, node in enumerate(nodes)}
    height = _ROW * len(nodes) + 10
    shapes = []
    for dependencies in found.dependencies:
        for needed in dependencies.direct:
            one, other = rows[dependencies.of.id], rows[needed.id]
            if one != other:
                shapes.append(_arc(one, other, f"{dependencies.of} needs {needed}"))
    for node in nodes:
        shapes.append(_label(rows[node.id], f"{node.position.line:4}  {node.text}", node.failed, bool(node.assertion)))
    size = f'width="900" height="{height}" viewBox="0 0 900 {height}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="monospace" font-size="12">{"".join(shapes)}</svg>'


def _middle(row: int) -> int:
    return _ROW * row + _ROW // 2


def _arc(one: int, other: int, title: str) -> str:
    start, end = _middle(one), _middle(other)
    reach = min(_ARCS - 10, 12 + abs(start - end) // 3)
    curve = f"M {_ARCS} {start} C {_ARCS - reach} {start}, {_ARCS - reach} {end}, {_ARCS} {end}"
    return f'<path d="{curve}" fill="none" stroke="#57606a" opacity="0.5"><title>{escape(title)}</title></path>'


def _label(row: int, text: str, failed: bool, asserted: bool) -> str:
    colour = "#b42318" if failed else "#0550ae" if asserted else "#24292f"
    short = text if len(text) < 100 else text[:99] + "…"
    mark = f'<circle cx="{_ARCS}" cy="{_middle(row)}" r="3" fill="{colour}"/>'
    return f'{mark}<text x="{_ARCS + 8}" y="{_middle(row) + 4}" fill="{colour}" xml:space="preserve">{escape(short)}</text>'
