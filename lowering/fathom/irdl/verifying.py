"""What a dialect says of verifying, beside what follows from the definitions of its operations."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from fathom.irdl.aspects import Aspect
from fathom.records import record

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation
    from fathom.ir.types import Type
    from fathom.irdl.definition import Problem


@record
class AttributeChecks:
    """What a dialect asks of discardable attributes with its prefix: of those of any operation, and of those of the
    arguments and results of functions, each with its type, its name and its value."""

    on_operation: Callable[[Operation, str, Attribute], Problem | None] | None = None
    on_argument: Callable[[Operation, Type, str, Attribute], Problem | None] | None = None
    on_result: Callable[[Operation, Type, str, Attribute], Problem | None] | None = None


ATTRIBUTE_CHECKS: Final = Aspect["AttributeChecks"]("attribute_checks", AttributeChecks())
