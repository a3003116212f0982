"""Which pattern of `tosa-to-linalg` is for which operation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.ir.types import TensorType
from fathom.passes.conversions.tosa_to_linalg import movements, reductions, rescaling, resizing, transforms
from fathom.passes.conversions.tosa_to_linalg.elementwise import loop_over_elements
from fathom.passes.conversions.tosa_to_linalg.scalars import ELEMENTWISE
from fathom.passes.tosa.types import SignlessTypes
from fathom.rewriting.pattern import Failure, Pattern

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.conversion_rewriter import ConversionRewriter
    from fathom.rewriting.pattern import RewriteFunction


def _of_ranks(name: str, root: str, rewrite: RewriteFunction, benefit: int = 1) -> Pattern:
    """A pattern that asks for the ranks of all tensors."""

    def checked(op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
        if any(
            isinstance(value.type, TensorType) and value.type.shape is None for value in (*op.operands, *op.results)
        ):
            return Failure("unranked tensors not supported")
        return rewrite(op, operands, rewriter)

    return Pattern(root, checked, benefit=benefit, name=name)


def patterns() -> list[Pattern]:
    """All of them. What is resized is first looked at for what is repeated."""
    types = SignlessTypes()
    return [
        _of_ranks("GenericResizeConverter", "tosa.resize", resizing.resized, benefit=100),
        _of_ranks("ResizeUnaryConverter", "tosa.resize", resizing.of_one_pixel, benefit=200),
        _of_ranks("MaterializeResizeBroadcast", "tosa.resize", resizing.repeated, benefit=300),
        *(Pattern(name, loop_over_elements, types, name="PointwiseConverter") for name in ELEMENTWISE),
        Pattern("tosa.identity", movements.identity, name="IdentityNConverter"),
        *(_of_ranks("ReduceConverter", name, reductions.reduction) for name in reductions.JOINS),
        _of_ranks("ArgMaxConverter", "tosa.argmax", reductions.argmax),
        _of_ranks("GatherConverter", "tosa.gather", movements.gather),
        _of_ranks("RescaleConverter", "tosa.rescale", rescaling.rescale),
        _of_ranks("ReverseConverter", "tosa.reverse", movements.reverse),
        _of_ranks("RFFT2dConverter", "tosa.rfft2d", transforms.rfft2d),
        _of_ranks("FFT2dConverter", "tosa.fft2d", transforms.fft2d),
        _of_ranks("TableConverter", "tosa.table", movements.table),
        _of_ranks("TileConverter", "tosa.tile", movements.tile),
    ]
