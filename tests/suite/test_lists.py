"""The lists of the suite are sorted, disjoint and agree; names select from them."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.suite import parts
from tests.suite.exceptions import PART, exceptions


def test_every_test_is_in_one_part_and_lists_are_sorted() -> None:
    by_part = parts.parts()
    counts = Counter(test for tests in by_part.values() for test in tests)
    assert [test for test, count in counts.items() if count > 1] == []
    for tests in (*by_part.values(), parts.read_list(parts.PASSING)):
        assert tests == sorted(set(tests))


def test_what_passes_counts() -> None:
    assert set(parts.read_list(parts.PASSING)) <= set(parts.select(""))


def test_an_exception_is_a_test_of_its_part_that_does_not_pass() -> None:
    named = [test for unmet in exceptions() for test in unmet.tests]
    assert len(named) == len(set(named))
    assert set(named) <= set(parts.parts()[PART])
    assert set(named).isdisjoint(parts.read_list(parts.PASSING))


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ("Dialect/UB", ["Dialect/UB/canonicalize.mlir", "Dialect/UB/inlining.mlir", "Dialect/UB/ops.mlir"]),
        ("Dialect/UB/ops.mlir", ["Dialect/UB/ops.mlir"]),
        ("mlir/test/Dialect/UB/ops.mlir", ["Dialect/UB/ops.mlir"]),
        ("Dialect/UB/ops.mlir, IR/module-op.mlir", ["Dialect/UB/ops.mlir", "IR/module-op.mlir"]),
    ],
)
def test_a_name_selects_a_folder_or_a_file(wanted: str, expected: list[str]) -> None:
    assert parts.select(wanted) == expected


def test_a_part_is_selected_whole() -> None:
    assert parts.select("language") == parts.parts()["language"]


def test_a_name_that_selects_nothing_is_refused() -> None:
    with pytest.raises(KeyError, match="Dialect/None"):
        parts.select("Dialect/None")
