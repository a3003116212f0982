"""What to say of a pass that is not there: that MLIR has it and Fathom not yet, or which name was meant.

--convert-cf-to-llmv     ->  Did you mean '--convert-cf-to-llvm'?
--lower-memref           ->  Did you mean '--finalize-memref-to-llvm'?
--mem2reg                ->  'mem2reg' is a pass of MLIR that Fathom does not have yet
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from typing import Final

from fathom.passes import names, pipeline_names
from fathom.passes.mlir import NAMES

MEANINGS: Final = (
    frozenset({"convert", "lower", "finalize", "lowering", "conversion"}),
    frozenset({"canonicalize", "canonicalise", "canonicalization", "simplify"}),
    frozenset({"cf", "controlflow", "branches"}),
    frozenset({"llvm", "llvmir", "llvmdialect"}),
    frozenset({"func", "function", "functions", "std", "standard"}),
    frozenset({"arith", "arithmetic"}),
    frozenset({"memref", "memrefs"}),
    frozenset({"casts", "cast", "reconcile"}),
    frozenset({"dce", "symbol", "dead"}),
)
"""Words that people use for the same thing in the names of passes."""

COMMON: Final = frozenset({"convert", "lower", "finalize", "lowering", "conversion", "to", "llvm", "pass", "ops"})
"""Words that say little of which pass is meant."""

LIKE: Final = 0.62
"""From where on two names are taken for one; below, no suggestion is better than a wrong one."""


def not_here(name: str) -> str | None:
    """A sentence about a pass that MLIR has and Fathom has not, or None for any other name."""
    return f"'{name}' is a pass of MLIR that Fathom does not have yet" if name in NAMES - {*names()} else None


def nearest(name: str, others: Iterable[str] = ()) -> str | None:
    """The pass, or one of the `others`, that was most likely meant by `name`; None where nothing is like it."""
    candidates = [*names(), *pipeline_names(), *others]
    scores = [(likeness(name, candidate), candidate) for candidate in candidates]
    score, best = max(scores, default=(0.0, ""))
    return best if score >= LIKE else None


def likeness(name: str, other: str) -> float:
    """From 0 to 1: by the letters, or by the words where these say more."""
    letters = SequenceMatcher(None, name, other, autojunk=False).ratio()
    return max(letters if letters >= 0.75 else letters * 0.8, _in_words(name.split("-"), other.split("-")))


def _in_words(ours: Sequence[str], theirs: Sequence[str]) -> float:
    """How much of the weight of both names is in words that they share."""
    shared = sum(_weight(word) for word in ours if any(_same(word, other) for other in theirs))
    shared += sum(_weight(word) for word in theirs if any(_same(word, other) for other in ours))
    if not any(word not in COMMON and any(_same(word, other) for other in theirs) for word in ours):
        return 0.0
    return shared / sum(_weight(word) for word in (*ours, *theirs))


def _weight(word: str) -> float:
    return 0.25 if word in COMMON else 1.0


def _same(word: str, other: str) -> bool:
    if word == other or any(word in group and other in group for group in MEANINGS):
        return True
    return min(len(word), len(other)) > 3 and SequenceMatcher(None, word, other).ratio() >= 0.8
