"""What is said of variables between instructions, as operations.

Source of the rules: what `mlir-translate --import-llvm` prints.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.ir.dominators import dominated_blocks
from fathom.ir.operation import BlockArgument
from fathom.irdl.traits import TERMINATOR
from fathom.llvmir.metadata import (
    DbgLabelRecord,
    DbgRecord,
    DbgVariableRecord,
    DIArgList,
    MDNode,
    Metadata,
    ValueAsMetadata,
)
from fathom.llvmir.values import Constant
from fathom.ops.llvm import LandingpadOp

if TYPE_CHECKING:
    from fathom.importing.body import BodyImport
    from fathom.ir.locations import LocationAttr
    from fathom.ir.operation import Block, Operation, Value
    from fathom.llvmir.instructions import Instruction
    from fathom.llvmir.values import Value as LLVMValue

_OPERATIONS: Final = {"value": "llvm.intr.dbg.value", "declare": "llvm.intr.dbg.declare"}


class Records:
    """The records of one function. What is said of variables is placed when all values are there."""

    def __init__(self, body: BodyImport) -> None:
        self._body: Final = body
        self._variables: list[DbgVariableRecord] = []
        self._dominated: dict[Block, list[Block]] | None = None

    def meet(self, instruction: Instruction) -> None:
        """Takes the records before an instruction, which is imported next: labels are operations at once."""
        for record in instruction.records:
            if isinstance(record, DbgVariableRecord):
                self._variables.append(record)
            elif isinstance(record, DbgLabelRecord):
                location = self._place(record.debug_loc)
                label = self._body.module.debug_info.attributes.attribute(record.label)
                if label is None:
                    self._drop(record, location, "unhandled debug record")
                else:
                    block = self._body.block
                    self._body.insert("llvm.intr.dbg.label", [], {"label": label}, location, block, None)

    def place(self) -> None:
        """Puts operations for what is said of variables where the values are defined."""
        for record in self._variables:
            location = self._place(record.debug_loc)
            if not self._placed(record, location):
                self._drop(record, location, "unhandled debug variable record")

    def _placed(self, record: DbgVariableRecord, location: LocationAttr) -> bool:
        """Puts the operation for a record where the value is defined; whether MLIR has that."""
        attributes = self._body.module.debug_info.attributes
        name = _OPERATIONS.get(record.kind)
        said = record.address if record.kind == "assign" else record.location
        if not isinstance(said, ValueAsMetadata) or isinstance(record.location, DIArgList):
            return False
        variable = attributes.attribute(record.variable)
        value = self._value(said.value, location) if variable is not None else None
        point = self._behind(value) if value is not None else None
        expression = attributes.expression(record.expression)
        if name is None or variable is None or value is None or point is None or expression is None:
            return False
        self._body.insert(name, [value], {"varInfo": variable, "locationExpr": expression}, location, *point)
        return True

    def _value(self, of: LLVMValue, location: LocationAttr) -> Value | None:
        if of in self._body.values or isinstance(of, Constant):
            return self._body.value(of)
        text = self._body.module.texts.value(of, self._body.function)
        self._body.module.error(f"failed to convert a debug operand: {text}", location)
        return None

    def _behind(self, value: Value) -> tuple[Block, Operation | None] | None:
        """The place right behind where a value is defined: a block, and the operation in it that comes next. Behind a
        terminator that is in a block which it leads to, if that has no other way to it; else there is none."""
        defining = value.defining_op
        if isinstance(value, BlockArgument):
            first = value.block.first
            # Nothing stands before a landing pad.
            return value.block, first.next if isinstance(first, LandingpadOp) else first
        assert defining is not None
        block = defining.parent
        assert block is not None
        if not defining.has(TERMINATOR):
            return block, defining.next
        inner = self._led_to(block)
        return (inner, inner.last) if inner is not None else None

    def _led_to(self, block: Block) -> Block | None:
        if self._dominated is None:
            self._dominated = dominated_blocks(self._body.entry)
        dominated = self._dominated.get(block, [])
        return next(
            (successor for successor in block.successors if successor in dominated), next(iter(dominated), None)
        )

    def _place(self, node: Metadata) -> LocationAttr:
        return self._body.place(node if isinstance(node, MDNode) else None)

    def _drop(self, record: DbgRecord, location: LocationAttr, message: str) -> None:
        module, function = self._body.module, self._body.function
        if module.options.emit_expensive_warnings and function is not None:
            module.warn(f"{message} {module.texts.record(record, function)}", location)
