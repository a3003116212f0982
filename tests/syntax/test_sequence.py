"""A sequence in chunks behaves like a list, finds places like a list of lines would, and shares what an edit leaves."""

from __future__ import annotations

import random
from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fathom.syntax.sequence import FEWEST, MOST, ChunkedSequence, chunked
from tests.properties import examples


@dataclass(frozen=True, eq=False)
class Word:
    length: int
    line_count: int
    reach: int


def words(chance: random.Random, count: int) -> list[Word]:
    return [Word(chance.randint(1, 9), chance.randint(1, 3), chance.choice((0, 0, 0, 0, 7))) for _ in range(count)]


def check_same(sequence: ChunkedSequence[Word], expected: list[Word], chance: random.Random) -> None:
    """Everything that a sequence says of itself is what the list says."""
    count = len(expected)
    assert (len(sequence), list(sequence)) == (count, expected)
    offsets = [0, *accumulate(word.length for word in expected)]
    lines = [0, *accumulate(word.line_count for word in expected)]
    assert (sequence.length, sequence.line_count) == (offsets[-1], lines[-1])
    assert list(sequence.with_offsets()) == list(zip(expected, offsets, strict=False))
    ends = [line + word.reach for line, word in zip(lines[1:], expected, strict=True)]
    assert sequence.reach == max([*ends, lines[-1]]) - lines[-1]
    assert all(0 < len(chunk) <= MOST for chunk in sequence.chunks)
    for index in {0, count, *(chance.randint(0, count) for _ in range(9))}:
        assert (sequence.offset(index), sequence.line(index)) == (offsets[index], lines[index])
        assert list(sequence.from_index(index)) == expected[index:]
        place = chance.randint(0, offsets[-1])
        at = max(min(bisect_right(offsets, place), count) - 1, 0)
        assert sequence.find_offset(place) == (at, offsets[at])
        line = chance.randint(0, lines[-1])
        at = max(min(bisect_right(lines, line), count) - 1, 0)
        assert sequence.find_line(line) == (at, lines[at])
        assert sequence.first_reaching(line) == next((i for i, end in enumerate(ends) if end > line), None)
        if index < count:
            assert sequence[index] is expected[index]
            assert sequence[index - count] is expected[index]
            assert sequence.index_of(expected[index]) == index
        first = chance.randint(0, count)
        assert list(sequence[first:index]) == expected[first:index]
    some = set(chance.sample(expected, min(count, 5)))
    others = set(chance.sample(expected, min(count, 5)))
    assert list(sequence.in_order(some, others)) == [
        (i, word) for i, word in enumerate(expected) if word in some | others
    ]


@examples(60)
@given(st.integers(0, 10**9), st.integers(0, 700))
def test_splices_are_those_of_a_list(seed: int, count: int) -> None:
    chance = random.Random(seed)
    expected = words(chance, count)
    sequence = chunked(expected)
    check_same(sequence, expected, chance)
    for _ in range(12):
        first = chance.randint(0, len(expected))
        last = min(first + chance.choice((0, 0, 1, 1, 2, 40, 300)), len(expected))
        new = words(chance, chance.choice((0, 1, 1, 2, 50, 200)))
        former, sequence = sequence, sequence.spliced(first, last, new)
        expected[first:last] = new
        check_same(sequence, expected, chance)
        at, removed, added = former.difference(sequence)
        assert [*former[:at], *sequence[at : at + added], *former[at + removed :]] == expected
        assert removed <= last - first
        assert added <= len(new)


def test_a_splice_makes_few_chunks() -> None:
    sequence = chunked(words(random.Random(1), 20_000))
    for index in range(0, 20_000, 997):
        former, sequence = set(sequence.chunks), sequence.spliced(index, index + 1, words(random.Random(2), 1))
        assert len(set(sequence.chunks) - former) <= 2


def test_chunks_stay_of_a_size() -> None:
    chance = random.Random(3)
    sequence = chunked(words(chance, 2000))
    for _ in range(3000):
        index = chance.randrange(len(sequence))
        sequence = sequence.spliced(index, index + chance.randint(0, 2), words(chance, 1))
    assert len(sequence.chunks) < 2 * len(sequence) / FEWEST


def test_what_is_known_of_a_chunk_is_worked_out_once() -> None:
    looked: list[int] = []
    sequence = chunked(words(random.Random(4), 1000))
    work = lambda chunk: looked.append(len(chunk))  # noqa: E731
    list(sequence.known(work))
    assert sum(looked) == 1000
    looked.clear()
    list(sequence.spliced(500, 501, words(random.Random(5), 1)).known(work))
    assert 0 < sum(looked) <= MOST


def test_what_is_not_in_a_sequence_is_not_found() -> None:
    sequence = chunked(words(random.Random(6), 200))
    assert sequence[77] in sequence
    assert Word(1, 1, 0) not in sequence
    with pytest.raises(ValueError, match="not an element"):
        sequence.index_of(Word(1, 1, 0))
    with pytest.raises(IndexError):
        _ = sequence[200]
