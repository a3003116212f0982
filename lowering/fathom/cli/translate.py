"""`fathom translate`: the LLVM dialect to LLVM IR, verified by LLVM; the options are mlir-translate's."""

from __future__ import annotations

from collections.abc import Sequence

from fathom.cli.loading import Chunk, process_chunks, read_module
from fathom.cli.options import Parser
from fathom.cli.report import Reporter
from fathom.cli.streams import Streams
from fathom.context import default_context
from fathom.translation import TRANSLATED, translate, verify_ir

EXAMPLE = """\
  fathom translate --mlir-to-llvmir lowered.mlir
  fathom opt --convert-scf-to-cf --convert-arith-to-llvm --convert-cf-to-llvm --finalize-memref-to-llvm \\
      --convert-func-to-llvm --reconcile-unrealized-casts examples/gcd.mlir | fathom translate --mlir-to-llvmir
"""


def parser(streams: Streams) -> Parser:
    result = Parser("translate", "Translates a module of the LLVM dialect to LLVM IR.", EXAMPLE, streams)
    result.add_argument("file", nargs="?", default="-", help="the input; standard input by default")
    result.add_argument(
        "-o", metavar="FILE", default="-", dest="output", help="where to write; standard output by default"
    )
    result.add_argument("--mlir-to-llvmir", action="store_true", help="to LLVM IR: what is done anyway")
    result.add_argument("--allow-unregistered-dialect", action="store_true", help="keep operations that are not known")
    result.add_argument(
        "--split-input-file", action="store_true", help="take the parts between `// -----` each on its own"
    )
    return result


def main(arguments: Sequence[str], streams: Streams) -> int:
    parsed = parser(streams).parse(arguments)
    options = parsed.options
    if parsed.passes:
        streams.stderr.write(
            f"fathom translate: Unknown command line argument '{parsed.passes[0]}'.  Try: 'fathom opt --help'\n"
        )
        return 1
    source = streams.read(options.file)
    reporter = Reporter(source, streams.stderr)
    allow = options.allow_unregistered_dialect
    return process_chunks(
        source, options, streams, lambda chunk: _process(chunk, reporter, streams, allow_unregistered=allow)
    )


def _process(chunk: Chunk, reporter: Reporter, streams: Streams, *, allow_unregistered: bool) -> str | None:
    loaded = read_module(chunk, default_context(), reporter, allow_unregistered=allow_unregistered, known=TRANSLATED)
    if loaded is None:
        return None
    translation = translate(loaded.module)
    if translation.diagnostics:
        reporter.report(translation.diagnostics, chunk.offset)
        return None
    if problems := verify_ir(translation.text):
        streams.stderr.write("\n".join(problems) + "\n")
        return None
    return translation.text
