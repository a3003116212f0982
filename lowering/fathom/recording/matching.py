"""Which operations of two texts are the same, and what was made of what, where nobody looked on: two stages of a tool
of other people, or two dumps of a log.

Operations whose text is the same but for names are taken to be the same, in the longest order that both texts have;
then those that stand elsewhere; then, between such, those of one name. Of the others one is taken to be made of what
gave a value to the same operand, or came from the same place, or stood between the same operations.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Final

from fathom.inputs.loading import Loading
from fathom.inputs.splitting import Chunk
from fathom.ir.operation import Span
from fathom.recording.differences import differences
from fathom.recording.stages import Place, StageText, without_names
from fathom.records import record
from fathom.slices import checkpoint

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence

    from fathom.context import Context
    from fathom.ir.operation import Operation
    from fathom.recording.differences import Difference

    Came = Callable[[Span], Hashable]
    """Where what stands in a part of a text comes from; None where nobody knows."""

MOST: Final = 4_000
"""Texts of more operations are not compared by operation."""
MOST_PAIRS: Final = 1 << 20
"""Nor those in which so many could be the same as so many others."""


@record(eq=False)
class Compared:
    """Two texts, with the places of operations, which have one number in both if they are the same; and how they
    differ."""

    before: StageText
    after: StageText
    differences: list[Difference]


def compared(first: str, second: str, context: Context, came: tuple[Came, Came] | None = None) -> Compared | None:
    """How two texts differ, operation by operation; None where one of them cannot be read, or is too long. `came` says
    of each text where what stands in it comes from, if that is known."""
    one, other = _read(first, context), _read(second, context)
    if one is None or other is None or max(len(one.ops), len(other.ops)) > MOST:
        return None
    matching = _Matching(one, other, came)
    if not matching.match():
        return None
    numbers = {op: number for number, op in enumerate(one.ops)}
    of_second = {
        op: numbers[same] if (same := matching.same.get(op)) is not None else len(numbers) + number
        for number, op in enumerate(other.ops)
    }
    parents = {
        of_second[op]: tuple(numbers[each] for each in made_of) for op, made_of in matching.made_of().items() if made_of
    }
    before, after = one.stage(numbers), other.stage(of_second)
    return Compared(before, after, differences(parents, before, after))


class _Text:
    """The operations of a text in their order, with their heads: the lines in which they stand, of one with regions the
    first."""

    def __init__(self, text: str, module: Operation) -> None:
        self.text = text
        self.ops: list[Operation] = []
        self.heads: dict[Operation, Span] = {}
        self.keys: dict[Operation, str] = {}
        """The texts of the heads, without names, behind the names of the operations."""
        for op in module.walk():
            if op.span is None or op is module:
                continue
            start = text.rfind("\n", 0, op.span.start) + 1
            start += len(text[start : op.span.start]) - len(text[start : op.span.start].lstrip())
            end = text.find("\n", op.span.start if op.regions else max(op.span.start, op.span.end - 1))
            self.ops.append(op)
            self.heads[op] = Span(start, end if end >= 0 else len(text))
            self.keys[op] = f"{op.name} {without_names(text[start : self.heads[op].end])}"

    def stage(self, numbers: Mapping[Operation, int]) -> StageText:
        """The text with the places of operations."""
        places = {
            numbers[op]: Place(head, head, numbers.get(op.parent_op) if op.parent_op is not None else None)
            for op, head in self.heads.items()
        }
        return StageText(self.text, places)


def _read(text: str, context: Context) -> _Text | None:
    """The operations of a text that Fathom can read; None of one that it cannot."""
    loaded, problems = Loading(allow_unregistered=True, verify=False, context=context).told(Chunk(text, 0))
    return _Text(text, loaded.module) if not problems else None


class _Matching:
    """`same` has for operations of the second text those of the first that they are."""

    def __init__(self, one: _Text, other: _Text, came: tuple[Came, Came] | None) -> None:
        self.one, self.other = one, other
        self.same: dict[Operation, Operation] = {}
        self._same_after: dict[Operation, Operation] = {}
        self._came = came
        self._gaps: list[tuple[Sequence[Operation], Sequence[Operation]]] = []
        """What stands in each of the texts between operations that are the same."""

    def match(self) -> bool:
        """Finds those that are the same; False where that would take long, since many are of the same text."""
        first, second = self._match_ends()
        counts = Counter(self.one.keys[op] for op in first)
        if sum(counts[self.other.keys[op]] for op in second) > MOST_PAIRS:
            return False
        self._match_in_order(first, second)
        self._match_moved()
        for before, after in self._gaps:
            checkpoint()
            self._match_in_gap(before, after)
        return True

    def _pair(self, before: Operation, after: Operation) -> None:
        self.same[after] = before
        self._same_after[before] = after

    def _left(self, before: Sequence[Operation], after: Sequence[Operation]) -> tuple[list[Operation], list[Operation]]:
        return [op for op in before if op not in self._same_after], [op for op in after if op not in self.same]

    def _match_ends(self) -> tuple[Sequence[Operation], Sequence[Operation]]:
        """With what both texts begin and end; gives what stands between."""
        first, second = self.one.ops, self.other.ops
        start, most = 0, min(len(first), len(second))
        while start < most and self._alike(first[start], second[start]):
            self._pair(first[start], second[start])
            start += 1
        end = 0
        while end < most - start and self._alike(first[-1 - end], second[-1 - end]):
            self._pair(first[-1 - end], second[-1 - end])
            end += 1
        return first[start : len(first) - end], second[start : len(second) - end]

    def _alike(self, before: Operation, after: Operation) -> bool:
        return self.one.keys[before] == self.other.keys[after]

    def _match_in_order(self, first: Sequence[Operation], second: Sequence[Operation]) -> None:
        """The longest runs of the same text, of which what stands between them is noted."""
        keys = [self.one.keys[op] for op in first], [self.other.keys[op] for op in second]
        at, place = 0, 0
        for block in SequenceMatcher(None, *keys, autojunk=False).get_matching_blocks():
            checkpoint()
            self._gaps.append((first[at : block.a], second[place : block.b]))
            for offset in range(block.size):
                self._pair(first[block.a + offset], second[block.b + offset])
            at, place = block.a + block.size, block.b + block.size

    def _match_moved(self) -> None:
        """Those of the same text that stand elsewhere, if nothing else is of that text."""
        before, after = self._left(self.one.ops, self.other.ops)
        by_key: dict[str, list[Operation]] = defaultdict(list)
        for op in before:
            by_key[self.one.keys[op]].append(op)
        others: dict[str, list[Operation]] = defaultdict(list)
        for op in after:
            others[self.other.keys[op]].append(op)
        for key, ops in by_key.items():
            if len(ops) == len(others[key]) == 1:
                self._pair(ops[0], others[key][0])

    def _match_in_gap(self, before: Sequence[Operation], after: Sequence[Operation]) -> None:
        """Those of one name between operations that are the same: they are, with other text, if both come from the same
        place, as far as that is known."""
        left = self._left(before, after)
        names = [op.name for op in left[0]], [op.name for op in left[1]]
        for block in SequenceMatcher(None, *names, autojunk=False).get_matching_blocks():
            for offset in range(block.size):
                pair = left[0][block.a + offset], left[1][block.b + offset]
                if self._may_be_same(*pair):
                    self._pair(*pair)

    def _may_be_same(self, before: Operation, after: Operation) -> bool:
        places = self._places(before, after)
        return places is None or places[0] == places[1]

    def _places(self, before: Operation, after: Operation) -> tuple[Hashable, Hashable] | None:
        """Where two operations come from; None where it is not known of one."""
        if self._came is None:
            return None
        places = self._came[0](self.one.heads[before]), self._came[1](self.other.heads[after])
        return places if None not in places else None

    # ---- what is left

    def made_of(self) -> dict[Operation, list[Operation]]:
        """For what is only in the second text, what it was made of that is only in the first."""
        made_of: dict[Operation, list[Operation]] = {}
        became: set[Operation] = set()
        for before, after in self._feeding():
            if before not in made_of.setdefault(after, []):
                made_of[after].append(before)
            became.add(before)
        for gap in self._gaps:
            before, after = self._left(*gap)
            orphans = [op for op in before if op not in became]
            for op in after:
                if op not in made_of and (origin := self._from_same_place(op, before) or orphans):
                    made_of[op] = [*origin]
        self._hand_on(made_of)
        return made_of

    def _feeding(self) -> Iterator[tuple[Operation, Operation]]:
        """Operations of which one gave a value where another one does now."""
        for user, was in self.same.items():
            for value, old in zip(user.operands, was.operands, strict=False):
                after, before = value.defining_op, old.defining_op
                if after is None or before is None or after in self.same or before in self._same_after:
                    continue
                yield before, after

    def _from_same_place(self, op: Operation, before: Sequence[Operation]) -> list[Operation]:
        if self._came is None:
            return []
        place = self._came[1](self.other.heads[op])
        return [each for each in before if place is not None and self._came[0](self.one.heads[each]) == place]

    def _hand_on(self, made_of: dict[Operation, list[Operation]]) -> None:
        """What gives values to what was made of something was made of that as well, unless more is known."""
        pending = deque(made_of)
        while pending:
            checkpoint()
            op = pending.popleft()
            for value in op.operands:
                definer = value.defining_op
                if definer is not None and definer not in self.same and definer not in made_of:
                    made_of[definer] = made_of[op]
                    pending.append(definer)
