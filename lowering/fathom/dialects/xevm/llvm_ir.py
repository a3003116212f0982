"""What attributes of the xevm dialect are in LLVM IR.

Source of the rules: *'xevm' Dialect*, and observed behaviour of mlir-translate 22.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import ArrayAttr, IntegerAttr
from fathom.rewriting.lowerings import Amended, Amendment

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation


def _cache_controls(_op: Operation, value: Attribute, amended: Amended) -> None:
    """Decorations for SPIR-V, of numbers each: what an access leaves in which cache."""
    controls = value.elements if isinstance(value, ArrayAttr) else ()
    amended.metadata["spirv.DecorationCacheControlINTEL"] = [
        [number.value for number in control.elements if isinstance(number, IntegerAttr)]
        for control in controls
        if isinstance(control, ArrayAttr)
    ]


AMENDMENTS: Final[Mapping[str, Amendment]] = {"xevm.DecorationCacheControl": _cache_controls}
