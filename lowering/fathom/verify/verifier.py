"""Verification: what is wrong with an operation and with all that is nested in it, in MLIR's order and words.

An operation is checked by itself first, then the operations of its regions, then what concerns its regions as a whole.
Regions that are isolated from above come after the others around them, and the dominance of definitions over uses
after all else in such a region. An operation is blamed for one thing at most. Source of the rules: *MLIR Language
Reference*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum
from typing import TYPE_CHECKING, Final

from fathom.cached import cached_property
from fathom.diagnostics import DOMINANCE, FURTHER, MISSING_TERMINATOR, VERIFY, Diagnostic, Note
from fathom.ir.operation import Block, BlockArgument, Operation, Value
from fathom.ir.types import POISON, Type, UnknownType
from fathom.irdl.definition import Problem
from fathom.irdl.faults import CodeFault
from fathom.irdl.traits import GRAPH_REGION, ISOLATED_FROM_ABOVE, NO_TERMINATOR, SYMBOL, SYMBOL_USER, TERMINATOR
from fathom.irdl.verifying import Check, problem_of
from fathom.records import field, record
from fathom.slices import checkpoint
from fathom.verify.alone import EVERYTHING, IS_LAST, NOTHING, Alike, Likeness, Rest, is_bare, rest_of, uses_symbols
from fathom.verify.attributes import discardable_problem, signature_problem
from fathom.verify.consequences import may_follow
from fathom.verify.constraints import values_wanted, violation
from fathom.verify.dominance import misplaced_operands, where_defined
from fathom.verify.kinds import SeenKinds
from fathom.verify.symbols import (
    Known,
    Meanings,
    Symbols,
    SymbolsOf,
    is_symbol_table,
    operations_in,
    redefinitions,
    symbols_around,
    table_problem,
    visibility_problem,
)

if TYPE_CHECKING:
    from fathom.irdl.definition import OpDefinition
    from fathom.irdl.dialect import Definitions
    from fathom.irdl.shown import Shown


def verify(
    root: Operation,
    symbols: Symbols | None = None,
    context: Definitions | None = None,
    likeness: Callable[[Operation], Likeness | None] | None = None,
    *,
    is_ordered: bool = False,
) -> list[Diagnostic]:
    """All that is wrong with `root` and what is nested in it.

    `context` has the dialects that are asked about discardable attributes; where it is None, nobody is.

    `symbols` are those that can be named where `root` stands, for one that is taken out of a larger document; where it
    is None, they are those of the enclosing tables.

    `likeness` gives what an operation has in common with those that are like it, if that is known, so that what holds
    for one of them need not be looked at again. It must have been found out in the same context.

    `is_ordered` says that the text of `root` defines each name before it uses it: then dominance need not be looked at
    where regions have one block each, since a name ends with its region.
    """
    if symbols is None:
        symbols = symbols_around(root)
    verifier = Verifier(root, symbols, context, likeness, is_ordered=is_ordered)
    verifier.run()
    return [diagnostic for _, diagnostic in verifier.findings]


class _Step(Enum):
    ENTER = "check the operation itself"
    BLOCK = "go on in a block at an operation"
    ISOLATED = "go on in the operations directly in it that are isolated from above"
    LEAVE_BLOCK = "check the end of a block"
    LEAVE = "check what concerns the regions as a whole"
    DOMINANCE = "check dominance in the operation's regions"


# Asked at every turn, and a member takes longer to be found in its class.
_ENTER, _BLOCK, _ISOLATED, _LEAVE_BLOCK, _LEAVE, _DOMINANCE = _Step


@record
class _Table:
    """A symbol table; `users` are the operations in it whose symbols are looked at when all else in it has been."""

    symbols: Symbols | None
    users: list[Operation] = field(default_factory=list["Operation"])


class Verifier:
    """Follows the nesting by a stack of its own, since programs nest deeper than calls of Python may."""

    def __init__(
        self,
        root: Operation,
        symbols: Symbols | None,
        context: Definitions | None,
        likeness: Callable[[Operation], Likeness | None] | None,
        *,
        is_ordered: bool = False,
    ) -> None:
        self._root = root
        self._is_ordered = is_ordered
        self._branching = 0
        """How many regions of several blocks were met."""
        self._branching_before: list[int] = []
        """How many they were at the beginning of each operation that is open and isolated from above."""
        self._context = context
        self._likeness = likeness
        self._is_settled = likeness.is_settled if isinstance(likeness, SeenKinds) else None
        self._bare: dict[OpDefinition, Alike] = {}
        self.findings: list[tuple[Operation, Diagnostic]] = []
        """What was found, each with the operation that was blamed for it."""
        self.blamed: set[Operation] = set()
        self.symbol_users: set[Operation] = set()
        """The operations whose checks look symbols up."""
        self.is_nested = False
        """Whether there are regions in it that are isolated from above, or symbol tables."""
        self._tables: list[_Table] = [_Table(SymbolsOf(root, symbols) if is_symbol_table(root) else symbols)]
        """The symbol tables around the current place."""
        self._known: Known = {}
        self._isolated: dict[Operation | None, list[Operation]] = {}
        """Those that were met in the regions of an operation, and come after all else there."""
        self._steps: list[tuple[_Step, Operation | None, Block | None]] = [(_ENTER, root, None)]

    def run(self) -> None:
        """Finds all that is wrong with the root and what is nested in it."""
        while self._steps:
            step, op, block = self._steps.pop()
            if step is _BLOCK:
                assert block is not None
                self._block(block, op)
            elif step is _LEAVE_BLOCK:
                assert block is not None
                self.leave_block(block)
            elif op is None:
                continue
            elif step is _ENTER:
                self._enter(op)
            elif step is _ISOLATED:
                isolated = self._isolated.pop(op, ())
                self._steps += [(_ENTER, inner, None) for inner in reversed(isolated)]
            elif step is _LEAVE:
                self._leave(op)
            else:
                self._dominance(op)
        self.check_symbols()

    def check_symbols(self) -> None:
        """Finds what is wrong with the uses of symbols of what was looked at."""
        self._symbol_uses(self._tables.pop())

    def check(self, op: Operation) -> None:
        """Finds what is wrong with one operation, but for those in its regions, and for the symbols that it uses."""
        if op.successors and op.next is not None:
            self._blame(op, "operation with block successors must terminate its parent block")
        rest = self._rest(op)
        self._operation(op, rest)
        if not op.regions:
            self._regions(op, rest)
        for region in op.regions:
            for block in region.blocks:
                if block.first is None:
                    self._begins_well(block)
        if op.regions:
            if is_symbol_table(op) and op is not self._root:
                self._tables.append(_Table(None))  # What it holds is not looked at, and uses no symbols of it.
            self._leave(op)
        if op.next is None and op.parent is not None:
            self.leave_block(op.parent)

    # ---- one operation

    def _enter(self, op: Operation) -> None:
        rest = self._rest(op)
        self._operation(op, rest)
        if not op.regions:
            self._regions(op, rest)
            return
        if is_symbol_table(op) and op is not self._root:
            self.is_nested = True
            self._tables.append(_Table(SymbolsOf(op, self._tables[-1].symbols)))
        if op is self._root or op.has(ISOLATED_FROM_ABOVE):
            self._steps.append((_DOMINANCE, op, None))
            self._branching_before.append(self._branching)
        for region in op.regions:
            self._branching += region.first is not region.last
        self._steps.append((_LEAVE, op, None))
        self._steps.append((_ISOLATED, op, None))
        blocks = [block for region in op.regions for block in region.blocks]
        for block in reversed(blocks):
            self._steps.append((_LEAVE_BLOCK, None, block))
            self._steps.append((_BLOCK, block.first, block))

    def _rest(self, op: Operation) -> Rest:
        """What is left to be looked at of an operation, when others that are like it have been looked at."""
        return self._rest_by(self._likeness(op) if self._likeness is not None else None, op)

    def _rest_by(self, likeness: Likeness | None, op: Operation) -> Rest:
        """The same where it is known what the operation has in common with others."""
        if likeness is None:
            if self._likeness is None or op.definition is None or not is_bare(op):
                return EVERYTHING
            likeness = self._bare.setdefault(op.definition, Alike())
        rest = likeness.rest
        return rest if rest is not None else rest_of(op, likeness, self._context)

    def _operation(self, op: Operation, rest: Rest) -> None:
        """What can be said of an operation before its regions are looked at."""
        checkpoint()
        if rest.everything:
            self._everything(op)
        elif rest is not NOTHING and op not in self.blamed:
            self._checks_left(op, rest)
        if uses_symbols(op):
            self.symbol_users.add(op)
            if op.has(SYMBOL_USER):
                self._tables[-1].users.append(op)
            else:
                self._symbol_use(op, self._tables[-1].symbols)
        for region in op.regions:
            entry = region.first
            if entry is None or not entry.branches:
                continue
            if any(entry in block.successors for block in region.blocks):
                self._report(op, "entry block of region may not have predecessors")

    def _checks_left(self, op: Operation, rest: Rest) -> None:
        for check in rest.checks:
            if (problem := check(op)) is not None:
                self._blame(op, f"'{op.name}' op {problem}", _values(op))
                return
        if rest.verify and op.definition is not None and op.definition.verify is not None:
            self._own_check(op, op.definition.verify)

    def _everything(self, op: Operation) -> None:
        """All that can be said of an operation by itself."""
        definition = op.definition
        if op.attributes and self._context is not None:
            self._problem(op, discardable_problem(op, self._context))
        if definition is None or op in self.blamed:
            return
        problem = violation(op, definition)
        if problem is not None:
            self._blame(op, f"'{op.name}' op {problem}", _values(op))
            return
        if self._context is not None and op.regions:
            self._problem(op, signature_problem(op, self._context))
        if definition.has(SYMBOL) and (problem := visibility_problem(op)) is not None:
            self._blame(op, f"'{op.name}' op {problem}")
        if definition.verify is not None:
            self._own_check(op, definition.verify)

    def _own_check(self, op: Operation, check: Check) -> None:
        for value in (*op.operands, *op.results):
            if isinstance(value.type, UnknownType) and value.type == POISON:
                return
        try:
            problem = problem_of(check(op))
        except CodeFault as fault:
            self.blamed.add(op)
            self.findings.append((op, fault.diagnostic))
            return
        self._problem(op, problem)

    def _leave(self, op: Operation) -> None:
        """What can be said of an operation once its regions are known to be well-formed."""
        definition = op.definition
        if is_symbol_table(op):
            if (wrong := table_problem(op)) is not None:
                self._blame(op, f"'{op.name}' op {wrong}")
            self.findings += ((op, again) for again in redefinitions(operations_in(op)))
            if op is not self._root:
                self._symbol_uses(self._tables.pop())
        if definition is None or op in self.blamed:
            return
        if definition.implicit_terminator and self._ends_wrongly(op, definition.implicit_terminator):
            return
        self._regions(op, self._rest(op))

    def _regions(self, op: Operation, rest: Rest) -> None:
        """The operation's own check of its regions, of which it may have none."""
        if not (rest.verify_regions or rest.everything):
            return
        definition = op.definition
        if definition is not None and definition.verify_regions is not None and op not in self.blamed:
            self._own_check(op, definition.verify_regions)

    def _ends_wrongly(self, op: Operation, terminator: str) -> bool:
        for region in op.regions:
            for block in region.blocks:
                last = block.last
                if last is None or (last.definition is not None and not last.has(TERMINATOR)):
                    continue  # Reported where the block ends.
                if last.name != terminator and region.has_one_block:
                    note = Note(
                        f"in custom textual format, the absence of terminator implies '{terminator}'", op.span, op=op
                    )
                    message = f"'{op.name}' op expects regions to end with '{terminator}', found '{last.name}'"
                    self._blame(op, message, (note,))
                    return True
        return False

    # ---- blocks

    def _block(self, block: Block, op: Operation | None) -> None:
        """The operations of a block from `op` on, up to the next one with regions of its own."""
        if op is block.first and not self._begins_well(block):
            return
        is_settled, likeness_of = self._is_settled, self._likeness
        while op is not None:
            checkpoint()
            following = op.next
            if following is not None and op.successors:
                self._blame(op, "operation with block successors must terminate its parent block")
            if op.regions:
                if not op.has(ISOLATED_FROM_ABOVE):
                    self._steps.append((_BLOCK, following, block) if following is not None else _NOTHING)
                    self._steps.append((_ENTER, op, None))
                    return
                self.is_nested = True
                self._isolated.setdefault(op.parent_op, []).append(op)
            elif is_settled is None or not is_settled(op):
                # Most are like others of which it is known that there is nothing left to be looked at.
                likeness = likeness_of(op) if likeness_of is not None else None
                rest = likeness.rest if likeness is not None else None
                if rest is None:
                    rest = self._rest_by(likeness, op)
                if rest is not NOTHING and (rest is not IS_LAST or following is not None):
                    self._operation(op, rest)
                    self._regions(op, rest)
            op = following

    def _begins_well(self, block: Block) -> bool:
        if block.first is not None or _needs_no_terminator(block):
            return block.first is not None
        around = block.parent.parent if block.parent is not None else None
        if around is not None:
            message = "empty block: expect at least a terminator"
            self.findings.append((around, Diagnostic(message, around.span, "error", MISSING_TERMINATOR)))
        return False

    def leave_block(self, block: Block) -> None:
        """Finds out whether a block ends as it must."""
        last = block.last
        if last is None:
            return
        for successor in last.successors:
            if successor.parent is not block.parent:
                self._blame(last, "branching to block of a different region")
        if last.definition is None or last.definition.has(TERMINATOR) or _needs_no_terminator(block):
            return
        self._blame(last, f"block with no terminator, has {self._shown.text(last)}", code=MISSING_TERMINATOR)

    @cached_property
    def _shown(self) -> Shown:
        """How operations are shown in messages."""
        from fathom.irdl.shown import Shown

        return Shown()

    # ---- across operations

    def _dominance(self, op: Operation) -> None:
        if self._branching_before.pop() == self._branching and self._is_ordered:
            return
        for user, index in misplaced_operands(op):
            self.misplace(user, index)

    def misplace(self, user: Operation, index: int) -> None:
        """Reports an operand that does not dominate its use."""
        operand = user.operands[index]
        note = _note_at(where_defined(operand, user), _home_of(operand))
        self._blame(user, f"operand #{index} does not dominate this use", (note,), code=DOMINANCE)

    def _symbol_uses(self, table: _Table) -> None:
        for op in table.users:
            self._symbol_use(op, table.symbols)

    def _symbol_use(self, op: Operation, symbols: Symbols | None) -> None:
        assert op.definition is not None and op.definition.verify_symbols is not None
        if op in self.blamed or any(value.type == POISON for value in (*op.operands, *op.results)):
            return
        meanings = Meanings(op, symbols, self._known)
        self._problem(op, problem_of(op.definition.verify_symbols(op, meanings)), meanings.met)

    # ---- reports

    def _problem(self, op: Operation, problem: Problem | None, seen: Iterable[Operation] = ()) -> None:
        """Reports what a check of an operation has found; `seen` are the others that it looked at."""
        if problem is None:
            return
        if may_follow((op, *seen)):
            self.blamed.add(op)
            return
        text = problem.message if problem.bare else f"'{op.name}' op {problem.message}"
        at = problem.at
        notes = tuple(_note_at(note, _home_of(where)) for note, where in problem.notes)
        notes += tuple(_note_at(hint, _home_of(where), hint=True) for hint, where in problem.hints)
        if problem.placed:
            self.blamed.add(op)
            span = (at.span if isinstance(at, (Operation, BlockArgument)) else None) or op.span
            self.findings.append((op, Diagnostic(text, span, "error", problem.code or VERIFY, notes)))
        elif op not in self.blamed:
            about = at if isinstance(at, Operation) else op
            self._blame(op, text, notes, about, code=problem.code or VERIFY, types=problem.types)
            self._say_further(op, problem.further)

    def _blame(
        self,
        op: Operation,
        message: str,
        notes: tuple[Note, ...] = (),
        about: Operation | None = None,
        *,
        code: str = VERIFY,
        types: tuple[Type, ...] = (),
    ) -> None:
        """Reports what is wrong with `op`, in the name of `about`, by default of itself."""
        if op in self.blamed:
            return
        self.blamed.add(op)
        about = about or op
        span = about.span or op.span
        self.findings.append((op, Diagnostic(message, span, "error", code, notes, op=about, types=types)))

    def _say_further(self, op: Operation, message: str) -> None:
        """What MLIR says of `op` besides, behind what was reported last; nothing for no message."""
        if message:
            text, (_, said) = f"'{op.name}' op {message}", self.findings[-1]
            self.findings.append((op, Diagnostic(text, op.span, "error", FURTHER, op=op, follows_from=said)))

    def _report(self, op: Operation, message: str) -> None:
        """Reports what is wrong with the regions of `op`, which is not blamed for it."""
        self.findings.append((op, Diagnostic(message, op.span, "error", VERIFY)))


_NOTHING: Final = (_LEAVE, None, None)


def _needs_no_terminator(block: Block) -> bool:
    region = block.parent
    if region is None or not region.has_one_block:
        return region is None
    op = region.parent
    return op is None or op.definition is None or op.definition.has(NO_TERMINATOR) or op.definition.has(GRAPH_REGION)


def _home_of(where: Operation | Value) -> Operation | None:
    """An operation itself, or what defines a value: for a block argument, the operation around it."""
    if isinstance(where, Operation):
        return where
    if where.defining_op is not None:
        return where.defining_op
    block = where.parent_block
    return block.parent.parent if block is not None and block.parent is not None else None


def _note_at(message: str, op: Operation | None, *, hint: bool = False) -> Note:
    return Note(message, op.span if op is not None else None, hint, op=op)


def _values(op: Operation) -> tuple[Note, ...]:
    """The values that a property may have which is no case of its enumeration."""
    text = values_wanted(op, op.definition) if op.definition is not None else ""
    return (Note(text, hint=True),) if text else ()
