"""The pipeline in force for a document: that of its own first command that is to reach the LLVM dialect, or else that
of the workspace's `fathom.toml`, or else that of the settings."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from fathom.passes import names, pipeline_names
from fathom.passes.mlir import NAMES
from fathom.pipeline import Pipeline, parse_pipeline
from fathom.pipeline.run_lines import RunLine, Written, run_lines
from fathom.records import record
from fathom.syntax.tree import SyntaxTree
from fathom_server.model.queries import fact
from fathom_server.model.settings import Settings
from fathom_server.model.snapshot import Snapshot

_NAME: Final = re.compile(r"[\w-]+")


@record
class InForce:
    """A pipeline, and where it is written if it is in a command of the document. `foreign` are the passes in that which
    MLIR has and Fathom has not: then nobody here knows what the command leaves behind."""

    pipeline: Pipeline
    written: Written | None = None
    foreign: tuple[str, ...] = ()


def in_force(tree: SyntaxTree, settings: Settings) -> InForce:
    """The pipeline for a text."""
    elsewhere = settings.project if settings.project is not None else settings.pipeline
    for line in commands_in(tree):
        written = line.pipeline
        if written is None or not line.is_to_reach_llvm:
            continue
        pipeline = parsed(written)
        if not pipeline.errors:
            return InForce(pipeline, written)
        foreign = foreign_in(written)
        return InForce(elsewhere, written if foreign else None, foreign)
    return InForce(elsewhere)


@fact
def pipeline(snapshot: Snapshot) -> Pipeline:
    """The pipeline in force."""
    return in_force(snapshot.tree, snapshot.settings).pipeline


@fact
def is_foreign(snapshot: Snapshot) -> bool:
    """Whether the document's own pipeline has passes that are not here."""
    return bool(in_force(snapshot.tree, snapshot.settings).foreign)


def commands_in(tree: SyntaxTree) -> list[RunLine]:
    """The commands in the comments at the beginning of a text."""
    return run_lines(tree.lines_from(0))


def parsed(written: Written) -> Pipeline:
    return _parsed(written.text if written.whole else tuple(each.text for each in written.words))


@lru_cache(maxsize=64)
def _parsed(source: str | tuple[str, ...]) -> Pipeline:
    return parse_pipeline(source)


def foreign_in(written: Written) -> tuple[str, ...]:
    """The passes that MLIR has and Fathom has not."""
    known = {*names(), *pipeline_names()}
    return tuple(
        name
        for name in dict.fromkeys(each.lstrip("-") for each in _NAME.findall(written.text))
        if name in NAMES and name not in known
    )
