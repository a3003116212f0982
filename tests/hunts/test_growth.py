"""A small part of the hunt for what grows faster than its text, by the number of calls, which no load changes: four
times the text takes less than `MOST` times the calls, where what grows with the square takes sixteen.

`python -m tests.hunts.growth` measures many more constructs and stages, in time, so that what grows below calls shows
too.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Final

import pytest

from tests.hunts.growing import CHAINS
from tests.hunts.growth import STAGES, Stage, forget
from tests.work import calls_of

SIZE: Final = 32
STEP: Final = 4
MOST: Final = 4**1.3

STAGES_BY_NAME: Final = {stage.name.strip("-"): stage for stage in STAGES}
CONSTRUCTS: Final = {
    "regions": "read open",
    "regions on lines": "read verify print",
    "regions and properties": "read",
    "regions of an unknown operation": "read",
    "operands and regions": "read",
    "scf.index_switch": "read verify print open lower tokens",
    "cf.switch": "read verify print lower",
    "llvm.switch with values": "verify canonicalize translate",
    "block addresses": "verify",
    "scf.parallel": "read verify lower",
    "delinearize_index": "read lower",
    "linearize of delinearize": "canonicalize",
    "assertions": "lower",
    "printed strings": "lower",
    "trunc of ext": "canonicalize lower",
    "ext of trunc": "lower",
    "unrealized casts": "lower",
    "select both": "canonicalize lower",
    "xor a constant": "lower",
    "scf.for used": "read canonicalize lower",
    "scf.for chained": "canonicalize lower",
    "attribute aliases used": "read open print",
    "type aliases used": "read open print",
    "block arguments": "verify canonicalize",
    "blocks with conditions": "canonicalize",
    "equal blocks": "canonicalize",
    "affine.min used": "canonicalize",
    "affine dimensions of unlike": "canonicalize",
    "operands of a call": "read lower",
    "regions on one line": "open actions",
    "operands of a wrong operation": "actions",
    "undefined names": "actions",
    "wrong types": "actions",
    "verifier's errors": "actions",
}
"""The constructs, with the stages that each is taken through here."""
LONG_SIZE: Final = 256
LONG_CONSTRUCTS: Final = {
    "extractvalue of insertvalue": "canonicalize",
    "vector.extract of insert": "lower",
    "vector.insert then extract": "lower",
    "equal symbols": "open lenses",
}
"""Those of which only long chains cost much."""


def calls(stage: Stage, text: str) -> int | None:
    """How many functions a stage calls, of Python and of C; None where it is not for this text."""
    forget()
    state = stage.prepare(text)
    if state is None:
        return None
    gc.disable()
    try:
        return calls_of(lambda: stage.work(state))
    finally:
        gc.enable()


def check_growth(make: Callable[[int], str], stage: Stage, size: int = SIZE) -> None:
    # What is learned once, such as definitions, is no part of it.
    calls(stage, make(size // STEP))
    small, large = calls(stage, make(size)), calls(stage, make(size * STEP))
    if small is not None and large is not None:
        assert large <= MOST * small, f"{stage.name}: {small:,} calls, then {large:,}"


@pytest.mark.parametrize("construct", CONSTRUCTS)
def test_calls_grow_with_the_text(construct: str) -> None:
    for name in CONSTRUCTS[construct].split():
        check_growth(CHAINS[construct], STAGES_BY_NAME[name])


@pytest.mark.parametrize("construct", LONG_CONSTRUCTS)
def test_calls_grow_with_long_chains(construct: str) -> None:
    for name in LONG_CONSTRUCTS[construct].split():
        check_growth(CHAINS[construct], STAGES_BY_NAME[name], LONG_SIZE)
