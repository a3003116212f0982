"""Hovers through the real server: of each kind one, in the markup that the client takes; and at no cost to speak of,
however much text there is to be shown."""

from __future__ import annotations

from typing import get_args

import pytest
from lsprotocol import types

from fathom_server.features.hover import TEXTS, hover
from fathom_server.model.subjects import Subject
from tests.server.client import Session, capabilities, started
from tests.server.fixture import snapshot_of
from tests.work import calls_of

TEXT = """\
#map = affine_map<(d0) -> (d0)>
module @m {
  func.func @f(%m: memref<2x2xf32>, %c: i1) -> f32 {
    %zero = arith.constant 0 : index
    %x = memref.load %m[%zero, %zero] {note = "größe", b = 0x10} : memref<2x2xf32>
    cf.cond_br %c, ^end(%x : f32), ^end(%x : f32)
  ^end(%y: f32):
    %z = arith.cmpf oeq, %y, %y : f32
    return %y : f32
  }
}
// -----
func.func @f() { return }
"""
SAID = [
    ("#map =", "#map = affine_map<(d0) -> (d0)>"),
    ("@f(%m", "_mlir_ciface_f(struct memref_2d_f32 *m, bool c)"),
    ("memref<2x2xf32>, %c", "[1,0]"),
    ("%zero =", "%zero : index = 0"),
    ("memref.load", '"memref.load"(%m, %zero, %zero) {b = 16 : i64, note = "gr'),
    ("b = 0x10", "discardable attribute"),
    ("0x10", "16"),
    ("^end(%y", "predecessors: "),
    ("oeq", "the number 1 of"),
    ("@f() {", "llvm.func<void ()>"),
]


def plain_hovers() -> types.ClientCapabilities:
    can = capabilities()
    assert can.text_document is not None
    can.text_document.hover = types.HoverClientCapabilities(content_format=[types.MarkupKind.PlainText])
    return can


async def check_said(session: Session, *, is_markdown: bool) -> None:
    buffer = session.open(TEXT)
    for place, text in SAID:
        params = types.HoverParams(buffer.identifier, buffer.at(place, 1))
        shown = await session.client.text_document_hover_async(params)
        assert shown is not None, place
        assert isinstance(shown.contents, types.MarkupContent)
        assert shown.contents.kind == (types.MarkupKind.Markdown if is_markdown else types.MarkupKind.PlainText)
        assert text in shown.contents.value.replace("`", ""), shown.contents.value
        assert ("```" in shown.contents.value) is is_markdown


@pytest.mark.asyncio
async def test_each_kind_in_markdown_and_plain() -> None:
    async with started() as session:
        await check_said(session, is_markdown=True)
    async with started(plain_hovers()) as session:
        await check_said(session, is_markdown=False)


def test_there_is_a_text_for_each_kind_of_subject() -> None:
    assert set(TEXTS) == set(get_args(Subject))


LARGE = {
    "aliases that double": "!t0 = tuple<i32, i32>\n"
    + "".join(f"!t{n} = tuple<!t{n - 1}, !t{n - 1}>\n" for n in range(1, 60))
    + "func.func private @f(!t59)\n",
    "a long list": f"func.func private @f() attributes {{a = [{', '.join(map(str, range(5_000)))}]}}\n",
    "many arguments": f"func.func private @f({', '.join('memref<?xf32>' for _ in range(500))})\n",
    "a wide memref": f"func.func private @f(memref<{'2x' * 500}f32>)\n",
    "many predecessors": "func.func @f(%a: i32) {\n  cf.switch %a : i32, [default: ^end"
    + "".join(f", {n}: ^b{n}" for n in range(500))
    + "]\n"
    + "".join(f"^b{n}:\n  cf.br ^end\n" for n in range(500))
    + "^end:\n  return\n}\n",
    "a long number": f"func.func @f() {{\n  %0 = arith.constant 1{'0' * 3_000} : i16000\n  return\n}}\n",
}


MOST_CALLS = 300_000
"""What a hover may cost: some hundredths of a second."""


@pytest.mark.parametrize("name", LARGE)
def test_what_would_be_huge_is_cut(name: str) -> None:
    text = LARGE[name]
    snapshot = snapshot_of(text)
    places = range(0, len(text), max(len(text) // 20, 1))
    for place in places:
        hover(snapshot, place)
    hovers = [hover(snapshot, place) for place in places]
    assert max(len(shown_hover.markdown) for shown_hover in hovers if shown_hover is not None) < 100_000
    assert max(calls_of(lambda place=place: hover(snapshot, place)) for place in places) < MOST_CALLS


NUMBERS = {
    "-1 : i8": "`-1` · `0xFF` · `0b11111111` · without a sign `255`",
    "200 : i8": "`-56` · `0xC8` · `0b11001000` · without a sign `200`",
    "200 : ui8": "`200` · `0xC8` · `0b11001000`",
    "0 : i0": "`0` · `0x0` · `0b0`",
    "-1 : index": "`-1` · `0xFFFFFFFFFFFFFFFF` · without a sign `18446744073709551615`",
}


@pytest.mark.parametrize("number", NUMBERS)
def test_numbers_in_other_bases(number: str) -> None:
    text = f'"a.b"() {{a = {number}}} : () -> ()\n'
    shown = hover(snapshot_of(text), text.index(number) + 1)
    assert shown is not None
    assert NUMBERS[number] in shown.markdown, shown.markdown


DEBUGGED = """\
#file = #llvm.di_file<"f.c" in "/src">
#f = #llvm.di_subprogram<scope = #file, name = "f", file = #file, line = 3>
func.func private @f() loc(fused<#f>["f.c":1:2])
"""


@pytest.mark.parametrize(
    ("place", "sentence"),
    [
        ("#file =", "the file `/src/f.c`"),
        ("#f =", "the function `f` at `/src/f.c:3`"),
        ("line = 3", "the function `f` at `/src/f.c:3`"),
        ('"f.c":1:2', "line 1, column 2 of `f.c`, in the function `f` at `/src/f.c:3`"),
    ],
)
def test_debug_information_and_locations(place: str, sentence: str) -> None:
    said = hover(snapshot_of(DEBUGGED), DEBUGGED.index(place) + 1)
    assert said is not None
    assert sentence in said.markdown
