"""What `@a::@b` means to a check, over the wire: what mlir-opt says of such a name, and nothing else, wherever in the
document the symbol tables stand."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import Final

import pytest
import pytest_asyncio
from lsprotocol import types

from tests.server.client import Session, started

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module", name="session")
async def _session() -> AsyncIterator[Session]:
    async with started() as session:
        yield session


GLOBAL = "ml_program.global private @{}(dense<4> : tensor<4xi32>) : tensor<4xi32>\n"


def load(function: str, symbol: str) -> str:
    """A function that loads a global."""
    return f"func.func @{function}() {{\n  %0 = ml_program.global_load {symbol} : tensor<4xi32>\n  return\n}}\n"


def launch(kernel: str, arguments: str = "") -> str:
    """A function that launches a kernel."""
    sizes = "blocks in (%i, %i, %i) threads in (%i, %i, %i)"
    return f"func.func @f(%i: index, %x: f32) {{\n  gpu.launch_func {kernel} {sizes} {arguments}\n  return\n}}\n"


KERNELS = """\
module attributes {gpu.container_module} {
gpu.module @k {
  gpu.func @kernel(%x: f32) kernel {
    gpu.return
  }
  gpu.func @function(%x: f32) {
    gpu.return
  }
}
"""
SEQUENCES = """\
module attributes {transform.with_named_sequence} {
module @library attributes {transform.with_named_sequence} {
  transform.named_sequence @s(%a: !transform.any_op {transform.readonly}) {
    transform.yield
  }
}
transform.named_sequence @t(%a: !transform.any_op {transform.readonly}) {
"""


def include(symbol: str) -> str:
    called = f"transform.include {symbol} failures(propagate) (%a) : (!transform.any_op) -> ()"
    return f"  {called}\n  transform.yield\n}}\n}}\n"


CASES: Final[Mapping[str, tuple[str, list[str]]]] = {
    "a global in a module": (
        "module @a {\n" + GLOBAL.format("v") + "}\n" + load("f", "@a::@v") + load("g", "@a::@w"),
        ["9: 'ml_program.global_load' op undefined global: @a::@w"],
    ),
    "a global in a module in a module": (
        "module @a {\nmodule @b {\n" + GLOBAL.format("v") + "}\n}\n" + load("f", "@a::@b::@v") + load("g", "@a::@v"),
        ["11: 'ml_program.global_load' op undefined global: @a::@v"],
    ),
    "a global in a module of one line": (
        "module @a { " + GLOBAL.format("v").rstrip() + " }\n" + load("f", "@a::@v"),
        [],
    ),
    "a global in a module that begins where another symbol stands": (
        "module @a { " + GLOBAL.format("v") + GLOBAL.format("w") + "}\n" + load("f", "@a::@v") + load("g", "@a::@w"),
        [],
    ),
    "a global further out": (
        GLOBAL.format("v") + "module @a {\nmodule {\n" + load("f", "@v") + load("g", "@w") + "}\n}\n",
        ["9: 'ml_program.global_load' op undefined global: @w"],
    ),
    "a global beyond the end of a split": (
        GLOBAL.format("v") + "// -----\n" + load("f", "@v"),
        ["4: 'ml_program.global_load' op undefined global: @v"],
    ),
    "a kernel": (KERNELS + launch("@k::@kernel", "args(%x : f32)") + "}\n", []),
    "a kernel of other arguments": (
        KERNELS + launch("@k::@kernel") + "}\n",
        ["11: 'gpu.launch_func' op got 0 kernel operands but expected 1"],
    ),
    "a kernel that is none": (
        KERNELS + launch("@k::@function", "args(%x : f32)") + "}\n",
        ["11: 'gpu.launch_func' op kernel function is missing the 'gpu.kernel' attribute"],
    ),
    "a kernel that is missing": (
        KERNELS + launch("@k::@other", "args(%x : f32)") + "}\n",
        ["11: 'gpu.launch_func' op kernel function '@k::@other' is undefined"],
    ),
    "a sequence": (SEQUENCES + include("@library::@s"), []),
    "a sequence that is missing": (
        SEQUENCES + include("@library::@r"),
        ["8: 'transform.include' op does not reference a named transform sequence"],
    ),
    "what a comdat holds is not at hand": (
        "llvm.comdat @c {\n  llvm.comdat_selector @s any\n}\nllvm.mlir.global external @g() comdat(@c::@s) : i64\n",
        [],
    ),
    "the types of two dialects": (
        "irdl.dialect @a {\n  irdl.type @t {}\n}\n"
        "irdl.dialect @b {\n  irdl.type @u {\n    %0 = irdl.base @a::@t\n    %1 = irdl.base @b::@v\n"
        "    irdl.parameters(x: %0, y: %1)\n  }\n}\n",
        ["7: 'irdl.base' op symbol '@b::@v' not found"],
    ),
    "a privatizer": (
        "module @a {\nomp.private {type = private} @p : i32\n}\n"
        "func.func @f(%a: !llvm.ptr) {\n  omp.parallel private(@a::@p %a -> %b : !llvm.ptr) {\n    omp.terminator\n"
        "  }\n  return\n}\n",
        [],
    ),
}


@pytest.mark.parametrize("name", CASES)
async def test_a_path_of_names_means_what_it_names(session: Session, name: str) -> None:
    text, expected = CASES[name]
    assert await errors_in(session, text) == expected


async def errors_in(session: Session, text: str) -> list[str]:
    """What is wrong with a text, up to an error behind it: all of it has been looked at then."""
    lines = text.count("\n")
    last = f"{lines + 2}: 'func.call' op 'nowhere' does not reference a valid function"
    buffer = session.open(text + "func.func @last() {\n  call @nowhere() : () -> ()\n  return\n}\n")
    shown = await buffer.diagnostics(lambda shown: last in shown)
    return [message for message in shown[: shown.index(last)] if " lower" not in message]


async def test_who_names_a_symbol_is_looked_at_when_that_is_renamed(session: Session) -> None:
    buffer = session.open("module @a {\n" + GLOBAL.format("v") + "}\n" + load("f", "@a::@v"))
    missing = "5: 'ml_program.global_load' op undefined global: @a::@v"
    assert missing not in await buffer.diagnostics()
    buffer.edit(("@v(", "@w("))
    assert missing in await buffer.diagnostics(lambda shown: missing in shown)
    buffer.edit(("@w(", "@v("))
    assert missing not in await buffer.diagnostics(lambda shown: missing not in shown)


async def test_who_names_a_symbol_is_looked_at_when_its_table_is_renamed(session: Session) -> None:
    padding = "  %c{} = arith.constant 1 : i32\n"
    body = "".join(padding.format(index) for index in range(100))
    text = "module @a {\n" + GLOBAL.format("v") + "}\n" + load("f", "@a::@v").replace("  return", body + "  return")
    buffer = session.open(text)
    missing = "5: 'ml_program.global_load' op undefined global: @a::@v"
    assert missing not in await buffer.diagnostics()
    buffer.edit(("module @a", "module @b"))
    assert missing in await buffer.diagnostics(lambda shown: missing in shown)
    buffer.edit(("module @b", "module @a"))
    assert missing not in await buffer.diagnostics(lambda shown: missing not in shown)


async def test_a_path_may_have_any_number_of_names(session: Session) -> None:
    buffer = session.open(f'module @a {{\n  "x.y"() {{a = @a{"::@b" * 5_000}::@end}} : () -> ()\n}}\n')
    place = types.HoverParams(buffer.identifier, buffer.at("::@end", 3))
    assert await session.client.text_document_hover_async(place) is None
