"""Reads functions, and what they have in common with other globals."""

from __future__ import annotations

from fathom.llvmir.attributes import AttributeList, AttributeSet
from fathom.llvmir.instruction_reader import InstructionReader
from fathom.llvmir.instructions import BasicBlock, CallBase, Instruction
from fathom.llvmir.metadata import DbgRecord, DbgVariableRecord, DIArgList, MDNode, Metadata, ValueAsMetadata
from fathom.llvmir.module import Comdat, Function, GlobalValue
from fathom.llvmir.spelling import unescape
from fathom.llvmir.type_reader import name_of
from fathom.llvmir.types import VOID, Type
from fathom.llvmir.value_reader import Forward
from fathom.llvmir.values import Argument, MetadataAsValue, Value
from fathom.llvmir.words import (
    DLL_STORAGE_CLASSES,
    LINKAGES,
    THREAD_LOCAL_MODELS,
    UNNAMED_ADDRESSES,
    VISIBILITIES,
)


class FunctionReader(InstructionReader):
    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._count = 0
        """The number of the next value without a name."""

    # ---- what globals have in common

    def linkage(self, of: GlobalValue) -> None:
        """The words before the keyword of something global."""
        of.linkage = self.one_of(LINKAGES) or "external"
        of.is_dso_local = self.accept("dso_local")
        of.visibility = self.one_of(VISIBILITIES) or "default"
        of.dll_storage_class = self.one_of(DLL_STORAGE_CLASSES)
        if self.accept("thread_local"):
            of.thread_local = THREAD_LOCAL_MODELS[0]
            if self.accept("("):
                of.thread_local = self.one_of(THREAD_LOCAL_MODELS)
                self.expect(")")

    def comdat(self, of: GlobalValue) -> Comdat:
        """The comdat that is named behind the word, or that of the global's own name."""
        name = of.name
        if self.accept("("):
            name = name_of(self.t[self.p])
            self.p += 1
            self.expect(")")
        comdat = self.comdats.get(name)
        if comdat is None:
            raise self.mistake("no such comdat", self.p - 1)
        return comdat

    # ---- functions

    def function_item(self, is_definition: bool) -> None:
        """What stands behind `define` or `declare`."""
        t = self.t
        attached: list[tuple[str, MDNode]] = []
        while t[self.p][0] == "!":
            attached.append(self.attachment())
        start = self.p
        while t[self.p][0] != "@":
            self.p += 1
        of = self.globals[t[self.p]]
        self.p = start
        if not isinstance(of, Function):
            raise self.unexpected("a function")
        self.linkage(of)
        of.calling_convention = self.calling_convention()
        result = self.attributes()
        returned = self.type()
        self.p += 1
        self.locals = {}
        self.blocks = self.blocks_of(of)
        self._count = 0
        parameters = self._parameters(of, returned)
        of.unnamed_addr = self.one_of(UNNAMED_ADDRESSES)
        of.type = self.pointer(self.address_space())
        function = self.attributes("align")  # That is the function's own.
        if function or result or parameters:
            of.attributes = AttributeList(function, result, parameters)
        self._behind_signature(of)
        while t[self.p][0] == "!" and is_definition:
            attached.append(self.attachment())
        of.metadata = tuple(attached)
        if is_definition:
            self.expect("{")
            self._body(of)

    def _parameters(self, of: Function, returned: Type) -> tuple[AttributeSet, ...]:
        t = self.t
        types: list[Type] = []
        attributes: list[AttributeSet] = []
        is_vararg = False
        self.expect("(")
        while t[self.p] != ")":
            if self.accept("..."):
                is_vararg = True
                break
            types.append(self.type())
            attributes.append(self.attributes())
            argument = Argument(types[-1])
            token = t[self.p]
            if token[0] == "%":
                self.p += 1
                argument.name = name_of(token)
                self._define(token, argument, not argument.name)
            else:
                self._define(f"%{self._count}", argument, True)
            of.arguments.append(argument)
            if not self.accept(","):
                break
        self.expect(")")
        of.value_type = self.function(returned, types, is_vararg)
        return tuple(attributes) if any(attributes) else ()

    def _behind_signature(self, of: Function) -> None:
        while True:
            token = self.t[self.p]
            self.p += 1
            match token:
                case "section":
                    of.section = unescape(self.string())
                case "partition":
                    of.partition = unescape(self.string())
                case "comdat":
                    of.comdat = self.comdat(of)
                case "align":
                    of.alignment = self.number()
                case "gc":
                    of.gc = unescape(self.string())
                case "prefix":
                    of.prefix_data = self.typed_constant()
                case "prologue":
                    of.prologue_data = self.typed_constant()
                case "personality":
                    of.personality = self.typed_constant()
                case _:
                    self.p -= 1
                    return

    def _define(self, token: str, value: Value, is_numbered: bool) -> None:
        if self.locals.setdefault(token, value) is not value:
            raise self.mistake("defined twice", self.p - 1)
        if is_numbered:
            self._count = int(token[1:]) + 1

    def _body(self, of: Function) -> None:
        t = self.t
        block: BasicBlock | None = None
        placed: set[BasicBlock] = set()
        records: list[DbgRecord] = []
        waiting: list[Instruction] = []
        while True:
            token = t[self.p]
            if token == "}":
                break
            first = token[0]
            if token[-1] == ":":
                self.p += 1
                block = self._placed(of, f"%{token[:-1]}", placed)
                continue
            if block is None:
                block = self._placed(of, f"%{self._count}", placed)
            if first == "#":
                records.append(self.debug_record())
                continue
            if first == "%":
                self.p += 1
                self.expect("=")
                made = self.instruction()
                is_numbered = token[1:].isdecimal() or token == "%"
                if not is_numbered:
                    made.name = name_of(token)
                self._define(token, made, is_numbered)
            else:
                made = self.instruction()
                if made.type is not VOID:
                    self._define(f"%{self._count}", made, True)
            if records:
                made.records = records
                records = []
            if self.has_forward:
                self.has_forward = False
                waiting.append(made)
            block.instructions.append(made)
            if made.opcode in _TERMINATORS:
                block = None
        self.p += 1
        for waiting_one in waiting:
            self._complete(waiting_one)

    def _placed(self, of: Function, token: str, placed: set[BasicBlock]) -> BasicBlock:
        """The block that begins here."""
        block = self.blocks.get(token) or self.new_block(self.blocks, token)
        if block in placed:
            raise self.mistake("defined twice", self.p - 1)
        placed.add(block)
        of.blocks.append(block)
        if not block.name:
            self._count = int(token[1:]) + 1
        return block

    def check_blocks(self) -> None:
        """Raises Mistake if a block was named that is not there."""
        for function, blocks in self.all_blocks():
            if len(blocks) != len(function.blocks):
                there = set(function.blocks)
                missing = next(token for token, block in blocks.items() if block not in there)
                raise self.mistake(f"no block {missing} in the function", self.t.index(missing))

    # ---- what is named before it is defined

    def _complete(self, instruction: Instruction) -> None:
        """Puts values in the place of those that stood for them."""
        value = self._known
        instruction.operands[:] = map(value, instruction.operands)
        if isinstance(instruction, CallBase):
            instruction.called = value(instruction.called)
            instruction.bundles = tuple((tag, tuple(map(value, inputs))) for tag, inputs in instruction.bundles)
        for record in instruction.records:
            if isinstance(record, DbgVariableRecord):
                record.location = self._known_metadata(record.location)
                if record.address is not None:
                    record.address = self._known_metadata(record.address)

    def _known(self, value: Value) -> Value:
        if isinstance(value, MetadataAsValue):
            return MetadataAsValue(value.type, self._known_metadata(value.metadata))
        if not isinstance(value, Forward):
            return value
        known = self.locals.get(value.token)
        if known is None:
            raise self.mistake(f"{value.token[:40]} is not defined", value.at)
        return known

    def _known_metadata(self, of: Metadata) -> Metadata:
        if isinstance(of, ValueAsMetadata):
            return ValueAsMetadata(self._known(of.value))
        if isinstance(of, DIArgList):
            return DIArgList(tuple(ValueAsMetadata(self._known(argument.value)) for argument in of.arguments))
        return of


_TERMINATORS = frozenset(
    "ret br switch indirectbr invoke callbr resume catchswitch catchret cleanupret unreachable".split()
)
