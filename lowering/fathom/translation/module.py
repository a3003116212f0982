"""A module of the LLVM dialect as LLVM IR text, byte for byte what `mlir-translate --mlir-to-llvmir` prints.

With the text come the source span of each of its lines and diagnostics for what has no translation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from fathom.context import Context
from fathom.diagnostics import MISSING_PASS, NO_TRANSLATION, SURVIVING_CAST, TRANSLATION, Diagnostic, Note
from fathom.dialects.llvm.data_layout import parse_data_layout
from fathom.ir.attributes import ArrayAttr
from fathom.ir.custom_text import is_kept_text
from fathom.ir.operation import Operation, Span, is_module
from fathom.irdl.faults import CodeFault
from fathom.irdl.interfaces import SymbolTable
from fathom.llvmir.spelling import spell_name
from fathom.ops.llvm import FuncOp
from fathom.records import record, replace
from fathom.rewriting.type_converter import is_cast
from fathom.text.beginnings import TextTooLong
from fathom.text.escapes import quote
from fathom.translation.definitions import (
    ALL_EMITTERS,
    Body,
    emit_function,
    emit_operation,
    print_functions,
)
from fathom.translation.function import FunctionEmitter, Untranslatable
from fathom.translation.globals import alias_line, collect_comdats, global_line, ifunc_line, note_comdat, structors_line
from fathom.translation.instructions import EMITTERS
from fathom.translation.module_metadata import MODULE_SAID, name_flags, name_linker_options, name_metadata, named_lines
from fathom.translation.properties import text_of_string
from fathom.translation.specifications import spell_specification
from fathom.translation.spelling import NoLLVMType, TypeSpeller
from fathom.translation.state import Line, ModuleState
from fathom.translation.unsaid import Lost

NAME: Final = "LLVMDialectModule"


MakeLine: TypeAlias = Callable[[Operation, ModuleState], Line]


@record
class Translation:
    """`line_spans` has an entry for each line of `text`; `text` leaves out the functions that errors among the
    diagnostics are about. `unsaid` are those of what the module holds and the text does not say, without which it
    computes the same: errors for who wants all of it, warnings for who does not (`as_warnings`)."""

    text: str
    line_spans: list[Span | None]
    diagnostics: list[Diagnostic]
    unsaid: list[Diagnostic]
    asked: str
    """The text as LLVM is asked about it, line by line the same: constants of which only the beginning is written are
    left out."""

    @property
    def all_told(self) -> list[Diagnostic]:
        """All diagnostics, those of what is not said as errors."""
        return [*self.diagnostics, *self.unsaid]

    @property
    def as_warnings(self) -> list[Diagnostic]:
        """All diagnostics, those of what is not said as warnings."""
        return [*self.diagnostics, *(replace(diagnostic, severity="warning") for diagnostic in self.unsaid)]


def translate(module: Operation, *, shown: int | None = None, context: Context | None = None) -> Translation:
    """LLVM IR for a `builtin.module` that holds operations of the LLVM dialect only; or such of which a dialect of the
    `context` says what they are in LLVM IR. With `shown`, so many characters of each constant are enough."""
    if module.definition is not None and module.interface(SymbolTable) is None:
        message = f"'{module.name}' op can not be translated to an LLVMIR module"
        return Translation("", [], [Diagnostic(message, module.span, code=TRANSLATION, op=module)], [], "")
    text, problem = _data_layout(module)
    state = ModuleState(parse_data_layout(text), TypeSpeller(shown), context or Context())
    if problem is not None:
        state.diagnostics.append(problem)
    ops = [op for region in module.regions for block in region.blocks for op in block]
    for op in ops:
        state.collect(op)
        if (note := _BEFORE.get(op.name)) is not None:
            note(op, state)
    kinds = dict(state.comdats)
    state.comdats.clear()
    for op in sorted(ops, key=lambda op: not isinstance(op, FuncOp)):
        note_comdat(op, state)
    diagnostics = state.diagnostics
    state.unsaid.check(module, MODULE_SAID)
    name_metadata(module, state)
    globals_: list[Line] = []
    aliases: list[Line] = []
    structors: list[Line] = []
    ifuncs: list[Line] = []
    places: dict[MakeLine, list[Line]] = {
        global_line: globals_,
        alias_line: aliases,
        ifunc_line: ifuncs,
        structors_line: structors,
    }
    bodies: list[Body] = []
    outside = FunctionEmitter(state)
    for op in ops:
        made = _LINES.get(op.name) if not is_kept_text(op) else None
        noted = _NOTED.get(op.name) if not is_kept_text(op) else None
        try:
            if made is not None:
                places[made].append(made(op, state))
            elif noted is not None:
                noted(op, state)
            elif is_module(op):
                diagnostics.append(_passed_over(op))
            else:
                _top_level(op, outside)
        except Untranslatable as problem:
            diagnostics.append(_diagnose(problem))
        except (NoLLVMType, TextTooLong, Lost) as problem:
            diagnostics.append(Diagnostic(str(problem), op.span, code=TRANSLATION, op=op))
    for op in ops:
        if isinstance(op, FuncOp):
            try:
                bodies.append(emit_function(op, state))
            except Untranslatable as problem:
                diagnostics.append(_diagnose(problem))
            except CodeFault as fault:
                diagnostics.append(fault.diagnostic)
            except (NoLLVMType, TextTooLong, Lost) as problem:
                diagnostics.append(Diagnostic(str(problem), op.span, code=TRANSLATION, op=op))
    triple = text_of_string(module.attribute("llvm.target_triple")) or ""
    head = [Line(f"; ModuleID = '{NAME}'"), Line(f'source_filename = "{NAME}"')]
    if text:
        head.append(Line(f"target datalayout = {quote(text)}"))
    if triple:
        head.append(Line(f"target triple = {quote(triple)}"))
    try:
        code = _assembly(module)
    except Lost as problem:
        code = []
        diagnostics.append(Diagnostic(str(problem), module.span, code=TRANSLATION, op=module))
    named = named_lines(state, triple)
    functions = print_functions(bodies, state)
    for body in bodies:
        for block in body.blocks:
            block.dismantle()
    groups = [Line(f"attributes #{n} = {{ {group} }}") for group, n in state.groups.items()]
    comdats = [f"${spell_name(name)} = comdat {kinds.get(name, 'any')}" for name in state.comdats]
    sections = [
        head,
        [Line(f"module asm {quote(line)}") for line in code],
        [Line(line) for line in state.types.definitions()],
        *[[Line(line)] for line in comdats],
        globals_ + structors,
        aliases,
        ifuncs,
        *functions,
        groups,
        named,
        [Line(line) for line in state.metadata.definitions()],
    ]
    lines: list[Line] = []
    for section in filter(None, sections):
        lines += [Line(""), *section] if lines else section
    # Whoever takes a line for itself holds a long text twice.
    written = "\n".join([*(line.text for line in lines), ""])
    spans = [line.span for line in lines]
    return Translation(written, spans, diagnostics, state.unsaid.diagnostics, state.types.without_long(written))


_BEFORE: Final[Mapping[str, Callable[[Operation, ModuleState], None]]] = {"llvm.comdat": collect_comdats}
"""What is noted before anything is translated."""
_LINES: Final[Mapping[str, MakeLine]] = {
    "llvm.mlir.global": global_line,
    "llvm.mlir.alias": alias_line,
    "llvm.mlir.ifunc": ifunc_line,
    "llvm.mlir.global_ctors": structors_line,
    "llvm.mlir.global_dtors": structors_line,
}
"""What a line of the text is made of."""


def _done_elsewhere(op: Operation, state: ModuleState) -> None:
    """It is translated before or after what stands between functions."""
    del op, state


def _left_as_it_is(op: Operation, state: ModuleState) -> None:
    state.diagnostics.append(_passed_over(op))


_NOTED: Final[Mapping[str, Callable[[Operation, ModuleState], None]]] = {
    "llvm.module_flags": name_flags,
    "llvm.linker_options": name_linker_options,
    "llvm.comdat": _done_elsewhere,
    "llvm.func": _done_elsewhere,
    "gpu.module": _left_as_it_is,
}
"""What shows at the end of the text."""
TRANSLATED: Final = frozenset([*ALL_EMITTERS, *_LINES, *_NOTED, "llvm.comdat_selector"])
"""The operations that have a translation."""


def _top_level(op: Operation, outside: FunctionEmitter) -> None:
    """An operation outside all functions can be a constant, which leaves no trace."""
    emitter = EMITTERS.get(op.name)
    if emitter is None:
        raise Untranslatable(op, "")
    emit_operation(emitter, outside, op)
    if outside.block.instructions:
        raise Untranslatable(op, "")


def _passed_over(op: Operation) -> Diagnostic:
    """MLIR translates nothing of a module within the module, and does not say so."""
    message = "a module within the module is not translated"
    return Diagnostic(message, op.span, "warning", TRANSLATION, hint=True)


def _assembly(module: Operation) -> list[str]:
    """The lines of assembly beside all functions. Raises Lost."""
    assembly = module.attribute("llvm.module_asm")
    if assembly is None:
        return []
    if not isinstance(assembly, ArrayAttr):
        raise Lost("expected an array attribute for a module level asm")
    lines = [text_of_string(entry) for entry in assembly.elements]
    if None in lines:
        raise Lost("expected a string attribute for each entry of a module level asm")
    return [line for line in lines if line is not None]


def _data_layout(module: Operation) -> tuple[str, Diagnostic | None]:
    """The layout that the module asks for, empty for LLVM's own, and what is wrong with it."""
    text = text_of_string(module.attribute("llvm.data_layout"))
    specification = module.attribute("dlti.dl_spec")
    if text is not None or specification is None:
        return text or "", None
    try:
        return spell_specification(specification), None
    except Lost as problem:
        return "", Diagnostic(str(problem), module.span, code=TRANSLATION)


