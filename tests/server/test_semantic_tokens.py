"""Semantic tokens: what is told as changes is what the new text has, in each encoding of columns; and what is told of a
range is what the whole has there."""

from __future__ import annotations

import random
import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.big_functions import PROGRAMS
from fathom.text.encodings import Encoding, to_units
from fathom_server.features.semantic_tokens import changes, tokens, tokens_between
from fathom_server.features.semantic_tokens.legend import Kind, Modifier
from fathom_server.lsp.semantic_tokens import LEGEND
from fathom_server.model.document import Document
from fathom_server.model.snapshot import Snapshot
from tests.properties import examples
from tests.server.answers import decoded
from tests.server.fixture import document_of, snapshot_of
from tests.server.goldens import FOLDER
from tests.server.test_robustness import EXAMPLES, FUNCTION, mutate
from tests.server.told import Told, split

FIXTURES = sorted((FOLDER / "semantic_tokens").glob("*.mlir"))
ENCODINGS: tuple[Encoding, ...] = ("utf-8", "utf-16", "utf-32")


class Reader:
    """A client that reads a document, in an encoding."""

    def __init__(self, document: Document, encoding: Encoding) -> None:
        self.encoding: Encoding = encoding
        self.told = Told(tokens(document.snapshot(), encoding))

    def ask(self, document: Document) -> int:
        """Is told what has changed; so many numbers came."""
        return self.told.take(changes(document.snapshot(), self.told.version, self.encoding))


def check_told(reader: Reader, document: Document) -> None:
    """What a client makes of what it was told is what it would be told of a new document."""
    fresh = tokens(snapshot_of(document.tree.text), reader.encoding)
    assert reader.told.numbers == split(fresh.numbers), document.tree.text


def test_the_legend_names_all_kinds() -> None:
    assert len(LEGEND.token_types) == len(Kind)
    assert len(LEGEND.token_modifiers) == len(Modifier)


@examples(12)
@given(st.randoms(use_true_random=False), st.sampled_from(ENCODINGS), st.sampled_from([*FIXTURES, *EXAMPLES]))
def test_changes_make_of_what_was_told_what_a_new_document_has(
    rng: random.Random, encoding: Encoding, path: Path
) -> None:
    document = document_of(path.read_text(encoding="utf-8"))
    reader = Reader(document, encoding)
    for number in range(12):
        mutate(document, rng)
        document.version = 2 + number
        if rng.random() < 0.6:
            reader.ask(document)
            check_told(reader, document)


def test_an_edit_is_told_at_its_own_cost() -> None:
    document = document_of("".join(FUNCTION.format(number) for number in range(400)))
    reader = Reader(document, "utf-16")
    for version, (line, text) in enumerate([(1001, "%"), (3, "\n\n"), (1203, "// x\n"), (900, "é")], 2):
        document.edit((line, 2), (line, 2), text)
        document.version = version
        assert reader.ask(document) < 400
        check_told(reader, document)


def test_a_name_that_is_given_again_is_another_one() -> None:
    body = "".join(f"  %n{number} = arith.addi %0, %a : i32\n" for number in range(300))
    text = f"func.func @f(%a: i32) {{\n  %0 = arith.addi %a, %a : i32\n{body}  return\n}}\n"
    document = document_of(text)
    reader = Reader(document, "utf-16")
    for version, (line, column, inserted) in enumerate(
        [(1, 1, "  %0 = arith.addi %a, %a : i32\n"), (200, 2, "%a = arith.addi %a, %0 : i32\n  ")], 2
    ):
        document.edit((line, column), (line, column), inserted)
        document.version = version
        reader.ask(document)
        check_told(reader, document)


NAMES = ["%a", "%x", "%0", "%c0", "%new", "%i", "%v#1"]


@examples(3)
@given(st.randoms(use_true_random=False), st.sampled_from(sorted(PROGRAMS)))
def test_changes_of_a_long_function_make_what_a_new_document_has(rng: random.Random, program: str) -> None:
    document = document_of(PROGRAMS[program](400).text)
    reader = Reader(document, "utf-16")
    for number in range(15):
        if rng.random() < 0.3:
            mutate(document, rng)
        else:
            rename_one(document, rng)
        document.version = 2 + number
        reader.ask(document)
        check_told(reader, document)


def rename_one(document: Document, rng: random.Random) -> None:
    """Puts another name in the place of one that is given or used in a random line."""
    tree = document.tree
    for _ in range(20):
        line = rng.randrange(tree.line_count)
        names = [*re.finditer(r"%\w+", tree.line(line))]
        if names:
            one = rng.choice(names)
            other = rng.choice([*NAMES, *re.findall(r"%\w+", tree.line(rng.randrange(tree.line_count)))])
            document.edit((line, one.start()), (line, one.end()), other)
            return


@pytest.mark.parametrize("program", sorted(PROGRAMS))
def test_a_key_in_a_long_function_is_told_at_its_own_cost(program: str) -> None:
    document = document_of(PROGRAMS[program](3000).text)
    reader = Reader(document, "utf-16")
    line = next(index for index in range(1500, document.tree.line_count) if "arith" in document.tree.line(index))
    for version, text in enumerate(("%", "x", "y"), 2):
        document.edit((line, 4), (line, 4), text)
        document.version = version
        assert reader.ask(document) < 100
        check_told(reader, document)


def test_a_version_that_is_not_at_hand_is_told_as_a_whole() -> None:
    document = document_of(FUNCTION.format(0))
    news = changes(document.snapshot(), "nothing", "utf-16")
    assert news == tokens(document.snapshot(), "utf-16")


def test_a_rereading_is_no_change() -> None:
    document = document_of(FUNCTION.format(0))
    reader = Reader(document, "utf-16")
    assert reader.ask(document) == 0
    check_told(reader, document)


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_a_range_has_what_the_whole_has_there(path: Path, encoding: Encoding) -> None:
    snapshot = snapshot_of(path.read_text(encoding="utf-8"))
    whole = list(decoded(tokens(snapshot, encoding).numbers))
    rng = random.Random(path.stem)
    for _ in range(30):
        start, end = sorted(rng.randint(0, snapshot.tree.length) for _ in range(2))
        part = list(decoded(tokens_between(snapshot, start, end, encoding).numbers))
        assert [token for token in whole if token in part] == part
        first, last = snapshot.tree.line_of(start)[0], snapshot.tree.line_of(end)[0]
        assert set(part) >= {token for token in whole if first < token[0] < last}


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_each_encoding_tells_the_same_words(path: Path, encoding: Encoding) -> None:
    snapshot = snapshot_of(path.read_text(encoding="utf-8"))
    assert words(snapshot, encoding) == words(snapshot, "utf-32")


def words(snapshot: Snapshot, encoding: Encoding) -> list[tuple[int, int, int]]:
    """Where tokens stand, in characters; each in the order of the text, and none over another."""
    lines = snapshot.tree.text.split("\n")
    places: list[tuple[int, int, int]] = []
    for line, start, length, *_ in decoded(tokens(snapshot, encoding).numbers):
        columns = {to_units(lines[line], column, encoding): column for column in range(len(lines[line]) + 1)}
        places.append((line, columns[start], columns[start + length]))
    assert all(a[0] < b[0] or a[2] <= b[1] for a, b in pairwise(places))
    return places
