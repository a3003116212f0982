"""What `fathom opt` has several processes do: to read a long text of functions, each its share, and to lower that; or
to lower a module that was read. What is wrong with anything one process finds out and says."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from fathom.inputs import splitting
from fathom.inputs.shares import read_share, shares_of
from fathom.pipeline.forks import processes_for

if TYPE_CHECKING:
    from fathom.inputs.loading import Loading
    from fathom.inputs.shares import Shares
    from fathom.inputs.splitting import Chunk
    from fathom.ir.operation import Operation
    from fathom.ir.operation_printer import Locator
    from fathom.messages.report import Reporter
    from fathom.pipeline.divided import Divided
    from fathom.pipeline.language import Pipeline


def _shares(loading: Loading, chunk: Chunk) -> Shares | None:
    """A chunk in as many shares as are worth processes; None where it is read in one piece."""
    count = processes_for(chunk.text.count("\n"), splitting.LEAST_LINES) if loading.is_plain else 0
    return shares_of(chunk, count)


def read_and_lowered(
    pipeline: Pipeline, loading: Loading, chunk: Chunk, reporter: Reporter, locate: Locator
) -> tuple[str | None, bool]:
    """The text that a pipeline makes of a chunk, and whether it was tried to have it read in shares. What was left is
    reported."""
    from fathom.budget import MOST_ON_COMMAND_LINE
    from fathom.pipeline.divided import lowered_by_shares, work_of

    work = work_of(pipeline, loading.context, locate, MOST_ON_COMMAND_LINE)
    shares = _shares(loading, chunk) if work.goes_by_function else None
    if shares is None:
        return None, False
    sample, *reads = (partial(read_share, loading, share) for share in (shares.sample, *shares.parts))
    made = lowered_by_shares(work, reads, shares.names, sample)
    return (_told(made, pipeline, loading, chunk, reporter) if made is not None else None), True


def lowered(
    module: Operation, pipeline: Pipeline, loading: Loading, chunk: Chunk, reporter: Reporter, locate: Locator
) -> str | None:
    """The text that a pipeline makes of a module; None where it is not divided. What was left is reported."""
    from fathom.budget import MOST_ON_COMMAND_LINE
    from fathom.pipeline.divided import lowered_divided, work_of

    made = lowered_divided(work_of(pipeline, loading.context, locate, MOST_ON_COMMAND_LINE), module)
    return _told(made, pipeline, loading, chunk, reporter, module) if made is not None else None


def _told(
    made: Divided,
    pipeline: Pipeline,
    loading: Loading,
    chunk: Chunk,
    reporter: Reporter,
    module: Operation | None = None,
) -> str:
    """The text, after it was said what was left."""
    if made.left:
        from fathom.cli.leftovers import said_of_divided

        source = partial(loading.again, chunk) if module is None else lambda: module
        reporter.report(said_of_divided(made, pipeline, source, loading.context), chunk.offset)
    return made.text
