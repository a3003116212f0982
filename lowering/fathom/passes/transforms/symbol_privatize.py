"""`symbol-privatize`: makes the symbols of a table private, so that nothing outside can refer to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.ir.attributes import StringAttr
from fathom.passes.definition import Pass
from fathom.passes.options import STRING, list_of, option
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class SymbolPrivatize(Pass):
    """The symbols directly in the operation become private, but for those that are excluded by name."""

    name = "symbol-privatize"
    summary = "makes symbols private"

    exclude: tuple[str, ...] = option((), "the symbols that stay as they are", list_of(STRING))

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        for region in op.regions:
            for symbol in region.operations():
                name = symbol.properties.get("sym_name")
                if isinstance(name, StringAttr) and name.value not in self.exclude:
                    symbol.properties["sym_visibility"] = StringAttr("private")
        return []
