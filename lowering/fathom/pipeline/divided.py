"""A long module lowered by several processes at once, where there are processors for them: each takes some of its
functions, lowers them as they would be beside the others (`apart.py`) and prints them.

    module { f, g, h, i }   ->   { f, g } in one, { h, i } in another   ->   the text of the whole

Where anything follows from the whole, or somebody is to be told of anything, nothing comes of it, and the module is as
it was: whoever asked lowers it then in one piece.
"""

from __future__ import annotations

from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.ir.operation import Span
from fathom.ir.symbol_references import references_of_operation
from fathom.ir.text_apart import END, text_apart
from fathom.irdl.interfaces import symbol_name
from fathom.ops.func import FuncOp
from fathom.passes.left import left_of
from fathom.pipeline.apart import Account, declared_together, lowered_apart, numbered
from fathom.pipeline.forks import in_forks, processes_for
from fathom.pipeline.reduction import declared
from fathom.pipeline.showing import Showing
from fathom.records import record, replace

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence, Set

    from fathom.context import Context
    from fathom.ir.operation import Operation
    from fathom.ir.operation_printer import Locator
    from fathom.passes.leftovers import Left
    from fathom.pipeline.apart import Numbered
    from fathom.pipeline.language import Pipeline

Reading: TypeAlias = "Callable[[], tuple[Operation, list[Operation]] | None]"
"""What gives a module, and the functions in it that are lowered."""
LEAST: Final = 1_000
"""So many operations are worth a process."""
_ROUNDS: Final = 2
"""So often it is looked which passes are needed by what the others have."""


@record
class Divided:
    """What a pipeline made of a module of so many functions: the text, and what was left of it, in order, with the
    places of all that."""

    text: str
    left: tuple[Left, ...]
    places: tuple[Span, ...]
    functions: int


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
class Work:
    """What is to be done with modules. `locate` tells where operations stand; no more than `most_operations` are made
    for the elements of vectors and the like."""

    by: Numbered
    context: Context
    locate: Locator | None
    most_operations: int

    @property
    def goes_by_function(self) -> bool:
        """Whether functions can be lowered apart."""
        return self.context.edition is None and self.by.goes_by_function(frozenset())


def work_of(pipeline: Pipeline, context: Context, locate: Locator | None, most_operations: int) -> Work:
    """What a pipeline does with modules."""
    return Work(numbered(pipeline), context, locate, most_operations)


def lowered_divided(work: Work, module: Operation) -> Divided | None:
    """The text that a pipeline makes of a module, which is verified after each pass, and what it leaves; the module
    stays as it is. None where it is too short for that, or not all of it follows from its functions alone, or anything
    is wrong or to be said."""
    shares = _shares(module) if work.goes_by_function else []
    names = [symbol_name(op) for share in shares for op in share]
    return lowered_by_shares(work, [partial(_given, module, share) for share in shares], names)


def lowered_by_shares(
    work: Work, reads: Sequence[Reading], names: Collection[str], sample: Reading | None = None
) -> Divided | None:
    """The same of a module with functions of these names, of which each process reads its share. A `sample` is lowered
    before: what has to be loaded and learned for it, all have then."""
    if len(reads) < 2 or not work.goes_by_function:
        return None
    passes: Set[int] = frozenset()
    if sample is not None and _read_and_made(work, sample, passes) is None:
        return None
    for _ in range(_ROUNDS):
        made = in_forks([partial(_read_and_made, work, read, passes) for read in reads])
        if made is None:
            return None
        needed = frozenset[int]().union(*(share.account.needed for share in made))
        # What one needs runs for all of them.
        if needed == passes or all(share.account.needed == needed for share in made):
            return _together(made, names, work.most_operations)
        if not work.by.goes_by_function(needed):
            return None
        passes = needed
    return None


def _shares(module: Operation) -> list[list[Operation]]:
    """The functions of a module, divided among processes; nothing where anything else stands in it."""
    if len(module.regions) != 1 or not module.regions[0].has_one_block:
        return []
    inner = list(module.regions[0].operations())
    names = {symbol_name(op) for op in inner}
    if len(names) != len(inner) or not all(isinstance(op, FuncOp) for op in inner):
        return []
    sizes = [sum(1 for _ in op.walk()) for op in inner]
    count = processes_for(sum(sizes), LEAST)
    shares: list[list[Operation]] = [[] for _ in range(count)]
    before, total = 0, sum(sizes)
    for op, size in zip(inner, sizes, strict=True) if count else ():
        shares[(2 * before + size) * count // (2 * total)].append(op)  # by where its middle stands
        before += size
    return [share for share in shares if share]


def _given(module: Operation, share: list[Operation]) -> tuple[Operation, list[Operation]]:
    return module, share


# ---- in a process of its own


def _read_and_made(work: Work, read: Reading, passes: Set[int]) -> _Share | None:
    given = read()
    return _made(work, *given, passes) if given is not None else None


def _made(work: Work, module: Operation, share: Sequence[Operation], passes: Set[int]) -> _Share | None:
    """What becomes of some functions of a module, which changes."""
    names = [symbol_name(op) for op in share]
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
    own = text_apart(module, [by_name[name] for name in names], work.locate)
    left: tuple[Left, ...] = ()
    places: tuple[Span, ...] = ()
    if lowering.makers is not None:
        from fathom.passes.leftovers import left_in

        found = [op.span for op in left_of(module)]
        places = tuple(Span(*span.place) for span in found if span is not None)
        if len(places) < len(found):
            return None
        left = tuple(_alone(each) for each in left_in(module, lowering.history())) if found else ()
    apart = {name: text_apart(module, [by_name[name]], work.locate) for name in added}
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


# ---- together


def _together(made: Sequence[_Share], own: Collection[str], most_operations: int) -> Divided | None:
    """The whole; None where the shares do not fit."""
    names = declared_together([share.account for share in made], most_operations)
    if names is None or len({share.head for share in made}) != 1:
        return None
    texts: dict[str, str] = {}
    for share in made:
        for name, text in share.declared.items():
            if texts.setdefault(name, text) != text:
                return None
    if not texts.keys().isdisjoint(own):
        return None
    whole = "".join([made[0].head, *(texts[name] for name in names), *(share.text for share in made), END])
    left = sorted(chain.from_iterable(share.left for share in made), key=lambda each: each.is_cast)
    return Divided(whole, tuple(left), tuple(chain.from_iterable(share.places for share in made)), len(own))
