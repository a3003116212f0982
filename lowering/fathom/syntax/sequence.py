"""A sequence that never changes and of which a new version costs what an edit touched: the statements of an item, and
the items of a document.

Its elements stand in *chunks*, which versions share: a splice makes new the chunks that it touches, and the list of
chunks. A chunk knows its sums, of characters and of lines, so that a place is found by bisection over the chunks and
then inside one. What else follows from the elements of a chunk alone is worked out when it is asked for, and kept with
the chunk.

There may be a million sequences of one element, so such a one keeps nothing that its element says at once.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from itertools import accumulate, chain, pairwise, repeat
from operator import add
from typing import Any, Final, Generic, Protocol, TypeVar, overload

from fathom.slices import checkpoint, paced

FEWEST: Final = 64
"""A chunk of fewer elements is joined with a neighbour when that is next to a splice."""
USUAL: Final = 128
"""Of so many elements chunks are made."""
MOST: Final = 256
"""No chunk has more elements."""


class Element(Protocol):
    """What stands in a sequence: some text, in lines."""

    @property
    def length(self) -> int:
        """How many characters it has."""
        ...

    @property
    def line_count(self) -> int: ...

    @property
    def reach(self) -> int:
        """How many lines after its own decided what it is."""
        ...


T = TypeVar("T", bound=Element)
V = TypeVar("V")


_NOTHING: Final[dict[Any, Any]] = {}


class Chunk(Generic[T]):
    """Some elements of a sequence, and what follows from them alone."""

    __slots__ = ("_indices", "_lines", "elements", "furthest", "length", "line_count", "memo", "offsets")

    def __init__(self, elements: tuple[T, ...]) -> None:
        self.elements: Final = elements
        self.offsets: Final = (0, *accumulate([element.length for element in elements]))
        """Where each element begins, in characters, and where the last one ends."""
        self.length: Final = self.offsets[-1]
        self.line_count: Final = sum([element.line_count for element in elements])
        self.furthest: Final = self._furthest()
        """How many lines, from the first on, decided what the elements are."""
        self._lines: tuple[int, ...] | None = None
        self._indices: dict[T, int] | None = None
        self.memo = _NOTHING

    def __len__(self) -> int:
        return len(self.elements)

    def _furthest(self) -> int:
        if not max([element.reach for element in self.elements], default=0):
            return self.line_count
        ends = accumulate(element.line_count for element in self.elements)
        return max(end + element.reach for end, element in zip(ends, self.elements, strict=True))

    @property
    def lines(self) -> tuple[int, ...]:
        """The first line of each element, and the line after the last one."""
        if len(self.elements) == 1:
            return (0, self.line_count)
        if self._lines is None:
            self._lines = (0, *accumulate([element.line_count for element in self.elements]))
        return self._lines

    @property
    def indices(self) -> dict[T, int]:
        """The index of each element."""
        if self._indices is None:
            self._indices = {element: index for index, element in enumerate(self.elements)}
        return self._indices

    def known(self, work: Callable[[Chunk[T]], V]) -> V:
        """What a function makes of this chunk; worked out once."""
        if self.memo is _NOTHING:
            self.memo = {}
        if work not in self.memo:
            self.memo[work] = work(self)
        return self.memo[work]


_ONE: Final = (0, 1)


class ChunkedSequence(Sequence[T], Generic[T]):
    """The elements, in order; each object, which is equal to itself alone, stands in it once. Lines and offsets count
    from the beginning of the sequence."""

    __slots__ = ("_lines", "_offsets", "_tops", "chunks", "starts")

    def __init__(self, chunks: Iterable[Chunk[T]] = ()) -> None:
        self.chunks: Final = tuple(chunks)
        self.starts: Final = self._starts()
        """The index of the first element of each chunk, and the number of elements."""
        self._offsets: list[int] | None = None
        self._lines: list[int] | None = None
        self._tops: list[int] | None = None

    def _starts(self) -> tuple[int, ...]:
        if len(self.chunks) == 1 and len(self.chunks[0].elements) == 1:
            return _ONE
        return (0, *accumulate([len(chunk.elements) for chunk in self.chunks]))

    # ---- elements

    def __len__(self) -> int:
        return self.starts[-1]

    def __iter__(self) -> Iterator[T]:
        return chain.from_iterable([chunk.elements for chunk in self.chunks])

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> ChunkedSequence[T]: ...
    def __getitem__(self, index: int | slice) -> T | ChunkedSequence[T]:
        """An element, or those from one index to another; a slice shares the chunks that lie in it."""
        if isinstance(index, slice):
            first, last, step = index.indices(len(self))
            if step != 1:
                return chunked(tuple(self)[index])
            return ChunkedSequence(self._between(first, max(first, last)))
        if len(self.chunks) == 1:  # as of most items, of which it is asked often
            return self.chunks[0].elements[index]
        if index < 0:
            index += self.starts[-1]
        if not 0 <= index < self.starts[-1]:
            raise IndexError(index)
        number = self.chunk_of(index)
        return self.chunks[number].elements[index - self.starts[number]]

    def __contains__(self, element: object) -> bool:
        return any(element in chunk.indices for chunk in self.chunks)

    def index_of(self, element: T) -> int:
        """Where an object stands. A `ValueError` if it does not."""
        for number, chunk in enumerate(self.chunks):
            index = chunk.indices.get(element)
            if index is not None:
                return self.starts[number] + index
        raise ValueError("not an element of this sequence")

    def in_order(self, *wanted: Set[T]) -> Iterator[tuple[int, T]]:
        """Those of some objects that stand in the sequence, in its order, each with its index; found as they are asked
        for."""
        for start, chunk in zip(self.starts, self.chunks, strict=False):
            checkpoint()
            indices = chunk.indices
            for index in sorted({indices[element] for some in wanted for element in indices.keys() & some}):
                yield start + index, chunk.elements[index]

    def from_index(self, first: int) -> Iterator[T]:
        """The elements from one on."""
        if first >= len(self):
            return iter(())
        number = self.chunk_of(first)
        head = self.chunks[number].elements[first - self.starts[number] :]
        return chain(head, chain.from_iterable(chunk.elements for chunk in self.chunks[number + 1 :]))

    def with_offsets(self) -> Iterator[tuple[T, int]]:
        """Each element with the offset at which it begins."""
        for start, chunk in zip(self.offsets, self.chunks, strict=False):
            yield from zip(chunk.elements, map(add, chunk.offsets, repeat(start)), strict=False)

    def known(self, work: Callable[[Chunk[T]], V]) -> list[V]:
        """What a function makes of each chunk; worked out once for each, unless there is but one element to look at."""
        if self.starts is _ONE:
            return [work(self.chunks[0])]
        for chunk in self.chunks:
            if work not in chunk.memo:
                checkpoint()
                chunk.known(work)
        return [chunk.memo[work] for chunk in self.chunks]

    # ---- places

    @property
    def offsets(self) -> Sequence[int]:
        """The offset of each chunk, and of the end."""
        if len(self.chunks) == 1:
            return (0, self.chunks[0].length)
        if self._offsets is None:
            self._offsets = [0, *accumulate([chunk.length for chunk in self.chunks])]
        return self._offsets

    @property
    def lines(self) -> Sequence[int]:
        """The first line of each chunk, and the number of lines."""
        if len(self.chunks) == 1:
            return (0, self.chunks[0].line_count)
        if self._lines is None:
            self._lines = [0, *accumulate([chunk.line_count for chunk in self.chunks])]
        return self._lines

    @property
    def tops(self) -> Sequence[int]:
        """For each chunk the line up to which it and those before it were decided."""
        if len(self.chunks) == 1:
            return (self.chunks[0].furthest,)
        if self._tops is None:
            reached = map(add, self.lines, [chunk.furthest for chunk in self.chunks])
            self._tops = list(accumulate(reached, max))
        return self._tops

    @property
    def length(self) -> int:
        return self.chunks[0].length if len(self.chunks) == 1 else self.offsets[-1]

    @property
    def line_count(self) -> int:
        return self.chunks[0].line_count if len(self.chunks) == 1 else self.lines[-1]

    @property
    def reach(self) -> int:
        """How many lines after the last one decided what the elements are."""
        if len(self.chunks) == 1:
            return max(self.chunks[0].furthest - self.chunks[0].line_count, 0)
        return max(self.tops[-1] - self.line_count, 0) if self.chunks else 0

    def offset(self, index: int) -> int:
        """Where an element begins, in characters; for the index after the last one, where that ends."""
        if len(self.chunks) == 1:
            return self.chunks[0].offsets[index] if index else 0
        if index >= len(self):
            return self.length
        number = self.chunk_of(index)
        return self.offsets[number] + self.chunks[number].offsets[index - self.starts[number]]

    def line(self, index: int) -> int:
        """The first line of an element; for the index after the last one, the number of lines."""
        if index >= len(self):
            return self.line_count
        number = self.chunk_of(index)
        return self.lines[number] + self.chunks[number].lines[index - self.starts[number]]

    def find_offset(self, offset: int) -> tuple[int, int]:
        """The index of the element that an offset lies in, and where it begins; of the nearest for an offset outside,
        0 and 0 if there is none."""
        if not self.chunks:
            return 0, 0
        number = self._last_at(self.offsets, offset) if len(self.chunks) > 1 else 0
        start, inside = self.offsets[number], self.chunks[number].offsets
        index = max(min(bisect_right(inside, offset - start), len(inside) - 1) - 1, 0)
        return self.starts[number] + index, start + inside[index]

    def find_line(self, line: int) -> tuple[int, int]:
        """The index of the element that a line belongs to, and its first line; of the nearest for a line outside, 0 and
        0 if there is none."""
        if not self.chunks:
            return 0, 0
        number = self._last_at(self.lines, line) if len(self.chunks) > 1 else 0
        start, inside = self.lines[number], self.chunks[number].lines
        index = max(min(bisect_right(inside, line - start), len(inside) - 1) - 1, 0)
        return self.starts[number] + index, start + inside[index]

    def first_reaching(self, line: int) -> int | None:
        """The first element that ends behind a line, or that was decided by the line."""
        number = bisect_right(self.tops, line)
        if number == len(self.chunks):
            return None
        chunk = self.chunks[number]
        ends = zip(chunk.lines[1:], chunk.elements, strict=True)
        rest = line - self.lines[number]
        return self.starts[number] + next(i for i, (end, of_chunk) in enumerate(ends) if end + of_chunk.reach > rest)

    def chunk_of(self, index: int) -> int:
        """The number of the chunk in which the element at an index stands."""
        return bisect_right(self.starts, index) - 1 if len(self.chunks) > 1 else 0

    def _last_at(self, sums: Sequence[int], place: int) -> int:
        return max(min(bisect_right(sums, place), len(self.chunks)) - 1, 0)

    # ---- versions

    def joined(self, middle: Sequence[T], rest: ChunkedSequence[T]) -> ChunkedSequence[T]:
        """This sequence, then other elements, then another sequence, which is shared but for the seam."""
        return ChunkedSequence(_joined(self.chunks, middle, rest.chunks))

    def spliced(self, first: int, last: int, replacement: Sequence[T]) -> ChunkedSequence[T]:
        """The sequence with other elements in the place of those from `first` up to `last`."""
        if not self.chunks:
            return chunked(replacement)
        low = self.chunk_of(min(first, len(self) - 1))
        high = max(self.chunk_of(min(last, len(self) - 1)), low)
        head = self.chunks[low].elements[: first - self.starts[low]]
        tail = self.chunks[high].elements[last - self.starts[high] :]
        middle = [*head, *replacement, *tail]
        return ChunkedSequence(_joined(self.chunks[:low], middle, self.chunks[high + 1 :]))

    def _between(self, first: int, last: int) -> tuple[Chunk[T], ...]:
        """The chunks of the elements from one index to another."""
        if first >= last:
            return ()
        low, high = self.chunk_of(first), self.chunk_of(last - 1)
        chunks = list(self.chunks[low : high + 1])
        # The end comes first, lest the indices in the only chunk change.
        if last < self.starts[high + 1]:
            chunks[-1] = Chunk(chunks[-1].elements[: last - self.starts[high]])
        if first > self.starts[low]:
            chunks[0] = Chunk(chunks[0].elements[first - self.starts[low] :])
        return tuple(chunks)

    def difference(self, other: ChunkedSequence[T]) -> tuple[int, int, int]:
        """What makes another sequence of this one: from which index on how many elements give way to how many. Objects
        that are the same at both ends are not counted."""
        mine, others = self.chunks, other.chunks
        most = min(len(mine), len(others))
        first = 0
        while first < most and mine[first] is others[first]:
            first += 1
        last = 0
        while last < most - first and mine[-1 - last] is others[-1 - last]:
            last += 1
        gone = [element for chunk in mine[first : len(mine) - last] for element in chunk.elements]
        come = [element for chunk in others[first : len(others) - last] for element in chunk.elements]
        most = min(len(gone), len(come))
        start = 0
        while start < most and gone[start] is come[start]:
            start += 1
        end = 0
        while end < most - start and gone[-1 - end] is come[-1 - end]:
            end += 1
        return self.starts[first] + start, len(gone) - start - end, len(come) - start - end


def chunked(elements: Sequence[T]) -> ChunkedSequence[T]:
    """A sequence of these elements."""
    return ChunkedSequence(_chunks_of(elements))


def _chunks_of(elements: Sequence[T]) -> list[Chunk[T]]:
    """Chunks of these elements, of like size."""
    count = len(elements)
    if count <= MOST:
        return [Chunk(tuple(elements))] if count else []
    number = count // USUAL
    bounds = [count * part // number for part in range(number + 1)]
    return [Chunk(tuple(elements[low:high])) for low, high in paced(pairwise(bounds))]


def _joined(
    left: tuple[Chunk[T], ...], middle: Sequence[T], right: tuple[Chunk[T], ...]
) -> tuple[Chunk[T], ...] | list[Chunk[T]]:
    """The chunks of both sides with elements between them. What is small at the seam is put together."""
    if not middle and left and right and _belong_together(len(left[-1]), len(right[0])):
        middle = left[-1].elements
        left = left[:-1]
    if left and _belong_together(len(left[-1]), len(middle)):
        middle = [*left[-1].elements, *middle]
        left = left[:-1]
    if right and _belong_together(len(middle), len(right[0])):
        middle = [*middle, *right[0].elements]
        right = right[1:]
    if not middle:
        return (*left, *right)
    return [*left, *_chunks_of(middle), *right]


def _belong_together(one: int, other: int) -> bool:
    return bool(one and other) and (min(one, other) < FEWEST or one + other <= MOST)
