"""From a text to machine code with all functions of a module in it, each of which can be called.

LLVM makes the machine code in a process beside, where its end costs nothing; the process that calls only links it.
"""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING, Final

from fathom.diagnostics import LLVM, PARSE, Diagnostic
from fathom.dialects.llvm.signatures import signature_of
from fathom.execution.conventions import convention_of
from fathom.execution.entries import Entry, entries_of
from fathom.execution.masks import combine_masks
from fathom.inputs.splitting import Chunk
from fathom.irdl.interfaces import FunctionLike, symbol_name
from fathom.kept import remembered
from fathom.kept.stamp import stamp
from fathom.llvm import OBJECT, PROGRAM
from fathom.llvm.process import Died, Refused, ask
from fathom.messages.source import Source
from fathom.modernising.in_memory import modernise_in_memory
from fathom.programs.calling import Code
from fathom.programs.errors import CompileError
from fathom.programs.functions import callable_functions, has_body, keep_only
from fathom.programs.lowering import lower
from fathom.programs.preparing import Unprepared, program_of
from fathom.records import record
from fathom.verify.symbols import operations_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fathom.context import Context
    from fathom.execution.outcome import Convention
    from fathom.inputs.loading import Loading
    from fathom.ir.operation import Operation
    from fathom.ir.types import FunctionType
    from fathom.pipeline.language import Pipeline

_DEFINED: Final = re.compile(
    r"^define (?!internal |private |available_externally )[^@\n]*@(?:\"((?:[^\"\\]|\\[0-9A-F]{2})*)\"|([-\w.$]+))\(",
    re.MULTILINE,
)
_VARIABLES: Final = re.compile(r"^@([-\w.$]+) = (?!external |extern_weak )", re.MULTILINE)
_ESCAPED: Final = re.compile(r"\\([0-9A-F]{2})")
_PATHS: Final = (".mlir", ".mlirbc", ".ll", ".bc")
SPLIT: Final = "::"


@record
class Compiled:
    """A program, the types of its functions before they were lowered, the names of their arguments as the text has
    them, and warnings."""

    code: Code
    functions: dict[str, FunctionType]
    names: dict[str, tuple[str, ...]]
    problems: tuple[Diagnostic, ...] = ()


def read_source(given: str | os.PathLike[str]) -> Source:
    """The text that is meant: that of a file, for a path or a string of one word that ends as the names of such files
    do; or else the string. Raises OSError."""
    if isinstance(given, str) and (not given.endswith(_PATHS) or re.search(r"[\s{}\"]", given)):
        return Source("<string>", given)
    with open(given, "rb") as file:  # noqa: PTH123 -- a path may be any object that stands for one
        return Source(os.fspath(given), file.read().decode("utf-8", "surrogateescape"))


def compile_module(
    source: Source, loading: Loading, pipeline: Pipeline, optimization: int, libraries: tuple[str, ...]
) -> tuple[Compiled, list[str]]:
    """The module of a text, without the modules in it that none of its functions names; and the paths of the functions
    that can be called, as `f` and `inner::g`. Raises CompileError."""
    loaded, problems = loading.told(Chunk(source.text, 0))
    _check(problems, source)
    module = loaded.module
    paths = [path.replace("@", "") for path in callable_functions(module)]
    functions = [op for op in operations_in(module) if has_body(op)]
    types = {symbol_name(op): type for op in functions if (type := signature_of(op)) is not None}
    names = {symbol_name(op): _argument_names(op) for op in functions}
    conventions = {symbol_name(op): convention_of(op) for op in functions}
    kept = [op for op in operations_in(module) if not _is_apart(op)]
    module = keep_only(kept) if kept else module
    combined = _prepared(module, loading.context, source)
    made = lower(module, pipeline, source, loading.context.newest)
    if made.text is None:
        raise CompileError([*combined, *made.problems], source)
    code = compiled_code(made.text, types, optimization, libraries, source, conventions)
    return Compiled(code, types, names, (*combined, *made.problems)), paths


