"""The structs of a module that have a name or a number, in the order in which LLVM comes upon them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fathom.llvmir.attributes import Attribute, AttributeList
from fathom.llvmir.instructions import AllocaInst, CallBase, GetElementPtrInst, Instruction
from fathom.llvmir.metadata import DbgVariableRecord, DIArgList, MDNode, MDTuple, Metadata, ValueAsMetadata
from fathom.llvmir.module import Function, GlobalValue, Module
from fathom.llvmir.types import IdentifiedStructType, IntegerType, PointerType, PrimitiveType, Type, subtypes
from fathom.llvmir.values import (
    Constant,
    ConstantAggregate,
    ConstantExpr,
    ConstantPtrAuth,
    MetadataAsValue,
    Value,
    distinct,
)

_PLAIN: Final = (IntegerType, PointerType, PrimitiveType)
_LOOKED_INTO: Final = (Constant, MetadataAsValue)
"""The operands of instructions that may have types of their own in them."""
_MADE_OF_OTHERS: Final = (ConstantAggregate, ConstantExpr, ConstantPtrAuth)


def structs(module: Module) -> list[IdentifiedStructType]:
    """In the order in which they are numbered and written."""
    return _Finder(module).structs


class _Finder:
    def __init__(self, module: Module) -> None:
        self.structs: list[IdentifiedStructType] = []
        # By identity: what is equal but another is gone through again, and has nothing new.
        self._types: set[int] = set()
        self._constants: set[int] = set()
        self._nodes: set[MDNode] = set()
        self._attributes: set[int] = set()
        self._without_types: set[type] = set()
        """Classes of operands that have no types of their own in them."""
        self._plain: set[type] = set()
        """Classes of instructions that name no types besides their own and those of their operands."""
        for variable in module.globals:
            self._type(variable.value_type)
            if variable.initializer is not None:
                self._value(variable.initializer)
        for alias in module.aliases:
            self._type(alias.value_type)
            if alias.aliasee is not None:
                self._value(alias.aliasee)
        for ifunc in module.ifuncs:
            self._type(ifunc.value_type)
        for function in module.functions:
            self._function(function)
        for nodes in module.named_metadata.values():
            for node in nodes:
                self._metadata(node)

    def _function(self, function: Function) -> None:
        self._type(function.value_type)
        self._attribute_list(function.attributes)
        for data in (function.personality, function.prefix_data, function.prologue_data):
            if data is not None:
                self._value(data)
        types, nothing, plain = self._types, self._without_types, self._plain
        for block in function.blocks:
            for instruction in block.instructions:
                if (
                    id(instruction.type) not in types
                    or instruction.__class__ not in plain
                    or instruction.metadata
                    or instruction.records
                ):
                    self._instruction(instruction)
                    continue
                for operand in instruction.operands:
                    if operand.__class__ not in nothing:
                        self._instruction(instruction)
                        break

    def _instruction(self, instruction: Instruction) -> None:
        if id(instruction.type) not in self._types:
            self._type(instruction.type)
        # Classes are few, and instructions are many: what there is to do for one is found out once.
        nothing = self._without_types
        for operand in instruction.operands:
            if operand.__class__ in nothing:
                continue
            if isinstance(operand, _LOOKED_INTO):
                self._value(operand)
            else:
                nothing.add(operand.__class__)
        if instruction.__class__ in self._plain:
            pass
        elif isinstance(instruction, CallBase):
            for _, inputs in instruction.bundles:
                for input_ in inputs:
                    self._value(input_)
            self._value(instruction.called)
            self._attribute_list(instruction.attributes)
        elif isinstance(instruction, GetElementPtrInst):
            self._type(instruction.source_type)
        elif isinstance(instruction, AllocaInst):
            self._type(instruction.allocated_type)
        else:
            self._plain.add(instruction.__class__)
        for kind, node in instruction.metadata:
            if kind != "dbg":
                self._node(node)
        for record in instruction.records:
            if isinstance(record, DbgVariableRecord):
                self._metadata(record.location)
                if record.address is not None:
                    self._metadata(record.address)

    def _attribute_list(self, attributes: AttributeList) -> None:
        if id(attributes) in self._attributes:
            return
        self._attributes.add(id(attributes))
        for set_ in (attributes.function, attributes.result, *attributes.parameters):
            for attribute in set_:
                if isinstance(attribute, Attribute) and isinstance(attribute.value, Type):
                    self._type(attribute.value)

    def _type(self, of: Type) -> None:
        known = self._types
        if id(of) in known:
            return
        known.add(id(of))
        if isinstance(of, _PLAIN):
            return
        stack = [of]
        while stack:
            top = stack.pop()
            if isinstance(top, IdentifiedStructType):
                self.structs.append(top)
            for part in reversed(subtypes(top)):
                if id(part) not in known:
                    known.add(id(part))
                    stack.append(part)

    def _value(self, value: Value) -> None:
        """What is nested in a constant is gone through in its order; none of it is a constant twice."""
        stack = [value]
        known = self._constants
        while stack:
            top = stack.pop()
            if isinstance(top, MetadataAsValue):
                self._metadata(top.metadata)
            elif isinstance(top, Constant) and not isinstance(top, GlobalValue) and id(top) not in known:
                known.add(id(top))
                self._type(top.type)
                if isinstance(top, ConstantExpr) and top.source_type is not None:
                    self._type(top.source_type)
                if isinstance(top, _MADE_OF_OTHERS):
                    stack += reversed(distinct(top.operands))

    def _metadata(self, of: Metadata) -> None:
        if isinstance(of, ValueAsMetadata):
            self._value(of.value)
        elif isinstance(of, MDNode):
            self._node(of)
        elif isinstance(of, DIArgList):
            for argument in of.arguments:
                self._value(argument.value)

    def _node(self, node: MDNode) -> None:
        known = self._nodes
        stack: list[Metadata | None] = [node]
        while stack:
            top = stack.pop()
            if isinstance(top, ValueAsMetadata):
                self._value(top.value)
            elif isinstance(top, MDNode) and top not in known:
                known.add(top)
                stack += reversed(_operands(top))


def _operands(node: MDNode) -> Sequence[Metadata | None]:
    return node.operands if isinstance(node, MDTuple) else list(node.nodes())
