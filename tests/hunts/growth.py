"""What grows faster than its text: `python -m tests.hunts.growth [WORDS]`.

Every construct of the language is made at two sizes, one four times the other, and taken through each stage: parser,
verifier, printer, editor, canonicalisation, lowering, translation. A stage whose cost grows with more than the power
1.3 of the text's length is reported, with the exponent, and the command ends with 1.

Cost is the processor's time for the user, with the collector of cycles at rest. What stages begin with is made once for
all of them; where one seems to grow too fast, it is taken again from its beginning.
"""

from __future__ import annotations

import argparse
import gc
import math
import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from fathom.context import Context
from fathom.elaborate import load
from fathom.ir.clone import clone
from fathom.ir.printer import PrintingFlags, print_module
from fathom.pipeline.defaults import pipeline_of
from fathom.pipeline.lowering import run
from fathom.translation.module import translate
from fathom.verify import verify
from fathom.verify.printing import flags_for
from fathom_server.features.actions import actions_at
from fathom_server.features.completion import completion
from fathom_server.features.document_symbols import document_symbols
from fathom_server.features.folding import folds
from fathom_server.features.highlight import highlights
from fathom_server.features.hints import hints
from fathom_server.features.hover import hover
from fathom_server.features.lenses import lenses
from fathom_server.features.navigation import references
from fathom_server.features.selection import selections
from fathom_server.features.semantic_tokens import tokens
from fathom_server.session.opened import OpenDocument
from tests.hunts.fuzz.check import edited_here, looked_at_beside, looked_at_here, new_document
from tests.hunts.growing import CHAINS, Make
from tests.hunts.growing.operations import of_definitions
from tests.server.attention import memory_of
from tests.syntax.test_incremental import position

T = TypeVar("T")

MOST: Final = 1.3
"""The exponent beyond which a stage is reported."""
STEP: Final = 4
ENOUGH: Final = 0.02
"""Seconds that a stage must take at the smaller size, or its growth tells nothing."""
LEAST: Final = 0.002
"""Of what takes less the stage has left something out, which it does not of a larger text."""
LONG: Final = 4.0
"""Seconds after which a stage is given up."""
FIRST: Final = 16
LARGEST: Final = 60_000
"""How far the smaller size is taken."""
MEMORY: Final = 4 << 30
MUCH: Final = 1 << 30
"""Bytes held, from which on the collector of cycles runs before each stage."""


class TooLong(BaseException):
    """A stage takes longer than it may."""


@dataclass(frozen=True)
class Stage:
    """`prepare` makes of a text what `work` is measured on; None where the stage is not for this text."""

    name: str
    prepare: Callable[[str], Any]
    work: Callable[[Any], object]


_kept: Final[dict[tuple[object, str], Any]] = {}
"""What was made of the texts of a construct, for all stages that begin with it and leave it as it is."""


def keeping(make: Callable[[str], T]) -> Callable[[str], T]:
    """A function of texts that makes the same of one only once."""

    def kept(text: str) -> T:
        key = make, text
        if key not in _kept:
            _kept[key] = make(text)
        return _kept[key]

    return kept


def _text(text: str) -> Any:
    return text, Context()


@keeping
def _loaded(text: str) -> Any:
    context = Context()
    return load(text, context), context


@keeping
def _is_valid(text: str) -> bool:
    loaded, context = _loaded(text)
    return not loaded.has_errors and all(
        diagnostic.severity != "error" for diagnostic in verify(loaded.module, context=context)
    )


def _valid(text: str) -> Any:
    loaded, context = _loaded(text)
    return (clone(loaded.module), context) if _is_valid(text) else None


@keeping
def _llvm(text: str) -> Any:
    valid = _valid(text)
    if valid is None:
        return None
    module, context = valid
    result = run(pipeline_of("", context.find_pass), module, context)
    return None if result.failed or any(op.dialect not in ("llvm", "builtin") for op in module.walk()) else module


def _passes(flags: str) -> Stage:
    def work(state: Any) -> object:
        module, context = state
        return run(pipeline_of(flags, context.find_pass), module, context)

    return Stage(flags or "lower", _valid, work)


@keeping
def _opened(text: str) -> Any:
    return looked_at_beside(looked_at_here(OpenDocument(new_document(text, Context()))))


