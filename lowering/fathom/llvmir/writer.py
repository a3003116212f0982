"""A module as text, as LLVM 22 prints it.

Source of the rules: *LLVM Language Reference*, and what LLVM prints.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from fathom.llvmir.attribute_texts import AttributeTexts
from fathom.llvmir.budget import Budget
from fathom.llvmir.instruction_texts import InstructionTexts, convention
from fathom.llvmir.instructions import CALLS, BasicBlock, CallBase
from fathom.llvmir.metadata import Attachments, DbgLabelRecord, DbgRecord, DbgVariableRecord
from fathom.llvmir.module import (
    Comdat,
    Function,
    GlobalAlias,
    GlobalIFunc,
    GlobalObject,
    GlobalValue,
    GlobalVariable,
    Module,
)
from fathom.llvmir.node_texts import node_text
from fathom.llvmir.numbering import Numbering
from fathom.llvmir.operand_texts import OperandTexts
from fathom.llvmir.relocations import relocated
from fathom.llvmir.spelling import spell_identifier, spell_name
from fathom.llvmir.types import PointerType
from fathom.llvmir.values import Constant, ConstantExpr
from fathom.llvmir.words import METADATA_KINDS
from fathom.records import record
from fathom.slices import checkpoint
from fathom.text.escapes import escape

_LONG: Final = 1000
"""An instruction of more characters may repeat what the module has once, such as a type."""
_PREDECESSORS: Final = 50
"""The column of the comment that names a block's predecessors."""


@record
class Written:
    """The text of a module as lines."""

    lines: list[str]
    origins: list[object]
    """For each line what of the module it is of: a global, a block, an instruction, the name of named metadata, or
    None."""
    cut: list[str]
    """The texts of constants of which not all may be there."""


def write(module: Module) -> str:
    """The text of a module. Raises TextTooLong if it stands for more than anybody could hold."""
    return "\n".join([*ModuleWriter(module, Budget()).written().lines, ""])


def write_lines(module: Module, shown: int | None = None) -> Written:
    """The text of a module, with what its lines are of. With `shown`, of each constant as many characters are enough.
    Raises TextTooLong if it stands for more than anybody could hold."""
    return ModuleWriter(module, Budget(shown)).written()


