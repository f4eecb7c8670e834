"""The attack campaign (``cargo xtask attack``) on a cluster: generated programs are verified and executed."""

import os
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, Tuple

from ._pool import Batch, Progress, Run, Unit, batches, connected, workers
from ._process import EchisError
from ._server import Json, ServerDied, before_start

#: Longer than any batch takes.
_SECONDS = 1_000_000


@dataclass(frozen=True)
class Campaign:
    """What became of a campaign."""

    #: For each kind of programs, the columns of the table that the campaign prints.
    rows: Dict[str, Dict[str, int]]
    #: Programs that were accepted and are wrong, or that the engines disagree about, by file name.
    findings: Dict[str, str]
    #: Numbers of programs whose worker died repeatedly.
    lost: Tuple[int, ...]

    @property
    def wrong(self) -> int:
        """How many members were accepted wrongly. Must be 0."""
        return sum(row["wrong"] for row in self.rows.values())


def attack(
    programs: int,
    address: Optional[str] = None,
    *,
    executable: "str | os.PathLike[str]",
    first: int = 0,
    seed: int = 1,
    kinds: Tuple[str, ...] = (),
    progress: Optional[Callable[[Progress], None]] = None,
    is_cancelled: Optional[Callable[[], bool]] = None,
) -> Campaign:
    """Runs that many programs of the campaign, beginning with number ``first``, on the cluster at ``address``.

    ``executable`` is ``echis_attack``, at the same place on every node: ``cargo build --release -p echis_attack`` builds it.
    A program depends only on its number, the seed and the kinds, so the result is that of one machine.
    """
    ray = connected(address)
    command = [os.fspath(executable), "--seed", str(seed), "--seconds", str(_SECONDS)]
    for kind in kinds:
        command += ["--kind", kind]

    def arguments(batch: Batch, _: Optional[float]) -> Tuple[Any, ...]:
        numbers = [unit.at for unit in batch.units]
        return command, numbers[0], len(numbers)

    run = Run(ray, _campaign, arguments, None, progress, is_cancelled)
    units = [Unit(0, number, 1.0) for number in range(first, first + programs)]
    rows: Dict[str, Dict[str, int]] = {}
    findings: Dict[str, str] = {}
    for _, part in run.answers(batches(units, workers(ray))):
        findings.update(part["findings"])
        for kind, row in part["rows"].items():
            total = rows.setdefault(kind, dict.fromkeys(row, 0))
            for column, count in row.items():
                total[column] += count
    lost = tuple(unit.at for batch, _ in run.lost for unit in batch.units)
    return Campaign(dict(sorted(rows.items())), dict(sorted(findings.items())), lost)


def _campaign(command: List[str], first: int, programs: int) -> List[Json]:
    """Runs in a worker."""
    with tempfile.TemporaryDirectory(prefix="echis-attack-") as folder:
        numbers = ["--first", str(first), "--programs", str(programs), "--out", folder]
        run = subprocess.run([*command, *numbers], capture_output=True, text=True, preexec_fn=before_start(None))
        if run.returncode < 0:
            raise ServerDied(f"the campaign was ended by signal {-run.returncode}")
        if run.returncode not in (0, 1):
            raise EchisError(run.stderr.strip() or f"the campaign ended with code {run.returncode}")
        findings = {file.name: file.read_text(encoding="utf-8") for file in sorted(Path(folder).iterdir())}
    return [{"rows": _rows(run.stdout), "findings": findings}]


def _rows(table: str) -> Dict[str, Dict[str, int]]:
    lines = [line.split() for line in table.splitlines()]
    columns = lines[0][1:]
    rows = [words for words in lines[1:] if len(words) == len(columns) + 1 and all(word.isdigit() for word in words[1:])]
    return {words[0]: dict(zip(columns, map(int, words[1:]))) for words in rows}
