"""A dialect arrives, changes and goes while a buffer that uses it is open: each takes effect with the next
diagnostics."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from fathom.context import Context, default_context
from fathom.ir.types import F32, I32, Type
from fathom.irdl.definition import OpDefinition, Operand, Result
from fathom.irdl.dialect import Dialect
from fathom.irdl.type_constraints import exactly
from fathom_server.session.opened import OpenDocument
from fathom_server.session.session import Session

URI = "file:///toy.mlir"
TEXT = """\
func.func @f() {
  %0 = toy.make
  toy.take %0
  return
}
"""


class Buffer:
    """The text in an open session. `published` is what was last said of it: messages with the lines they are for."""

    def __init__(self) -> None:
        self.session = Session(self._publish, lambda opened: None)
        self.published: list[str] = []

    def _publish(self, opened: OpenDocument) -> None:
        tree = opened.document.tree
        self.published = [
            f"{tree.line_of(start + diagnostic.span.start)[0] + 1}: {diagnostic.message}"
            for item, start in tree.items.with_offsets()
            for diagnostic in opened.findings.of(item).mistakes.all
            if diagnostic.span is not None
        ]


@pytest.fixture
def buffer() -> Iterator[Buffer]:
    buffer = Buffer()
    yield buffer
    buffer.session.shutdown()


def toy(makes: Type) -> Dialect:
    """The dialect of the text; what `toy.make` makes is for the caller to say, and `toy.take` takes an `i32`."""
    return Dialect(
        "toy",
        operations=(
            OpDefinition("toy.make", results=(Result("value", exactly(makes, str(makes))),), assembly="attr-dict"),
            OpDefinition("toy.take", operands=(Operand("value", exactly(I32, "i32")),), assembly="$value attr-dict"),
        ),
    )


UNKNOWN = [
    "2: operation 'toy.make' is not known and is kept as it is written",
    "3: operation 'toy.take' is not known and is kept as it is written",
]


async def test_a_dialect_arrives_changes_and_goes(buffer: Buffer) -> None:
    session = buffer.session
    session.open(URI, 1, TEXT)
    assert buffer.published == UNKNOWN

    arrived = default_context().with_dialect(toy(makes=I32))
    session.use(arrived)
    assert buffer.published == []

    session.use(arrived.with_dialect(toy(makes=F32)))
    assert buffer.published == ["3: use of value '%0' expects different type than prior uses: 'i32' vs 'f32'"]

    session.use(arrived.without_dialect("toy"))
    assert buffer.published == UNKNOWN

    session.use(arrived)
    assert buffer.published == []


async def test_a_dialect_of_the_library_can_go_and_come_back(buffer: Buffer) -> None:
    text = "func.func @f(%a: i32) -> i32 {\n  %0 = arith.addi %a, %a : i32\n  return %0 : i32\n}\n"
    buffer.session.open(URI, 1, text)
    assert buffer.published == []
    buffer.session.use(default_context().without_dialect("arith"))
    assert buffer.published == ["2: operation 'arith.addi' is not known and is kept as it is written"]
    buffer.session.use(default_context())
    assert buffer.published == []


def test_no_two_contexts_share_what_they_remember() -> None:
    first = Context()
    second = first.with_dialect(toy(makes=I32))
    assert first.lookup("toy.make") is None
    assert second.lookup("toy.make") is not None
    assert first.lookup("toy.make") is None
    assert first.shapes is not second.shapes
    assert len({first.generation, second.generation, second.without_dialect("toy").generation}) == 3