class ModuleWriter:
    """Writes one module, or parts of it."""

    def __init__(self, module: Module, budget: Budget) -> None:
        self._module = module
        self._numbering = Numbering(module)
        self._budget = budget
        self._operands = OperandTexts(module, self._numbering, budget)
        self._attributes = AttributeTexts(self._operands.type)
        self._program_space = module.function_pointer.address_space
        self._instructions = InstructionTexts(self._operands, self._attributes, self._program_space)
        self._kinds: dict[str, str] = {}
        self._lines: list[str] = []
        self._origins: list[object] = []

    def written(self) -> Written:
        module = self._module
        self._head()
        for comdat in comdats(module):
            self._part([f"${spell_name(comdat.name)} = comdat {comdat.selection_kind}"])
        self._part(map(self._global, module.globals), module.globals)
        self._part(map(self._alias, module.aliases), module.aliases)
        self._part(map(self._ifunc, module.ifuncs), module.ifuncs)
        for function in module.functions:
            self._line("")
            self._function(function)
        groups = self._numbering.groups
        self._part(f"attributes #{number} = {{ {self._attributes.group(set_)} }}" for set_, number in groups.items())
        metadata = self._operands.metadata
        named = module.named_metadata
        self._part(
            (f"!{spell_identifier(name)} = !{{{', '.join(map(metadata, nodes))}}}" for name, nodes in named.items()),
            named,
        )
        self._part(f"!{number} = {node_text(node, metadata)}" for node, number in self._numbering.nodes.items())
        return Written(self._lines, self._origins, self._budget.cut)

    def _head(self) -> None:
        module = self._module
        if module.source_filename:
            self._line(f'source_filename = "{escape(module.source_filename)}"')
        if module.target_datalayout:
            self._line(f'target datalayout = "{module.target_datalayout}"')
        if module.target_triple:
            self._line(f'target triple = "{module.target_triple}"')
        self._part(f'module asm "{escape(line)}"' for line in _lines(module.module_asm))
        structs = self._operands.structs
        ordered = [*(struct for struct in structs if not struct.name), *(struct for struct in structs if struct.name)]
        self._part(f"{self._operands.type(struct)} = type {self._operands.body(struct)}" for struct in ordered)

    def _line(self, text: str, origin: object = None) -> None:
        self._lines.append(text)
        self._origins.append(origin)

    def _part(self, texts: Iterable[str], origins: Iterable[object] = ()) -> None:
        """Lines that stand together behind an empty one; what they are of, if it is to be known."""
        start = len(self._lines)
        self._lines += ("", *texts)
        if len(self._lines) == start + 1:
            self._lines.pop()
        else:
            self._origins += (None, *origins)
            self._origins += (None,) * (len(self._lines) - len(self._origins))

    # ---- globals

    def _before(self, of: GlobalValue, linkage: str) -> str:
        """What stands before the keyword of something global."""
        words = [linkage] if linkage else []
        if of.is_dso_local and not of.is_implicitly_local:
            words.append("dso_local")
        if of.visibility != "default":
            words.append(of.visibility)
        if of.dll_storage_class:
            words.append(of.dll_storage_class)
        if of.thread_local:
            words.append("thread_local" if of.thread_local == "generaldynamic" else f"thread_local({of.thread_local})")
        return "".join(f"{word} " for word in words)

    def _global(self, of: GlobalVariable) -> str:
        linkage = _linkage(of)
        if of.initializer is None and of.linkage == "external":
            linkage = "external"
        text = f"{self._operands.value(of)} = {self._before(of, linkage)}{_behind(of.unnamed_addr)}"
        if isinstance(of.type, PointerType) and of.type.address_space:
            text += f"addrspace({of.type.address_space}) "
        text += "externally_initialized " * of.is_externally_initialized
        text += f"{'constant' if of.is_constant else 'global'} {self._operands.type(of.value_type)}"
        if of.initializer is not None:
            text += f" {self._operands.value(of.initializer)}"
        for word, value in (("section", of.section), ("partition", of.partition), ("code_model", of.code_model)):
            if value:
                text += f', {word} "{escape(value)}"'
        text += "".join(f", {sanitizer}" for sanitizer in of.sanitizers)
        if of.comdat is not None:
            text += f",{_in_comdat(of, of.comdat)}"
        if of.alignment:
            text += f", align {of.alignment}"
        text += self._attached(of.metadata, ", ")
        if of.attributes:
            text += f" #{self._numbering.groups[of.attributes]}"
        return text

    def _alias(self, of: GlobalAlias) -> str:
        before = f"{self._before(of, _linkage(of))}{_behind(of.unnamed_addr)}"
        text = f"{self._operands.value(of)} = {before}alias {self._operands.type(of.value_type)}, "
        return text + self._meant(of.aliasee) + _partition(of)

    def _ifunc(self, of: GlobalIFunc) -> str:
        text = f"{self._operands.value(of)} = {self._before(of, _linkage(of))}ifunc "
        text += f"{self._operands.type(of.value_type)}, {self._meant(of.resolver)}{_partition(of)}"
        return text + self._attached(of.metadata, ", ")

    def _meant(self, of: Constant | None) -> str:
        if of is None:
            return "ptr <<NULL ALIASEE>>"
        return self._operands.value(of) if isinstance(of, ConstantExpr) else self._operands.typed(of)

    # ---- functions

    def _function(self, of: Function) -> None:
        operands, lines = self._operands, self._lines
        operands.name_locals(of)
        self._numbering.function(of)
        self._instructions.function = of
        if known := self._attributes.known(of.attributes.function):
            self._line(f"; Function Attrs: {known}", of)
        if of.is_unknown_intrinsic:
            self._line("; Unknown intrinsic", of)
        self._line(self._signature(of), of)
        if of.blocks:
            lines[-1] += " {"
            self._blocks(of)
            self._line("}", of)

    def _signature(self, of: Function) -> str:
        operands, attributes = self._operands, of.attributes
        text = "define " if of.blocks else f"declare{self._attached(of.metadata, ' ')} "
        text += f"{self._before(of, _linkage(of))}{convention(of.calling_convention)}"
        text += _behind(self._attributes.of_set(attributes.result))
        inner = ", ".join(self._parameters(of))
        text += f"{operands.type(of.value_type.result)} {operands.value(of)}({inner})"
        if of.unnamed_addr:
            text += f" {of.unnamed_addr}"
        space = of.type.address_space if isinstance(of.type, PointerType) else 0
        if space or self._program_space:
            text += f" addrspace({space})"
        if attributes.function:
            text += f" #{self._numbering.groups[attributes.function]}"
        for word, value in (("section", of.section), ("partition", of.partition)):
            if value:
                text += f' {word} "{escape(value)}"'
        if of.comdat is not None:
            text += _in_comdat(of, of.comdat)
        if of.alignment:
            text += f" align {of.alignment}"
        if of.gc:
            text += f' gc "{of.gc}"'
        data = (("prefix", of.prefix_data), ("prologue", of.prologue_data), ("personality", of.personality))
        text += "".join(f" {word} {operands.typed(constant)}" for word, constant in data if constant is not None)
        return text + self._attached(of.metadata, " ") if of.blocks else text

    def _parameters(self, of: Function) -> Iterator[str]:
        for number, parameter in enumerate(of.value_type.parameters):
            text = self._operands.type(parameter)
            if attributes := of.attributes.parameter(number):
                text += f" {self._attributes.of_set(attributes)}"
            yield f"{text} {self._operands.value(of.arguments[number])}" if of.blocks else text
        if of.value_type.is_vararg:
            yield "..."

    def _blocks(self, of: Function) -> None:
        line_of, budget = self._instructions.line, self._budget
        predecessors = _predecessors(of)
        for block in of.blocks:
            checkpoint()
            if block is of.blocks[0]:
                if block.name:
                    self._line(f"{spell_name(block.name)}:", block)
            else:
                label = f"{self._operands.value(block)[1:]}:".ljust(_PREDECESSORS - 1)
                names = ", ".join(map(self._operands.value, reversed(predecessors[block])))
                self._line("")
                self._line(f"{label} ; preds = {names}" if names else f"{label} ; No predecessors!", block)
            lines: list[str] = []
            origins: list[object] = []
            for instruction in block.instructions:
                if instruction.records:
                    lines += [f"    {self._record(record)}" for record in instruction.records]
                    origins += instruction.records
                text = line_of(instruction)
                if instruction.metadata:
                    text += self._attached(instruction.metadata, ", ")
                if (
                    instruction.__class__ in CALLS
                    and isinstance(instruction, CallBase)
                    and (pair := relocated(instruction, predecessors))
                ):
                    text += f" ; ({', '.join(map(self._operands.value, pair))})"
                if len(text) > _LONG:
                    budget.repeated(len(text))
                if "\n" in text:
                    pieces = text.split("\n")
                    lines += pieces
                    origins += (instruction,) * len(pieces)
                else:
                    lines.append(text)
                    origins.append(instruction)
            self._lines += lines
            self._origins += origins

    # ---- metadata

    def _attached(self, of: Attachments, separator: str) -> str:
        if not of:
            return ""
        if len(of) > 1:
            of = tuple(sorted(of, key=_kind_number))
        return "".join([f"{separator}!{self._kind(name)} {self._operands.metadata(node)}" for name, node in of])

    def _kind(self, name: str) -> str:
        kind = self._kinds.get(name)
        if kind is None:
            kind = self._kinds[name] = spell_identifier(name)
        return kind

    def _record(self, of: DbgRecord) -> str:
        spell = self._operands.metadata
        if isinstance(of, DbgVariableRecord):
            parts = [of.location, of.variable, of.expression]
            if of.kind == "assign":
                parts += (
                    metadata for metadata in (of.assign_id, of.address, of.address_expression) if metadata is not None
                )
            return f"#dbg_{of.kind}({', '.join(map(spell, [*parts, of.debug_loc]))})"
        assert isinstance(of, DbgLabelRecord)
        return f"#dbg_label({spell(of.label)}, {spell(of.debug_loc)})"


