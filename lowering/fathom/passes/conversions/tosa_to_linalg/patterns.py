"""Which pattern of `tosa-to-linalg` is for which operation."""

from __future__ import annotations

from fathom.passes.conversions.tosa_to_linalg import movements, reductions, rescaling, resizing, transforms
from fathom.passes.conversions.tosa_to_linalg.elementwise import loop_over_elements
from fathom.passes.conversions.tosa_to_linalg.scalars import ELEMENTWISE
from fathom.passes.tosa.ranks import of_ranks
from fathom.passes.tosa.types import SignlessTypes
from fathom.rewriting.pattern import Pattern


def patterns() -> list[Pattern]:
    """All of them. What is resized is first looked at for what is repeated."""
    types = SignlessTypes()
    return [
        of_ranks("GenericResizeConverter", "tosa.resize", resizing.resized, benefit=100),
        of_ranks("ResizeUnaryConverter", "tosa.resize", resizing.of_one_pixel, benefit=200),
        of_ranks("MaterializeResizeBroadcast", "tosa.resize", resizing.repeated, benefit=300),
        *(Pattern(name, loop_over_elements, types, name="PointwiseConverter") for name in ELEMENTWISE),
        Pattern("tosa.identity", movements.identity, name="IdentityNConverter"),
        *(of_ranks("ReduceConverter", name, reductions.reduction) for name in reductions.JOINS),
        of_ranks("ArgMaxConverter", "tosa.argmax", reductions.argmax),
        of_ranks("GatherConverter", "tosa.gather", movements.gather),
        of_ranks("RescaleConverter", "tosa.rescale", rescaling.rescale),
        of_ranks("ReverseConverter", "tosa.reverse", movements.reverse),
        of_ranks("RFFT2dConverter", "tosa.rfft2d", transforms.rfft2d),
        of_ranks("FFT2dConverter", "tosa.fft2d", transforms.fft2d),
        of_ranks("TableConverter", "tosa.table", movements.table),
        of_ranks("TileConverter", "tosa.tile", movements.tile),
    ]
