"""*Why was this not folded?*: of which operations that can be asked, and what is answered where only a text is shown.

To offer the question costs nothing: it is known of the passes of the pipeline, and of what is shown of a lowering
anyway. Passes run, and are looked at, when somebody asks (`timeline.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.pipeline.defaults import is_whole
from fathom.recording.aims import aims
from fathom.records import record
from fathom_server.features.assists.selection import Selection
from fathom_server.model.became import why_left
from fathom_server.model.pipelines import pipeline

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.syntax.tree import Item
    from fathom_server.features.told import Told
    from fathom_server.model.snapshot import Snapshot

_NOTHING: Final = "no pass that it outlives tried anything on it"
MOST_AIMS: Final = 3


@record
class Question:
    """A question about the operation at an offset of the document; `is_left` where no pass converts that."""

    title: str
    offset: int
    is_left: bool


def question(snapshot: Snapshot, item: Item, op: Operation, *, is_left: bool) -> Question | None:
    """What one may ask of an operation that the pipeline leaves behind, or that outlives what is to change it; None
    where there is nothing to ask."""
    if op.span is None:
        return None
    if is_left:
        title = "Why was this not converted?"
    else:
        used = pipeline(snapshot)
        words = aims((use.name for use in used.passes), op)[:MOST_AIMS] if not is_whole(used) else ()
        if not words:
            return None
        *first, last = words
        title = f"Why was this not {', '.join(first)}{' or ' if first else ''}{last}?"
    return Question(title, snapshot.start_of(item) + op.span.start, is_left)


def question_at(snapshot: Snapshot, start: int, end: int) -> Question | None:
    """What one may ask of the operation where a range begins."""
    selected = Selection(snapshot, start, end)
    item, op = selected.item, selected.operation
    if item is None or op is None or op.span is None:
        return None
    return question(snapshot, item.item, op, is_left=why_left(snapshot, item.item, op, op.span) is not None)


def answer_text(answer: Told) -> str:
    """An answer to the question, as lines for people."""
    if answer.problem is not None:
        return answer.problem
    lines: list[str] = []
    for told in answer.reasons:
        lines.append(f"{told.pass_name}: {told.note}" if told.note else told.pass_name)
        lines += [f"    {reason.pattern}: {reason}" for reason in told.reasons]
    return "\n".join(lines) or _NOTHING