def untranslatable(op: Operation) -> Diagnostic:
    """In MLIR's words; the notes say why and what helps."""
    if is_cast(op):
        return _failed(
            op,
            SURVIVING_CAST,
            "this cast stands between a type that a pass converted and one that no pass has converted yet",
            "run the passes that lower the operations on both sides, then reconcile-unrealized-casts",
        )
    if is_kept_text(op) and op.dialect == "llvm":
        return _failed(op, TRANSLATION, "its custom form is not known here; its generic form may be")
    if op.dialect in ("llvm", "builtin"):
        return _failed(op, TRANSLATION)
    message = (
        "cannot be converted to LLVM IR: missing `LLVMTranslationDialectInterface` registration for dialect for op: "
    )
    notes = (
        Note("only operations of the LLVM dialect have a translation to LLVM IR", hint=True),
        Note(f"lower the '{op.dialect}' dialect first, for example by {_lowering(op)}", hint=True),
    )
    code = MISSING_PASS if op.definition is not None else NO_TRANSLATION
    return Diagnostic(message + op.name, op.span, code=code, notes=notes, op=op)


def _failed(op: Operation, code: str, *hints: str) -> Diagnostic:
    notes = tuple(Note(text, hint=True) for text in hints)
    message = f"LLVM Translation failed for operation: {op.name}"
    return Diagnostic(message, op.span, code=code, notes=notes, op=op)


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
        return Diagnostic(problem.message, problem.op.span, code=TRANSLATION, op=problem.op)
    return untranslatable(problem.op)
