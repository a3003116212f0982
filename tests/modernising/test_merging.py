"""What changes of a text is what is printed otherwise, and nothing else."""

from __future__ import annotations

import pytest

from fathom.formatting.change import changed
from fathom.modernising.merging import merged, replaced
from fathom.modernising.texts import printed


def check_merged(written: str, before: str, after: str, expected: str) -> None:
    """`{…}` stands for a region, which is a mark in what is printed."""
    mine, old, new = (printed(text.replace("{…}", "\1")) for text in (written, before, after))
    changes = merged(mine.text, mine.tokens, old.tokens, new.tokens, new.text)
    assert changes is not None
    assert changed(mine.text, changes).replace("\1", "{…}") == expected


@pytest.mark.parametrize(
    ("written", "before", "after", "expected"),
    [
        pytest.param("addi %a,%b:i32", "addi %a, %b : i32", "addi %a, %b : i32", "addi %a,%b:i32", id="as it was"),
        pytest.param(
            "%s   =  addi %a,%b:i32",
            "%s = addi %a, %b : i32",
            "%s = arith.addi %a, %b : i32",
            "%s   =  arith.addi %a,%b:i32",
            id="a name",
        ),
        pytest.param(
            "addi %a, // one\n     %b : i32 // two",
            "addi %a, %b : i32",
            "arith.addi %a, %b : i32",
            "arith.addi %a, // one\n     %b : i32 // two",
            id="comments and lines",
        ),
        pytest.param(
            "llvm.load   %p : !p",
            "llvm.load %p : !p",
            "llvm.load %p : !p -> f32",
            "llvm.load   %p : !p -> f32",
            id="more behind",
        ),
        pytest.param(
            "constant 1.0 : f32",
            "constant 1.000000e+00 : f32",
            "arith.constant 1.000000e+00 : f32",
            "arith.constant 1.0 : f32",
            id="a number as a person wrote it",
        ),
        pytest.param(
            "a.b %x {  y  } : i32",
            "a.b %x {y} : i32",
            "a.b %x : i32",
            "a.b %x : i32",
            id="less",
        ),
        pytest.param(
            "if %c {…} else {…}",
            "if %c {…} else {…}",
            "scf.if %c {…} else {…}",
            "scf.if %c {…} else {…}",
            id="regions",
        ),
        pytest.param(
            "f {…} {x}",
            "f {…} {x}",
            "f y {…}",
            "f y {…}",
            id="before and behind a region",
        ),
    ],
)
def test_only_what_differs_changes(written: str, before: str, after: str, expected: str) -> None:
    check_merged(written, before, after, expected)


def test_without_a_region_there_is_no_merge() -> None:
    mine, old, new = (printed(text) for text in ("f \1", "f \1", "f"))
    assert merged(mine.text, mine.tokens, old.tokens, new.tokens, new.text) is None
    assert replaced(mine.text, mine.tokens, new.tokens, new.text) is None


def test_all_of_an_operation_is_put_in_its_place() -> None:
    mine, new = printed("f  %a  \1 : i32"), printed("g %a, %b \1 -> i32")
    changes = replaced(mine.text, mine.tokens, new.tokens, new.text)
    assert changes is not None
    assert changed(mine.text, changes) == "g %a, %b  \1 -> i32"
