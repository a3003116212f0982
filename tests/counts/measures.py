"""What work costs, in calls of functions, Python's own among them: the same on any machine. `python -m
tests.counts.measures` prints all counts as JSON.

They are counted in a process of their own, always in this order, since what is learned by one need not be learned by
the next. Nothing here asks LLVM, for which one waits in as many calls as it takes.
"""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator
from typing import Final

from benchmarks.big_functions import MISTAKE, RETURN, straight
from benchmarks.passes import FUNCTION, KERNELS, PASSES
from benchmarks.programs import repeated
from fathom.context import default_context
from fathom.elaborate import load
from fathom.ir.operation import Operation
from fathom.ir.printer import print_module
from fathom.pipeline.defaults import LOWER_TO_LLVM
from fathom.pipeline.language import parse_pipeline
from fathom.pipeline.lowering import run
from fathom.translation import translate
from fathom.verify import verify
from fathom_server.features.preview import preview
from fathom_server.features.stages import LLVM_DIALECT, stage_called
from fathom_server.model.document import Document
from fathom_server.model.mistakes import diagnostics
from fathom_server.model.settings import Settings
from tests.work import calls_of

COPIES: Final = 3
NUMBER: Final = "constant 1 : i32"
OPERATIONS: Final = ("addi", "subi", "muli", "xori", "andi", "ori", "maxsi", "minsi", "maxui", "minui")


def kernels(copies: int = COPIES) -> str:
    """Loops, vectors, mathematics, views and control flow."""
    return "\n".join(f"{FUNCTION}\n{KERNELS}".format(n=n) for n in range(copies)) + "\n"


def unlike(statements: int = 200) -> str:
    """Statements of which each has types of its own."""
    lines = ["func.func @unlike() {"]
    for number in range(statements):
        kind = f"vector<{number % 20 + 2}x{number // 20 + 2}xi{number % 7 + 8}>"
        lines.append(f"  %c{number} = arith.constant dense<{number % 100}> : {kind}")
        operation = OPERATIONS[number % len(OPERATIONS)]
        lines.append(f"  %{number} = arith.{operation} %c{number}, %c{number} : {kind}")
    return "\n".join([*lines, "  return", "}", ""])


def counts() -> dict[str, int]:
    """What each piece of work costs."""
    gc.disable()
    return dict(_all())


def _all() -> Iterator[tuple[str, int]]:
    context = default_context()
    lowered(kernels(1))
    yield "read and verify 255 lines, whose kinds were met", calls_of(lambda: module_of(kernels()))
    yield "read and verify 400 statements, no two alike", calls_of(lambda: module_of(unlike()))

    module = module_of(kernels())
    passes = parse_pipeline(list(PASSES))
    yield "fourteen passes", calls_of(lambda: run(passes, module, context, verifying="each"))
    yield "print what they made", calls_of(lambda: print_module(module))
    yield "LLVM IR of it", calls_of(lambda: translate(module, context=context))

    document = opened(repeated(40))
    yield "a key in 1,100 lines, and what is wrong then", calls_of(lambda: _key(document))
    one = opened(straight(100).text.replace(MISTAKE, RETURN))
    yield "preview of a function of 100 operations", _preview_after_key(one, "straight")
    thousand = opened(straight(1000).text.replace(MISTAKE, RETURN))
    yield "preview of a function of 1,000 operations", _preview_after_key(thousand, "straight")
    whole = opened(repeated(8))
    yield "preview of a file of 8 functions, after a key", _preview_after_key(whole, None)
    longer = opened(repeated(40))
    yield "preview of a file of 40 functions, after a key", _preview_after_key(longer, None)


def module_of(text: str) -> Operation:
    """The module that a text is, verified."""
    context = default_context()
    module = load(text, context=context).module
    assert not verify(module, context=context)
    return module


def lowered(text: str) -> None:
    """Lowers a text all the way down: what is met for the first time is learned."""
    module = module_of(text)
    run(LOWER_TO_LLVM, module, default_context())
    print_module(module)
    translate(module)


def opened(text: str) -> Document:
    """A document whose mistakes are known; there are none."""
    document = Document("file:///counted.mlir", 1, text, default_context(), Settings())
    assert not any(diagnostics(document.snapshot(), item) for item in document.tree.items)
    return document


def _key(document: Document) -> None:
    text = document.tree.text
    at = text.index("constant ", len(text) // 2) + len("constant ")
    line, column = text.count("\n", 0, at), at - text.rfind("\n", 0, at) - 1
    document.edit((line, column), (line, column), "1")
    for item in document.tree.items:
        diagnostics(document.snapshot(), item)


def _preview_after_key(document: Document, function: str | None) -> int:
    def look() -> None:
        shown = preview(document.snapshot(), stage_called(document.snapshot(), LLVM_DIALECT), function)
        assert shown.text is not None and shown.problem is None, shown.problem

    look()
    _key(document)
    return calls_of(look)


def main() -> None:
    print(json.dumps(counts(), indent=2))


if __name__ == "__main__":
    main()
