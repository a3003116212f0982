"""Verification between the passes of a pipeline at the cost of what they made, instead of that of all there is.

After each pass the operations are looked at that were not there before it, those around them, and those that use what
they give. If anything is wrong with one, the whole is verified, so that what is said is what the verifier says. What a
pass broke without making anything near it is found at the end, when everything is verified once.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from fathom.verify.alone import NOTHING, Alike, rest_of
from fathom.verify.symbols import symbols_around
from fathom.verify.verifier import Verifier, uses_symbols, verify

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


MOST_ALIKE: Final = 4096
"""So many kinds of operations are remembered; then it begins anew."""


class Made:
    """What a run of passes on an operation, which has not begun, makes of it."""

    def __init__(self, root: Operation, context: Context) -> None:
        self._root = root
        self._context = context
        # The operations themselves, since one that is gone may leave its number to another.
        self._known = set(root.walk())
        self._alike = _alike_in(context)

    def after_pass(self, op: Operation) -> list[Diagnostic]:
        """What is wrong with `op`, the root or what is nested in it, after a pass that ran on it."""
        before, self._known = self._known, set(self._root.walk())
        made = self._known - before
        return verify(op, context=self._context) if made and self._has_mistake(made) else []

    def at_end(self) -> list[Diagnostic]:
        """What is wrong with the whole."""
        return verify(self._root, context=self._context, likeness=self._likeness)

    def _has_mistake(self, made: set[Operation]) -> bool:
        verifier = Verifier(self._root, symbols_around(self._root), self._context, self._likeness)
        for op in _concerned(made):
            likeness = self._likeness(op)
            if likeness is None or uses_symbols(op) or rest_of(op, likeness, self._context) is not NOTHING:
                verifier.check(op)
                if verifier.found:
                    return True
        return False

    def _likeness(self, op: Operation) -> Alike | None:
        """What an operation has in common with those that agree with it in all that it says of itself; None for
        one that stands apart."""
        if op.regions or op.successors:
            return None
        properties, attributes = op.properties, op.attributes
        key = (
            op.name,
            tuple([value.type for value in op.operands]),
            tuple([value.type for value in op.results]),
            tuple(properties.items()) if properties else (),
            tuple(attributes.items()) if attributes else (),
        )
        found = self._alike.get(key)
        if found is None:
            if len(self._alike) >= MOST_ALIKE:
                self._alike.clear()
            found = self._alike[key] = Alike()
        return found


@lru_cache(maxsize=2)
def _alike_in(_context: Context) -> dict[tuple[object, ...], Alike]:
    """What was learned in a context of operations that are alike: a context never changes, so it holds for all runs."""
    return {}


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
