"""What a dialect says of verifying, beside what follows from the definitions of its operations.

    @verifies("shop.fill")
    def fill(op: Operation) -> Complaint:
        return "needs items" if not op.operands else None

A dialect of the library has such functions in the module `verify.py` of its folder.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar, cast

from fathom.irdl.aspects import Aspect, attached
from fathom.irdl.declared import Problem
from fathom.irdl.lazy import Joined
from fathom.records import record

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation
    from fathom.ir.types import Type
    from fathom.irdl.symbols import Lookup

F = TypeVar("F", bound=Callable[..., "Complaint"])

Complaint: TypeAlias = "str | Problem | None"
"""What a check has to say of an operation: a text, a problem where there is more to say than that, or nothing."""
Check: TypeAlias = "Callable[[Any], Complaint]"
"""Of operations of one class, or of any."""
SymbolCheck: TypeAlias = "Callable[[Any, Lookup], Complaint]"
Checks: TypeAlias = "Mapping[str, Check]"
SymbolChecks: TypeAlias = "Mapping[str, SymbolCheck]"


def both(own: Checks, base: Checks) -> Checks:
    """The checks of both; where both have one of an operation, the second is asked what the first has nothing to say
    of."""
    return {**base, **own, **{name: _one_after_the_other(base[name], own[name]) for name in own.keys() & base.keys()}}


def _one_after_the_other(first: Check, second: Check) -> Check:
    return lambda op: first(op) or second(op)


VERIFY: Final[Aspect[Checks]] = Aspect("verify", {}, both)
VERIFY_REGIONS: Final[Aspect[Checks]] = Aspect("verify_regions", {}, both, module="verify")
VERIFY_SYMBOLS: Final[Aspect[SymbolChecks]] = Aspect("verify_symbols", {}, Joined, module="verify")


def verifies(*names: str, regions: bool = False, symbols: bool = False, bare: bool = False) -> Callable[[F], F]:
    """The function says what is wrong with operations of these names, beyond constraints and traits: before their
    regions are looked at, or, with `regions`, once these are known to be well-formed. With `symbols`, it says what is
    wrong with the symbols that an operation uses, `check(op, lookup)`, where `lookup` says what a symbol means
    (`fathom.irdl.symbols`): of a `SYMBOL_USER` when all else in the symbol table has been looked at. The operation's
    name stands in front of a text, unless it is `bare`."""
    attach = attached(VERIFY_SYMBOLS if symbols else VERIFY_REGIONS if regions else VERIFY, *names)
    return (lambda function: attach(without_name(function))) if bare else attach


def without_name(check: F) -> F:
    """The same check, in whose texts the operation is not named."""

    def verify(*arguments: Any) -> Complaint:
        complaint = check(*arguments)
        return Problem(complaint, bare=True) if isinstance(complaint, str) else complaint

    return cast("F", verify)


def problem_of(complaint: Complaint) -> Problem | None:
    """What a check has to say as a problem."""
    return Problem(complaint) if isinstance(complaint, str) else complaint


@record
class AttributeChecks:
    """What a dialect asks of discardable attributes with its prefix: of those of any operation, and of those of the
    arguments and results of functions, each with its type, its name and its value."""

    on_operation: Callable[[Operation, str, Attribute], Problem | None] | None = None
    on_argument: Callable[[Operation, Type, str, Attribute], Problem | None] | None = None
    on_result: Callable[[Operation, Type, str, Attribute], Problem | None] | None = None


ATTRIBUTE_CHECKS: Final[Aspect[AttributeChecks]] = Aspect("attribute_checks", AttributeChecks())
