"""What the metadata of a module as a whole says: flags, options of the linker, who made it.

Source of the rules: *'llvm' Dialect*, "`llvm.module_flags`", "`llvm.linker_options`"; *LLVM Language Reference*,
"Module Flags Metadata".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.attributes import cases
from fathom.dialects.llvm.ir_names import PROFILE_COUNTS
from fathom.importing.aliasing import integer_in, operands_of, unsigned
from fathom.importing.attributes import made
from fathom.ir.attributes import ArrayAttr, FloatAttr, StringAttr, SymbolRefAttr, i32_attr
from fathom.ir.types import FloatType
from fathom.llvmir.constants import integer
from fathom.llvmir.metadata import MDNode, MDString, MDTuple, ValueAsMetadata
from fathom.llvmir.module import Function
from fathom.llvmir.types import I32
from fathom.llvmir.values import ConstantExpr, ConstantFP

if TYPE_CHECKING:
    from fathom.importing.state import ModuleImport
    from fathom.ir.attributes import Attribute
    from fathom.ir.dialect_values import Parameter
    from fathom.llvmir.metadata import Metadata

_FLAG: Final = 3
"""A flag has a behaviour, a name and a value."""


def import_module_metadata(module: ModuleImport) -> None:
    """All of it, in MLIR's order."""
    named = module.source.named_metadata
    for node in named.get("llvm.linker.options", ()):
        texts = [StringAttr(each.text) for each in _operands(node) if isinstance(each, MDString)]
        module.append(module.build("llvm.linker_options", properties={"options": ArrayAttr(tuple(texts))}))
    libraries = [text for node in named.get("llvm.dependent-libraries", ()) if (text := _only_text(node)) is not None]
    if libraries:
        module.module.attributes["llvm.dependent_libraries"] = ArrayAttr(tuple(libraries))
    _import_flags(module)
    for name in ("llvm.ident", "llvm.commandline"):
        nodes = named.get(name, ())
        if len(nodes) == 1 and (text := _only_text(nodes[0])) is not None:
            module.module.attributes[name] = text


def _operands(node: Metadata | None) -> list[Metadata | None]:
    return [*operands_of(node)] if isinstance(node, MDNode) else []


def _only_text(node: Metadata | None) -> StringAttr | None:
    """The text that is all that a node holds."""
    operands = _operands(node)
    text = operands[0] if len(operands) == 1 else None
    return StringAttr(text.text) if isinstance(text, MDString) else None


def _import_flags(module: ModuleImport) -> None:
    flags: list[Attribute] = []
    for node in module.source.named_metadata.get("llvm.module.flags", ()):
        operands = _operands(node)
        behaviour = integer_in(operands[0]) if len(operands) == _FLAG else None
        if behaviour is None or not isinstance(key := operands[1], MDString):
            continue
        value = _flag_value(module, key.text, operands[2])
        if value is None:
            text = module.texts.node(operands[2])
            module.warn(f"unsupported module flag value for key '{key.text}' : {text}", module.place)
            continue
        number = behaviour.value
        flags.append(made("ModuleFlagAttr", behavior=number, key=StringAttr(key.text), value=value))
    if flags:
        module.append(module.build("llvm.module_flags", properties={"flags": ArrayAttr(tuple(flags))}))


def _flag_value(module: ModuleImport, key: str, value: Metadata | None) -> Attribute | None:
    number = integer_in(value)
    if number is not None:
        return i32_attr(integer(I32, unsigned(number)).value)
    if isinstance(value, MDString):
        return StringAttr(value.text)
    if isinstance(value, MDTuple) and key == "CG Profile":
        return ArrayAttr(tuple(_edge(entry) for entry in value.operands))
    if isinstance(value, MDTuple) and key == "ProfileSummary":
        try:
            return _Summary(module, value).attribute()
        except _Refused:
            return None
    return None


# ---- profiles


def _edge(entry: Metadata | None) -> Attribute:
    """A call, from where to where, and how often."""
    caller, callee, count = _operands(entry)
    number = integer_in(count)
    parameters: dict[str, Parameter] = {"from": _function(caller), "to": _function(callee)}
    return made("ModuleFlagCGProfileEntryAttr", **parameters, count=unsigned(number) if number is not None else 0)


def _function(of: Metadata | None) -> SymbolRefAttr | None:
    value = of.value if isinstance(of, ValueAsMetadata) else None
    while isinstance(value, ConstantExpr):
        value = value.operands[0]
    return SymbolRefAttr(value.name) if isinstance(value, Function) else None


