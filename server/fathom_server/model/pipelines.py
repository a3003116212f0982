"""The pipeline in force for a document: that of its own first command that is to reach the LLVM dialect, or else that
of the workspace's `fathom.toml`, or else that of the settings."""

from __future__ import annotations

from functools import lru_cache

from fathom.context import Context
from fathom.passes import find as find_here
from fathom.passes.foreign import find_any
from fathom.pipeline.defaults import pipeline_of
from fathom.pipeline.language import Pipeline, parse_pipeline
from fathom.pipeline.run_lines import RunLine, Written, run_lines
from fathom.records import record
from fathom.syntax.tree import SyntaxTree
from fathom_server.model.queries import ALWAYS, fact
from fathom_server.model.settings import Settings
from fathom_server.model.snapshot import Snapshot


@record
class InForce:
    """A pipeline, and where it is written if it is in a command of the document. `foreign` is that of the command if it
    has passes that MLIR has and Fathom has not: then nobody here knows all that it leaves behind."""

    pipeline: Pipeline
    written: Written | None = None
    foreign: Pipeline | None = None


def in_force(tree: SyntaxTree, settings: Settings, context: Context | None = None) -> InForce:
    """The pipeline for a text, with the passes of a context if that has such of its own."""
    elsewhere = settings.project if settings.project is not None else settings.pipeline
    own = context if context is not None and context.own_passes else None
    if own is not None:
        text = settings.project_text if settings.project is not None else settings.pipeline_text
        elsewhere = _own_pipeline(text, own)
    for line in commands_in(tree, own):
        written = line.pipeline
        if written is None or not line.is_to_reach_llvm:
            continue
        pipeline = parsed(written)
        if not pipeline.errors:
            return InForce(pipeline, written)
        foreign = with_foreign(written)
        return InForce(elsewhere, written if foreign is not None else None, foreign)
    return InForce(elsewhere)


@fact(lambda _reach: ALWAYS)
def pipeline(snapshot: Snapshot) -> Pipeline:
    """The pipeline in force."""
    return in_force(snapshot.tree, snapshot.settings, snapshot.context).pipeline


@fact(lambda _reach: ALWAYS)
def foreign(snapshot: Snapshot) -> Pipeline | None:
    """The document's own pipeline, if it has passes that are not here."""
    return in_force(snapshot.tree, snapshot.settings, snapshot.context).foreign


def commands_in(tree: SyntaxTree, context: Context | None = None) -> tuple[RunLine, ...]:
    """The commands in the comments at the beginning of a text, with the passes of a context if that has its own."""
    return run_lines(tree.lines_from(0), context if context is not None and context.own_passes else None)


def parsed(written: Written) -> Pipeline:
    """The pipeline in a command."""
    return _parsed(written.source, written.context, with_foreign=False)


def with_foreign(written: Written) -> Pipeline | None:
    """The pipeline with passes that MLIR has and Fathom has not; None if anything else is wrong with it."""
    chosen = _parsed(written.source, written.context, with_foreign=True)
    return chosen if not chosen.errors else None


@lru_cache(maxsize=64)
def _parsed(source: str | tuple[str, ...], context: Context | None, *, with_foreign: bool) -> Pipeline:
    find = context.find_pass if context is not None else find_here
    return parse_pipeline(source, (lambda name: find(name) or find_any(name)) if with_foreign else find)


@lru_cache(maxsize=8)
def _own_pipeline(text: str, context: Context) -> Pipeline:
    chosen = pipeline_of(text, context.find_pass)
    return chosen if not chosen.errors else pipeline_of("", context.find_pass)
