"""Where instructions, functions and globals of LLVM IR stand in the source, and what is said of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.debug_info.attributes import DebugAttributes
from fathom.llvmir.metadata import SpecializedMDNode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fathom.importing.options import Options
    from fathom.ir.attributes import Attribute
    from fathom.ir.locations import LocationAttr
    from fathom.llvmir.metadata import MDNode
    from fathom.llvmir.module import Function, GlobalVariable

_KIND: Final = "dbg"
"""The kind of metadata that is debug information."""


class DebugInfo:
    """The debug information of one module; what is translated once is remembered."""

    def __init__(self, numbers: Iterator[int], options: Options) -> None:
        self.attributes: Final = DebugAttributes(numbers, drops_elements=options.drop_di_composite_type_elements)
        self._locations: Final[dict[MDNode, LocationAttr]] = {}

    def location(self, node: MDNode | None) -> LocationAttr:
        """The location that a `!DILocation` is; unknown for none."""
        if node is None:
            return self.attributes.location(node)
        known = self._locations.get(node)
        if known is None:
            known = self._locations[node] = self.attributes.location(node)
        return known

    def function_location(self, function: Function) -> LocationAttr:
        """Where a function stands, with what is said of it."""
        return self.attributes.function_location(
            next((node for kind, node in function.metadata if kind == _KIND), None)
        )

    def global_expressions(self, variable: GlobalVariable) -> tuple[Attribute, ...]:
        """What is said of a global: variables, and where in it they are."""
        nodes = [node for kind, node in variable.metadata if kind == _KIND and isinstance(node, SpecializedMDNode)]
        made = [self.attributes.global_expression(node) for node in nodes]
        return tuple(each for each in made if each is not None)
