"""Types that are written as no edition prints them are written anew where they stand, and all else stays."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from fathom.context import context_of, default_context
from fathom.formatting.change import Change, changed
from fathom.modernising.engine import modernised
from fathom.modernising.wrapped import composed


@pytest.mark.parametrize(
    ("edition", "text", "expected"),
    [
        (
            "13",
            'llvm.func @f(%p: !llvm<"float*">,  // a pointer\n             %n: !llvm.i64)\n',
            "llvm.func @f(%p: !llvm.ptr,  // a pointer\n             %n: i64)\n",
        ),
        ("13", "!s = type !llvm.struct<(ptr<float>,\n  i64)>\n", "!s = !llvm.struct<(ptr, i64)>\n"),
        ("15", "llvm.func @f(!llvm.array<2xi64>)\n", "llvm.func @f(!llvm.array<2 x i64>)\n"),
        ("16", "llvm.func @f(!llvm.array<2 x i64>)\n", "llvm.func @f(!llvm.array<2 x i64>)\n"),
    ],
)
def test_a_type(edition: str, text: str, expected: str) -> None:
    made = modernised(text, context_of(edition), default_context())
    assert not made.is_refused, made.diagnostics
    assert made.text == expected
    assert changed(text, made.changes) == expected


def test_two_steps_are_one() -> None:
    """What both make one after the other, their changes make at once."""
    generator = random.Random(7)
    for _ in range(500):
        text = "".join(generator.choice("abc") for _ in range(generator.randrange(1, 20)))
        first = changes_of(text, generator)
        between = changed(text, first)
        second = changes_of(between, generator)
        both = composed(text, first, second)
        assert changed(text, both) == changed(between, second)
        assert all(one.end <= other.start for one, other in pairwise(both))


def changes_of(text: str, generator: random.Random) -> list[Change]:
    """Some changes of a text, none of which leaves nothing in the place of something."""
    places = sorted(generator.sample(range(len(text) + 1), min(len(text) + 1, 2 * generator.randrange(3))))
    pairs = zip(places[::2], places[1::2], strict=False)
    return [Change(start, end, "x" * generator.randrange(1, 4)) for start, end in pairs if start < end]
