"""The amdgpu dialect, described in `mlir-22/amdgpu.toml`, and the shapes of matrices in its formats.

Source of the rules: *'amdgpu' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects import description_of
from fathom.dialects.amdgpu.verify import gather_base_problem
from fathom.ir.attributes import IntegerAttr
from fathom.ir.types import I32
from fathom.irdl.code import DialectCode
from fathom.irdl.definition import CustomDirective

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp


def _parse_shape(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """`16x16x32`."""
    extents = parser.extents()
    if len(extents) != 3:
        parser.fail(f"custom op '{parsed.name}' expected 3 dimensions in MNK dimension list")
    parsed.attributes.update((name, IntegerAttr(extent, I32)) for name, extent in zip(arguments, extents, strict=True))


def _print_shape(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    values = [op.properties.get(name) for name in arguments]
    p.write("x".join(str(value.value) for value in values if isinstance(value, IntegerAttr)))


CODE: Final = DialectCode(
    directives={"MNKDimensionList": CustomDirective(_parse_shape, _print_shape)},
    parameters={"TDMGatherBaseType": gather_base_problem},
)
DESCRIPTION: Final = description_of("amdgpu", CODE)
DIALECT: Final = DESCRIPTION.dialect()
VERIFY_PARTS: Final = ("products",)
