"""Parameters that a schedule says itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.ops import transform as ops
from fathom.passes.transform_dialect.models import transforms

if TYPE_CHECKING:
    from fathom.passes.transform_dialect.application import Application


@transforms("transform.param.constant")
def constant(op: ops.ParamConstantOp, run: Application) -> None:
    run.set(op.param, [op.value])
