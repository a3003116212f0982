"""Functions of the LLVM dialect as text: the instructions of a body are made first, then numbered and printed."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from fathom.dialects.llvm.intrinsic_calls import call_of
from fathom.dialects.llvm.signatures import is_debug_intrinsic
from fathom.dialects.llvm.types import LLVMFunctionType
from fathom.ir.attributes import SymbolRefAttr, TypeAttr
from fathom.ir.custom_text import is_kept_text
from fathom.ir.operation import Operation
from fathom.ir.property_values import integer_property, text_property
from fathom.irdl.cases import word_of
from fathom.irdl.interfaces import symbol_name
from fathom.llvmir.spelling import spell_name
from fathom.records import record
from fathom.rewriting.lowerings import INTRINSICS, llvm_translation
from fathom.slices import checkpoint
from fathom.text.escapes import quote
from fathom.translation.amendments import Signature, amended_function
from fathom.translation.attribute_sets import (
    AttributeSet,
    attribute_list,
)
from fathom.translation.calls import CALLS, convention_text, intrinsic_emitter
from fathom.translation.constant_text import typed
from fathom.translation.function import (
    BasicBlock,
    Emitter,
    FunctionEmitter,
    Group,
    Instruction,
    Local,
    Untranslatable,
    basic_blocks,
    flow_order,
    link_incoming,
    phi_parts,
)
from fathom.translation.function_attributes import FUNCTION_ATTRIBUTES, function_attributes
from fathom.translation.function_metadata import KERNEL_HINTS, function_metadata
from fathom.translation.globals import UNNAMED, comdat_text, visibility_text
from fathom.translation.instructions import EMITTERS
from fathom.translation.metadata import Node
from fathom.translation.spelling import NoLLVMType
from fathom.translation.state import Line, ModuleState, linkage
from fathom.translation.terminators import TERMINATORS
from fathom.translation.unsaid import Lost

ALL_EMITTERS: Final = {**EMITTERS, **CALLS, **TERMINATORS}
LABEL_WIDTH: Final = 50
"""The column at which LLVM starts the comment after a label."""
SAID: Final = (
    frozenset(
        """
    sym_name function_type linkage CConv visibility_ unnamed_addr dso_local section comdat alignment garbageCollector
    personality arg_attrs res_attrs passthrough function_entry_count
    """.split()
    )
    | FUNCTION_ATTRIBUTES
    | KERNEL_HINTS.keys()
)
"""The properties of a function that are said."""


@record(frozen=False)
class Body:
    """A function's header in parts, and its blocks; a declaration has none."""

    op: Operation
    attributes: AttributeSet
    before: str
    arguments: list[Local]
    parameters: list[str]
    varargs: bool
    blocks: list[BasicBlock]
    emitter: FunctionEmitter
    metadata: list[tuple[str, Node]]
    """The nodes that are attached to it, with their kinds, in LLVM's order."""


def emit_function(op: Operation, state: ModuleState) -> Body:
    """A function's signature and instructions. Raises Untranslatable for what has no translation."""
    kind = op.properties.get("function_type")
    if not isinstance(kind, TypeAttr) or not isinstance(kind.type, LLVMFunctionType):
        raise Untranslatable(op, "'llvm.func' op requires attribute 'function_type'")
    type = kind.type
    state.unsaid.check(op, SAID, op)
    own = attribute_list(op.properties.get("arg_attrs"), len(type.params), state.types)
    result = attribute_list(op.properties.get("res_attrs"), 1, state.types)[0]
    link = linkage(op)
    before = (f"{link} " if link != "external" else "") + visibility_text(op)
    signature = _signature(op, state)
    before += convention_text(signature.convention)
    before += result.inline + " " * bool(result) + state.types(type.result)
    parameters = [
        state.types(param) + (f" {attributes.inline}" if attributes else "")
        for param, attributes in zip(type.params, own, strict=True)
    ]
    emitter = FunctionEmitter(state)
    arguments: list[Local] = []
    blocks: list[BasicBlock] = []
    region = op.regions[0] if op.regions else None
    if region is not None and region.first is not None:
        arguments = [Local(param) for param in type.params]
        emitter.values.update(zip(region.first.arguments, arguments, strict=False))
        blocks = basic_blocks(region)
        _emit_blocks(emitter, blocks, op)
    attributes, metadata = signature.attributes, signature.metadata
    return Body(op, attributes, before, arguments, parameters, type.varargs, blocks, emitter, metadata)


