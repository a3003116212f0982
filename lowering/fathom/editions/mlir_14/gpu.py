"""The gpu dialect of MLIR 14: a blank stands behind `async`.

Source of the rules: *'gpu' Dialect* of MLIR 14, "Operations"; observed behaviour of mlir-opt 14.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.gpu.directives import DIRECTIVES
from fathom.irdl.code import DialectCode
from fathom.irdl.definition import CustomDirective

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.irdl.protocols import OpPrinter

_TODAY: Final = DIRECTIVES["AsyncDependencies"]


def _print_dependencies(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    """`async [%t]`, `async ` or `[%t]`."""
    if op.definition is not None and op.definition.result_groups(op).get("asyncToken"):
        p.write("async ")
    dependencies = op.all_of(arguments[1])
    if dependencies:
        p.write("[")
        p.values(dependencies)
        p.write("]")


CODE: Final = DialectCode(
    directives={
        "AsyncDependencies": CustomDirective(_TODAY.parse, _print_dependencies, _TODAY.stands_next, _TODAY.spaced)
    }
)
