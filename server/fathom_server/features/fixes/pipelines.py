"""The corrected pipeline, in the place where the pipeline is written: in a command of the text, or in `fathom.toml`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from fathom.execution.libraries import library_of
from fathom.passes.foreign import PassOfMLIR
from fathom.pipeline.editing import mended
from fathom.pipeline.language import Pipeline, unnested
from fathom.pipeline.lowering import corrected
from fathom.pipeline.run_lines import Written, flags_of, rewritten
from fathom_server.features.edits import Fix, Replacement
from fathom_server.features.fixes.mistake import Mistake
from fathom_server.model.commands import RUNNERS
from fathom_server.model.modules import module_for
from fathom_server.model.pipelines import commands_in, in_force


def repaired(mistake: Mistake) -> Iterator[Fix]:
    """A pipeline that does not leave behind what this one does."""
    snapshot = mistake.snapshot
    force = in_force(snapshot.tree, snapshot.settings, snapshot.context)
    module = module_for(snapshot, (mistake.item,), False)
    present = force.foreign if force.foreign is not None else force.pipeline
    better = corrected(present, module.op, snapshot.context) if module.problem is None else None
    is_here = better is None or not any(isinstance(pass_, PassOfMLIR) for pass_ in better.passes)
    if better is None or not (is_here or (force.written is not None and force.written.is_of_mlir)):
        return
    what = _difference(present, better)
    if force.written is not None:
        yield from _in_command(force.written, better, f"{what} in the command above")
        return
    flags = flags_of(better)
    yield Fix(f"{what} in `fathom.toml`", (), " ".join(flags) if flags is not None else str(better))


def nested(mistake: Mistake) -> Iterator[Fix]:
    """The pipeline with its passes nested where they can run."""
    place = mistake.base + mistake.span.start
    for line in commands_in(mistake.snapshot.tree, mistake.snapshot.context):
        written = line.pipeline
        if written is not None and written.words and written.words[0].start <= place < written.words[-1].end:
            loose = unnested(written.text, written.find) if written.whole else None
            if loose is not None:
                yield from _in_command(written, mended(loose), "Nest the passes where they can run")


def with_library(mistake: Mistake) -> Iterator[Fix]:
    """The library that defines a function, for the runner."""
    library = library_of(mistake.text[mistake.span.start : mistake.span.end].lstrip("@").strip('"'))
    for line in commands_in(mistake.snapshot.tree, mistake.snapshot.context):
        for command in line.commands if library is not None else ():
            if command.tool not in RUNNERS:
                continue
            given = next((word for word in command.words if word.text.lstrip("-").startswith("shared-libs=")), None)
            end = (given or command.words[-1]).end
            text = f",%{library}" if given is not None else f" -shared-libs=%{library}"
            yield Fix(f"Give the runner the library `{library}`", (Replacement(end, end, text),))


def _in_command(written: Written, better: Pipeline, title: str) -> Iterator[Fix]:
    edits = rewritten(written, better)
    if edits:
        yield Fix(title, tuple(Replacement(*edit) for edit in edits))


def _difference(before: Pipeline, after: Pipeline) -> str:
    """What is to be done with a pipeline, in words."""
    added = Counter(pass_.name for pass_ in after.passes)
    added.subtract(pass_.name for pass_ in before.passes)
    new, gone = ([f"`{name}`" for name, count in added.items() if count * sign > 0] for sign in (1, -1))
    if new and gone:
        return f"Run {_listed(new)} in place of {_listed(gone)}"
    if gone:
        return f"Take {_listed(gone)} out"
    return f"Add {_listed(new)}" if new else "Put the passes in order"


def _listed(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])}{' and ' if names[1:] else ''}{names[-1]}"
