"""`fathom translate --mlir-to-llvmir`: the LLVM dialect to LLVM IR. Imported when that is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.cli.input_options import ALLOW_UNREGISTERED, NO_IMPLICIT_MODULE
from fathom.elaborate.locator import locator
from fathom.inputs.loading import Loading
from fathom.translation import TRANSLATED, translated

if TYPE_CHECKING:
    from fathom.cli.commands import Parsed
    from fathom.cli.input_options import Process
    from fathom.context import Context
    from fathom.inputs.splitting import Chunk
    from fathom.messages.report import Reporter


def exporter(parsed: Parsed, context: Context, *, only_first: bool) -> Process:
    """What exports a part of the input."""
    loading = Loading(
        allow_unregistered=parsed[ALLOW_UNREGISTERED],
        known=TRANSLATED,
        implicit_module=not parsed[NO_IMPLICIT_MODULE],
        only_first=only_first,
        context=context,
    )

    def process(chunk: Chunk, reporter: Reporter) -> str | None:
        loaded = loading.load(chunk, reporter)
        if loaded is None:
            return None
        locate = locator(chunk.text, reporter.source.name)
        made = translated(loaded.module, complete=True, context=loading.context, locate=locate)
        reporter.report(made.told, chunk.offset)
        return made.text

    return process
