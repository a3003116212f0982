"""Instructions as texts, a function for each class."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final

from fathom.llvmir import instructions as ir
from fathom.llvmir.attribute_texts import AttributeTexts
from fathom.llvmir.module import Function
from fathom.llvmir.operand_texts import OperandTexts, mask_text
from fathom.llvmir.types import I32, VOID, ArrayType, PointerType, PrimitiveType
from fathom.llvmir.values import ConstantInt, Value
from fathom.llvmir.words import CALLING_CONVENTIONS, EXPLAINED, Explained
from fathom.text.escapes import escape

_CONVENTIONS: Final = {number: word for word, number in CALLING_CONVENTIONS.items()} | {
    # As LLVM has it, with a blank behind the word.
    CALLING_CONVENTIONS[word]: f"{word} "
    for word in ("avr_intrcc", "avr_signalcc")
}


def convention(number: int) -> str:
    """The word of a calling convention, and a blank; nothing for that of C."""
    return f"{_CONVENTIONS.get(number) or f'cc{number}'} " if number else ""


class InstructionTexts:
    """Texts of instructions, without what is attached to them."""

    def __init__(self, operands: OperandTexts, attributes: AttributeTexts, program_space: int) -> None:
        self.operands = operands
        self.attributes = attributes
        self.function: Function | None = None
        """That which is written."""
        self._values = operands.values
        self._typed = operands.typed
        self._value = operands.value
        self._type = operands.type
        self._program_space = program_space
        self._joined = operands.budget.joined

    def line(self, instruction: ir.Instruction) -> str:
        """The text with the blanks before it, without metadata."""
        text = self._by_class[instruction.__class__](self, instruction)
        of = instruction.type
        if of is VOID or (isinstance(of, PrimitiveType) and of.name == VOID.name):
            return f"  {text}"
        return f"  {self._values[id(instruction)]} = {text}"

    def _all(self, of: ir.Instruction) -> str:
        operands = of.operands
        return self._typed(operands[0]) if len(operands) == 1 else ", ".join([*map(self._typed, operands)])

    def _blocks(self, blocks: list[ir.BasicBlock]) -> str:
        return ", ".join([*map(self._typed, blocks)])

    # ---- arithmetic

    def _unary(self, of: ir.UnaryOperator) -> str:
        return f"fneg{self.operands.flags(of.flags)} {self._typed(of.operands[0])}"

    def _binary(self, of: ir.BinaryOperator) -> str:
        left, right = of.operands
        return f"{of.opcode}{self.operands.flags(of.flags)} {self._typed(left)}, {self._value(right)}"

    def _cast(self, of: ir.CastInst) -> str:
        return f"{of.opcode}{self.operands.flags(of.flags)} {self._typed(of.operands[0])} to {self._type(of.type)}"

    def _compare(self, of: ir.CmpInst) -> str:
        left, right = of.operands
        return f"{of.opcode}{self.operands.flags(of.flags)} {of.predicate} {self._typed(left)}, {self._value(right)}"

    def _in_aggregate(self, of: ir.ExtractValueInst | ir.InsertValueInst) -> str:
        indices = of.indices
        # Most are one number.
        text = f"{indices[0]}" if len(indices) == 1 else ", ".join(map(str, indices))
        return f"{of.opcode} {self._all(of)}, {text}"

    # ---- memory

    def _alloca(self, of: ir.AllocaInst) -> str:
        text = f"alloca {'inalloca ' * of.is_in_alloca}{'swifterror ' * of.is_swift_error}"
        text += self._type(of.allocated_type)
        count = of.operands[0] if of.operands else None
        if count is not None and count != _ONE:
            text += f", {self._typed(count)}"
        if of.alignment:
            text += f", align {of.alignment}"
        space = of.type.address_space if isinstance(of.type, PointerType) else 0
        return f"{text}, addrspace({space})" if space else text

    def _load(self, of: ir.LoadInst) -> str:
        marks = f"{' atomic' if of.ordering else ''}{' volatile' * of.is_volatile}"
        text = f"load{marks} {self._type(of.type)}, {self._typed(of.operands[0])}"
        return text + _atomic(of.sync_scope, of.ordering) + _alignment(of.alignment)

    def _store(self, of: ir.StoreInst) -> str:
        marks = f"{' atomic' if of.ordering else ''}{' volatile' * of.is_volatile}"
        return f"store{marks} {self._all(of)}{_atomic(of.sync_scope, of.ordering)}{_alignment(of.alignment)}"

    def _compare_and_exchange(self, of: ir.AtomicCmpXchgInst) -> str:
        marks = f"{' weak' * of.is_weak}{' volatile' * of.is_volatile}"
        orderings = f"{_atomic(of.sync_scope, of.success_ordering)} {of.failure_ordering}"
        return f"cmpxchg{marks} {self._all(of)}{orderings}{_alignment(of.alignment)}"

    def _read_modify_write(self, of: ir.AtomicRMWInst) -> str:
        text = f"atomicrmw{' volatile' * of.is_volatile} {of.operation} {self._all(of)}"
        return text + _atomic(of.sync_scope, of.ordering) + _alignment(of.alignment)

    def _address(self, of: ir.GetElementPtrInst) -> str:
        return f"getelementptr{self.operands.flags(of.flags)} {self._type(of.source_type)}, {self._all(of)}"

    # ---- control flow

    def _phi(self, of: ir.PHINode) -> str:
        value = self._value
        pairs = zip(of.operands, of.blocks, strict=False)
        incoming = self._joined([f"[ {value(incoming_value)}, {value(block)} ]" for incoming_value, block in pairs])
        return f"phi{self.operands.flags(of.flags)} {self._type(of.type)} {incoming}"

    def _branch(self, of: ir.BranchInst) -> str:
        return f"br {', '.join(map(self._typed, [*of.operands, *of.blocks]))}"

    def _switch(self, of: ir.SwitchInst) -> str:
        condition, *values = map(self._typed, of.operands)
        cases = zip(values, map(self._typed, of.blocks), strict=False)
        inner = "".join(f"\n    {value}, {block}" for value, block in cases)
        return f"switch {condition}, {self._typed(of.default)} [{inner}\n  ]"

    # ---- calls

    def _call(self, of: ir.CallInst) -> str:
        before = f"{of.tail_kind} call" if of.tail_kind else "call"
        is_forwarding = of.tail_kind == "musttail" and self.function and self.function.value_type.is_vararg
        return before + self.operands.flags(of.flags) + self._called(of, bool(is_forwarding))

    def _invoke(self, of: ir.InvokeInst) -> str:
        blocks = f"\n          to {self._typed(of.normal)} unwind {self._typed(of.unwind)}"
        return f"invoke{self._called(of)}{blocks}"

    def _call_branch(self, of: ir.CallBrInst) -> str:
        return f"callbr{self._called(of)}\n          to {self._typed(of.default)} [{self._blocks(of.blocks)}]"

    def _called(self, of: ir.CallBase, is_forwarding: bool = False) -> str:
        attributes = of.attributes
        text = f" {convention(of.calling_convention)}"
        if attributes.result:
            text += f"{self.attributes.of_set(attributes.result)} "
        called = of.called
        space = called.type.address_space if isinstance(called.type, PointerType) else 0
        if space or self._program_space:
            text += f"addrspace({space}) "
        signature = of.function_type
        shown = signature if signature.is_vararg else signature.result
        arguments = [*map(self._typed, of.operands)]
        if attributes.parameters:
            for number, parameter in enumerate(attributes.parameters[: len(arguments)]):
                if parameter:
                    arguments[number] = self._with_attributes(of.operands[number], self.attributes.of_set(parameter))
        if isinstance(called, Function) and (explained := EXPLAINED.get(called.name)) is not None:
            arguments = _explained(of, arguments, explained)
        if is_forwarding:
            arguments.append("...")
        text += f"{self._type(shown)} {self._value(called)}({self._joined(arguments)})"
        if attributes.function:
            text += f" #{self.operands.numbering.groups[attributes.function]}"
        if of.bundles:
            text += f" [ {', '.join(map(self._bundle, of.bundles))} ]"
        return text

    def _with_attributes(self, argument: Value, attributes: str) -> str:
        return f"{self._type(argument.type)} {attributes} {self._value(argument)}"

    def _bundle(self, of: tuple[str, tuple[Value, ...]]) -> str:
        return f'"{escape(of[0])}"({", ".join(map(self._typed, of[1]))})'

    # ---- exceptions

    def _landing_pad(self, of: ir.LandingPadInst) -> str:
        clauses = ["cleanup"] if of.is_cleanup else []
        for operand in of.operands:
            clauses.append(f"{'filter' if isinstance(operand.type, ArrayType) else 'catch'} {self._typed(operand)}")
        return "\n          ".join([f"landingpad {self._type(of.type)}", *clauses])

    def _catch_switch(self, of: ir.CatchSwitchInst) -> str:
        parent = self._value(of.operands[0])
        return f"catchswitch within {parent} [{self._blocks(of.handlers)}] unwind {self._unwind(of.unwind)}"

    def _funclet_pad(self, of: ir.FuncletPadInst) -> str:
        parent, *arguments = of.operands
        return f"{of.opcode} within {self._value(parent)} [{', '.join(map(self._typed, arguments))}]"

    def _catch_return(self, of: ir.CatchReturnInst) -> str:
        return f"catchret from {self._value(of.operands[0])} to {self._typed(of.block)}"

    def _cleanup_return(self, of: ir.CleanupReturnInst) -> str:
        return f"cleanupret from {self._value(of.operands[0])} unwind {self._unwind(of.unwind)}"

    def _unwind(self, block: ir.BasicBlock | None) -> str:
        return "to caller" if block is None else self._typed(block)

    _by_class: ClassVar[dict[type[ir.Instruction], Callable[[Any, Any], str]]] = {
        ir.UnaryOperator: _unary,
        ir.BinaryOperator: _binary,
        ir.CastInst: _cast,
        ir.CmpInst: _compare,
        ir.SelectInst: lambda texts, of: f"select{texts.operands.flags(of.flags)} {texts._all(of)}",
        ir.FreezeInst: lambda texts, of: f"freeze {texts._all(of)}",
        ir.ExtractElementInst: lambda texts, of: f"extractelement {texts._all(of)}",
        ir.InsertElementInst: lambda texts, of: f"insertelement {texts._all(of)}",
        ir.ShuffleVectorInst: lambda texts, of: f"shufflevector {texts._all(of)}{mask_text(of.mask, of.type)}",
        ir.ExtractValueInst: _in_aggregate,
        ir.InsertValueInst: _in_aggregate,
        ir.AllocaInst: _alloca,
        ir.LoadInst: _load,
        ir.StoreInst: _store,
        ir.FenceInst: lambda texts, of: f"fence{_atomic(of.sync_scope, of.ordering)}",
        ir.AtomicCmpXchgInst: _compare_and_exchange,
        ir.AtomicRMWInst: _read_modify_write,
        ir.GetElementPtrInst: _address,
        ir.VAArgInst: lambda texts, of: f"va_arg {texts._all(of)}, {texts._type(of.type)}",
        ir.PHINode: _phi,
        ir.ReturnInst: lambda texts, of: f"ret {texts._all(of) or 'void'}",
        ir.BranchInst: _branch,
        ir.SwitchInst: _switch,
        ir.IndirectBrInst: lambda texts, of: f"indirectbr {texts._all(of)}, [{texts._blocks(of.blocks)}]",
        ir.UnreachableInst: lambda texts, of: "unreachable",
        ir.CallInst: _call,
        ir.InvokeInst: _invoke,
        ir.CallBrInst: _call_branch,
        ir.ResumeInst: lambda texts, of: f"resume {texts._all(of)}",
        ir.LandingPadInst: _landing_pad,
        ir.CatchSwitchInst: _catch_switch,
        ir.FuncletPadInst: _funclet_pad,
        ir.CatchReturnInst: _catch_return,
        ir.CleanupReturnInst: _cleanup_return,
    }


_ONE: Final = ConstantInt(I32, 1)


def _explained(of: ir.CallBase, arguments: list[str], explained: Mapping[int, Explained]) -> list[str]:
    """The texts of arguments, behind comments that say what the constants among them mean."""
    texts = [*arguments]
    for position, what in explained.items():
        operand = of.operands[position] if -len(texts) <= position else None
        if isinstance(operand, ConstantInt):
            word = what.words[operand.value] if operand.value < len(what.words) else ""
            texts[position] = f"/* {what.name}={word} */ {texts[position]}"
    return texts


def _atomic(scope: str, ordering: str) -> str:
    if not ordering:
        return ""
    return f' syncscope("{escape(scope)}") {ordering}' if scope else f" {ordering}"


def _alignment(alignment: int) -> str:
    return f", align {alignment}" if alignment else ""
