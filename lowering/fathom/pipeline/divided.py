"""A long module lowered by several processes at once, where there are processors for them: each takes some of its
functions, lowers them as they would be beside the others (`apart.py`) and prints them.

    module { f, g, h, i }   ->   { f, g } in one, { h, i } in another   ->   the text of the whole

Where anything follows from the whole, or somebody is to be told of anything, nothing comes of it, and the module is as
it was: whoever asked lowers it then in one piece.
"""

from __future__ import annotations

import gc
import os
import pickle
import signal
import threading
from contextlib import suppress
from itertools import chain
from typing import TYPE_CHECKING, Final

from fathom.ir.operation import Span
from fathom.ir.printer import print_module
from fathom.ir.printing_flags import DEFAULT_FLAGS
from fathom.ir.symbol_references import references_of_operation
from fathom.irdl.interfaces import symbol_name
from fathom.ops.func import FuncOp
from fathom.passes.left import left_of
from fathom.pipeline.apart import Account, declared_together, lowered_apart, numbered
from fathom.pipeline.reduction import declared
from fathom.pipeline.showing import Showing
from fathom.records import record, replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence, Set

    from fathom.context import Context
    from fathom.ir.operation import Operation
    from fathom.ir.operation_printer import Locator
    from fathom.passes.leftovers import Left
    from fathom.pipeline.apart import Numbered
    from fathom.pipeline.language import Pipeline

LEAST: Final = 1_000
"""So many operations are worth a process."""
MOST_PROCESSES: Final = 8
_NAMED: Final = 'struct<"'
"""How a type begins that has a name. What is converted of it gets another, which nothing else in the whole has."""
_END: Final = "}\n\n"
_ROUNDS: Final = 2
"""So often it is looked which passes are needed by what the others have."""


@record
class Divided:
    """What a pipeline made of a module: the text, and what was left of it, in order, with the places of all that."""

    text: str
    left: tuple[Left, ...]
    places: tuple[Span, ...]


@record
class _Share:
    """What became of some functions: the text of the module around them, and theirs; the texts of what passes declared
    for them, by name; and what was left."""

    account: Account
    head: str
    text: str
    declared: dict[str, str]
    left: tuple[Left, ...]
    places: tuple[Span, ...]


@record
class _Work:
    """What is to be done with a module."""

    by: Numbered
    module: Operation
    context: Context
    locate: Locator | None
    most_operations: int


def lowered_divided(
    pipeline: Pipeline, module: Operation, context: Context, *, locate: Locator | None = None, most_operations: int
) -> Divided | None:
    """The text that a pipeline makes of a module, which is verified after each pass, and what it leaves; the module
    stays as it is. None where it is too short for that, or not all of it follows from its functions alone, or anything
    is wrong or to be said."""
    by = numbered(pipeline)
    shares = _shares(module) if by.goes_by_function(frozenset()) and _can_fork() else []
    if len(shares) < 2 or context.edition is not None:
        return None
    work = _Work(by, module, context, locate, most_operations)
    passes: Set[int] = frozenset()
    for _ in range(_ROUNDS):
        made = _in_processes(work, shares, passes)
        if made is None:
            return None
        needed = frozenset[int]().union(*(share.account.needed for share in made))
        # What one needs runs for all of them.
        if needed == passes or all(share.account.needed == needed for share in made):
            return _together(made, module, most_operations)
        if not by.goes_by_function(needed):
            return None
        passes = needed
    return None


def _can_fork() -> bool:
    return hasattr(os, "fork") and hasattr(os, "sched_getaffinity") and threading.active_count() == 1


