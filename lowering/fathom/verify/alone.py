"""What is left to be looked at of an operation, when others that are like it have been looked at.

Most checks look at nothing but an operation's own properties, attributes and types: what they find of one operation
holds for all that agree in these. No check says so of itself: it is made on a stand-in once, and what looks further is
found out by it (`fathom.ir.stand_ins`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, Protocol

from fathom.ir.stand_ins import SeenThrough, StandInOperation
from fathom.ir.types import POISON
from fathom.irdl.traits import SYMBOL
from fathom.irdl.verifying import Complaint
from fathom.records import record
from fathom.verify.attributes import discardable_problem, signature_problem
from fathom.verify.constraints import Check, checks_of, is_last
from fathom.verify.symbols import visibility_problem

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fathom.ir.operation import Operation
    from fathom.ir.stand_ins import StandInAttribute
    from fathom.irdl.dialect import Definitions


@record
class Rest:
    """What is to be looked at of each of some operations that are alike: the `checks` of its definition that are left;
    whether the definition's own `verify` and `verify_regions` are, and the `symbols` that it uses. `everything` says
    that nothing is known of them."""

    checks: tuple[Check, ...] = ()
    verify: bool = False
    verify_regions: bool = False
    symbols: bool = False
    everything: bool = False


NOTHING: Final = Rest()
EVERYTHING: Final = Rest(everything=True)
IS_LAST: Final = Rest((is_last,))
"""Of a terminator, that it ends its block."""


class Likeness(Protocol):
    """What operations share that agree in name, properties, attributes and all types, and in how many successors and
    regions they have."""

    rest: Rest | None
    """What is left to be looked at of each; None while that is not known."""

    @property
    def varying(self) -> Mapping[str, StandInAttribute]:
        """The properties in which they need not agree, but for the type of a number: other numbers and names."""
        ...

    @property
    def shows_targets(self) -> bool:
        """Whether they agree in the types of the arguments of their successors, too."""
        ...


class Alike:
    """What operations share that have a definition, and nothing of their own."""

    __slots__ = ("rest", "shows_targets", "varying")

    def __init__(self) -> None:
        self.rest: Rest | None = None
        self.varying: Mapping[str, StandInAttribute] = {}
        self.shows_targets = True


def uses_symbols(op: Operation) -> bool:
    """Whether the checks of an operation look symbols up."""
    return op.definition is not None and op.definition.verify_symbols is not None


def is_bare(op: Operation) -> bool:
    """Whether an operation has nothing of its own, like most terminators that the text leaves out."""
    return not (op.operands or op.results or op.properties or op.attributes or op.successors or op.regions)


def rest_of(op: Operation, likeness: Likeness, context: Definitions | None) -> Rest:
    """What is left to be looked at of an operation, but for where its operands and blocks stand. Found out once for all
    that are like it."""
    if likeness.rest is None:
        rest = _rest(op, likeness, context)
        likeness.rest = NOTHING if rest == NOTHING else IS_LAST if rest == IS_LAST else rest
    return likeness.rest


def _rest(op: Operation, likeness: Likeness, context: Definitions | None) -> Rest:
    if POISON in [value.type for value in (*op.operands, *op.results)]:
        return EVERYTHING
    definition, twin = op.definition, StandInOperation(op, likeness.varying, shows_targets=likeness.shows_targets)
    try:
        if context is not None and discardable_problem(twin, context) is not None:
            return EVERYTHING
        if definition is None:
            return NOTHING
        if context is not None and twin.regions and signature_problem(twin, context) is not None:
            return EVERYTHING
        if definition.has(SYMBOL) and visibility_problem(twin) is not None:
            return EVERYTHING
    except SeenThrough:
        return EVERYTHING
    left: list[Check] = []
    for check in checks_of(definition).all:
        try:
            if check(twin) is not None:
                return EVERYTHING
        except SeenThrough:
            left.append(check)
    verify = definition.verify is not None and _is_left(definition.verify, twin)
    verify_regions = definition.verify_regions is not None and _is_left(definition.verify_regions, twin)
    return Rest(tuple(left), verify, verify_regions, uses_symbols(op))


def _is_left(check: Callable[[Operation], Complaint], twin: Operation) -> bool:
    """Whether a definition's own check has something to say, or looks at more than can be said of all."""
    try:
        return check(twin) is not None
    except SeenThrough:
        return True
