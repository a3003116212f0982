"""`--mlir-pass-statistics`: what passes counted, as an mlir-opt that was built to count reports it.

Source of the rules: *Pass Infrastructure*, "Pass Statistics"; `PassStatistics.cpp` of MLIR 22.
"""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from typing import TYPE_CHECKING, Final

from fathom.passes.counting import begin_counting, end_counting
from fathom.pipeline.language import Named, Nest
from fathom.pipeline.observer import Observer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from fathom.ir.operation import Operation
    from fathom.passes.definition import Pass
    from fathom.pipeline.language import Item, Pipeline

_RULE: Final = "===" + "-" * 73 + "==="
_TITLE: Final = "... Pass statistics report ..."


class Statistics(Observer):
    """Looks on, and keeps what each use of a pass counted."""

    def __init__(self, pipeline: Pipeline) -> None:
        self._pipeline = pipeline
        self._counts = {id(use): Counter[str]() for use in pipeline.passes}

    def before_pass(self, use: Pass, op: Operation) -> None:
        begin_counting(self._counts.setdefault(id(use), Counter()))

    def after_pass(self, use: Pass, op: Operation, *, failed: bool) -> None:
        end_counting()

    def report(self, *, as_list: bool) -> str:
        """The table: as the passes stand in the pipeline, or those that counted something, by name."""
        rows = self._merged() if as_list else self._nested(self._pipeline.root.items, 0)
        return "\n".join([_RULE, " " * ((80 - len(_TITLE)) // 2) + _TITLE, _RULE, *rows, "", ""])

    def _merged(self) -> Iterator[str]:
        uses = sorted((use for use in self._pipeline.passes if use.statistics), key=lambda use: type(use).__name__)
        for name, same in groupby(uses, key=lambda use: type(use).__name__):
            known = list(same)
            counts = Counter[str]()
            for use in known:
                counts.update(self._counts[id(use)])
            yield from _entry(2, name, counts, known[0].statistics)

    def _nested(self, items: Iterable[Item], indent: int) -> Iterator[str]:
        for is_nest, same in groupby(_flat(items), key=lambda item: isinstance(item, Nest)):
            known = list(same)
            if not is_nest:
                for use in known:
                    if not isinstance(use, (Nest, Named)):
                        yield from _entry(indent, type(use).__name__, self._counts[id(use)], use.statistics)
                continue
            # Nests that follow each other are one; those with the same anchor run one after the other.
            together: dict[str, list[Item]] = {}
            for nest in known:
                if isinstance(nest, Nest):
                    together.setdefault(nest.anchor, []).extend(nest.items)
            inner = indent
            if len(together) > 1:
                names = ", ".join(f"'{anchor}'" for anchor in sorted(together))
                yield f"{' ' * indent}Pipeline Collection : [{names}]"
                inner += 2
            for anchor, passes in sorted(together.items()):
                yield f"{' ' * inner}'{anchor}' Pipeline"
                yield from self._nested(passes, inner + 2)


def _flat(items: Iterable[Item]) -> Iterator[Item]:
    for item in items:
        if isinstance(item, Named):
            yield from _flat(item.items)
        else:
            yield item


def _entry(indent: int, name: str, counts: Mapping[str, int], statistics: Mapping[str, str]) -> Iterator[str]:
    yield " " * indent + name
    longest = max(map(len, statistics), default=0)
    digits = max((len(f"{counts.get(statistic, 0)}") for statistic in statistics), default=0)
    for counter, meaning in sorted(statistics.items()):
        yield f"{' ' * (indent + 2)}(S) {counts.get(counter, 0):>{digits}} {counter:<{longest}} - {meaning}"