def _shares(module: Operation) -> list[list[Operation]]:
    """The functions of a module, divided among processes; nothing where anything else stands in it."""
    if len(module.regions) != 1 or not module.regions[0].has_one_block:
        return []
    inner = list(module.regions[0].operations())
    names = {symbol_name(op) for op in inner}
    if len(names) != len(inner) or not all(isinstance(op, FuncOp) for op in inner):
        return []
    sizes = [sum(1 for _ in op.walk()) for op in inner]
    count = min(len(os.sched_getaffinity(0)), MOST_PROCESSES, sum(sizes) // LEAST)
    shares: list[list[Operation]] = [[] for _ in range(count)]
    before, total = 0, sum(sizes)
    for op, size in zip(inner, sizes, strict=True) if count else ():
        shares[(2 * before + size) * count // (2 * total)].append(op)  # by where its middle stands
        before += size
    return [share for share in shares if share]


# ---- in a process of its own


def _in_processes(work: _Work, shares: Sequence[Sequence[Operation]], passes: Set[int]) -> list[_Share] | None:
    """What becomes of the shares, each worked out in a fork; None if one of them has nothing to give."""
    gc.freeze()  # What stands is shared by all processes; to look through it would copy it.
    forks: list[tuple[int, int]] = []
    made: list[_Share] = []
    try:
        for share in shares:
            forks.append(_forked(work, share, passes))
        for _, answer in forks:
            with os.fdopen(answer, "rb", closefd=False) as stream:
                data = stream.read()
            if not data:
                return None
            made.append(pickle.loads(data))
    finally:
        for pid, answer in forks:
            os.close(answer)
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        gc.unfreeze()
    return made


def _forked(work: _Work, share: Sequence[Operation], passes: Set[int]) -> tuple[int, int]:
    """A process that works out what becomes of a share, and where its answer is to be read."""
    answer, given = os.pipe()
    pid = os.fork()
    if not pid:
        try:
            os.close(answer)
            made = _made(work, share, passes)
            if made is not None:
                with os.fdopen(given, "wb") as stream:
                    pickle.dump(made, stream, pickle.HIGHEST_PROTOCOL)
        finally:
            # Whatever went wrong, the other process meets it again, and says so.
            os._exit(0)
    os.close(given)
    return pid, answer


def _made(work: _Work, share: Sequence[Operation], passes: Set[int]) -> _Share | None:
    """What becomes of some functions of a module, which changes."""
    module, names = work.module, [symbol_name(op) for op in share]
    _keep(module, share)
    wrote: list[str] = []
    made = lowered_apart(
        work.by,
        module,
        work.context,
        passes,
        observers=(Showing(wrote.append),),
        verifying="each",
        remembers=work.by.pipeline.is_to_reach_llvm,
        locate=work.locate,
        most_operations=work.most_operations,
    )
    if made is None or wrote:
        return None
    lowering, account = made
    by_name = {symbol_name(op): op for op in module.regions[0].operations()}
    added = [*chain.from_iterable(account.declared.values())]
    if not by_name.keys() >= {*names, *added}:
        return None
    own = _printed(module, [by_name[name] for name in names], work.locate)
    left: tuple[Left, ...] = ()
    places: tuple[Span, ...] = ()
    if lowering.makers is not None:
        from fathom.passes.leftovers import left_in

        found = [op.span for op in left_of(module)]
        places = tuple(Span(*span.place) for span in found if span is not None)
        if len(places) < len(found):
            return None
        left = tuple(_alone(each) for each in left_in(module, lowering.history())) if found else ()
    apart = {name: _printed(module, [by_name[name]], work.locate) for name in added}
    if own is None or None in apart.values():
        return None
    texts = {name: printed[1] for name, printed in apart.items() if printed is not None}
    return _Share(account, *own, texts, left, places)


def _alone(left: Left) -> Left:
    """It with a place that knows no statement."""
    span = left.span
    return replace(left, span=Span(*span.place) if span is not None else None, cause=replace(left.cause, types=()))


def _keep(module: Operation, share: Iterable[Operation]) -> None:
    """Takes all functions away but these, and the declarations of those that they name."""
    kept = set(share)
    named = {reference.root for op in kept for inner in op.walk() for reference in references_of_operation(inner)}
    block = module.regions[0].entry
    for op in list(block):
        if op in kept:
            continue
        if symbol_name(op) in named:
            block.insert_before(declared(op), op)
        op.unlink()


def _printed(module: Operation, ops: Sequence[Operation], locate: Locator | None) -> tuple[str, str] | None:
    """How a module that consists of these operations begins as text, and they; None where anything stands around it,
    such as aliases."""
    block = module.regions[0].entry
    for op in list(block):
        op.unlink()
    for op in ops:
        block.append(op)
    text = print_module(module, DEFAULT_FLAGS, locate=locate)
    head, line_end, rest = text.partition("\n")
    if not (head.startswith("module") and head.endswith("{") and rest.endswith(_END)) or _NAMED in text:
        return None
    return head + line_end, rest.removesuffix(_END)


# ---- together


def _together(made: Sequence[_Share], module: Operation, most_operations: int) -> Divided | None:
    """The whole; None where the shares do not fit."""
    names = declared_together([share.account for share in made], most_operations)
    if names is None or len({share.head for share in made}) != 1:
        return None
    texts: dict[str, str] = {}
    for share in made:
        for name, text in share.declared.items():
            if texts.setdefault(name, text) != text:
                return None
    if not texts.keys().isdisjoint(map(symbol_name, module.regions[0].operations())):
        return None
    whole = "".join([made[0].head, *(texts[name] for name in names), *(share.text for share in made), _END])
    left = sorted(chain.from_iterable(share.left for share in made), key=lambda each: each.is_cast)
    return Divided(whole, tuple(left), tuple(chain.from_iterable(share.places for share in made)))
