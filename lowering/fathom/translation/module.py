"""A module of the LLVM dialect as LLVM IR, byte for byte what `mlir-translate --mlir-to-llvmir` prints.

With the text come the source span of each of its lines and diagnostics for what has no translation.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Final

from fathom.context import Context
from fathom.diagnostics import MISSING_PASS, NO_TRANSLATION, SURVIVING_CAST, TRANSLATION, Diagnostic, Note
from fathom.dialects.llvm.data_layout import parse_data_layout
from fathom.ir.attributes import ArrayAttr
from fathom.ir.custom_text import is_kept_text
from fathom.ir.operation import Operation, Span, is_module
from fathom.irdl.faults import CodeFault
from fathom.irdl.interfaces import SymbolTable
from fathom.llvmir.module import GlobalVariable, Module
from fathom.llvmir.unique_nodes import UniqueNodes
from fathom.llvmir.writer import write_lines
from fathom.ops.llvm import FuncOp
from fathom.records import record, replace
from fathom.rewriting.type_converter import is_cast
from fathom.text.beginnings import TextTooLong
from fathom.translation.debug_info import DebugInfo
from fathom.translation.definitions import ALL_EMITTERS, built, emit_operation, make_function
from fathom.translation.function import FunctionEmitter, Untranslatable
from fathom.translation.globals import collect_comdats, make_alias, make_global, make_ifunc, make_structors
from fathom.translation.instructions import EMITTERS
from fathom.translation.module_metadata import (
    MODULE_SAID,
    default_flags,
    name_flags,
    name_linker_options,
    name_metadata,
)
from fathom.translation.properties import text_of_string
from fathom.translation.state import ModuleState
from fathom.translation.types import NoLLVMType, Types, llvm_type
from fathom.translation.unsaid import Lost

if TYPE_CHECKING:
    from fathom.ir.operation_printer import Locator
    from fathom.llvmir.linking import Parts
    from fathom.llvmir.writer import Written
    from fathom.translation.tracking import LineOf, Tracked

NAME: Final = "LLVMDialectModule"
HEAD: Final = f"; ModuleID = '{NAME}'"
"""The first line, which is not of the module."""


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
    tracked: Tracked | None = None
    """Where its debug locations lead, if they are there to tell where things come from."""
    parts: Parts | None = None
    """The text as parts that can stand in another, if they were asked for and it has such; they count its lines from
    the second on."""

    @property
    def all_told(self) -> list[Diagnostic]:
        """All diagnostics, those of what is not said as errors."""
        return [*self.diagnostics, *self.unsaid]

    @property
    def as_warnings(self) -> list[Diagnostic]:
        """All diagnostics, those of what is not said as warnings."""
        return [*self.diagnostics, *(replace(diagnostic, severity="warning") for diagnostic in self.unsaid)]


def translate(
    module: Operation,
    *,
    shown: int | None = None,
    context: Context | None = None,
    locate: Locator | None = None,
    machine_layout: str = "",
    tracked: LineOf | None = None,
    in_parts: bool = False,
) -> Translation:
    """LLVM IR for a `builtin.module` that holds operations of the LLVM dialect only; or such of which a dialect of the
    `context` says what they are in LLVM IR. With `shown`, so many characters of each constant are enough. `locate` says
    where operations stand that do not say so, for their debug information. `machine_layout` is the data layout of the
    machine that the text will be compiled for, if that is known: sizes are folded by it where the module has no layout
    of its own, and the text does not say it. Where `tracked` tells the lines of offsets of the source, there are
    debug locations by which what is made of it can be followed back (`tracking.py`). It is given `in_parts` too if
    that is asked for."""
    if module.definition is not None and module.interface(SymbolTable) is None:
        message = f"'{module.name}' op can not be translated to an LLVMIR module"
        return Translation("", [], [Diagnostic(message, module.span, code=TRANSLATION, op=module)], [], "")
    text, problem = _data_layout(module)
    context = context or Context()
    layout = parse_data_layout(text or machine_layout)
    layout.foreign = partial(llvm_type, context)
    made, nodes = Module(), UniqueNodes()
    debug = DebugInfo(module, made, nodes, locate)
    state = ModuleState(layout, context, Types(layout.foreign), made, nodes, debug)
    made.source_filename, made.target_datalayout = NAME, text
    made.target_triple = text_of_string(module.attribute("llvm.target_triple")) or ""
    if problem is not None:
        state.diagnostics.append(problem)
    try:
        made.module_asm = _assembly(module)
    except Lost as lost:
        state.diagnostics.append(Diagnostic(str(lost), module.span, code=TRANSLATION, op=module))
    _make_all(module, state)
    default_flags(state, made.target_triple)
    try:
        return _written(state, shown, tracked=tracked, in_parts=in_parts)
    except TextTooLong as too_long:
        problem = Diagnostic(str(too_long), module.span, code=TRANSLATION, op=module)
        return Translation("", [], [*state.diagnostics, problem], state.unsaid.diagnostics, "")
    finally:
        for function in made.functions:
            for block in function.blocks:
                # Blocks and branches name each other; so they are gone when nobody has them any more.
                block.instructions.clear()


def _make_all(module: Operation, state: ModuleState) -> None:
    """Makes what stands for the operations of a module; what fails is told and left out."""
    ops = [op for region in module.regions for block in region.blocks for op in block]
    named: list[Operation] = []
    for op in ops:
        with _told(op, state):
            state.collect(op)
            named.append(op)
        if (note := _BEFORE.get(op.name)) is not None:
            note(op, state)
    _note_debug_information(named, state)
    state.unsaid.check(module, MODULE_SAID)
    name_metadata(module, state)
    outside = FunctionEmitter(state)
    for op in named:
        with _told(op, state):
            make = _MADE.get(op.name) if not is_kept_text(op) else None
            if make is not None:
                make(op, state)
            elif is_module(op):
                state.diagnostics.append(_passed_over(op))
            else:
                _top_level(op, outside)
    for op in named:
        if isinstance(op, FuncOp):
            with _told(op, state):
                make_function(op, state)
    state.module.functions += state.declarations
    state.module.globals += state.variables


def _note_debug_information(ops: list[Operation], state: ModuleState) -> None:
    """Compile units are named in this order: those of functions, and then those of variables."""
    for op in ops:
        if isinstance(op, FuncOp):
            state.debug.subprogram(op)
    for op in ops:
        made = state.made.get(op)
        if isinstance(made, GlobalVariable):
            made.metadata = tuple(("dbg", node) for node in state.debug.variables(op.properties.get("dbg_exprs")))
    state.debug.end()


@contextmanager
def _told(op: Operation, state: ModuleState) -> Generator[None]:
    """What has no translation is told, about the operation at which it was found."""
    try:
        yield
    except Untranslatable as problem:
        state.diagnostics.append(_diagnose(problem))
    except CodeFault as fault:
        state.diagnostics.append(fault.diagnostic)
    except (NoLLVMType, Lost) as problem:
        state.diagnostics.append(Diagnostic(str(problem), op.span, code=TRANSLATION, op=op))


def _written(state: ModuleState, shown: int | None, *, tracked: LineOf | None, in_parts: bool) -> Translation:
    """The text of what was made. Raises TextTooLong."""
    origins = _track(state, tracked) if tracked is not None else None
    written = write_lines(state.module, shown)
    lines = [HEAD, *written.lines, ""]
    text = "\n".join(lines)
    asked = text
    for constant in sorted(written.cut, key=len, reverse=True):
        asked = asked.replace(constant, "poison")
    spans = [None, *map(state.spans.get, written.origins)]
    parts = _parts(state.module, written) if in_parts else None
    return Translation(text, spans, state.diagnostics, state.unsaid.diagnostics, asked, origins, parts)


def _parts(module: Module, written: Written) -> Parts | None:
    from fathom.llvmir.linking import parts_of

    return parts_of(module, written)


def _track(state: ModuleState, line_of: LineOf) -> Tracked:
    from fathom.translation.tracking import track

    return track(state.module, state.nodes, state.spans, line_of)


_BEFORE: Final[Mapping[str, Callable[[Operation, ModuleState], None]]] = {"llvm.comdat": collect_comdats}
"""What is noted before anything is translated."""


def _done_elsewhere(op: Operation, state: ModuleState) -> None:
    """It is translated before or after what stands between functions."""
    del op, state


def _left_as_it_is(op: Operation, state: ModuleState) -> None:
    state.diagnostics.append(_passed_over(op))


_MADE: Final[Mapping[str, Callable[[Operation, ModuleState], None]]] = {
    "llvm.mlir.global": make_global,
    "llvm.mlir.alias": make_alias,
    "llvm.mlir.ifunc": make_ifunc,
    "llvm.module_flags": name_flags,
    "llvm.linker_options": name_linker_options,
    "llvm.comdat": _done_elsewhere,
    "llvm.func": _done_elsewhere,
    "llvm.mlir.global_ctors": make_structors,
    "llvm.mlir.global_dtors": make_structors,
    "gpu.module": _left_as_it_is,
}
"""What is made of operations beside functions."""
TRANSLATED: Final = frozenset([*ALL_EMITTERS, *_MADE, "llvm.comdat_selector"])
"""The operations that have a translation."""


def _top_level(op: Operation, outside: FunctionEmitter) -> None:
    """An operation outside all functions can be a constant, which leaves no trace."""
    emitter = EMITTERS.get(op.name) or built(op)
    if emitter is None:
        raise Untranslatable(op, "")
    emit_operation(emitter, outside, op)
    if outside.flow.block.instructions:
        raise Untranslatable(op, "")


def _passed_over(op: Operation) -> Diagnostic:
    """MLIR translates nothing of a module within the module, and does not say so."""
    message = "a module within the module is not translated"
    return Diagnostic(message, op.span, "warning", TRANSLATION, hint=True)


def _assembly(module: Operation) -> str:
    """The lines of assembly beside all functions. Raises Lost."""
    assembly = module.attribute("llvm.module_asm")
    if assembly is None:
        return ""
    if not isinstance(assembly, ArrayAttr):
        raise Lost("expected an array attribute for a module level asm")
    lines = [text_of_string(entry) for entry in assembly.elements]
    if None in lines:
        raise Lost("expected a string attribute for each entry of a module level asm")
    return "".join(f"{line}\n" for line in lines)


def _data_layout(module: Operation) -> tuple[str, Diagnostic | None]:
    """The layout that the module asks for, empty for LLVM's own, and what is wrong with it."""
    text = text_of_string(module.attribute("llvm.data_layout"))
    specification = module.attribute("dlti.dl_spec")
    if text is not None or specification is None:
        return text or "", None
    from fathom.translation.specifications import spell_specification

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
