"""The page `docs/speed.md`: the rows of this version beside MLIR's tools, and those of each version before."""

from __future__ import annotations

import json
import os
import platform
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import Any, Final

from fathom import __version__

ROOT: Final = Path(__file__).resolve().parents[1]
PAGE: Final = ROOT / "docs" / "speed.md"
HISTORY: Final = ROOT / "benchmarks" / "speed.json"

HEAD: Final = """\
# Speed

What is slow first: the start, what is cold, and what concerns a whole file. `make bench` measures each row beside LLVM
22's tools, which take turns, and writes this page; what a key costs is in the [README](../README.md#how-fast-it-is).
Milliseconds are medians, and a ratio is the median of the ratios of the rounds. A goal is a time, or so many times what
LLVM's tool takes; one that is missed is bold.
"""


@dataclass(frozen=True, slots=True)
class Figure:
    """A row that was measured: milliseconds, the peer's and the ratio where there is a peer, and the goal."""

    name: str
    ours: float
    peer: float | None
    ratio: float | None
    milliseconds: float | None
    times: float | None

    @property
    def holds(self) -> bool:
        """Whether the goal is reached; a goal beside a peer that is not here is not asked about."""
        if self.milliseconds is not None:
            return self.ours <= self.milliseconds
        return self.ratio is None or self.times is None or self.ratio <= self.times

    @property
    def goal(self) -> str:
        return f"{self.milliseconds:,.0f} ms" if self.milliseconds is not None else f"{self.times:.0f}×"

    @property
    def shown_ratio(self) -> str:
        return f"{self.ratio:.1f}×" if self.ratio is not None else "–"

    @property
    def result(self) -> str:
        """What the goal is about."""
        return shown(self.ours) if self.milliseconds is not None else self.shown_ratio

    def line(self) -> str:
        """A row of the table."""
        goal = self.goal if self.holds else f"**{self.goal}**"
        return f"| {self.name} | {shown(self.peer)} | {shown(self.ours)} | {self.shown_ratio} | {goal} |"


def shown(milliseconds: float | None) -> str:
    """A time, with as many digits as mean something."""
    if milliseconds is None:
        return "–"
    return f"{milliseconds:.1f} ms" if milliseconds < 10 else f"{milliseconds:,.0f} ms"


def write(figures: list[Figure], rounds: int) -> None:
    """Takes figures over as those of this version, in place of others of it, and writes the page."""
    history: dict[str, Any] = json.loads(HISTORY.read_text(encoding="utf-8")) if HISTORY.exists() else {}
    history[__version__] = {
        "date": date.today().isoformat(),
        "machine": machine(),
        "rounds": rounds,
        "figures": [asdict(figure) for figure in figures],
    }
    HISTORY.write_text(json.dumps(history, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    PAGE.write_text(page(history), encoding="utf-8")


def machine() -> str:
    """What was measured on: processors, system and Python."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    model = next(
        (line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine()
    )
    return f"{os.cpu_count()} × {model}, {platform.system()}, Python {platform.python_version()}"


def page(history: dict[str, Any]) -> str:
    """The text of the page."""
    *_, (version, newest) = history.items()
    figures = [Figure(**figure) for figure in newest["figures"]]
    table = [
        "| | LLVM 22 | Fathom | ratio | goal |",
        "|---|---:|---:|---:|---:|",
        *(figure.line() for figure in figures),
    ]
    told = f"Version {version}, {newest['date']}, {newest['rounds']} rounds, on {newest['machine']}."
    parts = [HEAD, told, "\n".join(table), "## Each version", "What the goal of each row is about.", _versions(history)]
    return "\n\n".join(part.strip() for part in parts) + "\n"


def _versions(history: dict[str, Any]) -> str:
    results = {
        version: {figure["name"]: Figure(**figure).result for figure in said["figures"]}
        for version, said in history.items()
    }
    names = dict.fromkeys(name for rows in reversed(results.values()) for name in rows)
    lines = [f"| | {' | '.join(results)} |", f"|---|{'---:|' * len(results)}"]
    for name in names:
        lines.append(f"| {name} | {' | '.join(rows.get(name, '–') for rows in results.values())} |")
    return "\n".join(lines)