def _signature(op: Operation, state: ModuleState) -> Signature:
    convention = word_of(op.properties.get("CConv")) or "ccc"
    own = Signature(convention, function_attributes(op.properties), function_metadata(op, state))
    return amended_function(op, own, state) if op.attributes else own


def _emit_blocks(emitter: FunctionEmitter, blocks: list[BasicBlock], function: Operation) -> None:
    for block in blocks[1:]:
        if block.source is not None:
            block.phis = [Local(argument.type) for argument in block.source.arguments]
            emitter.values.update(zip(block.source.arguments, block.phis, strict=True))
    link_incoming(blocks)
    for block in flow_order(blocks):
        emitter.block = block
        if block.source is None:
            block.instructions.append(Instruction(["br label ", emitter.jump(0)], None, block.span))
            continue
        for op in block.source:
            how = emitter_of(op)
            if how is not None:
                emit_operation(how, emitter, op, function)
            elif is_debug_intrinsic(op):
                emitter.module.unsaid.debug_information(op, function)
            else:
                _emit_standing_in(emitter, op, function)


def emitter_of(op: Operation) -> Emitter | None:
    """What emits an operation: by its name, or by what its dialect says of the intrinsic that it calls."""
    how = ALL_EMITTERS.get(op.name)
    if how is not None or op.definition is None:
        return how
    call = op.definition.told(INTRINSICS)
    return _intrinsic_emitter(call) if call is not None else None


@lru_cache(maxsize=2048)
def _intrinsic_emitter(call: str) -> Emitter:
    return intrinsic_emitter(call_of(call))


def _emit_standing_in(emitter: FunctionEmitter, op: Operation, function: Operation) -> None:
    """An operation of which code says what it is in the LLVM dialect."""
    how = llvm_translation(op)
    if how is None:
        raise Untranslatable(op, "")
    from fathom.translation.outside import emit_from_outside

    def emit(made: Operation) -> None:
        known = emitter_of(made)
        if known is None:
            raise Untranslatable(op, f"'{op.name}' op is translated to '{made.name}', which has no translation")
        emit_operation(known, emitter, made, function)

    emit_from_outside(how, emitter, op, emitter.module.context, emit)


def emit_operation(how: Emitter, emitter: FunctionEmitter, op: Operation, function: Operation | None = None) -> None:
    """One operation. One that the verifier would have refused is an error as well, not a crash."""
    checkpoint()
    if is_kept_text(op):
        raise Untranslatable(op, "")
    try:
        how.emit(emitter, op)
        if op.properties or op.attributes or op.location is not None:
            emitter.module.unsaid.check(op, how.says, function)
    except (NoLLVMType, Lost) as problem:
        raise Untranslatable(op, str(problem)) from None
    except (AssertionError, IndexError, KeyError, ValueError):
        raise Untranslatable(op, f"'{op.name}' op is malformed and cannot be translated") from None


def print_functions(bodies: list[Body], state: ModuleState) -> list[list[Line]]:
    """Each function's lines. Groups get their numbers for all functions first, then for calls as they stand."""
    for body in bodies:
        if body.attributes:
            state.group(body.attributes.group)
    for intrinsic in state.intrinsics.values():
        if intrinsic.group:
            state.group(intrinsic.group)
    sections = [_print_function(body, state) for body in bodies]
    for intrinsic in state.intrinsics.values():
        section = [Line(f"; Function Attrs: {intrinsic.comment}")] if intrinsic.comment else []
        use = f" {state.group(intrinsic.group)}" if intrinsic.group else ""
        sections.append([*section, Line(intrinsic.line + use)])
    return sections


