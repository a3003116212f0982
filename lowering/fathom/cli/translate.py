"""`fathom translate`: the LLVM dialect to LLVM IR, verified by LLVM, and back; the options are mlir-translate's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fathom.cli.commands import Command, Group
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

EXAMPLE: Final = """\
  fathom translate --mlir-to-llvmir lowered.mlir
  fathom translate --import-llvm program.ll
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
        Group(
            "input and output",
            (OUTPUT, SPLIT, OUTPUT_SPLIT_MARKER, VERIFY_DIAGNOSTICS, ALLOW_UNREGISTERED, NO_IMPLICIT_MODULE),
        ),
        IMPORT,
        DIALECTS,
        PRINTING,
        Group("messages", (*MESSAGES.options, ERRORS_ONLY)),
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
    work = Run(parsed, streams, "", parts_are_sources=True, least="error" if parsed[ERRORS_ONLY] else None)
    if parsed[FROM_LLVM]:
        return work.process(importer(parsed, context_of(parsed, streams)))
    from fathom.cli.llvm_export import exporter

    return work.process(exporter(parsed, context_of(parsed, streams), only_first=work.expects))
