"""What dialects make LLVM IR with (`fathom.rewriting.llvm_exports`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from fathom.ir import operation as mlir
from fathom.ir.attributes import Attribute
from fathom.ir.types import Type as MLIRType
from fathom.llvmir.instructions import (
    BasicBlock,
    BinaryOperator,
    BranchInst,
    CallInst,
    CastInst,
    GetElementPtrInst,
    Instruction,
)
from fathom.llvmir.metadata import MDNode, Metadata
from fathom.llvmir.module import Function, GlobalValue, GlobalVariable
from fathom.llvmir.types import PTR, VOID, FunctionType, Type, VectorType
from fathom.llvmir.values import Constant, Value
from fathom.rewriting.llvm_exports import Build, Builder
from fathom.translation.address_folding import fold_cast, fold_gep, gep_flags
from fathom.translation.attribute_constants import constant_of, why_none
from fathom.translation.calls import emit_intrinsic
from fathom.translation.folding import fold_binary
from fathom.translation.function import ALWAYS_SAID, Emitter, FunctionEmitter, Untranslatable, flows_of
from fathom.translation.globals import add_structors
from fathom.translation.intrinsics import mangled

if TYPE_CHECKING:
    from fathom.irdl.definition import OpDefinition


class OperationBuilder(Builder):
    """Makes LLVM IR in the place of an operation."""

    def __init__(self, out: FunctionEmitter, op: mlir.Operation) -> None:
        self._out = out
        self._op = op
        self._state = out.module

    def value(self, of: mlir.Value) -> Value:
        return self._out.operand(of, self._op)

    def type(self, of: MLIRType) -> Type:
        return self._out.types(of)

    def alignment(self, of: MLIRType, preferred: bool = False) -> int:
        return self._state.layout.alignment(of, preferred=preferred)

    def constant(self, attribute: Attribute, type: Type) -> Constant:
        made = constant_of(attribute, type)
        if made is None:
            raise Untranslatable(self._op, why_none(attribute, type))
        return made

    def add(
        self, instruction: Instruction, attachments: Mapping[str, MDNode] | None = None, *, placed: bool = True
    ) -> Value:
        self._out.emit(self._op, instruction, dict(attachments) if attachments else None, placed=placed)
        return instruction

    def node(self, *operands: Metadata | None) -> MDNode:
        return self._state.nodes.tuple(*operands)

    def cast(self, opcode: str, value: Value, type: Type) -> Value:
        if value.type == type:
            return value
        folded = fold_cast(opcode, value, type, self._state.layout) if isinstance(value, Constant) else None
        return folded if folded is not None else self.add(CastInst(type, [value], opcode))

    def binary(self, opcode: str, left: Value, right: Value, flags: tuple[str, ...] = ()) -> Value:
        if isinstance(left, Constant) and isinstance(right, Constant):
            folded = fold_binary(opcode, left, right)
            if folded is not None:
                return folded
        return self.add(BinaryOperator(left.type, [left, right], opcode, flags))

    def address(self, element: MLIRType, base: Value, indices: Sequence[Value], flags: int = 0) -> Value:
        source = self.type(element)
        constants = [index for index in indices if isinstance(index, Constant)]
        if isinstance(base, Constant) and len(constants) == len(indices):
            folded = fold_gep(element, source, base, constants, flags, self._state.layout, self._state.extents)
            if folded is not None:
                return folded
        counted = next((each.type for each in (base, *indices) if isinstance(each.type, VectorType)), None)
        type = base.type
        if counted is not None and not isinstance(type, VectorType):
            type = VectorType(type, counted.count, counted.is_scalable)
        return self.add(GetElementPtrInst(type, [base, *indices], source, gep_flags(flags)))

    def intrinsic(
        self,
        base: str,
        overloads: Sequence[Type],
        result: Type,
        arguments: Sequence[Value],
        alignments: Mapping[int, int] | None = None,
    ) -> Value:
        name = mangled(base, overloads)
        aligned = dict(alignments) if alignments else None
        return emit_intrinsic(self._out, self._op, name, result, arguments, alignments=aligned)

    def call(self, function: Function, arguments: Sequence[Value]) -> Value:
        type = function.value_type
        return self.add(CallInst(type.result, [*arguments], function, type))

    def function(self, name: str, type: FunctionType) -> Function:
        known = self._state.symbols.get(name)
        if isinstance(known, Function):
            return known
        made = self._state.symbols[name] = Function(self._state.module.function_pointer, name, type)
        self._state.names.taken.add(name)
        self._state.declarations.append(made)
        return made

    def variable(self, variable: GlobalVariable) -> GlobalVariable:
        self._named(variable)
        self._state.variables.append(variable)
        return variable

    def define(self, function: Function) -> None:
        self._named(function)
        self._state.declarations.append(function)
        made = (each for block in function.blocks for each in (block, *block.instructions))
        self._state.spans.update(dict.fromkeys(made, self._op.span))

    def _named(self, value: GlobalValue) -> None:
        state = self._state
        if not state.names.taken:
            state.names.taken.update(state.symbols)
        value.name = state.names.unique(value.name)
        if value.name:
            state.symbols[value.name] = value
        state.spans[value] = self._op.span

    def symbol(self, name: str) -> Constant | None:
        return self._state.symbols.get(name)

    def constructor(self, which: str, function: Function, priority: int) -> None:
        add_structors(self._state, which, [(priority, function)], self._op.span)

    def shared(self, initializer: Constant, alignment: int) -> GlobalVariable:
        known = self._state.shared.get(initializer)
        if known is not None:
            return known
        made = GlobalVariable(PTR, "", initializer.type, initializer, linkage="private", unnamed_addr="unnamed_addr")
        self._state.shared[initializer] = made
        made.is_constant, made.alignment = True, alignment
        return self.variable(made)

    def at_entry(self, instructions: Sequence[Instruction]) -> None:
        entry = self._out.blocks[0].instructions
        if entry:
            place = dict(entry[0].metadata).get("dbg")
        else:
            place = self._state.debug.location(self._op, self._out.subprogram)
        for instruction in instructions:
            instruction.name = self._out.names.unique(instruction.name)
            instruction.metadata = (("dbg", place),) if place is not None else ()
            self._state.spans[instruction] = self._op.span
        entry[:0] = instructions

    def region(self, region: mlir.Region, name: str, behind: str) -> None:
        out = self._out
        around, flows = out.flow, flows_of(region, self._state.blocks)
        if not flows:
            return
        for flow in flows:
            flow.block.name = out.names.unique(name)
        end = BasicBlock(out.names.unique(behind))
        blocks = [*(flow.block for flow in flows), end]
        out.blocks += blocks
        self._state.spans.update(dict.fromkeys(blocks, self._op.span))
        self.add(BranchInst(VOID, [], [flows[0].block]))
        out.order.append(around.current)
        out.ends.append(end)
        out.make_blocks(flows)
        out.ends.pop()
        out.flow, around.behind = around, end

    def leave(self) -> None:
        if not self._out.ends:
            raise self.refuse("")
        self.add(BranchInst(VOID, [], [self._out.ends[-1]]))

    def location(self, of: mlir.Operation | mlir.Value) -> Attribute:
        owner = of.defining_op if isinstance(of, mlir.OpResult) else of
        assert isinstance(owner, (mlir.Operation, mlir.BlockArgument)), "all values are one or the other"
        return self._state.debug.where(owner)

    def refuse(self, message: str) -> Exception:
        return Untranslatable(self._op, message)


@lru_cache(maxsize=1024)
def builder_emitter(build: Build, definition: OpDefinition) -> Emitter:
    """What emits the operations of which code makes LLVM IR."""

    def emit(out: FunctionEmitter, op: mlir.Operation) -> None:
        value = build(op, OperationBuilder(out, op))
        if value is not None and op.results:
            out.values[op.results[0]] = value

    return Emitter(emit, ALWAYS_SAID.union(declared.name for declared in definition.properties))
