"""`fathom opt`: reads MLIR, runs passes, prints MLIR; the options are mlir-opt's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from fathom.cli.loading import Chunk, process_chunks, read_module, report_pipeline
from fathom.cli.options import Parsed, Parser, passes_help
from fathom.cli.report import Reporter
from fathom.cli.streams import Input, Streams
from fathom.context import default_context
from fathom.elaborate import Loaded
from fathom.elaborate.locator import locator
from fathom.ir.attributes import Attribute
from fathom.ir.locations import FileLineColLoc
from fathom.ir.operation import BlockArgument, Operation
from fathom.ir.printer import print_module, print_op
from fathom.passes.definition import Pass
from fathom.pipeline import Pipeline, parse_pipeline, run

EXAMPLE = """\
  fathom opt --convert-scf-to-cf --convert-arith-to-llvm examples/gcd.mlir
  fathom opt --pass-pipeline='builtin.module(func.func(convert-scf-to-cf),convert-arith-to-llvm{index-bitwidth=32})' -
"""


def parser(streams: Streams) -> Parser:
    description = f"Runs passes on MLIR and prints the result, as mlir-opt does.\n\n{passes_help()}"
    result = Parser("opt", description, EXAMPLE, streams)
    result.add_argument("file", nargs="?", default="-", help="the input; standard input by default")
    result.add_argument(
        "-o", metavar="FILE", default="-", dest="output", help="where to write; standard output by default"
    )
    result.add_argument("--pass-pipeline", metavar="TEXT", help="a pipeline as text, instead of flags for passes")
    result.add_argument("--mlir-print-op-generic", action="store_true", help="print the generic form")
    result.add_argument("--mlir-print-debuginfo", action="store_true", help="print locations")
    result.add_argument("--mlir-print-local-scope", action="store_true", help="print without aliases")
    result.add_argument(
        "--mlir-print-ir-after-all", action="store_true", help="print after each pass, to standard error"
    )
    result.add_argument("--allow-unregistered-dialect", action="store_true", help="keep operations that are not known")
    result.add_argument(
        "--split-input-file", action="store_true", help="take the parts between `// -----` each on its own"
    )
    result.add_argument("--verify-each", nargs="?", const="1", default="1", help="verify after each pass (0 or 1)")
    return result


def main(arguments: Sequence[str], streams: Streams) -> int:
    parsed = parser(streams).parse(arguments)
    options = parsed.options
    if options.pass_pipeline is not None and parsed.passes:
        streams.stderr.write("<unknown>:0: error: '-pass-pipeline' option can't be used with individual pass options\n")
        return 1
    pipeline = parse_pipeline(options.pass_pipeline if options.pass_pipeline is not None else parsed.passes)
    if pipeline.errors:
        streams.stderr.write("\n".join(pipeline.errors) + "\n")
        return 1
    source = streams.read(options.file)
    reporter = Reporter(source, streams.stderr)
    return process_chunks(source, options, streams, lambda chunk: _process(chunk, pipeline, parsed, reporter, streams))


def _process(chunk: Chunk, pipeline: Pipeline, parsed: Parsed, reporter: Reporter, streams: Streams) -> str | None:
    """One chunk's result, None if it failed."""
    options = parsed.options
    loaded = read_module(chunk, default_context(), reporter, allow_unregistered=options.allow_unregistered_dialect)
    if loaded is None:
        return None
    module = loaded.module

    def dump(use: Pass, op: Operation) -> None:
        streams.stderr.write(f"// -----// IR Dump After {type(use).__name__} ({use.name}) //----- //\n")
        whole = op is module
        text = (
            print_module(op, generic=options.mlir_print_op_generic) if whole else print_op(op, local_scope=False) + "\n"
        )
        streams.stderr.write(text + "\n")

    result = run(
        pipeline,
        module,
        default_context(),
        after_pass=dump if options.mlir_print_ir_after_all else None,
        verify_each=options.verify_each not in ("0", "false"),
    )
    if report_pipeline(streams, reporter, result.diagnostics, chunk.offset):
        return None
    return print_module(
        module,
        generic=options.mlir_print_op_generic,
        debug_locations=options.mlir_print_debuginfo,
        local_scope=options.mlir_print_local_scope,
        locate=_locator(loaded, chunk, reporter.source) if options.mlir_print_debuginfo else None,
        external=loaded.metadata.external,
    )


def _locator(loaded: Loaded, chunk: Chunk, source: Input) -> Callable[[Operation | BlockArgument], Attribute]:
    """The locations of a chunk's operations in the whole input."""
    locate = locator(loaded.elaborated, chunk.text, source.name)
    above = source.text.count("\n", 0, chunk.offset)

    def locate_in_source(owner: Operation | BlockArgument) -> Attribute:
        location = locate(owner)
        if above and owner.location is None and isinstance(location, FileLineColLoc) and location.line:
            return replace(location, line=location.line + above)
        return location

    return locate_in_source
