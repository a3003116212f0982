"""`fathom translate`: the LLVM dialect to LLVM IR, verified by LLVM, and back; the options are mlir-translate's."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Final

from fathom.cli.code_options import CODE
from fathom.cli.commands import Command, Group, Parsed
from fathom.cli.dialect_options import DIALECTS, context_of
from fathom.cli.input_options import (
    ALLOW_UNREGISTERED,
    MESSAGES,
    NO_IMPLICIT_MODULE,
    OUTPUT,
    OUTPUT_SPLIT_MARKER,
    SPLIT,
    VERIFY_DIAGNOSTICS,
    Run,
)
from fathom.cli.llvm_import import FROM_LLVM, IMPORT, importer
from fathom.cli.options import flag, unsupported
from fathom.cli.printing_options import PRINTING
from fathom.cli.streams import Streams
from fathom.cli.times import TIMES, report, timing_of
from fathom.llvm.process import start

if TYPE_CHECKING:
    from fathom.cli.input_options import Process
    from fathom.inputs.splitting import Chunk
    from fathom.messages.report import Reporter
    from fathom.pipeline.timing import Timing

EXAMPLE: Final = """\
  fathom translate --mlir-to-llvmir lowered.mlir
  fathom translate --import-llvm program.ll
  fathom translate --lower-to-llvm -O3 --emit=asm --target=aarch64 --remarks examples/saxpy.mlir
  fathom opt --convert-scf-to-cf --convert-arith-to-llvm --convert-cf-to-llvm --finalize-memref-to-llvm \\
      --convert-func-to-llvm --reconcile-unrealized-casts examples/gcd.mlir | fathom translate --mlir-to-llvmir
"""

TO_LLVMIR: Final = flag("mlir-to-llvmir", "to LLVM IR: what is done if nothing else is said")
ERRORS_ONLY: Final = flag("error-diagnostics-only", "print errors, and nothing less grave")

COMMAND: Final = Command(
    "translate",
    "Translates a module of the LLVM dialect to LLVM IR, or the other way round.",
    EXAMPLE,
    (
        Group("translations", (TO_LLVMIR, FROM_LLVM)),
        CODE,
        Group(
            "input and output",
            (OUTPUT, SPLIT, OUTPUT_SPLIT_MARKER, VERIFY_DIAGNOSTICS, ALLOW_UNREGISTERED, NO_IMPLICIT_MODULE),
        ),
        IMPORT,
        DIALECTS,
        PRINTING,
        Group("messages", (*MESSAGES.options, ERRORS_ONLY)),
        Group("times", TIMES),
        Group(
            "not supported",
            (unsupported("mlir-to-cpp", "there is no translation to C++ here"),),
            hidden=True,
        ),
    ),
    file_help="the input; standard input by default",
)


def main(arguments: Sequence[str], streams: Streams) -> int:
    parsed = COMMAND.parse(arguments, streams)
    timing = timing_of(parsed)
    status = _process(parsed, streams, timing)
    if timing is not None:
        streams.stderr.write(report(timing, parsed))
    return status


def _process(parsed: Parsed, streams: Streams, timing: Timing | None) -> int:
    """Translates each part of the input."""
    work = Run(parsed, streams, "", parts_are_sources=True, least="error" if parsed[ERRORS_ONLY] else None)
    start()
    if parsed[FROM_LLVM]:
        return work.process(_timed(importer(parsed, context_of(parsed, streams)), timing, "Translate LLVMIR to MLIR"))
    from fathom.cli.llvm_export import exporter

    try:
        process = exporter(parsed, context_of(parsed, streams), only_first=work.expects)
    except ValueError as problem:
        raise streams.fail(f"{COMMAND.program}: {problem}") from None
    return work.process(_timed(process, timing, "Translate MLIR to LLVMIR"))


def _timed(process: Process, timing: Timing | None, name: str) -> Process:
    """The same, whose time is measured under a name."""
    if timing is None:
        return process

    def measured(chunk: Chunk, reporter: Reporter) -> str | None:
        started = perf_counter()
        text = process(chunk, reporter)
        timing.measured(name, started)
        return text

    return measured
