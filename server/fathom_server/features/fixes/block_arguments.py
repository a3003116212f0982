"""A block argument for a value that does not dominate its use: whoever goes to the block hands over what it has.

  cf.cond_br %p, ^bb1, ^bb2              cf.cond_br %p, ^bb1, ^bb2(%a : i32)
^bb1:                                  ^bb1:
  %b = arith.addi %a, %a : i32           %b = arith.addi %a, %a : i32
  cf.br ^bb2                             cf.br ^bb2(%b : i32)
^bb2:                                  ^bb2(%b_0: i32):
  return %b : i32                        return %b_0 : i32
"""

from __future__ import annotations

from collections.abc import Iterator

from fathom.ir.dominators import DominatorTree
from fathom.ir.operation import Block, Operation, Region, Value
from fathom.ir.types import FloatType, IndexType, IntegerType, Type
from fathom.records import record
from fathom.verify.ways import misplaced
from fathom_server.features.edits import Fix, Replacement
from fathom_server.features.fixes.mistake import Mistake

_OPENING, _CLOSING = "([{<", ")]}>"


def as_block_argument(mistake: Mistake) -> Iterator[Fix]:
    """An argument of the block in which the use stands. On a way that misses the definition it is a value of the same
    type, the last before the branch, or else a zero."""
    op = mistake.op()
    value, user = misplaced(op) if op is not None else (None, None)
    block, home = user.parent if user is not None else None, value.parent_block if value is not None else None
    if value is None or block is None or home is None or block.parent is None or block.label_span is None:
        return
    made = _Made(mistake, value, home, block, DominatorTree(block.parent))
    edits = made.edits()
    if edits is not None:
        label = mistake.text[block.label_span.start : block.label_span.end]
        instead = f", and `{'`, `'.join(made.instead)}` where it is not defined" if made.instead else ""
        yield Fix(f"Hand `{made.name}` to `{label}`{instead}", tuple(edits))


class _Made:
    """The edit, as it is made. `instead` are the values that stand in for the one that is not defined everywhere."""

    def __init__(self, mistake: Mistake, value: Value, home: Block, block: Block, tree: DominatorTree) -> None:
        self.mistake = mistake
        self.value = value
        self.home = home
        self.block = block
        self.tree = tree
        self.names = {defined: place.span for defined, place in mistake.known.definitions()}
        self.name = self._name(value)
        self.fresh = mistake.fresh(self.name.partition("#")[0])
        self.instead: dict[str, None] = {}

    def edits(self) -> list[Replacement] | None:
        """The argument, the operands of the branches, and the uses; None where there is no way to write it."""
        label = self.block.label_span
        if not self.name or label is None:
            return None
        edits = [self._with(label.end, f"{self.fresh}: {self.value.type}", "")]
        for branch in self.block.branches:
            handed = self._handed(branch, edits)
            if handed is None:
                return None
            for site in self.mistake.known.sites_of(branch):
                for token, named in site.blocks.items():
                    if named is self.block:
                        edits.append(self._with(site.span(token).end, handed, str(self.value.type)))
        for user in self.value.uses:
            around = self._in_region(user)
            if around is not None and self.tree.dominates(self.block, around):
                for site in self.mistake.known.sites_of(user):
                    for token, used in site.uses.items():
                        if used is self.value:
                            span = site.span(token)
                            edits.append(self.mistake.replaced(span.start, span.end, self.fresh))
        return sorted(edits, key=lambda replacement: replacement.start)

    def _handed(self, branch: Operation, edits: list[Replacement]) -> str | None:
        """What a branch hands over; a zero comes before it if there is nothing else."""
        source = branch.parent
        if source is None:
            return None
        if self.tree.dominates(self.block, source):
            return self.fresh
        if self.tree.dominates(self.home, source):
            return self.name
        at_hand = [
            name
            for name in self.names
            if name.type == self.value.type and name is not self.value and self._is_at_hand(name, source)
        ]
        name = self._name(at_hand[-1]) if at_hand else ""
        if not name:
            zero = _zero(self.value.type)
            if zero is None:
                return None
            name = self.mistake.fresh(f"{self.fresh}_zero")
            edits.append(self.mistake.before(branch, f"{name} = arith.constant {zero} : {self.value.type}"))
        self.instead[name] = None
        return name

    def _is_at_hand(self, value: Value, source: Block) -> bool:
        """Whether a value can be used at the end of a block."""
        home = value.parent_block
        return home is not None and home.parent is source.parent and self.tree.dominates(home, source)

    def _in_region(self, op: Operation) -> Block | None:
        """The block of the region in which an operation stands, itself or what is around it."""
        around: Operation | None = op
        region: Region | None = self.block.parent
        while around is not None and around.parent is not None and around.parent.parent is not region:
            around = around.parent_op
        return around.parent if around is not None else None

    def _name(self, value: Value) -> str:
        span = self.names.get(value)
        if span is None:
            return ""
        name, _, count = self.mistake.text[span.start : span.end].partition(":")
        results = value.defining_op.results if count and value.defining_op is not None else ()
        number = next((index for index, result in enumerate(results) if result is value), None)
        return f"{name}#{number}" if number is not None else name

    def _with(self, place: int, value: str, type: str) -> Replacement:
        """What puts a value into the brackets behind a label, or the brackets too: `(%a, %b : i32, i32)` at a branch,
        `(%a: i32, %b: i32)`, without a type of its own here, at the block."""
        text = self.mistake.text
        brackets = _brackets(text, place)
        if brackets is None:
            return self.mistake.inserted(place, f"({value} : {type})" if type else f"({value})")
        if not type:
            return self.mistake.inserted(brackets.end, f", {value}")
        if brackets.colon is None:
            return self.mistake.inserted(brackets.end, f"{value} : {type}")
        inner = text[brackets.colon : brackets.end]
        return self.mistake.replaced(brackets.before_colon, brackets.end, f", {value} {inner}, {type}")


@record
class _Brackets:
    """Brackets behind a label: where what is in them ends, and their colon with the white space before it."""

    end: int
    colon: int | None
    before_colon: int


def _brackets(text: str, place: int) -> _Brackets | None:
    start = place
    while text[start : start + 1].isspace():
        start += 1
    if text[start : start + 1] != "(":
        return None
    depth, colon, index = 0, None, start
    while index < len(text):
        letter = text[index]
        if letter in _OPENING:
            depth += 1
        elif letter in _CLOSING and text[index - 1] != "-":
            depth -= 1
            if depth == 0:
                before = colon if colon is not None else index
                while text[before - 1].isspace():
                    before -= 1
                return _Brackets(index, colon, before)
        elif letter == ":" and depth == 1 and colon is None:
            colon = index
        index += 1
    return None


def _zero(type: Type) -> str | None:
    if isinstance(type, FloatType):
        return "0.0"
    return "0" if isinstance(type, IndexType) or (isinstance(type, IntegerType) and not type.signedness) else None