def _edited(opened: OpenDocument) -> object:
    """A blank before what stands in the middle, and away again."""
    text = opened.document.tree.text
    at = position(text, text.rfind("\n", 0, len(text) // 2) + 1)
    edited_here(opened, at, at, " ")
    return edited_here(opened, at, (at[0], at[1] + 1), "")


def _asked(ask: Callable[[Any, int], object]) -> Callable[[OpenDocument], object]:
    def work(opened: OpenDocument) -> object:
        text = opened.document.tree.text
        middle = text.rfind("\n", 0, len(text) // 2) + 1
        places = (len(text) // 2, middle + 4, text.find("@f") + 1, len(text) // 20)
        return [ask(opened.document.snapshot(), place) for place in places]

    return work


STAGES: Final = (
    Stage("read", _text, lambda state: load(*state)),
    Stage("verify", _loaded, lambda state: verify(state[0].module, context=state[1])),
    Stage("print", _loaded, lambda state: print_module(state[0].module, flags_for(state[0].module, context=state[1]))),
    Stage("generic", _loaded, lambda state: print_module(state[0].module, PrintingFlags(generic=True))),
    _passes("--canonicalize"),
    _passes("--cse"),
    _passes(""),
    Stage("translate", _llvm, translate),
    Stage("open", _text, lambda state: looked_at_here(OpenDocument(new_document(*state)))),
    Stage("beside", lambda text: looked_at_here(OpenDocument(new_document(text, Context()))), looked_at_beside),
    Stage("edit", _opened, _edited),
    Stage("hover", _opened, _asked(hover)),
    Stage(
        "references", _opened, _asked(lambda snapshot, at: (references(snapshot, at, True), highlights(snapshot, at)))
    ),
    Stage("completion", _opened, _asked(completion)),
    Stage("actions", _opened, _asked(lambda snapshot, at: actions_at(snapshot, at, at, ()))),
    Stage("selection", _opened, _asked(lambda snapshot, at: selections(snapshot, [at]))),
    Stage("symbols", _opened, lambda opened: document_symbols(opened.document.snapshot())),
    Stage("folding", _opened, lambda opened: folds(opened.document.snapshot())),
    Stage("lenses", _opened, lambda opened: lenses(opened.document.snapshot())),
    Stage("tokens", _opened, lambda opened: tokens(opened.document.snapshot(), "utf-16")),
    Stage("hints", _opened, lambda opened: hints(opened.document.snapshot(), 0, opened.document.tree.length)),
)


@contextmanager
def _limited() -> Generator[None]:
    def give_up(*_: object) -> None:
        raise TooLong

    before = signal.signal(signal.SIGVTALRM, give_up)
    signal.setitimer(signal.ITIMER_VIRTUAL, LONG)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def cost(stage: Stage, text: str) -> float | None:
    """Seconds of a stage with a text; None where it is not for this text."""
    with _limited():
        state = stage.prepare(text)
    if state is None:
        return None
    if memory_of(os.getpid()) > MUCH:
        gc.collect()
    with _limited():
        began = time.process_time()
        stage.work(state)
        return time.process_time() - began


def cost_alone(stage: Stage, text: str, runs: int = 2) -> float | None:
    """The least cost of some runs, each from its beginning."""
    costs: list[float] = []
    for _ in range(runs):
        forget()
        gc.collect()
        spent = cost(stage, text)
        if spent is None:
            return None
        costs.append(spent)
    return min(costs)


def forget() -> None:
    """Lets what was made of texts go."""
    _kept.clear()


@dataclass(frozen=True)
class Finding:
    construct: str
    stage: str
    size: int
    seconds: tuple[float, float]
    exponent: float
    said: str = ""


def exponent(
    stage: Stage, make: Make, size: int, cost: Callable[[Stage, str], float | None] = cost
) -> tuple[float, float, float] | None:
    small, large = make(size), make(size * STEP)
    first, second = cost(stage, small), cost(stage, large)
    if first is None or second is None:
        return None
    return math.log(max(second, 1e-6) / max(first, 1e-6)) / math.log(len(large) / len(small)), first, second


def size_for(make: Make) -> int:
    """The size at which reading a text takes long enough."""
    size = FIRST
    while size < LARGEST and (cost(STAGES[0], make(size)) or 0.0) < ENOUGH:
        size *= 2
    return size


def findings(construct: str, make: Make, stages: tuple[Stage, ...] = STAGES) -> Iterator[Finding]:
    forget()
    gc.collect()
    gc.disable()
    try:
        yield from _findings(construct, make, stages)
    finally:
        gc.enable()


def _findings(construct: str, make: Make, stages: tuple[Stage, ...]) -> Iterator[Finding]:
    try:
        size = size_for(make)
    except (TooLong, MemoryError, RecursionError) as fault:
        yield Finding(construct, "read", 0, (0.0, 0.0), math.inf, type(fault).__name__)
        return
    for stage in stages:
        try:
            yield from _findings_of(stage, construct, make, size)
        except Exception as fault:
            yield Finding(construct, stage.name, size, (0.0, 0.0), math.inf, repr(fault)[:200])


def _findings_of(stage: Stage, construct: str, make: Make, size: int) -> Iterator[Finding]:
    is_larger = False
    while True:
        try:
            growth = exponent(stage, make, size)
            if growth is not None and _is_too_much(growth):
                growth = exponent(stage, make, size, cost_alone)
        except TooLong:
            if size > FIRST and not is_larger:
                size //= 2
                continue
            growth = math.inf, LONG, LONG
        if growth is None or not _is_too_much(growth):
            return
        if growth[1] >= LEAST or size >= LARGEST:
            yield Finding(construct, stage.name, size, growth[1:], growth[0])
            return
        is_larger = True
        size *= 2


def _is_too_much(growth: tuple[float, float, float]) -> bool:
    return growth[2] > ENOUGH * 2 and growth[0] > MOST


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("words", nargs="*")
    parser.add_argument("--stages", default="")
    parser.add_argument("--part", default="0/1")
    parser.add_argument("--first", type=int, default=0)
    chosen = parser.parse_args(words)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    stages = tuple(s for s in STAGES if not chosen.stages or s.name.strip("-") in chosen.stages.split(","))
    index, parts = map(int, chosen.part.split("/"))
    count = 0
    constructs = {**CHAINS, **of_definitions(Context())}
    for number, (construct, make) in enumerate(constructs.items()):
        if (
            number < chosen.first
            or number % parts != index
            or (chosen.words and not any(word in construct for word in chosen.words))
        ):
            continue
        for finding in findings(construct, make, stages):
            count += 1
            first, second = finding.seconds
            shown = f"{construct:<60}{finding.stage:<16}{finding.exponent:>6.2f}  n={finding.size}"
            print(f"{shown} {first:.2f} s {second:.2f} s {finding.said}", flush=True)
    print(f"{count} findings")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
