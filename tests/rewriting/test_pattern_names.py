"""Every pattern has a name, which no other one for the same operation has that is tried with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest

from fathom.context import Context, default_context
from fathom.dialects import dialect_names
from fathom.elaborate import load
from fathom.ir.operation import Region
from fathom.passes import names
from fathom.pipeline.language import parse_pipeline
from fathom.pipeline.lowering import run
from fathom.rewriting import conversion_driver, greedy_driver
from fathom.rewriting.canonicalization import CANONICALIZATION
from fathom.rewriting.greedy_driver import GreedyConfig, PatternsOf
from fathom.rewriting.pattern import Pattern, sorted_by_root

FUNCTION = "func.func @f() {\n  return\n}\n"


def check_names(patterns: Iterable[Pattern]) -> None:
    counted = Counter((pattern.root, pattern.trait, pattern.name) for pattern in patterns)
    assert all(name for _, _, name in counted)
    assert [pattern for pattern, count in counted.items() if count > 1] == []


@pytest.mark.parametrize("dialect", dialect_names())
def test_patterns_of_a_canonicalisation(dialect: str) -> None:
    check_names(default_context().aspect(CANONICALIZATION, dialect))


@pytest.mark.parametrize("name", names())
def test_patterns_of_a_pass(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sets: list[list[Pattern]] = []

    def converted(patterns: Iterable[Pattern]) -> dict[str, list[Pattern]]:
        sets.append(list(patterns))
        return sorted_by_root(sets[-1])

    class Driver:
        """Notes the patterns for all operations, and leaves them alone."""

        def __init__(self, _region: Region, of: PatternsOf, context: Context, _config: GreedyConfig) -> None:
            self._of, self._context = of, context

        def simplify(self) -> bool:
            sets.append(list(dict.fromkeys(pattern for op in operations() for pattern in self._of(op))))
            return True

    monkeypatch.setattr(conversion_driver, "sorted_by_root", converted)
    monkeypatch.setattr(greedy_driver, "_Driver", Driver)
    context = default_context()
    run(parse_pipeline([f"--{name}"]), load(FUNCTION, context).module, context, verifying="never")
    for patterns in sets:
        check_names(patterns)


def operations() -> list[str]:
    """The names of operations that passes rewrite greedily."""
    dialects = [default_context().dialect(name) for name in ("affine", "arith", "linalg", "math", "memref", "vector")]
    return [name for dialect in dialects if dialect is not None for name in dialect.by_name]