def _print_function(body: Body, state: ModuleState) -> list[Line]:
    op = body.op
    lines: list[Line] = []
    if body.attributes.known:
        lines.append(Line(f"; Function Attrs: {body.attributes.inline}", op.span))
    _number(body, state)
    names = [f" {argument.text}" for argument in body.arguments] or [""] * len(body.parameters)
    parameters = [text + name for text, name in zip(body.parameters, names, strict=True)]
    signature = f"{body.before} @{spell_name(symbol_name(op))}({', '.join(parameters + ['...'] * body.varargs)})"
    tail = _function_tail(body, state)
    metadata = "".join(f" !{kind} {node.text}" for kind, node in body.metadata)
    if not body.blocks:
        return [*lines, Line(f"declare{metadata} {signature}{tail}", op.span)]
    lines.append(Line(f"define {signature}{tail}{metadata} {{", op.span))
    for position, block in enumerate(body.blocks):
        if position:
            lines += [Line(""), Line(_label(block), block.span)]
        checkpoint()
        # Each goes when it is written: their types alone may be most of the text.
        instructions = (_phis(body, block) + block.instructions)[::-1]
        block.instructions.clear()
        while instructions:
            instruction = instructions.pop()
            text = "".join([part if isinstance(part, str) else part.text for part in instruction.parts])
            if instruction.result is not None:
                text = f"{instruction.result.text} = {text}"
            lines += [Line(("  " if first else "") + piece, instruction.span) for first, piece in _pieces(text)]
    lines.append(Line("}", op.span))
    return lines


def _pieces(text: str) -> list[tuple[bool, str]]:
    if "\n" not in text:
        return [(True, text)]
    return [(position == 0, piece) for position, piece in enumerate(text.split("\n"))]


def _phis(body: Body, block: BasicBlock) -> list[Instruction]:
    if block is body.blocks[0] or not block.incoming:
        return []
    return [Instruction(phi_parts(body.emitter, block, index), phi, block.span) for index, phi in enumerate(block.phis)]


def _label(block: BasicBlock) -> str:
    comment = f"; preds = {', '.join(label.text for label in block.predecessors)}"
    return f"{block.label.text[1:]}:".ljust(LABEL_WIDTH) + (comment if block.predecessors else "; No predecessors!")


def _number(body: Body, state: ModuleState) -> None:
    """Gives arguments, blocks, results, attribute groups of calls and metadata their numbers, as they stand."""
    for _, node in body.metadata:
        state.metadata.number(node)
    next_number = 0
    for argument in body.arguments:
        argument.text = f"%{next_number}"
        next_number += 1
    for block in body.blocks:
        block.label.text = f"%{next_number}"
        next_number += 1
        if block is not body.blocks[0]:
            for phi in block.phis:
                phi.text = f"%{next_number}"
                next_number += 1
        for instruction in block.instructions:
            if instruction.result is not None:
                instruction.result.text = f"%{next_number}"
                next_number += 1
            for part in instruction.parts:
                if isinstance(part, Group):
                    part.text = state.group(part.attributes.group)
                elif isinstance(part, Node):
                    state.metadata.number(part)


def _function_tail(body: Body, state: ModuleState) -> str:
    op, properties = body.op, body.op.properties
    tail = ""
    if unnamed := UNNAMED[integer_property(op, "unnamed_addr", 0)]:
        tail += f" {unnamed[:-1]}"
    if body.attributes:
        tail += f" {state.group(body.attributes.group)}"
    if (section := text_property(op, "section")) is not None:
        tail += f" section {quote(section)}"
    tail += comdat_text(op, " ")
    if alignment := integer_property(op, "alignment", 0):
        tail += f" align {alignment}"
    if (collector := text_property(op, "garbageCollector")) is not None:
        tail += f" gc {quote(collector)}"
    personality = properties.get("personality")
    if isinstance(personality, SymbolRefAttr) and (address := state.address(personality.root)) is not None:
        tail += f" personality {typed(address, state.types)}"
    return tail
