"""The stages of a pipeline by name: points on the way from the source to LLVM IR."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.records import record

if TYPE_CHECKING:
    from fathom.pipeline.language import Pipeline

SOURCE: Final = "source"
LLVM_DIALECT: Final = "llvm-dialect"
LLVM_IR: Final = "llvm-ir"


@record
class Stage:
    """A point on the way to LLVM IR, at which the first `passes` passes of the pipeline have run."""

    id: str
    passes: int


def stages(pipeline: Pipeline) -> list[Stage]:
    """The stages of a pipeline, from the source to LLVM IR: one behind each pass, called like it, the second time
    `name#2`. The last pass's own stage is the LLVM dialect."""
    listed = [Stage(SOURCE, 0)]
    seen: dict[str, int] = {}
    passes = pipeline.passes
    for index, use in enumerate(passes[:-1], 1):
        seen[use.name] = seen.get(use.name, 0) + 1
        listed.append(Stage(use.name if seen[use.name] == 1 else f"{use.name}#{seen[use.name]}", index))
    return [*listed, Stage(LLVM_DIALECT, len(passes)), Stage(LLVM_IR, len(passes))]
