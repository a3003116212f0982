"""`--mlir-timing`: where the time of a run went, as mlir-opt reports it.

Source of the rules: *Pass Infrastructure*, "Pass Timing"; observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter
from typing import Final

from fathom.ir.operation import Operation
from fathom.passes.definition import Pass
from fathom.pipeline.observer import Observer
from fathom.records import field, record

_RULE: Final = "===" + "-" * 73 + "==="
_SEPARATOR: Final = ",\n"
_TITLE: Final = "... Execution time report ..."


@record(frozen=False)
class Timer:
    """The time that something took, and the parts that it consists of, by name."""

    seconds: float = 0.0
    parts: dict[str, Timer] = field(default_factory=dict[str, "Timer"])

    def part(self, name: str) -> Timer:
        return self.parts.setdefault(name, Timer())


@record(frozen=False)
class Timing(Observer):
    """Measures passes, and what is given to `measured`, from its making on."""

    root: Timer = field(default_factory=Timer)
    started: float = field(default_factory=perf_counter)
    _begun: list[float] = field(default_factory=list[float])

    def measured(self, name: str, since: float) -> None:
        """Adds the time since then under a name."""
        self.root.part(name).seconds += perf_counter() - since

    def before_pass(self, use: Pass, op: Operation) -> None:
        self._begun.append(perf_counter())

    def after_pass(self, use: Pass, op: Operation, *, failed: bool) -> None:
        seconds = perf_counter() - self._begun.pop()
        timer = self.root
        if op.parent_op is not None:
            timer = timer.part(f"'{op.name}' Pipeline")
            timer.seconds += seconds
        timer.part(type(use).__name__).seconds += seconds

    def report(self, *, as_list: bool = False, as_json: bool = False) -> str:
        """The table, by default as a tree."""
        total = perf_counter() - self.started
        rest = total - sum(part.seconds for part in self.root.parts.values())
        ends = [("Rest", rest), ("Total", total)]
        if as_json:
            return _json(_listed(_list(self.root, total), total) if as_list else _nested(self.root, total), ends, total)
        rows = [*(_list(self.root, total) if as_list else _tree(self.root)), *ends]
        lines = [_RULE, _TITLE.center(len(_RULE)).rstrip(), _RULE]
        lines += [f"  Total Execution Time: {total:.4f} seconds", "", "  ----Wall Time----  ----Name----"]
        lines += [f"  {seconds:8.4f} ({100 * seconds / total:5.1f}%)  {name}" for name, seconds in rows]
        return "\n".join(lines) + "\n"


def _tree(timer: Timer, indent: str = "") -> Iterator[tuple[str, float]]:
    for name, part in timer.parts.items():
        yield indent + name, part.seconds
        yield from _tree(part, f"{indent}  ")


def _list(root: Timer, total: float) -> list[tuple[str, float]]:
    """All timers, those of one name together, longest first."""
    merged: dict[str, float] = {"root": total}
    for name, seconds in _tree(root):
        merged[name.strip()] = merged.get(name.strip(), 0.0) + seconds
    return sorted(merged.items(), key=lambda row: -row[1])


def _json(rows: str, ends: list[tuple[str, float]], total: float) -> str:
    return f"[\n{rows}{_listed(ends, total).removesuffix(_SEPARATOR)}\n]\n"


def _listed(rows: list[tuple[str, float]], total: float) -> str:
    return "".join(f"{_entry(name, seconds, total)}}}{_SEPARATOR}" for name, seconds in rows)


def _nested(timer: Timer, total: float, indent: str = "") -> str:
    """Each timer with its parts in it."""
    text = ""
    for name, part in timer.parts.items():
        parts = _nested(part, total, f"{indent}  ")
        text += f'{indent}{_entry(name, part.seconds, total)}, "passes": [\n{parts}{indent}{{}}]}}{_SEPARATOR}'
    return text


def _entry(name: str, seconds: float, total: float) -> str:
    wall = f'"duration": {seconds:8.4f}, "percentage": {100 * seconds / total:5.1f}'
    return f'{{"wall": {{{wall}}}, "name": "{name}"'