def comdats(module: Module) -> list[Comdat]:
    """The comdats that are used, in the order in which they are written."""
    return [*dict.fromkeys(holder.comdat for holder in _objects(module) if holder.comdat is not None)]


def _objects(module: Module) -> list[GlobalObject]:
    return [*module.functions, *module.globals, *module.ifuncs]


def _lines(assembly: str) -> list[str]:
    if not assembly:
        return []
    return assembly.removesuffix("\n").split("\n")


def _linkage(of: GlobalValue) -> str:
    return "" if of.linkage == "external" else of.linkage


def _behind(text: str) -> str:
    return f"{text} " if text else ""


def _partition(of: GlobalValue) -> str:
    return f', partition "{escape(of.partition)}"' if of.partition else ""


def _in_comdat(of: GlobalObject, comdat: Comdat) -> str:
    return " comdat" if comdat.name == of.name else f" comdat(${spell_name(comdat.name)})"


def _kind_number(attached: tuple[str, object]) -> int:
    return METADATA_KINDS.get(attached[0], len(METADATA_KINDS))


def _predecessors(of: Function) -> dict[BasicBlock, list[BasicBlock]]:
    """The blocks that go to a block, as often as they do; LLVM names the last one first."""
    predecessors: dict[BasicBlock, list[BasicBlock]] = {block: [] for block in of.blocks}
    for block in of.made or of.blocks:
        for successor in block.instructions[-1].successors if block.instructions else ():
            predecessors.setdefault(successor, []).append(block)
    return predecessors
