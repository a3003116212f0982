"""`fathom translate --mlir-to-llvmir`: the LLVM dialect to LLVM IR, and what LLVM makes of that. Imported when that is
asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from fathom.cli.code_options import LOWER, REMARKS, is_wanted, wanted_code
from fathom.cli.input_options import ALLOW_UNREGISTERED, NO_IMPLICIT_MODULE
from fathom.elaborate.locator import locator
from fathom.inputs.loading import Loading
from fathom.text.lines import Lines
from fathom.translation import TRANSLATED, translated

if TYPE_CHECKING:
    from fathom.cli.commands import Parsed
    from fathom.cli.input_options import Process
    from fathom.context import Context
    from fathom.inputs.splitting import Chunk
    from fathom.ir.operation import Operation
    from fathom.ir.operation_printer import Locator
    from fathom.messages.report import Reporter
    from fathom.translation import Translated


def exporter(parsed: Parsed, context: Context, *, only_first: bool) -> Process:
    """What exports a part of the input. Raises NotWanted where code is asked for that makes no sense."""
    loading = Loading(
        allow_unregistered=parsed[ALLOW_UNREGISTERED],
        known=() if parsed[LOWER] else TRANSLATED,
        implicit_module=not parsed[NO_IMPLICIT_MODULE],
        only_first=only_first,
        context=context,
    )
    finish = _coder(parsed) if is_wanted(parsed) else _as_it_is

    def process(chunk: Chunk, reporter: Reporter) -> str | None:
        loaded = loading.load(chunk, reporter)
        if loaded is None:
            return None
        locate = locator(chunk.text, reporter.source.name)
        if parsed[LOWER] and not _lowered(loaded.module, context, locate, chunk, reporter):
            return None
        line_of = Lines(chunk.text).number if parsed[REMARKS] else None
        made = translated(loaded.module, complete=True, context=loading.context, locate=locate, tracked=line_of)
        reporter.report(made.told, chunk.offset)
        return finish(made, chunk, reporter) if made.error is None else None

    return process


def _as_it_is(made: Translated, _chunk: Chunk, _reporter: Reporter) -> str | None:
    return made.text


def _coder(parsed: Parsed) -> Callable[[Translated, Chunk, Reporter], str | None]:
    """What has LLVM make code of a translation: its text, or its bytes."""
    from fathom.llvm.codegen.asking import CodeMaker
    from fathom.translation.code import code_of, made_by

    wanted, form = wanted_code(parsed)
    maker = CodeMaker()

    def coded(made: Translated, chunk: Chunk, reporter: Reporter) -> str | None:
        code = code_of(made.translation, made_by(maker, made.translation, wanted, form, remarks=parsed[REMARKS]))
        reporter.report(code.told, chunk.offset)
        if code.error is not None:
            return None
        return code.text.encode("latin-1").decode("utf-8", "surrogateescape") if form == "object" else code.text

    return coded


def _lowered(module: Operation, context: Context, locate: Locator, chunk: Chunk, reporter: Reporter) -> bool:
    """Lowers a module to the LLVM dialect; whether nothing is left."""
    from fathom.budget import MOST_ON_COMMAND_LINE
    from fathom.pipeline.defaults import whole_lowering
    from fathom.pipeline.lowering import run

    lowering = run(
        whole_lowering(context.find_pass), module, context, locate=locate, most_operations=MOST_ON_COMMAND_LINE
    )
    findings = lowering.verdict().findings
    reporter.report(findings, chunk.offset)
    return not findings
