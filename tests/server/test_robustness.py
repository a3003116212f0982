"""Whatever a buffer holds, no request fails; and what edits leave is what a fresh look at the text gives."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fathom.records import replace
from fathom.syntax.parse import split_lines
from fathom_server.features.actions import actions_at
from fathom_server.features.folding import Fold, folds
from fathom_server.features.functions import functions, signature_of
from fathom_server.features.highlight import highlights, linked
from fathom_server.features.hints import hints
from fathom_server.features.hover import hover
from fathom_server.features.links import links
from fathom_server.features.lower import lower_function
from fathom_server.features.navigation import definition, references
from fathom_server.features.preview import preview
from fathom_server.features.run import runnable
from fathom_server.features.selection import selections
from fathom_server.features.semantic_tokens import tokens, tokens_between
from fathom_server.features.stages import LLVM_IR, stage_called, stages
from fathom_server.features.symbols import OutlineEntry, outline
from fathom_server.model.document import Document
from fathom_server.model.elaboration import KEPT, elaborated
from fathom_server.model.lowered import stalled
from fathom_server.model.mistakes import diagnostics
from fathom_server.model.paths import name_of
from fathom_server.model.settings import Hints, Settings
from fathom_server.model.snapshot import Snapshot
from fathom_server.session.background import QUIET
from fathom_server.session.edits import Edit
from fathom_server.session.session import Session
from tests.properties import chance, examples, tries
from tests.server.client import ROOT
from tests.server.fixture import document_of

EVERY_HINT = Settings(hints=Hints(True, True, True, True))
EXAMPLES = sorted((ROOT / "examples").glob("*.mlir"))
FUNCTION = "func.func @f{0}(%a: i32) -> i32 {{\n  %x = arith.addi %a, %a : i32\n  return %x : i32\n}}\n"
SCRAPS = [
    *'{}()[]<>,:=%@^!#"\\/-*+?.;|\t\r\n \0\u2028é😀',
    "\r\n",
    "//",
    "->",
    "%x",
    "%0:2",
    "@f",
    "^bb0",
    "!t = i32\n",
    "#map = affine_map<(d0) -> (d0)>\n",
    "func.func @f(%a: i32) {\n",
    "module {\n",
    "}\n",
    '"unknown.op"() : () -> ()\n',
    "memref<?x4xf32, strided<[4, 1], offset: ?>>",
    "dense<[1, 2]> : tensor<2xi32>",
    "99999999999999999999999",
    "-1.0e400",
    "0x",
    "i0",
    "vector<0xi32>",
    "llvm.mlir.global",
    "scf.if %x {\n} else {\n",
    "{-#\n",
]


def position(document: Document, rng: random.Random) -> tuple[int, int]:
    """A random line and a column in it, before the line end; at times the end of the text."""
    tree = document.tree
    line = rng.randrange(tree.line_count + 1)
    return line, rng.randint(0, len(tree.line(line).rstrip("\r\n")))


def mutate(document: Document, rng: random.Random) -> None:
    """One random edit: a scrap put in or put in the place of something, a stretch taken out, or lines doubled."""
    start, end = sorted((position(document, rng), position(document, rng)))
    kind = rng.random()
    if kind < 0.45:
        document.edit(start, start, rng.choice(SCRAPS))
    elif kind < 0.75:
        document.edit(start, min(end, (start[0] + rng.randrange(3), end[1])) if end > start else start, "")
    elif kind < 0.9:
        near = (start[0], len(document.tree.line(start[0]).rstrip("\r\n")))
        document.edit(start, near, rng.choice(SCRAPS))
    else:
        document.edit(start, start, "".join(document.tree.line(start[0] + i) for i in range(rng.randrange(4))))


def check_selections(ranges: list[tuple[int, int]], offset: int) -> None:
    """Each range is around the offset, and inside the next."""
    assert all(start <= offset <= end for start, end in ranges)
    assert all(b[0] <= a[0] and a[1] <= b[1] and a != b for a, b in pairwise(ranges))


def check_folds(folded: list[Fold], lines: int) -> None:
    """Each fold hides some lines."""
    assert all(0 <= fold.first < fold.last < lines for fold in folded)


def ask_everything(snapshot: Snapshot, rng: random.Random) -> None:
    """Each request once, at random places."""
    length = snapshot.tree.length
    symbols = [symbol for of_name in snapshot.symbols.values() for symbol in of_name]
    names = [*(name_of(snapshot, of_name) for of_name in symbols), "nowhere", "a::", '"']
    for _ in range(3):
        offset = rng.randint(0, length)
        hover(snapshot, offset)
        definition(snapshot, offset)
        references(snapshot, offset, True)
        actions_at(snapshot, offset, min(offset + 40, length), ())
        highlights(snapshot, offset)
        linked(snapshot, offset)
        check_selections(selections(snapshot, [offset])[0], offset)
        tokens_between(snapshot, offset, min(offset + 100, length), "utf-16")
        hints(replace(snapshot, settings=EVERY_HINT), offset, min(offset + 100, length))
    tokens(snapshot, rng.choice(("utf-8", "utf-16", "utf-32")))
    check_folds(folds(snapshot), snapshot.tree.line_count)
    links(snapshot, None)
    outline(snapshot)
    functions(snapshot)
    name = rng.choice(names)
    for of_name in symbols[:1]:
        signature_of(snapshot, of_name)
    lower_function(snapshot, name)
    runnable(snapshot, name, [], checked=True)
    stage = rng.choice(stages(snapshot))
    preview(snapshot, stage, name)
    if rng.random() < 0.2:
        preview(snapshot, stage, None)


@pytest.mark.hunted
@pytest.mark.parametrize("seed", range(3))
def test_no_request_fails_whatever_was_typed(seed: int) -> None:
    rng = chance(seed)
    for _ in range(tries(3)):
        text = rng.choice(EXAMPLES).read_text(encoding="utf-8")
        document = document_of(text)
        for _ in range(4):
            before = document.tree.text
            mutate(document, rng)
            try:
                snapshot = document.snapshot()
                for item in snapshot.tree.items:
                    diagnostics(snapshot, item)
                    stalled(snapshot, item)
                ask_everything(snapshot, rng)
            except Exception as problem:
                problem.add_note(f"in the text\n{document.tree.text}\nmade of\n{before}")
                raise


# ---- edits


def shown(document: Document) -> object:
    """All that a document says of itself."""

    def entries(outline_entries: list[OutlineEntry]) -> object:
        return [(e.name, e.detail, e.start, e.end, e.name_start, entries(e.children)) for e in outline_entries]

    snapshot = document.snapshot()
    last = stage_called(snapshot, LLVM_IR)
    symbols = [symbol for _, of_name in sorted(snapshot.symbols.items()) for symbol in of_name]
    previews = [preview(snapshot, last, name) for name in sorted(name_of(snapshot, of_name) for of_name in symbols)]
    problems = [
        (start, diagnostic.message, diagnostic.span)
        for item, start in snapshot.tree.items.with_offsets()
        for diagnostic in (*diagnostics(snapshot, item), *stalled(snapshot, item))
    ]
    hovers = [hover(snapshot, offset) for offset in range(0, snapshot.tree.length, 7)]
    return snapshot.tree.text, snapshot.tree.line_count, entries(outline(snapshot)), problems, previews, hovers


@examples(20)
@given(st.randoms(use_true_random=False), st.integers(1, 8), st.sampled_from(["\n", "\r\n", "\r"]))
def test_edits_leave_what_a_fresh_look_gives(rng: random.Random, count: int, ending: str) -> None:
    text = "!t = i32\n" + "".join(FUNCTION.format(n) for n in range(3)) + "module {\n" + FUNCTION.format(0) + "}\n"
    document = document_of(text.replace("\n", ending))
    for _ in range(count):
        mutate(document, rng)
        if rng.random() < 0.5:
            shown(document)
    assert shown(document) == shown(document_of(document.tree.text))
    assert [line for item in document.tree.items for line in item.lines] == split_lines(document.tree.text)


# ---- what is kept


def in_session(play: Callable[[Session], Awaitable[None]]) -> None:
    async def run() -> None:
        session = Session(lambda _opened: None, lambda _opened: None)
        try:
            await play(session)
        finally:
            session.shutdown()

    asyncio.run(run())


async def until(holds: Callable[[], bool]) -> None:
    for _ in range(30_000):
        if holds():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it did not come about")


def test_the_ir_of_a_big_file_is_not_kept() -> None:
    async def play(session: Session) -> None:
        session.open("file:///a.mlir", 1, "".join(FUNCTION.format(n) for n in range(3 * KEPT)))
        await session.turns.until_free("file:///a.mlir")
        opened = session.documents["file:///a.mlir"]
        await until(lambda: not opened.has_work)
        assert 0 < len(opened.document.memory.items(elaborated)) <= KEPT

    in_session(play)


def test_what_was_edited_away_is_forgotten() -> None:
    async def play(session: Session) -> None:
        caller = "func.func @caller() {\n  call @g() : () -> ()\n  return\n}\n"
        session.open("file:///a.mlir", 1, "func.func private @g()\n" + caller)
        opened = session.documents["file:///a.mlir"]
        await until(lambda: not opened.has_work)
        for number in range(20):
            session.change("file:///a.mlir", 2 + number, [Edit(" ", lambda _document: ((3, 8), (3, 8)))])
        await until(lambda: not opened.has_work)
        memory = opened.document.memory
        assert set(opened.document.tree.items) == memory.items(diagnostics)
        size = len(memory)
        for number in range(20):
            session.change("file:///a.mlir", 30 + number, [Edit(" ", lambda _document: ((3, 8), (3, 8)))])
        await until(lambda: not opened.has_work)
        assert len(opened.document.memory) == size
        session.change("file:///a.mlir", 99, [Edit("")])
        assert not opened.findings.items
        session.change("file:///a.mlir", 100, [Edit(caller)])
        assert opened.document.memory.items(diagnostics) == set(opened.document.tree.items)

    in_session(play)


def test_what_was_edited_is_lowered_before_the_rest() -> None:
    async def play(session: Session) -> None:
        session.open("file:///a.mlir", 1, "".join(FUNCTION.format(n) for n in range(500)))
        await session.turns.until_free("file:///a.mlir")
        opened = session.documents["file:///a.mlir"]
        await until(lambda: not opened.to_check and bool(opened.to_lower))
        session.change("file:///a.mlir", 2, [Edit(" ", lambda _document: ((1997, 2), (1997, 2)))])
        item = opened.document.tree.items[499]
        await until(lambda: stalled.is_known(opened.document.snapshot(), item))
        assert len(opened.to_lower) > 300

    in_session(play)


@pytest.mark.parametrize("pause", [0.02, 0.08])
def test_the_sweep_stands_back_while_someone_types(pause: float) -> None:
    async def play(session: Session) -> None:
        session.open("file:///a.mlir", 1, "".join(FUNCTION.format(n) for n in range(2000)))
        await session.turns.until_free("file:///a.mlir")
        opened = session.documents["file:///a.mlir"]
        await asyncio.sleep(0.05)
        session.change("file:///a.mlir", 2, [Edit(" ", lambda _document: ((1, 2), (1, 2)))])
        await session.turns.until_free("file:///a.mlir")
        left = len(opened.to_check)
        for number in range(5):
            typed = asyncio.get_running_loop().time()
            session.change("file:///a.mlir", 3 + number, [Edit(" ", lambda _document: ((1, 2), (1, 2)))])
            await asyncio.sleep(pause)
            await session.turns.until_free("file:///a.mlir")
            # Where the machine stood still for that long, it was a pause.
            if asyncio.get_running_loop().time() - typed < QUIET:
                assert len(opened.to_check) == left
            left = len(opened.to_check)
        assert left > 0
        await until(lambda: len(opened.to_check) < left)

    in_session(play)
