"""`tosa-validate`: whether operations of tosa are such as the specification has, at its level.

%0 = tosa.abs %a : (tensor<*xi32>) -> tensor<*xi32>
'tosa.abs' op failed level check: unranked tensor
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.ir.operation import MODULE
from fathom.passes.definition import Pass
from fathom.passes.options import BOOL, option
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class TosaValidation(Pass):
    """The level, profiles and extensions are those of the module's `tosa.target_env`, or else level 8k of version 1.0
    with both profiles and no extension."""

    name = "tosa-validate"
    summary = "checks tosa's operations against the specification"
    anchor = MODULE

    strict_op_spec_alignment: bool = option(
        False, "check profiles, extensions and what else the specification forbids, too", BOOL
    )
    allow_invalid_op_datatype_combinations: bool = option(
        False, "do not check that the types of an operation belong together", BOOL
    )

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.transforms.tosa_validate.validation import validate

        return validate(
            op, is_strict=self.strict_op_spec_alignment, any_types=self.allow_invalid_op_datatype_combinations
        )
