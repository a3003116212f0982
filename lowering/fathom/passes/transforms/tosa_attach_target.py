"""`tosa-attach-target`: a module says what its operations of tosa are for.

module attributes {tosa.target_env = #tosa.target_env<specification_version = "1.0", level = "8k", profiles = [pro_fp],
                                                      extensions = []>}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.ir.operation import MODULE
from fathom.passes.definition import Pass
from fathom.passes.options import STRING, list_of, one_of, option
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class TosaAttachTarget(Pass):
    """What `tosa-validate` checks by; what a module said before is replaced."""

    name = "tosa-attach-target"
    summary = "says what a module's operations of tosa are for"
    anchor = MODULE

    specification_version: str = option(
        "1.0",
        "the version of the specification",
        one_of({"1.0": "version 1.0", "1.1.draft": "the draft of version 1.1"}),
        name="specification_version",
    )
    level: str = option(
        "8k",
        "the level: how great arguments may be",
        one_of({"8k": "enough for frames of up to 8K", "none": "as great as types let them be"}),
    )
    profiles: tuple[str, ...] = option((), "the profiles: `pro_int`, `pro_fp`", list_of(STRING))
    extensions: tuple[str, ...] = option((), "the extensions: `int16`, `fft` and others", list_of(STRING))

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.tosa.targets import attach

        return attach(op, self.specification_version, self.level, self.profiles, self.extensions)
