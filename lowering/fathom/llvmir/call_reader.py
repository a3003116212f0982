"""Reads calls."""

from __future__ import annotations

from fathom.llvmir import instructions as ir
from fathom.llvmir.attributes import EMPTY, AttributeList, AttributeSet
from fathom.llvmir.metadata_reader import MetadataReader
from fathom.llvmir.spelling import unescape
from fathom.llvmir.types import FunctionType, Type
from fathom.llvmir.values import Value
from fathom.llvmir.words import CALLING_CONVENTIONS


class CallReader(MetadataReader):
    def calling_convention(self) -> int:
        """The word of a calling convention, or nothing, which is that of C."""
        token = self.t[self.p]
        if token == "riscv_vls_cc":
            token = "".join(self.t[self.p : self.p + 4])
            self.p += 3
        number = CALLING_CONVENTIONS.get(token)
        if number is None:
            if token[:2] != "cc" or not token[2:].isdecimal():
                return 0
            number = int(token[2:])
        self.p += 1
        return number

    def block_list(self) -> list[ir.BasicBlock]:
        """Blocks in brackets."""
        self.expect("[")
        if self.accept("]"):
            return []
        blocks = [self.block()]
        while self.accept(","):
            blocks.append(self.block())
        self.expect("]")
        return blocks

    def tail_call(self, kind: str) -> ir.Instruction:
        self.expect("call")
        return self.call("call", kind)

    def call(self, _: str, tail_kind: str = "") -> ir.Instruction:
        flags = self.flags()
        of, operands, called, signature, attributes, convention, bundles = self._call()
        return ir.CallInst(of, operands, called, signature, attributes, convention, bundles, flags, tail_kind)

    def invoke(self, _: str) -> ir.Instruction:
        of, operands, called, signature, attributes, convention, bundles = self._call()
        self.expect("to")
        normal = self.block()
        self.expect("unwind")
        return ir.InvokeInst(
            of, operands, called, signature, attributes, convention, bundles, normal=normal, unwind=self.block()
        )

    def call_branch(self, _: str) -> ir.Instruction:
        of, operands, called, signature, attributes, convention, bundles = self._call()
        self.expect("to")
        default = self.block()
        return ir.CallBrInst(
            of, operands, called, signature, attributes, convention, bundles, default=default, blocks=self.block_list()
        )

    def _call(self) -> tuple[Type, list[Value], Value, FunctionType, AttributeList, int, ir.Bundles]:
        """What is common to calls, in the order in which these have it."""
        convention = self.calling_convention()
        result = self.attributes()
        space = self.address_space() if self.t[self.p] == "addrspace" else 0
        of = self.type()
        at = self.p
        if isinstance(of, FunctionType):
            called = self.called(of, space)
        else:
            # What it is the result of is known when the arguments are.
            called = self.called(self.function(of, [], False), space)
        operands, parameters = self._arguments()
        if isinstance(of, FunctionType):
            signature = of
        else:
            signature = self.function(of, [operand.type for operand in operands], False)
            if self.t[at] == "asm":
                end, self.p = self.p, at
                called = self.called(signature, space)
                self.p = end
        function = self.attributes()
        bundles = self._bundles() if self.t[self.p] == "[" else ()
        attributes = AttributeList(function, result, parameters) if function or result or parameters else EMPTY
        return signature.result, operands, called, signature, attributes, convention, bundles

    def _arguments(self) -> tuple[list[Value], tuple[AttributeSet, ...]]:
        t = self.t
        operands: list[Value] = []
        attributes: list[AttributeSet] = []
        has_attributes = False
        self.expect("(")
        if self.accept(")"):
            return operands, ()
        while True:
            if self.accept("..."):
                break
            of = self.type()
            own = self.attributes()
            if own.attributes:
                has_attributes = True
            attributes.append(own)
            operands.append(self.value(of))
            if t[self.p] != ",":
                break
            self.p += 1
        self.expect(")")
        return operands, tuple(attributes) if has_attributes else ()

    def _bundles(self) -> ir.Bundles:
        self.expect("[")
        bundles: list[tuple[str, tuple[Value, ...]]] = []
        while not self.accept("]"):
            tag = unescape(self.string())
            inputs: list[Value] = []
            self.expect("(")
            while not self.accept(")"):
                inputs.append(self.typed_value())
                self.accept(",")
            bundles.append((tag, tuple(inputs)))
            self.accept(",")
        return tuple(bundles)
