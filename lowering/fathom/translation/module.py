"""A module of the LLVM dialect as LLVM IR text, byte for byte what `mlir-translate --mlir-to-llvmir` prints.

With the text come the source span of each of its lines and diagnostics for what has no translation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from fathom.dialects.llvm.types import LLVMFunctionType
from fathom.elaborate.unknown import CUSTOM_TEXT
from fathom.ir.attributes import ArrayAttr, Attribute, IntegerAttr, StringAttr, SymbolRefAttr, TypeAttr
from fathom.ir.operation import Operation, Span
from fathom.translation.attribute_sets import AttributeSet, attribute_list, function_attributes, inside
from fathom.translation.calls import CALLS, convention_text
from fathom.translation.constants import typed
from fathom.translation.function import (
    BasicBlock,
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
from fathom.translation.globals import (
    UNNAMED,
    alias_line,
    collect_comdats,
    comdat_text,
    global_line,
    module_flags,
    name_of,
    number,
    structors_line,
    visibility_text,
)
from fathom.translation.instructions import EMITTERS, Emitter
from fathom.translation.layout import parse_data_layout
from fathom.translation.metadata import Node
from fathom.translation.spelling import NoLLVMType, quote, spell_name
from fathom.translation.state import Line, ModuleState, linkage
from fathom.translation.terminators import TERMINATORS
from fathom.verify.diagnostic import Diagnostic, Note

ALL_EMITTERS: Final = {**EMITTERS, **CALLS, **TERMINATORS}
NAME: Final = "LLVMDialectModule"
LABEL_WIDTH: Final = 50
"""The column at which LLVM starts the comment after a label."""
NO_INSTRUCTIONS: Final = frozenset({"llvm.intr.dbg.declare", "llvm.intr.dbg.value", "llvm.intr.dbg.label"})
"""Debug intrinsics say nothing without debug locations."""


@dataclass(frozen=True, slots=True)
class Translation:
    """`line_spans` has an entry for each line of `text`; `text` leaves out the functions that diagnostics are about."""

    text: str
    line_spans: list[Span | None]
    diagnostics: list[Diagnostic]


@dataclass(slots=True)
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


def translate(module: Operation) -> Translation:
    """LLVM IR for a `builtin.module` that holds operations of the LLVM dialect only."""
    text = _string(module.attribute("llvm.data_layout"))
    state = ModuleState(parse_data_layout(text or ""))
    ops = [op for region in module.regions for block in region.blocks for op in block]
    for op in ops:
        state.collect(op)
        if op.name == "llvm.comdat":
            collect_comdats(op, state)
    kinds = dict(state.comdats)
    state.comdats.clear()
    diagnostics: list[Diagnostic] = []
    globals_: list[Line] = []
    aliases: list[Line] = []
    structors: list[Line] = []
    bodies: list[Body] = []
    flags: list[Node] = []
    outside = FunctionEmitter(state)
    for op in ops:
        try:
            match "" if is_opaque(op) else op.name:
                case "llvm.mlir.global":
                    globals_.append(global_line(op, state))
                case "llvm.mlir.alias":
                    aliases.append(alias_line(op, state))
                case "llvm.mlir.global_ctors" | "llvm.mlir.global_dtors":
                    structors.append(structors_line(op, state))
                case "llvm.module_flags":
                    flags += module_flags(op, state)
                case "llvm.comdat" | "llvm.func" | "llvm.linker_options":
                    pass
                case _:
                    _top_level(op, outside)
        except Untranslatable as problem:
            diagnostics.append(_diagnose(problem))
        except NoLLVMType as problem:
            diagnostics.append(Diagnostic(str(problem), op.span, code="translation"))
    for op in ops:
        if op.name == "llvm.func":
            try:
                bodies.append(_function(op, state))
            except Untranslatable as problem:
                diagnostics.append(_diagnose(problem))
            except NoLLVMType as problem:
                diagnostics.append(Diagnostic(str(problem), op.span, code="translation"))
    head = [Line(f"; ModuleID = '{NAME}'"), Line(f'source_filename = "{NAME}"')]
    if text:
        head.append(Line(f"target datalayout = {quote(text)}"))
    if triple := _string(module.attribute("llvm.target_triple")):
        head.append(Line(f"target triple = {quote(triple)}"))
    assembly = module.attribute("llvm.module_asm")
    code = [_string(e) or "" for e in assembly.elements] if isinstance(assembly, ArrayAttr) else []
    flag_lines = _flag_lines(state, flags)
    functions = _print_functions(bodies, state)
    groups = [Line(f"attributes #{n} = {{ {group} }}") for group, n in state.groups.items()]
    comdats = [f"${spell_name(name)} = comdat {kinds.get(name, 'any')}" for name in state.comdats]
    sections = [
        head,
        [Line(f"module asm {quote(line)}") for line in code],
        [Line(line) for line in state.types.definitions()],
        *[[Line(line)] for line in comdats],
        globals_ + structors,
        aliases,
        *functions,
        groups,
        flag_lines,
        [Line(line) for line in state.metadata.definitions()],
    ]
    lines: list[Line] = []
    for section in filter(None, sections):
        lines += [Line(""), *section] if lines else section
    return Translation("".join(line.text + "\n" for line in lines), [line.span for line in lines], diagnostics)


def _top_level(op: Operation, outside: FunctionEmitter) -> None:
    """An operation outside all functions can be a constant, which leaves no trace."""
    emit = EMITTERS.get(op.name)
    if emit is None:
        raise Untranslatable(op, "")
    _emit(emit, outside, op)
    if outside.block.instructions:
        raise Untranslatable(op, "")


def is_opaque(op: Operation) -> bool:
    """Whether an operation is known by its text only."""
    return op.definition is None and CUSTOM_TEXT in op.properties


def _string(attribute: Attribute | None) -> str | None:
    return attribute.value if isinstance(attribute, StringAttr) else None


def untranslatable(op: Operation) -> Diagnostic:
    """In MLIR's words; the notes say why and what helps."""
    if op.name == "builtin.unrealized_conversion_cast":
        return Diagnostic(
            "LLVM Translation failed for operation: builtin.unrealized_conversion_cast",
            op.span,
            code="translation",
            notes=(
                Note("this cast stands between a type that a pass converted and one that no pass has converted yet"),
                Note("run the passes that lower the operations on both sides, then reconcile-unrealized-casts"),
            ),
        )
    if is_opaque(op) and op.dialect == "llvm":
        return Diagnostic(
            f"LLVM Translation failed for operation: {op.name}",
            op.span,
            code="translation",
            notes=(Note("its custom form is not known here; its generic form may be"),),
        )
    if op.dialect in ("llvm", "builtin"):
        return Diagnostic(f"LLVM Translation failed for operation: {op.name}", op.span, code="translation")
    return Diagnostic(
        "cannot be converted to LLVM IR: missing `LLVMTranslationDialectInterface` registration for dialect for op: "
        + op.name,
        op.span,
        code="translation",
        notes=(
            Note("only operations of the LLVM dialect have a translation to LLVM IR"),
            Note(f"lower the '{op.dialect}' dialect first, for example by {_lowering(op)}"),
        ),
    )


