"""What stands below the LLVM dialect of a recorded lowering, followed back to the operations that it ended in: their
numbers stand in the place of their lines in the source, so LLVM's debug locations lead to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.diagnostics import alone
from fathom.ir.dismantle import dismantling
from fathom.ir.operation import Span
from fathom.records import record, replace
from fathom_server.model.code import LONGEST, exposed
from fathom_server.model.queries import query
from fathom_server.model.recorded import KEPT, Recorded, recorded, recorded_split

if TYPE_CHECKING:
    from fathom.recording.history import Assembled
    from fathom.syntax.tree import Item
    from fathom.translation import Translation
    from fathom_server.model.snapshot import Snapshot
    from fathom_server.model.symbols import Unit


@record
class Followed:
    """LLVM IR as it is shown, and as LLVM is to make code of it; the spans of both begin at the numbers of operations.
    With a `problem` there is neither."""

    shown: Translation | None = None
    tracked: Translation | None = None
    problem: str = ""


@query(keep=KEPT)
def followed(snapshot: Snapshot, unit: Unit) -> Followed:
    """What a unit becomes below the LLVM dialect. What it has is there for others: somebody looks at it."""
    made = _followed(snapshot, recorded(snapshot, unit))
    if made.tracked is None:
        return made
    return Followed(made.shown, exposed(made.tracked))


@query(keep=KEPT)
def followed_split(snapshot: Snapshot, split: Item | None) -> Followed:
    """The same of a split of the document."""
    return _followed(snapshot, recorded_split(snapshot, split))


def _followed(snapshot: Snapshot, made: Recorded) -> Followed:
    if made.recording is None:
        return Followed(problem="there is no lowering of it")
    if any(run.failed for run in made.recording.runs):
        return Followed(problem="it is not lowered")
    assembled = made.at_the_end()
    with dismantling(assembled.module):
        return _translated(snapshot, assembled)


def _translated(snapshot: Snapshot, assembled: Assembled) -> Followed:
    from fathom.translation import translate, translated

    for op, number in assembled.numbers.items():
        op.span = Span(number, number + 1)
        for argument in (each for region in op.regions for block in region.blocks for each in block.arguments):
            argument.span = None
    whole = translated(assembled.module, context=snapshot.context)
    if whole.error is not None:
        return Followed(problem=whole.error.message)
    if len(whole.translation.text) > LONGEST:
        return Followed(problem=f"of more than {LONGEST >> 20} MB of LLVM IR no code is made here")
    tracked = translate(assembled.module, context=snapshot.context, tracked=lambda offset: offset)
    return Followed(_alone(whole.translation), _alone(tracked))


def _alone(translation: Translation) -> Translation:
    """The same, without operations that its diagnostics are about."""
    return replace(translation, diagnostics=[], unsaid=[*map(alone, translation.unsaid)])