def _prepared(module: Operation, context: Context, source: Source) -> tuple[Diagnostic, ...]:
    """Makes a module one of MLIR 22, with masks of its own; what is to be said of it. Raises CompileError."""
    _check(modernise_in_memory(module, context), source)
    return combine_masks(module, context.newest)


def compile_function(
    source: Source, path: str, loading: Loading, pipeline: Pipeline, optimization: int, libraries: tuple[str, ...]
) -> Compiled:
    """The program of one function, by its path. Raises CompileError and KeyError."""
    program = program_of(source, path, loading, pipeline)
    if isinstance(program, Unprepared):
        if program.absent is not None:
            raise KeyError(program.absent.message())
        raise CompileError(program.problems, source)
    types = {program.name: program.signature}
    conventions = {program.name: program.part.convention}
    code = compiled_code(program.llvm_ir, types, optimization, libraries, source, conventions)
    return Compiled(code, types, {}, program.problems)


def compiled_code(
    text: str,
    types: Mapping[str, FunctionType],
    optimization: int,
    libraries: tuple[str, ...],
    source: Source,
    conventions: Mapping[str, Convention] | None = None,
) -> Code:
    """The machine code of LLVM IR, whose functions had these types before they were lowered, and are called in these
    ways, where that is not C's. Raises CompileError."""
    defined = frozenset(_names(_DEFINED.findall(text)))
    entries = entries_of(text, {name: type for name, type in types.items() if name in defined}, conventions)
    gone = "the pipeline leaves no function of this name that can be called from outside"
    functions = {name: entries.functions.get(name) or Entry("", why_not=gone) for name in types}
    asked = {
        "optimised": optimization,
        "matrices": "column-major" if "@llvm.matrix." in text else "",
        "types": {name: entry.type for name, entry in entries.functions.items() if not entry.why_not},
    }
    question = f"{json.dumps(asked)}\n{text}\n{entries.text}"
    try:
        code = remembered(("program", stamp(), question), lambda: ask(PROGRAM, question).encode("latin-1"))
    except (Refused, Died) as problem:
        why = str(problem).strip() or "it ended without saying why"
        raise CompileError([Diagnostic(f"LLVM cannot compile the program: {why}", code=LLVM)], source) from None
    everything = defined.union(_VARIABLES.findall(text))
    return Code(code, text, functions, tuple(entries.symbols), everything, libraries)


def assembly_of(code: Code, optimization: int) -> str:
    """The program in the assembly language of this computer. Raises RuntimeError for what LLVM refuses."""
    asked = {"triple": "", "chip": "", "features": "", "optimised": optimization, "form": "assembly"}
    try:
        return ask(OBJECT, f"{json.dumps(asked)}\n{code.llvm_ir}")
    except (Refused, Died) as problem:
        raise RuntimeError(f"LLVM makes no assembly of the program: {problem}") from None


def check_pipeline(pipeline: Pipeline, source: Source) -> None:
    """Raises CompileError for mistakes in what names a pipeline."""
    _check([Diagnostic(error.partition("error: ")[2] or error, code=PARSE) for error in pipeline.errors], source)


def _check(problems: list[Diagnostic], source: Source) -> None:
    if problems:
        raise CompileError(problems, source)


def _is_apart(op: Operation) -> bool:
    """Whether an operation of a module is one of its own, whose functions are called by their paths."""
    return op.interface(FunctionLike) is None and bool(op.regions) and op.dialect == "builtin"


def _argument_names(function: Operation) -> tuple[str, ...]:
    interface = function.interface(FunctionLike)
    body = interface.body(function) if interface is not None else None
    block = body.first if body is not None else None
    return tuple(argument.name_hint or "" for argument in block.arguments) if block is not None else ()


def _names(found: Iterable[tuple[str, str]]) -> Iterable[str]:
    """Names as a module has them."""
    for quoted, plain in found:
        if plain:
            yield plain
        else:
            data = _ESCAPED.sub(lambda code: chr(int(code[1], 16)), quoted)
            yield data.encode("latin-1", "replace").decode("utf-8", "replace")
