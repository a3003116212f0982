"""Calls of intrinsics: as the operations that stand for them, or by their names.

Which intrinsic an operation calls is said by tables, for export; here they are read the other way round. What a table
does not say is the aspect `from_llvm_ir.py` of a dialect.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.attributes import i32_array
from fathom.dialects.llvm.intrinsic_calls import call_of
from fathom.importing.attributes import call_attributes, range_attribute
from fathom.importing.constant_attributes import scalar_attribute
from fathom.importing.instructions import flag_properties
from fathom.importing.intrinsic_table import ReadBack
from fathom.importing.state import Failed
from fathom.ir.attributes import ArrayAttr, Attribute, StringAttr
from fathom.irdl.build import segment_sizes
from fathom.llvmir.attributes import Attribute as LLVMAttribute
from fathom.llvmir.attributes import ConstantRange
from fathom.llvmir.metadata import MDNode, MDString
from fathom.llvmir.module import Function
from fathom.llvmir.types import VOID
from fathom.llvmir.values import Constant, MetadataAsValue

if TYPE_CHECKING:
    from fathom.importing.body import BodyImport
    from fathom.importing.state import ModuleImport
    from fathom.ir.operation import Operation, Value
    from fathom.llvmir.instructions import CallInst


def is_convertible(module: ModuleImport, function: Function) -> bool:
    """Whether operations stand for the calls of an intrinsic."""
    return not function.is_unknown_intrinsic and module.intrinsics.find(function.name) is not None


def import_intrinsic(into: BodyImport, of: CallInst) -> Operation | None:
    """The operation that stands for a call of an intrinsic, or calls it by its name. Raises Failed."""
    assert isinstance(of.called, Function)
    module = into.module
    found = None
    if not module.options.prefer_unregistered_intrinsics and not of.called.is_unknown_intrinsic:
        found = module.intrinsics.find(of.called.name)
    try:
        if found is None:
            return _by_name(into, of, of.called.name)
        if isinstance(found, ReadBack):
            return _read_back(into, of, found)
        return found(_Call(into, of))
    except Failed:
        text = module.texts.instruction(of, into.function)
        raise module.error(f"unhandled intrinsic: {text}", into.location) from None


def _by_name(into: BodyImport, of: CallInst, name: str) -> Operation:
    operands = [into.value(operand) for operand in of.operands]
    properties: dict[str, Attribute] = {
        "intrin": StringAttr(name),
        "operandSegmentSizes": segment_sizes(len(operands), 0),
        **flag_properties(of.flags),
        **call_attributes(into.module, of),
    }
    types = () if of.type is VOID else (into.types(of.type),)
    return into.make("llvm.call_intrinsic", operands, types, properties)


def _read_back(into: BodyImport, of: CallInst, found: ReadBack) -> Operation:
    """Arguments that are properties are constants; all others are operands."""
    module = into.module
    arguments = call_of(found.call).arguments
    properties: dict[str, Attribute] = {}
    operands: list[Value] = []
    immediate: set[int] = set()
    has = module.property_names(found.name)
    for number, argument in enumerate(arguments):
        if argument.name in has:
            immediate.add(number)
            properties[argument.name] = _immediate(into, of, number)
    operands += [into.value(operand) for number, operand in enumerate(of.operands) if number not in immediate]
    if "op_bundle_sizes" in has:
        sizes = [len(inputs) for _, inputs in of.bundles]
        operands += [into.value(each) for _, inputs in of.bundles for each in inputs]
        properties["op_bundle_sizes"] = i32_array(*sizes)
        properties["op_bundle_tags"] = ArrayAttr(tuple(StringAttr(tag) for tag, _ in of.bundles))
    if "fastmathFlags" in has and of.flags:
        properties |= flag_properties(of.flags)
    if "arg_attrs" in has:
        properties |= call_attributes(module, of, immediate)
    if "range" in has:
        between = of.attributes.result.get("range")
        if isinstance(between, LLVMAttribute) and isinstance(between.value, ConstantRange):
            properties["range"] = range_attribute(between.value)
    definition, _ = module.prototypes[found.name]
    # One that has a result has it also where there is none.
    types = (into.types(of.type),) if definition.results else ()
    return into.make(found.name, operands, types, properties)


def _immediate(into: BodyImport, of: CallInst, number: int) -> Attribute:
    operand = of.operands[number]
    attribute = scalar_attribute(operand, into.types) if isinstance(operand, Constant) else None
    if attribute is None:
        raise Failed
    return attribute


class _Call:
    """A call, for the code of a dialect."""

    def __init__(self, into: BodyImport, of: CallInst) -> None:
        self._into: Final = into
        self._of: Final = of

    def value(self, number: int) -> Value:
        return self._into.value(self._of.operands[number])

    def number(self, number: int) -> Attribute:
        self.value(number)
        return _immediate(self._into, self._of, number)

    def word(self, number: int) -> str:
        metadata = self._metadata(number)
        return metadata.text if isinstance(metadata, MDString) else ""

    def scopes(self, number: int) -> tuple[Attribute, ...] | None:
        metadata = self._metadata(number)
        return self._into.module.aliasing.scopes(metadata) if isinstance(metadata, MDNode) else None

    def alignment(self, number: int) -> int:
        attribute = self._of.attributes.parameter(number).get("align")
        return attribute.value if attribute is not None and isinstance(attribute.value, int) else 1

    def is_marked(self, kind: str) -> bool:
        return any(name == kind for name, _ in self._of.metadata)

    def make(self, name: str, operands: Sequence[Value], properties: Mapping[str, Attribute]) -> Operation:
        types = () if self._of.type is VOID else (self._into.types(self._of.type),)
        return self._into.make(name, [*operands], types, properties)

    def refuse(self) -> Exception:
        return Failed()

    def _metadata(self, number: int) -> object:
        operand = self._of.operands[number]
        return operand.metadata if isinstance(operand, MetadataAsValue) else None
