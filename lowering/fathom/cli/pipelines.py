"""The pipeline that a command line asks for, by flags for passes or as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.cli.commands import Parsed
from fathom.cli.pass_options import PIPELINE
from fathom.pipeline.language import Pipeline, parse_pipeline

if TYPE_CHECKING:
    from fathom.cli.streams import Streams
    from fathom.context import Context


def pipeline_of(parsed: Parsed, program: str, streams: Streams, context: Context) -> Pipeline:
    """The pipeline, of the passes that a context knows; an empty one where none is asked for. Raises Exit after what is
    wrong with it was reported."""
    if PIPELINE in parsed and parsed.passes:
        raise streams.fail("<unknown>:0: error: '-pass-pipeline' option can't be used with individual pass options")
    pipeline = parse_pipeline(parsed.get(PIPELINE, parsed.passes), context.find_pass)
    if pipeline.errors:
        from fathom.cli.leftovers import nested

        raise streams.fail("\n".join([*pipeline.errors, *nested(parsed.get(PIPELINE, ""), program)]))
    if context.edition is not None:
        from fathom.passes.former import former_in

        for former in former_in(pipeline.root.items):
            streams.stderr.write(f"{program}: note: {former.said}\n")
    return pipeline
