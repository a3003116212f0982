"""The attribute `shape.lib`: where the shapes of operations are defined.

Source of the rules: *'shape' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fathom.ir.attributes import ArrayAttr, Attribute, DictAttr, SymbolRefAttr
from fathom.ir.operation import Operation
from fathom.irdl.definition import Problem
from fathom.irdl.interfaces import SymbolTable
from fathom.irdl.symbols import symbol_in
from fathom.irdl.verifying import AttributeChecks

_LIBRARY: Final = "shape.function_library"
"""Where no name is at hand either, nothing is known of what is meant (`fathom.irdl.symbols`)."""


def _on_operation(op: Operation, name: str, value: Attribute) -> Problem | None:
    if name != "shape.lib":
        return None
    message = _library_problem(op, value)
    return Problem(message, bare=True) if message is not None else None


def _library_problem(op: Operation, value: Attribute) -> str | None:
    if op.interface(SymbolTable) is None:
        return "shape.lib attribute may only be on op implementing SymbolTable"
    if isinstance(value, SymbolRefAttr):
        library = symbol_in(op, value.root, *value.nested)
        if library is None:
            return f"shape function library {value} not found"
        return None if library.name in ("", _LIBRARY) else f"{value} required to be shape function library"
    if not isinstance(value, ArrayAttr):
        return "only SymbolRefAttr or array of SymbolRefAttrs allowed as shape.lib attribute"
    return _libraries_problem(op, value.elements)


def _libraries_problem(op: Operation, libraries: Sequence[Attribute]) -> str | None:
    seen: set[str] = set()
    for attribute in libraries:
        if not isinstance(attribute, SymbolRefAttr):
            return "only SymbolRefAttr allowed in shape.lib attribute array"
        library = symbol_in(op, attribute.root, *attribute.nested)
        if library is None or library.name not in ("", _LIBRARY):
            return f"{attribute} does not refer to FunctionLibraryOp"
        mapping = library.properties.get("mapping")
        for key, _ in mapping.entries if isinstance(mapping, DictAttr) else ():
            if key in seen:
                return f'only one op to shape mapping allowed, found multiple for `"{key}"`'
            seen.add(key)
    return None


ATTRIBUTE_CHECKS: Final = AttributeChecks(_on_operation)