LOWERINGS: Final = {
    "func": "convert-func-to-llvm",
    "arith": "convert-arith-to-llvm",
    "cf": "convert-cf-to-llvm",
    "scf": "convert-scf-to-cf",
    "memref": "finalize-memref-to-llvm",
}


def _lowering(op: Operation) -> str:
    return LOWERINGS.get(op.dialect, "a pass that converts it")


def _diagnose(problem: Untranslatable) -> Diagnostic:
    if problem.message:
        return Diagnostic(problem.message, problem.op.span, code="translation")
    return untranslatable(problem.op)


def _function(op: Operation, state: ModuleState) -> Body:
    kind = op.properties.get("function_type")
    if not isinstance(kind, TypeAttr) or not isinstance(kind.type, LLVMFunctionType):
        raise Untranslatable(op, "'llvm.func' op requires attribute 'function_type'")
    type = kind.type
    own = attribute_list(op.properties.get("arg_attrs"), len(type.params), state.types)
    result = attribute_list(op.properties.get("res_attrs"), 1, state.types)[0]
    convention = op.properties.get("CConv")
    link = linkage(op)
    before = (f"{link} " if link != "external" else "") + visibility_text(op)
    before += convention_text(inside(convention) if convention is not None else "ccc")
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
        _emit_blocks(emitter, blocks)
    return Body(op, function_attributes(op.properties), before, arguments, parameters, type.varargs, blocks, emitter)


def _emit_blocks(emitter: FunctionEmitter, blocks: list[BasicBlock]) -> None:
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
            emit = ALL_EMITTERS.get(op.name)
            if emit is not None:
                _emit(emit, emitter, op)
            elif op.name not in NO_INSTRUCTIONS:
                raise Untranslatable(op, "")


def _emit(emit: Emitter, emitter: FunctionEmitter, op: Operation) -> None:
    """One operation. One that the verifier would have refused is an error as well, not a crash."""
    if is_opaque(op):
        raise Untranslatable(op, "")
    try:
        emit(emitter, op)
    except NoLLVMType as problem:
        raise Untranslatable(op, str(problem)) from None
    except (AssertionError, IndexError, KeyError, ValueError):
        raise Untranslatable(op, f"'{op.name}' op is malformed and cannot be translated") from None


def _print_functions(bodies: list[Body], state: ModuleState) -> list[list[Line]]:
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
    signature = f"{body.before} @{spell_name(name_of(op))}({', '.join(parameters + ['...'] * body.varargs)})"
    tail = _function_tail(body, state)
    if not body.blocks:
        return [*lines, Line(f"declare {signature}{tail}", op.span)]
    lines.append(Line(f"define {signature}{tail} {{", op.span))
    for position, block in enumerate(body.blocks):
        if position:
            lines += [Line(""), Line(_label(block), block.span)]
        for instruction in _phis(body, block) + block.instructions:
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
    if unnamed := UNNAMED[number(op, "unnamed_addr")]:
        tail += f" {unnamed[:-1]}"
    if body.attributes:
        tail += f" {state.group(body.attributes.group)}"
    if (section := _string(properties.get("section"))) is not None:
        tail += f" section {quote(section)}"
    tail += comdat_text(op, state, " ")
    if alignment := number(op, "alignment"):
        tail += f" align {alignment}"
    if (collector := _string(properties.get("garbageCollector"))) is not None:
        tail += f" gc {quote(collector)}"
    personality = properties.get("personality")
    if isinstance(personality, SymbolRefAttr) and (address := state.address(personality.root)) is not None:
        tail += f" personality {typed(address, state.types)}"
    count = properties.get("function_entry_count")
    if isinstance(count, IntegerAttr):
        node = state.metadata.node('!"function_entry_count"', f"i64 {count.value}")
        state.metadata.number(node)
        tail += f" !prof {node.text}"
    return tail


def _flag_lines(state: ModuleState, flags: list[Node]) -> list[Line]:
    """`!llvm.module.flags`, to which MLIR always adds the version of debug information."""
    nodes = list(flags)
    if not any('!"Debug Info Version"' in node.operands for node in nodes):
        nodes.append(state.metadata.node("i32 2", '!"Debug Info Version"', "i32 3"))
    for node in nodes:
        state.metadata.number(node)
    return [Line(f"!llvm.module.flags = !{{{', '.join(node.text for node in nodes)}}}")]
