"""What the measure of formatting counts, and a small sample of it."""

from __future__ import annotations

from itertools import islice

import pytest

from tests.suite.editor import suite_texts
from tests.suite.formatting import Result, comments_of, result_of, section
from tests.suite.source import NoSource


def test_comments_are_found_outside_of_strings() -> None:
    assert comments_of('// a  \n"x" // b\n"// no" c // d // e\n"\\"//"') == ["// a", "// b", "// d // e"]


def test_the_section_counts_pieces_and_findings() -> None:
    finding = ("a.mlir", "of what mlir-opt printed, 'a' for 'b'")
    lines = section([Result(2, 2, 4, 3, 4), Result(1, 0, 2, 1, 1, (finding, ("b.mlir", "mlir-opt refuses it")))])
    assert [line for line in lines if line.startswith("| ")] == [
        "| pieces that `mlir-opt` accepts | the same | texts that it prints | unchanged | but for blanks |",
        "| 3 | 2 | 6 | 66.7 % | 83.3 % |",
        "| findings | kind |",
        "| 1 | what `mlir-opt` printed changes |",
        "| 1 | mlir-opt refuses it |",
    ]


def test_a_sample_of_mlirs_own_files() -> None:
    try:
        texts = suite_texts(None)
    except NoSource as problem:
        pytest.skip(str(problem))
    for name, text in islice(texts.items(), 7, None, 400):
        result = result_of((name, text))
        assert result.same == result.pieces, name
        assert not result.findings, name
