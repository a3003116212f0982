"""The examples of documents of three times: *Conversion to the LLVM Dialect*, *LLVM IR Target* and *LLVM Dialect* of
MLIR 10 to 16, when functions and memory were of `std`, when LLVM's own types were wrapped, and when pointers said what
they point to.

`tests/fixtures/editions/documents` has a text of our own for each, with the types and operations of the example. Its
second line says what the document does with it, and behind `// -----` stands what that shows. Beside it is what is made
of it: `.out` of all of it, modernised, and `.lowered` of the first part, lowered by the passes of that time, or `.ll`,
translated.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Final

from fathom.context import context_of, default_context
from fathom.elaborate import load
from fathom.inputs.loading import Loading
from fathom.inputs.splitting import Chunk
from fathom.ir.attributes import StringAttr
from fathom.ir.operation import Operation
from fathom.ir.printer import print_module
from fathom.modernising.engine import modernised
from fathom.pipeline.language import parse_pipeline
from fathom.pipeline.lowering import run
from fathom.records import record
from fathom.translation import translated

FIXTURES: Final = Path(__file__).parents[1] / "fixtures" / "editions" / "documents"
EXAMPLES: Final = sorted(FIXTURES.glob("*/*.mlir"))
EDITION: Final = "13"
_RUN: Final = re.compile(r"// RUN: mlir-opt (?P<passes>.*) %s")
_SPLIT: Final = "// -----\n"


@record
class Example:
    """A text, the flags for the passes that run on its first part, none where it is translated, and what the document
    shows of that, if it does."""

    text: str
    flags: tuple[str, ...]
    source: str
    shown: str | None


def example(path: Path) -> Example:
    """The example in a file."""
    text = path.read_text(encoding="utf-8")
    source, _, shown = text.partition(_SPLIT)
    match = _RUN.search(text)
    flags = tuple(flag.replace("'", "") for flag in re.findall(r"(?:'[^']*'|\S)+", match["passes"])) if match else ()
    return Example(text, flags, source, shown or None)


def errors_in(text: str, edition: str = EDITION) -> list[str]:
    """What is wrong with a text in an edition."""
    _, problems = Loading(allow_unregistered=True, context=context_of(edition)).told(Chunk(text, 0))
    return [problem.message for problem in problems if problem.severity == "error"]


def modernised_text(text: str) -> str:
    """What becomes of a text today."""
    made = modernised(text, context_of(EDITION), default_context())
    assert not made.is_refused, made.diagnostics
    return made.text


def lowered(of: Example) -> Operation:
    """The first part of an example after its passes, which run on what it became in memory."""
    context = context_of(EDITION)
    loaded = load(of.source, context)
    lowering = run(parse_pipeline(list(of.flags), context.find_pass), loaded.module, context)
    assert not lowering.failed, lowering.diagnostics
    return loaded.module


def lowered_text(of: Example) -> str:
    """What an example is lowered to: the LLVM dialect, or LLVM IR."""
    if of.flags:
        return print_module(lowered(of))
    translation = translated(load(modernised_text(of.source), default_context()).module)
    assert translation.text is not None, translation.error
    return translation.text


def lowered_path(path: Path, of: Example) -> Path:
    """Where that stands."""
    return path.with_suffix(".lowered" if of.flags else ".ll")


# ---- what of it counts


def substance(module: Operation) -> Counter[tuple[str, ...]]:
    """What is done in each function of a module: the operations with their types and attributes, without their order.
    A value of which nothing is known is undefined as it was then, overflow is not told of, and casts are left out,
    which stand between what is lowered and what nobody lowers."""
    return Counter(entry for op in module.walk() for entry in _substance(op))


_NOW_POISON: Final = "llvm.mlir.poison"
_LEFT_OUT: Final = ("builtin.module", "builtin.unrealized_conversion_cast")
_TOLD_OTHERWISE: Final = ("overflowFlags", "noWrapFlags", "unnamed_addr", "sym_visibility", "llvm.emit_c_interface")


def _substance(op: Operation) -> list[tuple[str, ...]]:
    if op.name in _LEFT_OUT:
        return []
    name = "llvm.mlir.undef" if op.name == _NOW_POISON else op.name
    if op.definition is None:
        return [(_function(op), name)]
    attributes = {**op.properties, **op.attributes}
    said = (f"{key} = {value}" for key, value in sorted(attributes.items()) if key not in _TOLD_OTHERWISE)
    types = (str(value.type) for value in (*op.operands, *op.results))
    return [(_function(op), name, *said, *types)]


def _function(op: Operation) -> str:
    around: Operation | None = op
    while around is not None and around.name != "llvm.func":
        around = around.parent_op
    name = around.properties.get("sym_name") if around is not None else None
    return name.value if isinstance(name, StringAttr) else ""
