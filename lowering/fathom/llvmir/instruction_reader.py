"""Reads instructions, a function for each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from fathom.llvmir import instructions as ir
from fathom.llvmir.call_reader import CallReader
from fathom.llvmir.types import (
    I1,
    I32,
    PTR,
    TOKEN,
    VOID,
    ArrayType,
    IdentifiedStructType,
    PointerType,
    StructType,
    VectorType,
)
from fathom.llvmir.value_reader import mask_of
from fathom.llvmir.values import ConstantInt, Value
from fathom.llvmir.words import (
    CASTS,
    FLOAT_OPERATIONS,
    FLOAT_PREDICATES,
    INTEGER_OPERATIONS,
    INTEGER_PREDICATES,
    ORDERINGS,
    RMW_OPERATIONS,
)

_PREDICATES: Final = {"icmp": INTEGER_PREDICATES, "fcmp": FLOAT_PREDICATES}
_ONE: Final = ConstantInt(I32, 1)
"""How many elements are allocated where it is not said."""


class InstructionReader(CallReader):
    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.by_opcode: dict[str, Callable[[str], ir.Instruction]] = {
            "fneg": lambda _: self._one(ir.UnaryOperator, self.flags()),
            **dict.fromkeys((*INTEGER_OPERATIONS, *FLOAT_OPERATIONS), self._binary),
            **dict.fromkeys(CASTS, self._cast),
            **dict.fromkeys(_PREDICATES, self._compare),
            "select": self._select,
            "freeze": lambda _: self._one(ir.FreezeInst),
            "extractelement": self._extract_element,
            "insertelement": self._insert_element,
            "shufflevector": self._shuffle,
            "extractvalue": self._extract_value,
            "insertvalue": self._insert_value,
            "alloca": self._alloca,
            "load": self._load,
            "store": self._store,
            "fence": self._fence,
            "cmpxchg": self._compare_and_exchange,
            "atomicrmw": self._read_modify_write,
            "getelementptr": self._address,
            "va_arg": self._variable_argument,
            "phi": self._phi,
            "ret": self._return,
            "br": self._branch,
            "switch": self._switch,
            "indirectbr": self._indirect_branch,
            "unreachable": lambda _: ir.UnreachableInst(VOID, []),
            "call": self.call,
            **dict.fromkeys(("tail", "musttail", "notail"), self.tail_call),
            "invoke": self.invoke,
            "callbr": self.call_branch,
            "resume": lambda _: ir.ResumeInst(VOID, [self.typed_value()]),
            "landingpad": self._landing_pad,
            "catchswitch": self._catch_switch,
            **dict.fromkeys(("catchpad", "cleanuppad"), self._funclet_pad),
            "catchret": self._catch_return,
            "cleanupret": self._cleanup_return,
        }

    def instruction(self) -> ir.Instruction:
        """An instruction behind its name, with what is attached to it."""
        opcode = self.t[self.p]
        read = self.by_opcode.get(opcode)
        if read is None:
            raise self.unexpected("an instruction")
        self.p += 1
        made = read(opcode)
        if self.t[self.p] == ",":
            made.metadata = self.attachments()
        return made

    # ---- arithmetic

    def _one(self, cls: Callable[..., ir.Instruction], *parts: object) -> ir.Instruction:
        """An instruction of one operand, whose type it has."""
        of = self.type()
        return cls(of, [self.value(of)], *parts)

    def _binary(self, opcode: str) -> ir.Instruction:
        flags = self.flags()
        of = self.type()
        left = self.value(of)
        self.expect(",")
        return ir.BinaryOperator(of, [left, self.value(of)], opcode, flags)

    def _cast(self, opcode: str) -> ir.Instruction:
        flags = self.flags()
        operand = self.typed_value()
        self.expect("to")
        return ir.CastInst(self.type(), [operand], opcode, flags)

    def _compare(self, opcode: str) -> ir.Instruction:
        flags = self.flags()
        predicate = self.one_of(_PREDICATES[opcode])
        if not predicate:
            raise self.unexpected("a predicate")
        of = self.type()
        left = self.value(of)
        self.expect(",")
        result = self.vector(I1, of.count, of.is_scalable) if isinstance(of, VectorType) else I1
        return ir.CmpInst(result, [left, self.value(of)], opcode, predicate, flags)

    def _operands(self, count: int) -> list[Value]:
        """So many operands, each behind its type."""
        values = [self.typed_value()]
        for _ in range(count - 1):
            self.expect(",")
            values.append(self.typed_value())
        return values

    def _select(self, _: str) -> ir.Instruction:
        flags = self.flags()
        operands = self._operands(3)
        return ir.SelectInst(operands[1].type, operands, flags)

    # ---- vectors and aggregates

    def _extract_element(self, _: str) -> ir.Instruction:
        operands = self._operands(2)
        return ir.ExtractElementInst(self._vector(operands[0]).element, operands)

    def _insert_element(self, _: str) -> ir.Instruction:
        operands = self._operands(3)
        return ir.InsertElementInst(operands[0].type, operands)

    def _shuffle(self, _: str) -> ir.Instruction:
        left, right, mask = self._operands(3)
        of, shape = self._vector(left), self._vector(mask)
        result = self.vector(of.element, shape.count, shape.is_scalable)
        return ir.ShuffleVectorInst(result, [left, right], mask_of(mask))

    def _vector(self, value: Value) -> VectorType:
        if not isinstance(value.type, VectorType):
            raise self.mistake("expected a vector")
        return value.type

    def _indices(self) -> tuple[int, ...]:
        """Numbers behind commas, up to what is attached."""
        indices: list[int] = []
        while self.t[self.p] == "," and self.t[self.p + 1].isdecimal():
            self.p += 1
            indices.append(self.number())
        return tuple(indices)

    def _extract_value(self, _: str) -> ir.Instruction:
        aggregate = self.typed_value()
        indices = self._indices()
        of = aggregate.type
        for index in indices:
            body = of.body if isinstance(of, IdentifiedStructType) else of
            if isinstance(body, StructType) and index < len(body.elements):
                of = body.elements[index]
            elif isinstance(body, ArrayType):
                of = body.element
            else:
                raise self.mistake("no such element")
        return ir.ExtractValueInst(of, [aggregate], indices)

    def _insert_value(self, _: str) -> ir.Instruction:
        operands = self._operands(2)
        return ir.InsertValueInst(operands[0].type, operands, self._indices())

    # ---- memory

    def _alignment(self) -> int:
        """`, align N`, or nothing, which is 0."""
        if self.t[self.p] == "," and self.t[self.p + 1] == "align":
            self.p += 2
            return self.number()
        return 0

    def _scope(self) -> str:
        """`syncscope("…")`, or nothing."""
        if not self.accept("syncscope"):
            return ""
        self.expect("(")
        scope = self.string()
        self.expect(")")
        return scope

    def _ordering(self) -> str:
        ordering = self.one_of(ORDERINGS)
        if not ordering:
            raise self.unexpected("an ordering")
        return ordering

    def _alloca(self, _: str) -> ir.Instruction:
        is_in_alloca = self.accept("inalloca")
        is_swift_error = self.accept("swifterror")
        allocated = self.type()
        t = self.t
        count: list[Value] = []
        if t[self.p] == "," and t[self.p + 1] not in ("align", "addrspace") and t[self.p + 1][0] != "!":
            self.p += 1
            count = [self.typed_value()]
        alignment = self._alignment()
        of = PTR
        if t[self.p] == "," and t[self.p + 1] == "addrspace":
            self.p += 1
            of = self.pointer(self.address_space())
        return ir.AllocaInst(of, count or [_ONE], allocated, alignment, is_in_alloca, is_swift_error)

    def _load(self, _: str) -> ir.Instruction:
        is_atomic = self.accept("atomic")
        is_volatile = self.accept("volatile")
        of = self.type()
        self.expect(",")
        pointer = self.typed_value()
        scope, ordering = (self._scope(), self._ordering()) if is_atomic else ("", "")
        return ir.LoadInst(of, [pointer], self._alignment(), is_volatile, ordering, scope)

    def _store(self, _: str) -> ir.Instruction:
        is_atomic = self.accept("atomic")
        is_volatile = self.accept("volatile")
        operands = self._operands(2)
        scope, ordering = (self._scope(), self._ordering()) if is_atomic else ("", "")
        return ir.StoreInst(VOID, operands, self._alignment(), is_volatile, ordering, scope)

    def _fence(self, _: str) -> ir.Instruction:
        scope = self._scope()
        return ir.FenceInst(VOID, [], self._ordering(), scope)

    def _compare_and_exchange(self, _: str) -> ir.Instruction:
        is_weak = self.accept("weak")
        is_volatile = self.accept("volatile")
        operands = self._operands(3)
        scope = self._scope()
        success, failure = self._ordering(), self._ordering()
        result = self.struct((operands[1].type, I1))
        return ir.AtomicCmpXchgInst(result, operands, success, failure, self._alignment(), is_weak, is_volatile, scope)

    def _read_modify_write(self, _: str) -> ir.Instruction:
        is_volatile = self.accept("volatile")
        operation = self.one_of(RMW_OPERATIONS)
        if not operation:
            raise self.unexpected("an operation")
        operands = self._operands(2)
        scope = self._scope()
        ordering = self._ordering()
        return ir.AtomicRMWInst(operands[1].type, operands, operation, ordering, self._alignment(), is_volatile, scope)

    def _address(self, _: str) -> ir.Instruction:
        flags = self.flags()
        source = self.type()
        t = self.t
        self.expect(",")
        operands = [self.typed_value()]
        while t[self.p] == "," and t[self.p + 1][0] != "!":
            self.p += 1
            operands.append(self.typed_value())
        of = operands[0].type
        if isinstance(of, PointerType):
            shape = next((operand.type for operand in operands if isinstance(operand.type, VectorType)), None)
            if shape is not None:
                of = self.vector(of, shape.count, shape.is_scalable)
        return ir.GetElementPtrInst(of, operands, source, flags)

    def _variable_argument(self, _: str) -> ir.Instruction:
        operand = self.typed_value()
        self.expect(",")
        return ir.VAArgInst(self.type(), [operand])

    # ---- control flow

    def _phi(self, _: str) -> ir.Instruction:
        flags = self.flags()
        of = self.type()
        values: list[Value] = []
        blocks: list[ir.BasicBlock] = []
        t = self.t
        while t[self.p] == "[":
            self.p += 1
            values.append(self.value(of))
            self.expect(",")
            blocks.append(self.block_name())
            self.expect("]")
            if t[self.p] != "," or t[self.p + 1] != "[":
                break
            self.p += 1
        return ir.PHINode(of, values, blocks, flags)

    def _return(self, _: str) -> ir.Instruction:
        of = self.type()
        return ir.ReturnInst(VOID, [] if of is VOID else [self.value(of)])

    def _branch(self, _: str) -> ir.Instruction:
        if self.t[self.p] == "label":
            return ir.BranchInst(VOID, [], [self.block()])
        condition = self.typed_value()
        self.expect(",")
        true = self.block()
        self.expect(",")
        return ir.BranchInst(VOID, [condition], [true, self.block()])

    def _switch(self, _: str) -> ir.Instruction:
        operands = [self.typed_value()]
        self.expect(",")
        default = self.block()
        self.expect("[")
        blocks: list[ir.BasicBlock] = []
        while not self.accept("]"):
            operands.append(self.typed_value())
            self.expect(",")
            blocks.append(self.block())
        return ir.SwitchInst(VOID, operands, default, blocks)

    def _indirect_branch(self, _: str) -> ir.Instruction:
        address = self.typed_value()
        self.expect(",")
        return ir.IndirectBrInst(VOID, [address], self.block_list())

    # ---- exceptions

    def _landing_pad(self, _: str) -> ir.Instruction:
        of = self.type()
        is_cleanup = self.accept("cleanup")
        clauses: list[Value] = []
        while self.accept("catch") or self.accept("filter"):
            clauses.append(self.typed_value())
        return ir.LandingPadInst(of, clauses, is_cleanup)

    def _catch_switch(self, _: str) -> ir.Instruction:
        self.expect("within")
        parent = self.value(TOKEN)
        handlers = self.block_list()
        return ir.CatchSwitchInst(TOKEN, [parent], handlers, self._unwind())

    def _unwind(self) -> ir.BasicBlock | None:
        self.expect("unwind")
        if self.accept("to"):
            self.expect("caller")
            return None
        return self.block()

    def _funclet_pad(self, opcode: str) -> ir.Instruction:
        self.expect("within")
        operands = [self.value(TOKEN)]
        self.expect("[")
        if not self.accept("]"):
            operands.append(self.typed_value())
            while self.accept(","):
                operands.append(self.typed_value())
            self.expect("]")
        return ir.FuncletPadInst(TOKEN, operands, opcode)

    def _catch_return(self, _: str) -> ir.Instruction:
        self.expect("from")
        pad = self.value(TOKEN)
        self.expect("to")
        return ir.CatchReturnInst(VOID, [pad], self.block())

    def _cleanup_return(self, _: str) -> ir.Instruction:
        self.expect("from")
        pad = self.value(TOKEN)
        return ir.CleanupReturnInst(VOID, [pad], self._unwind())
