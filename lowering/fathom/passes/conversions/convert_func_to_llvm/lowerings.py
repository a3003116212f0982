"""What lowers each operation of the `func` dialect, but for calls, which need to know the functions of the module."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.passes.conversions.convert_func_to_llvm.calls import call_indirect, constant, return_
from fathom.passes.conversions.convert_func_to_llvm.functions import func

if TYPE_CHECKING:
    from fathom.passes.to_llvm.patterns import Lower

LOWERINGS: Final[dict[str, Lower]] = {
    "func.call_indirect": call_indirect,
    "func.constant": constant,
    "func.func": func,
    "func.return": return_,
}
