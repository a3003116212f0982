"""Verification between the passes of a pipeline at the cost of what they made, instead of that of all there is.

After each pass the operations are looked at that were not there before it, those around them, and those that use what
they give. If anything is wrong with one, the whole is verified, so that what is said is what the verifier says. What a
pass broke without making anything near it is found at the end, when everything is verified once.

What is said of an operation of the source, in or around which passes made others, is no mistake in what they made: they
left it behind.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.cached import cached_property
from fathom.diagnostics import LOWERING, UNABLE
from fathom.irdl.traits import TERMINATOR
from fathom.records import replace
from fathom.slices import paced, read_ahead
from fathom.verify.alone import IS_LAST, NOTHING, rest_of
from fathom.verify.kinds import SeenKinds
from fathom.verify.symbols import symbols_around
from fathom.verify.verifier import Verifier, verify

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation, Span


class Made:
    """What a run of passes on an operation, which has not begun, makes of it."""

    def __init__(self, root: Operation, context: Context) -> None:
        self._root = root
        self._context = context
        # The operations themselves, since one that is gone may leave its number to another.
        self._known = set(read_ahead(root.walk()))
        self._before = [(op.name, op.span) for op in read_ahead(self._known)]
        self._kinds = SeenKinds(context)

    @cached_property
    def _source(self) -> set[tuple[str, int, int]]:
        """What stood there before all passes, which is asked for when anything is wrong."""
        return {_key(*known) for known in paced(self._before)}

    def after_pass(self, op: Operation) -> list[Diagnostic]:
        """What is wrong with `op`, the root or what is nested in it, after a pass that ran on it."""
        present = set(read_ahead(op.walk()))
        made = present - self._known
        if op is self._root:
            self._known = present
        else:
            self._known |= made
        return self._said(verify(op, context=self._context)) if made and self._has_mistake(made) else []

    def at_end(self) -> tuple[list[Diagnostic], bool]:
        """What is wrong with the whole, and whether it is valid: not of all that is wrong anything is said."""
        diagnostics = verify(self._root, context=self._context, likeness=self._kinds)
        return self._said(diagnostics), not diagnostics

    def _said(self, diagnostics: list[Diagnostic]) -> list[Diagnostic]:
        """What the verifier says, in which what was left behind has the code of such. Of what stands directly in the
        root nothing is said, since it may stand in another table in the source: it is left behind."""
        said: list[Diagnostic] = []
        for diagnostic in diagnostics:
            if (
                diagnostic.op is None
                or diagnostic.code in UNABLE
                or _key(diagnostic.op.name, diagnostic.op.span) not in self._source
            ):
                said.append(diagnostic)
            elif diagnostic.op.parent_op is not self._root:
                said.append(replace(diagnostic, code=LOWERING))
        return said

    def _has_mistake(self, made: set[Operation]) -> bool:
        verifier = Verifier(self._root, symbols_around(self._root), self._context, self._kinds)
        for op in read_ahead(_concerned(made)):
            if not op.regions:
                rest = rest_of(op, self._kinds(op), self._context)
                if rest is NOTHING and not op.successors:
                    continue
                if (rest is NOTHING or rest is IS_LAST) and _ends_its_block(op):
                    continue
            verifier.check(op)
            if verifier.findings:
                return True
        return False


def _ends_its_block(op: Operation) -> bool:
    """Whether an operation stands at the end of its block, and goes on in blocks of the same region."""
    if op.next is not None or op.parent is None or not op.has(TERMINATOR):
        return False
    region = op.parent.parent
    return all(block.parent is region for block in op.successors)


def _key(name: str, span: Span | None) -> tuple[str, int, int]:
    """An operation by its name and its place in the source, which all that is made in its place has too."""
    return (name, *span.place) if span is not None else (name, -1, -1)


def _concerned(made: set[Operation]) -> Iterator[Operation]:
    """The operations of which something may be wrong when these are new, in no order."""
    met = set(made)
    yield from made
    for op in made:
        around = op.parent_op
        while around is not None and around not in met:
            met.add(around)
            yield around
            around = around.parent_op
        for result in op.results:
            for user in result.uses:
                if user not in met:
                    met.add(user)
                    yield user
