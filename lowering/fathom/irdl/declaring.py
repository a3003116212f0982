"""What a dialect says, in the module `declaring.py` of its folder, of definitions that are left without their bodies,
so that what stands beside can be seen alone: what turns each into a declaration of what is defined elsewhere.

    @declares("shop.procedure")
    def declare(op: Operation) -> None: ...
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

from fathom.irdl.aspects import Aspect, attached
from fathom.irdl.lazy import Joined

if TYPE_CHECKING:
    from collections.abc import Callable

F = TypeVar("F", bound="Declare")
Declare: TypeAlias = "Callable[[Any], None]"
"""Changes an operation whose body is empty, of one class or of any."""

DECLARING: Final[Aspect[Mapping[str, Declare]]] = Aspect("declaring", {}, Joined)


def declares(*names: str) -> Callable[[F], F]:
    """Attaches a function to the operations with these full names."""
    return attached(DECLARING, *names)