class _Refused(Exception):
    """A summary that is not imported, which was said."""


_FEWEST: Final = 8
_PAIR: Final = 2
_DETAIL: Final = 3


class _Summary:
    """The summary of a profile: pairs of names and values, in their order."""

    def __init__(self, module: ModuleImport, node: MDTuple) -> None:
        self._module = module
        self._node = node
        self._at = 0

    def _refuse(self, message: str, of: Metadata | None) -> _Refused:
        self._module.warn(f"{message}: {self._module.texts.node(of)}", self._module.place)
        return _Refused()

    def attribute(self) -> Attribute:
        if len(self._node.operands) < _FEWEST:
            raise self._refuse("expected at 8 entries in 'ProfileSummary'", self._node)
        parameters: dict[str, Parameter] = {"format": self._format()}
        for parameter, name in PROFILE_COUNTS.items():
            parameters[parameter] = self._count(name)
        parameters["is_partial_profile"] = self._partial()
        parameters["partial_profile_ratio"] = self._ratio()
        parameters["detailed_summary"] = self._details()
        return made("ModuleFlagProfileSummaryAttr", **parameters)

    def _pair(self) -> tuple[Metadata | None, Metadata | None]:
        entry = self._node.operands[self._at]
        operands = _operands(entry)
        if not isinstance(entry, MDTuple) or len(operands) != _PAIR:
            refused = self._refuse("expected 2-element tuple metadata", entry)
            if not isinstance(entry, MDTuple) or len(operands) < _PAIR:
                raise refused
        return operands[0], operands[1]

    def _format(self) -> int:
        key, value = self._pair()
        if not isinstance(key, MDString) or key.text != "ProfileFormat":
            raise self._refuse("expected 'ProfileFormat' key", key)
        known = cases("ProfileSummaryFormatKind")
        number = known.get(value.text) if isinstance(value, MDString) else None
        if number is None:
            raise self._refuse("expected 'SampleProfile', 'InstrProf' or 'CSInstrProf' values, but found", value)
        self._at += 1
        return number

    def _count(self, name: str) -> int:
        key, value = self._pair()
        if not isinstance(key, MDString) or key.text != name:
            raise self._refuse(f"expected '{name}' key, but found", key)
        if not isinstance(value, ValueAsMetadata):
            raise _Refused
        number = integer_in(value)
        if number is None:
            raise self._refuse(f"expected integer metadata value for key '{name}'", self._node.operands[self._at])
        self._at += 1
        return unsigned(number)

    def _optional(self, name: str) -> ValueAsMetadata | None:
        """The value of a pair that need not be there."""
        key, value = self._pair()
        is_there = isinstance(key, MDString) and key.text == name
        return value if is_there and isinstance(value, ValueAsMetadata) else None

    def _check_last(self, name: str) -> None:
        if self._at + 1 >= len(self._node.operands):
            message = f"the last summary entry is '{name}', expected 'DetailedSummary'"
            raise self._refuse(message, self._node.operands[self._at])

    def _partial(self) -> int | None:
        name = "IsPartialProfile"
        if self._optional(name) is None:
            return None
        self._check_last(name)
        return self._count(name)

    def _ratio(self) -> Attribute | None:
        name = "PartialProfileRatio"
        value = self._optional(name)
        if value is None:
            return None
        if not isinstance(value.value, ConstantFP):
            message = f"expected double metadata value for key '{name}'"
            raise self._refuse(message, self._node.operands[self._at])
        self._check_last(name)
        self._at += 1
        return FloatAttr(value.value.bits, FloatType("f64"))

    def _details(self) -> tuple[Parameter, ...]:
        key, value = self._pair()
        if not isinstance(key, MDString) or key.text != "DetailedSummary":
            raise self._refuse("expected 'DetailedSummary' key", key)
        if not isinstance(value, MDTuple):
            raise self._refuse("expected tuple value for 'DetailedSummary' key", value)
        details: list[Parameter] = []
        for entry in value.operands:
            operands = _operands(entry)
            if not isinstance(entry, MDTuple) or len(operands) != _DETAIL:
                raise self._refuse("'DetailedSummary' entry expects 3 operands", entry)
            numbers = [integer_in(operand) for operand in operands]
            cut, least, many = (unsigned(number) if number is not None else None for number in numbers)
            if cut is None or least is None or many is None:
                raise self._refuse("expected only integer entries in 'DetailedSummary'", entry)
            details.append(made("ModuleFlagProfileSummaryDetailedAttr", cut_off=cut, min_count=least, num_counts=many))
        return tuple(details)
