"""Definitions of the irdl dialect: what they say, and what is wrong with them.

Source of the rules: *'irdl' Dialect*; the texts of errors are those of MLIR 22.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations, islice
from typing import Final

from fathom.ir.attributes import ArrayAttr, Attribute, StringAttr, SymbolRefAttr
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.traversal import closest
from fathom.irdl.checking import all_of, bare, directly_in
from fathom.irdl.interfaces import symbol_name
from fathom.irdl.symbols import Lookup
from fathom.irdl.verifying import Check, Checks, Complaint, SymbolCheck, SymbolChecks, verifies
from fathom.ops import irdl as ops

VARIADICITIES: Final = ("single", "optional", "variadic")

_NAMESPACE: Final = re.compile(r"[A-Za-z_][\w$]*")


def strings_of(listed: Attribute | None) -> list[str]:
    """The strings of an attribute that is a list of such."""
    elements = listed.elements if isinstance(listed, ArrayAttr) else ()
    return [element.value for element in elements if isinstance(element, StringAttr)]


def kinds_of(attribute: Attribute | None) -> list[int]:
    """How many values each element of an array of variadicities stands for, as the numbers of its cases."""
    parameters = attribute.parameters[:1] if isinstance(attribute, DialectAttr) else ()
    elements = parameters[0] if parameters and isinstance(parameters[0], tuple) else ()
    kinds = [element.parameters[:1] for element in elements if isinstance(element, DialectAttr)]
    return [kind for of_kind in kinds for kind in of_kind if isinstance(kind, int)]


def variadicities(op: ops.OperandsOp | ops.ResultsOp) -> list[str]:
    """How many values each name of a list stands for, as the keywords say it."""
    kinds = kinds_of(op.variadicity)
    return [VARIADICITIES[kind] for kind in kinds if 0 <= kind < len(VARIADICITIES)]


def _wrong_name(name: str, label: str) -> str | None:
    """What is wrong with a name, which is one of words in lowercase letters and digits, with `_` between them."""
    if not name:
        return f"name of {label} is empty"
    before = "_"
    for letter in name:
        if letter == "_" and before == "_":
            return f"name of {label} should not contain leading or double underscores"
        if letter != "_" and not (letter.isascii() and letter.isalnum()):
            return f"name of {label} must contain only lowercase letters, digits and underscores"
        if letter.isupper():
            return f"name of {label} should not contain uppercase letters"
        before = letter
    return None


def _of_symbol(label: str, sign: str = "", once: Sequence[str] = ()) -> Check:
    def verify(op: ops.AttributeOp | ops.DialectOp | ops.OperationOp | ops.TypeOp) -> Complaint:
        name = symbol_name(op)
        problem = _wrong_name(name.removeprefix(sign) if sign else name, label)
        if label == "dialect" and not _NAMESPACE.fullmatch(name):
            return "invalid dialect name"
        return bare(problem) if problem is not None else None

    return all_of(_once(*once), verify)


def _of_names(label: str) -> Check:
    def verify(op: ops.OperandsOp | ops.ParametersOp | ops.RegionsOp | ops.ResultsOp) -> Complaint:
        names, count = strings_of(op.names), len(op.operands)
        lists = [("names", len(names))]
        if isinstance(op, (ops.OperandsOp, ops.ResultsOp)):
            lists.insert(0, ("variadicities", len(variadicities(op))))
        for what, length in lists:
            if length != count:
                both = f"the number of {label}s and their {what} must be the same"
                return f"{both}, but got {count} and {length} respectively"
        places: dict[str, int] = {}
        for index, name in enumerate(names):
            if (wrong := _wrong_name(name, f"{label} #{index}")) is not None:
                return bare(wrong)
            first = places.setdefault(name, index)
            if first != index:
                return f"name of {label} #{index} is a duplicate of the name of {label} #{first}"
        return None

    return verify


@verifies("irdl.base")
def _verify_base(op: ops.BaseOp) -> Complaint:
    name, reference = op.base_name, op.base_ref
    if (name is None) == (reference is None):
        return "the base type or attribute should be specified by either a name or a reference"
    if name is not None and name.value[:1] not in ("!", "#"):
        return "the base type or attribute name should start with '!' or '#'"
    return None


@verifies("irdl.attributes")
def _verify_attributes(op: ops.AttributesOp) -> Complaint:
    count = len(op.attributeValueNames.elements)
    if count == len(op.operands):
        return None
    both = "the number of attribute names and their constraints must be the same"
    return f"{both} but got {count} and {len(op.operands)} respectively"


@verifies("irdl.region")
def _verify_region(op: ops.RegionOp) -> Complaint:
    count = op.numberOfBlocks
    if count is None or count.value > 0:
        return None
    return f"the number of blocks is expected to be >= 1 but got {count.value}"


def _once(*names: str) -> Check:
    """Of each of these there is one at most."""

    def verify(op: ops.AttributeOp | ops.DialectOp | ops.OperationOp | ops.TypeOp) -> Complaint:
        seen: set[str] = set()
        for inner in directly_in(op):
            if inner.name in names and inner.name in seen:
                what = f"the operation contains at least two operations of type {inner.name}"
                return bare(f"failed to verify AtMostOneChildOf trait: {what}")
            seen.add(inner.name)
        return None

    return verify


@verifies("irdl.operation", regions=True)
def _verify_operation(op: ops.OperationOp) -> Complaint:
    """No name stands for values of two kinds."""
    kinds = {inner.name.partition(".")[2]: strings_of(inner.properties.get("names")) for inner in directly_in(op)}
    named = [(kind, names) for kind, names in kinds.items() if kind in ("operands", "results", "regions")]
    for (kind, names), (other, others) in combinations(named, 2):
        for name in names:
            if name in others:
                return f"contains a value named '{name}' for both its {kind} and {other}"
    return None


def _of_reference(name: str) -> SymbolCheck:
    def verify_symbols(op: ops.BaseOp | ops.ParametricOp, lookup: Lookup) -> Complaint:
        """The reference begins with the name of a dialect that stands beside the one around the operation."""
        reference = op.properties.get(name)
        if not isinstance(reference, SymbolRefAttr) or closest(op, ops.DialectOp) is None:
            return None
        operation = next(islice(lookup.outwards(reference), 1, None), None)
        if operation is None:
            return f"symbol '{reference}' not found"
        if not isinstance(operation, (ops.TypeOp, ops.AttributeOp)):
            what = f"does not refer to a type or attribute definition (refers to '{operation.name}')"
            return f"symbol '{reference}' {what}"
        return None

    return verify_symbols


VERIFY: Final[Checks] = {
    "irdl.attribute": _of_symbol("attribute", "#", ("irdl.parameters",)),
    "irdl.dialect": _of_symbol("dialect"),
    "irdl.operands": _of_names("operand"),
    "irdl.operation": _of_symbol(
        "operation", once=("irdl.operands", "irdl.results", "irdl.attributes", "irdl.regions")
    ),
    "irdl.parameters": _of_names("parameter"),
    "irdl.regions": _of_names("region"),
    "irdl.results": _of_names("result"),
    "irdl.type": _of_symbol("type", "!", ("irdl.parameters",)),
}
VERIFY_SYMBOLS: Final[SymbolChecks] = {
    "irdl.base": _of_reference("base_ref"),
    "irdl.parametric": _of_reference("base_type"),
}
