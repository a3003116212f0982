"""`fathom graph`: control flow, data flow, loops, accesses to memory and calls of a program at any stage, as a picture
or as data."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.cli.commands import Command, Group, Parsed
from fathom.cli.dialect_options import DIALECTS, context_of, own_passes
from fathom.cli.options import choice, text
from fathom.cli.pass_options import PIPELINE
from fathom.cli.pipelines import pipeline_of
from fathom.cli.streams import Exit, Streams
from fathom.graphs.dot import dot
from fathom.graphs.graph import Graph, Limits
from fathom.graphs.making import KINDS, OF_LLVM_IR, OF_MODULE, of_function, of_llvm_ir
from fathom.graphs.outline import outline
from fathom.graphs.patterns import pattern_fields
from fathom.graphs.printed import Printed
from fathom.inputs.loading import Loading
from fathom.inputs.splitting import Chunk
from fathom.messages.report import Reporter, Verbosity
from fathom.messages.source import Source
from fathom.pipeline.defaults import whole_lowering
from fathom.pipeline.lowering import run
from fathom.pipeline.segments import segment
from fathom.pipeline.stages import LLVM_IR, SOURCE, Stage, stages
from fathom.programs.functions import callable_functions, has_body, symbols_of_path
from fathom.programs.preparing import Absent, Part, cut

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.ir.operation import Operation, Span
    from fathom.pipeline.language import Pipeline
    from fathom.pipeline.lowering import Lowering

KIND: Final = choice("kind", "what is drawn; cfg, the control flow, by default", KINDS, default=KINDS[0])
FUNCTION: Final = text("function", "the function, by its name; the only one by default", "NAME")
STAGE: Final = text(
    "stage", "source, the name of a pass, llvm-dialect or llvm-ir; source by default", "STAGE", default=SOURCE
)
FORMAT: Final = choice("format", "dot, json or text; dot by default", ("dot", "json", "text"), default="dot")
OUTPUT: Final = text("o", "where to write; standard output by default", "FILE", default="-")

COMMAND: Final = Command(
    "graph",
    "Prints a graph of a function at a stage of a pipeline, or of the calls of a module, in the language of Graphviz.\n"
    "Without flags for passes the pipeline is lower-to-llvm.",
    "  fathom graph examples/gcd.mlir --stage=llvm-dialect | dot -Tsvg > gcd.svg\n"
    "  fathom graph examples/matmul.mlir --kind=loops --format=text\n"
    "  fathom graph examples/matmul.mlir --kind=access --function=matmul --format=text\n",
    (Group("options", (KIND, FUNCTION, STAGE, FORMAT, OUTPUT, PIPELINE)), DIALECTS),
    file_help="the input; standard input by default",
    takes_passes=True,
    own_passes=own_passes,
)


def main(arguments: Sequence[str], streams: Streams) -> int:
    parsed = COMMAND.parse(arguments, streams)
    given = streams.read(parsed.file)
    source = Source(given.name, given.text)
    context = context_of(parsed, streams)
    asked = pipeline_of(parsed, COMMAND.program, streams, context)
    pipeline = asked if parsed.get(PIPELINE, parsed.passes) else whole_lowering(context.find_pass)
    stage = _stage(parsed, pipeline, streams)
    graph = _made(parsed, source, pipeline, stage, context, streams)
    match parsed[FORMAT]:
        case "json":
            written = _json(graph, stage, source)
        case "text":
            written = outline(graph)
        case _:
            written = dot(graph)
    streams.write(parsed[OUTPUT], written)
    return 0


def _stage(parsed: Parsed, pipeline: Pipeline, streams: Streams) -> Stage:
    listed = stages(pipeline)
    stage = next((stage for stage in listed if stage.id == parsed[STAGE]), None)
    if stage is None:
        there = ", ".join(stage.id for stage in listed)
        raise streams.fail(f"fathom graph: there is no stage '{parsed[STAGE]}'; there are: {there}")
    if stage.id == LLVM_IR and parsed[KIND] not in OF_LLVM_IR:
        raise streams.fail(f"fathom graph: of LLVM IR there are: {', '.join(OF_LLVM_IR)}")
    return stage


def _made(
    parsed: Parsed, source: Source, pipeline: Pipeline, stage: Stage, context: Context, streams: Streams
) -> Graph:
    """The graph that is asked for. Raises Exit after what is wrong was reported."""
    reporter = Reporter(source, streams.stderr, Verbosity(current_operation=False))
    loading = Loading(allow_unregistered=True, context=context)
    name = parsed[FUNCTION] or _only_function(source, loading, reporter, streams)
    if parsed[KIND] in OF_MODULE:
        loaded = loading.load(Chunk(source.text, 0), reporter)
        if loaded is None:
            raise Exit(1)
        module, symbol = loaded.module, ""
    else:
        part = cut(source, name, loading)
        if not isinstance(part, Part):
            reporter.report(list(part.problems))
            raise Exit(1) if part.problems else streams.fail(f"{source.name}: error: {part.message}")
        module, symbol = part.module, part.name
    lowering = run(segment(pipeline, 0, stage.passes), module, context)
    reporter.report(lowering.diagnostics)
    if lowering.failed:
        raise Exit(1)
    if stage.id == LLVM_IR:
        return _of_llvm_ir(parsed, lowering, symbol, reporter, streams)
    return _of_module(parsed, module, symbol, name, context, streams)


def _only_function(source: Source, loading: Loading, reporter: Reporter, streams: Streams) -> str:
    """The name of the function that a text has; the first one where the graph is of all."""
    loaded, problems = loading.told(Chunk(source.text, 0))
    there = callable_functions(loaded.module)
    if len(there) == 1:
        return there[0]
    if problems:
        reporter.report(problems)
        raise Exit(1)
    if not there:
        raise streams.fail(f"{source.name}: error: {Absent('', ()).message()}")
    return there[0]


def _of_module(parsed: Parsed, module: Operation, symbol: str, name: str, context: Context, streams: Streams) -> Graph:
    printed = Printed.of(module)
    if parsed[KIND] in OF_MODULE:
        return OF_MODULE[parsed[KIND]](module, printed, "", Limits())
    function = next(filter(has_body, symbols_of_path(module, (symbol,))), None)
    if function is None:
        raise streams.fail(f"fathom graph: there is no function {name} at this stage")
    return of_function(parsed[KIND], function, printed, name, Limits(), context)


def _of_llvm_ir(parsed: Parsed, lowering: Lowering, symbol: str, reporter: Reporter, streams: Streams) -> Graph:
    from fathom.graphs.llvm_ir import Lines

    translated = lowering.translated()
    reporter.report(list(translated.told))
    translation = translated.translation
    lines = Lines.of(translation.text, translation.asked, translation.line_spans)
    if translated.error is not None or lines is None:
        raise Exit(1)
    return of_llvm_ir(parsed[KIND], lines, symbol, Limits())


def _json(graph: Graph, stage: Stage, source: Source) -> str:
    """A graph as JSON. Lines and columns of the source count from 1, columns in bytes."""

    def place(span: Span | None) -> dict[str, object]:
        if span is None:
            return {}
        first, last = source.location(span.start), source.location(span.end)
        return {"source": {"line": first.line, "column": first.column, "endLine": last.line, "endColumn": last.column}}

    nodes = [
        {
            "kind": node.kind,
            "title": node.title,
            "lines": list(node.lines),
            **place(node.source),
            **({"parent": node.parent} if node.parent is not None else {}),
            **({} if node.is_reachable else {"unreachable": True}),
            **({"pattern": pattern_fields(node.pattern)} if node.pattern is not None else {}),
        }
        for node in graph.nodes
    ]
    edges = [
        {
            "start": edge.start,
            "end": edge.end,
            "kind": edge.kind,
            **({"label": edge.label} if edge.label else {}),
            **({"back": True} if edge.is_back else {}),
        }
        for edge in graph.edges
    ]
    answer = {"kind": graph.kind, "name": graph.name, "stage": stage.id, "nodes": nodes, "edges": edges}
    omitted = {"omitted": graph.omitted} if graph.omitted else {}
    return json.dumps({**answer, **omitted}, indent=2) + "\n"
