"""`fathom translate --import-llvm`: LLVM IR, as text or bitcode, to the LLVM dialect."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.cli.commands import Group
from fathom.cli.options import flag
from fathom.cli.printing_options import printing_flags

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.cli.commands import Parsed
    from fathom.cli.input_options import Process
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.importing import Options
    from fathom.inputs.splitting import Chunk
    from fathom.ir.operation import Operation
    from fathom.ir.printing_flags import PrintingFlags
    from fathom.llvmir.loading import Problem
    from fathom.messages.report import Reporter

FROM_LLVM: Final = flag("import-llvm", "from LLVM IR, text or bitcode, to the LLVM dialect")
EXPENSIVE_WARNINGS: Final = flag("emit-expensive-warnings", "tell what is dropped")
AS_INTRINSICS: Final = flag(
    "convert-debug-rec-to-intrinsics", "take records of variables as calls of the intrinsics that they were once"
)
DROP_ELEMENTS: Final = flag("drop-di-composite-type-elements", "take types of variables without their elements")
UNREGISTERED: Final = flag("prefer-unregistered-intrinsics", "call intrinsics by name also where an operation is one")
AS_LITERALS: Final = flag("import-structs-as-literals", "take structs without their names")

IMPORT: Final = Group(
    "import of LLVM IR", (EXPENSIVE_WARNINGS, AS_INTRINSICS, DROP_ELEMENTS, UNREGISTERED, AS_LITERALS)
)


def importer(parsed: Parsed, context: Context) -> Process:
    """What imports a part of the input."""
    from fathom.importing import Options

    options = Options(
        emit_expensive_warnings=parsed[EXPENSIVE_WARNINGS],
        convert_debug_rec_to_intrinsics=parsed[AS_INTRINSICS],
        drop_di_composite_type_elements=parsed[DROP_ELEMENTS],
        prefer_unregistered_intrinsics=parsed[UNREGISTERED],
        import_structs_as_literals=parsed[AS_LITERALS],
    )
    flags = printing_flags(parsed)

    def process(chunk: Chunk, reporter: Reporter) -> str | None:
        return _imported(chunk, reporter, context, options, flags)

    return process


def _imported(chunk: Chunk, reporter: Reporter, context: Context, options: Options, flags: PrintingFlags) -> str | None:
    from fathom.importing import import_llvm
    from fathom.ir.printer import print_module
    from fathom.llvmir.loading import BITCODE_MAGIC, load
    from fathom.text.encodings import utf8

    data = utf8(chunk.text[:8])
    source = load(utf8(chunk.text) if data.startswith(BITCODE_MAGIC) else chunk.text)
    if isinstance(source, list):
        reporter.report([_diagnostic(problem, chunk.text) for problem in source], chunk.offset)
        return None
    made = import_llvm(source, context, options, file=reporter.source.name)
    reporter.report(made.diagnostics)
    if made.module is None or not _is_valid(made.module, context, reporter):
        return None
    return print_module(made.module, flags).removesuffix("\n")


def _is_valid(module: Operation, context: Context, reporter: Reporter) -> bool:
    from fathom.records import replace
    from fathom.verify import verify
    from fathom.verify.kinds import Kinds

    found = [
        replace(each, unplaced=each.op is None or each.op.location is None)
        for each in verify(module, None, context, Kinds(context))
    ]
    reporter.report(found)
    return not any(each.severity == "error" for each in found)


def _diagnostic(problem: Problem, text: str) -> Diagnostic:
    from fathom.diagnostics import LLVM, Diagnostic
    from fathom.ir.operation import Span

    if not problem.line:
        return Diagnostic(problem.message, code=LLVM, unplaced=True)
    lines: Sequence[str] = text.split("\n", problem.line)
    start = min(sum(len(line) + 1 for line in lines[: problem.line - 1]) + max(problem.column - 1, 0), len(text))
    return Diagnostic(problem.message, Span(start, start), code=LLVM)
