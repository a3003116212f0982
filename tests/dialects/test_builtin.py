"""The checks and the fold of the builtin dialect."""

from __future__ import annotations

from fathom.elaborate import load
from fathom.rewriting.folding import fold
from tests.verify.findings import problems


def test_attributes_of_a_module_name_their_dialect() -> None:
    assert problems("module attributes {a} {\n}\n") == [
        "'builtin.module' op can only contain attributes with dialect-prefixed names, found: 'a'"
    ]


def test_a_cast_has_a_result() -> None:
    text = '%0 = "foo.value"() : () -> i32\n"builtin.unrealized_conversion_cast"(%0) : (i32) -> ()\n'
    assert problems(text) == ["'builtin.unrealized_conversion_cast' op expected at least one result for cast operation"]


def test_a_cast_there_and_back_folds() -> None:
    loaded = load(
        '%0 = "foo.value"() : () -> i32\n'
        "%1 = unrealized_conversion_cast %0 : i32 to index\n"
        "%2 = unrealized_conversion_cast %1 : index to i32\n"
    )
    value, there, back = loaded.module.regions[0].walk()
    assert fold(back) == [value.results[0]]
    assert fold(there) is None
