"""What a function's blocks, or the region of a global, are imported into: values, and where operations are put."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from fathom.importing.attachments import attach
from fathom.importing.constants import make_constant, ordered
from fathom.importing.state import UNKNOWN, Failed
from fathom.ir.operation import Block, Operation
from fathom.llvmir import instructions as llvm
from fathom.llvmir.types import VOID
from fathom.llvmir.values import Constant

if TYPE_CHECKING:
    from fathom.importing.state import ModuleImport
    from fathom.ir.attributes import Attribute
    from fathom.ir.locations import LocationAttr
    from fathom.ir.operation import Value
    from fathom.ir.types import Type
    from fathom.llvmir.metadata import MDNode
    from fathom.llvmir.module import Function
    from fathom.llvmir.values import ConstantExpr
    from fathom.llvmir.values import Value as LLVMValue

Handler: TypeAlias = "Callable[[BodyImport, Any], Operation | None]"
"""What imports an instruction of a class: the operation that stands for it, or None if none does."""

_SAID_ONCE: Final = frozenset(
    (
        *(llvm.GetElementPtrInst, llvm.BranchInst, llvm.SwitchInst, llvm.IndirectBrInst),
        *(llvm.CallInst, llvm.InvokeInst, llvm.LandingPadInst),
    )
)
"""The instructions of which MLIR does not say that they are not imported because what they use is not."""


class BodyImport:
    """The values of LLVM IR that are known so far, and the block at whose end operations are made."""

    def __init__(
        self, module: ModuleImport, handlers: Mapping[type, Handler], block: Block, function: Function | None = None
    ) -> None:
        self.module: Final = module
        self.types: Final = module.types
        self.function: Final = function
        self.values: Final[dict[LLVMValue, Value]] = {}
        self.blocks: Final[dict[llvm.BasicBlock, Block]] = {}
        self.block = block
        """Where operations are made."""
        self.source: llvm.BasicBlock | None = None
        """The block that is imported."""
        self._before: Operation | None = None
        self._handlers = handlers
        self.entry: Final = block
        """Where constants are made."""
        self._last_constant: Operation | None = None
        self._location: LocationAttr | None = None

    # ---- operations

    def make(
        self,
        name: str,
        operands: list[Value],
        result_types: tuple[Type, ...] = (),
        properties: Mapping[str, Attribute] | None = None,
        successors: Sequence[Block] = (),
    ) -> Operation:
        """Makes an operation at the current place."""
        definition, defaults = self.module.prototypes[name]
        own = {**defaults, **properties} if properties else {**defaults}
        op = Operation.assembled(name, operands, result_types, own, {}, None, definition)
        if successors:
            op.set_successors(successors)
        op.location = self._location
        if self._before is None:
            self.block.append(op)
        else:
            self.block.insert_before(op, self._before)
        return op

    def insert(
        self,
        name: str,
        operands: list[Value],
        properties: Mapping[str, Attribute],
        location: LocationAttr,
        block: Block,
        before: Operation | None,
    ) -> None:
        """Makes an operation without results somewhere else: before another one, or at the end of a block."""
        definition, defaults = self.module.prototypes[name]
        op = Operation.assembled(name, operands, (), {**defaults, **properties}, {}, None, definition)
        op.location = location
        block.insert_before(op, before)

    def make_one(
        self,
        name: str,
        operands: Sequence[Value],
        result_type: Type,
        properties: Mapping[str, Attribute] | None = None,
    ) -> Value:
        """Makes an operation with one result, and gives this."""
        return self.make(name, [*operands], (result_type,), properties).results[0]

    # ---- values

    def value(self, of: LLVMValue) -> Value:
        """The value that stands for one of LLVM IR. Raises Failed."""
        known = self.values.get(of)
        if known is not None:
            return known
        if isinstance(of, Constant):
            return self._constant(of)
        raise self.module.error(f"unhandled value: {self.module.texts.value(of, self.function)}")

    def _constant(self, of: Constant) -> Value:
        block, before, location = self.block, self._before, self._location
        self.block, self._location = self.entry, None
        last = self._last_constant
        self._before = self.entry.first if last is None else last.next
        try:
            for constant in ordered(of, self):
                self.values[constant] = make_constant(constant, self)
        finally:
            self.block, self._before, self._location = block, before, location
        value = self.values[of]
        self._last_constant = value.defining_op
        return value

    def expression(self, of: ConstantExpr) -> Value:
        """What a constant expression is: as the instruction that computes the same. Raises Failed."""
        instruction = _instruction(of)
        op = self._converted(instruction)
        if op is None or instruction.type is VOID:
            raise self.module.error(f"unhandled constant: {self.module.texts.constant(of)}")
        return op.results[0]

    # ---- instructions

    def convert(self, of: llvm.Instruction) -> Operation | None:
        """Imports an instruction. Raises Failed."""
        metadata = of.metadata
        self._location = None
        if metadata and metadata[0][0] == "dbg":
            self._location = self.module.debug_info.location(metadata[0][1])
        op = self._converted(of)
        if op is None:
            return None
        if of.type is not VOID:
            self.values[of] = op.results[0]
        if metadata:
            attach(self, of, op)
        return op

    def _converted(self, of: llvm.Instruction) -> Operation | None:
        handler = self._handlers.get(of.__class__)
        if handler is None:
            raise self.unhandled(of)
        try:
            return handler(self, of)
        except Failed:
            if of.__class__ in _SAID_ONCE:
                raise
            raise self.unhandled(of) from None

    @property
    def location(self) -> LocationAttr:
        """Where the instruction stands that is imported."""
        return self._location or UNKNOWN

    def place(self, node: MDNode | None) -> LocationAttr:
        """The location that a `!dbg` is."""
        return self.module.debug_info.location(node)

    def unhandled(self, of: llvm.Instruction) -> Failed:
        """Says that an instruction cannot be imported."""
        text = self.module.texts.instruction(of, self.function)
        return self.module.error(f"unhandled instruction: {text}", self.location)


def _instruction(of: ConstantExpr) -> llvm.Instruction:
    operands: list[LLVMValue] = [*of.operands]
    match of.opcode:
        case "getelementptr":
            assert of.source_type is not None
            return llvm.GetElementPtrInst(of.type, operands, of.source_type, of.flags)
        case "shufflevector":
            return llvm.ShuffleVectorInst(of.type, operands, of.mask)
        case "insertelement":
            return llvm.InsertElementInst(of.type, operands)
        case "extractelement":
            return llvm.ExtractElementInst(of.type, operands)
        case opcode if len(operands) == 1:
            return llvm.CastInst(of.type, operands, opcode, of.flags)
        case opcode:
            return llvm.BinaryOperator(of.type, operands, opcode, of.flags)
