"""The numbers that LLVM gives to what has no name: globals, values of functions, metadata, attribute groups."""

from __future__ import annotations

from collections.abc import Iterator

from fathom.llvmir.attributes import AttributeSet
from fathom.llvmir.instructions import CALLS, BasicBlock, CallBase, CallInst, Instruction
from fathom.llvmir.metadata import (
    DbgLabelRecord,
    DbgRecord,
    DbgVariableRecord,
    MDNode,
    Metadata,
)
from fathom.llvmir.module import Function, GlobalValue, Module
from fathom.llvmir.spelling import spell_name
from fathom.llvmir.types import VOID, PrimitiveType
from fathom.llvmir.values import Argument, MetadataAsValue


class Numbering:
    """What is numbered so far. Metadata of functions is numbered when they are written, in their order."""

    def __init__(self, module: Module) -> None:
        self.nodes: dict[MDNode, int] = {}
        self.groups: dict[AttributeSet, int] = {}
        self.globals: dict[GlobalValue, int] = {}
        for variable in module.globals:
            self._global(variable)
            self._attached(variable.metadata)
            self._group(variable.attributes)
        for alias in module.aliases:
            self._global(alias)
        for ifunc in module.ifuncs:
            self._global(ifunc)
            self._attached(ifunc.metadata)
        for nodes in module.named_metadata.values():
            for node in nodes:
                if isinstance(node, MDNode):
                    self.number(node)
        for function in module.functions:
            self._global(function)
            self._group(function.attributes.function)

    def function(self, function: Function) -> None:
        """Numbers the metadata and the attribute groups that a function uses."""
        self._attached(function.metadata)
        for block in function.blocks:
            for instruction in block.instructions:
                if instruction.records:
                    for record in instruction.records:
                        self._record(record)
                is_call = instruction.__class__ in CALLS
                if is_call and instruction.__class__ is CallInst:
                    self._arguments(instruction)
                if instruction.metadata:
                    self._attached(instruction.metadata)
                if is_call and isinstance(instruction, CallBase):
                    self._group(instruction.attributes.function)

    def number(self, node: MDNode) -> None:
        """Numbers a node and all that it refers to, what comes first to its end."""
        known = self.nodes
        if node in known:
            return
        known[node] = len(known)
        stack: list[Iterator[MDNode]] = [node.nodes()]
        while stack:
            for current in stack[-1]:
                if current not in known:
                    known[current] = len(known)
                    stack.append(current.nodes())
                    break
            else:
                stack.pop()

    def _global(self, value: GlobalValue) -> None:
        if not value.name:
            self.globals[value] = len(self.globals)

    def _group(self, attributes: AttributeSet) -> None:
        if attributes.attributes:
            self.groups.setdefault(attributes, len(self.groups))

    def _attached(self, metadata: tuple[tuple[str, MDNode], ...]) -> None:
        for _, node in metadata:
            self.number(node)

    def _arguments(self, call: Instruction) -> None:
        for operand in call.operands:
            if isinstance(operand, MetadataAsValue) and isinstance(operand.metadata, MDNode):
                self.number(operand.metadata)

    def _record(self, of: DbgRecord) -> None:
        parts: tuple[Metadata | None, ...] = ()
        if isinstance(of, DbgVariableRecord):
            parts = (of.location, of.variable, of.assign_id, of.address, of.debug_loc)
        elif isinstance(of, DbgLabelRecord):
            parts = (of.label, of.debug_loc)
        for part in parts:
            if isinstance(part, MDNode):  # What stands in line otherwise has no number.
                self.number(part)


def local_names(function: Function) -> dict[int, str]:
    """What a function's values and blocks are called in it, behind `%`, by their identity."""
    names: dict[int, str] = {}
    count = 0
    for value in _named(function):
        if value.name:
            names[id(value)] = f"%{spell_name(value.name)}"
        else:
            names[id(value)] = f"%{count}"
            count += 1
    return names


def _named(function: Function) -> list[Argument | BasicBlock | Instruction]:
    """What has a name or a number, in order."""
    named: list[Argument | BasicBlock | Instruction] = [*function.arguments]
    for block in function.blocks:
        named.append(block)
        named += [
            instruction
            for instruction in block.instructions
            if instruction.name
            or ((of := instruction.type) is not VOID and (not isinstance(of, PrimitiveType) or of.name != VOID.name))
        ]
    return named
