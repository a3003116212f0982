"""Work on types and attributes leaves no circles of objects behind: a server does without the garbage collector while
it works, so that what a circle holds would stay until there is a pause."""

from __future__ import annotations

import gc
from collections.abc import Callable

import pytest

from fathom.elaborate import load
from fathom.ir.affine import AffineBinary, AffineConstant, AffineDim, substitute
from fathom.ir.dense import spell_nested
from fathom.ir.types import text_of
from fathom.text.beginnings import LONGEST_MESSAGE
from fathom.verify import verify

TIMES = 50
DOUBLED = "!t0 = i32\n" + "".join(f"!t{i + 1} = tuple<!t{i}, !t{i}>\n" for i in range(18))
FUNCTION = load(DOUBLED + "func.func @f(%a: !t18) { return }\n").elaborated.operations[0]
LARGE = next(iter(FUNCTION.regions[0].blocks)).arguments[0].type


def _expression() -> object:
    half = AffineBinary("floordiv", AffineDim(0), AffineConstant(2))
    return substitute(AffineBinary("+", half, half), [AffineDim(1)], [])


WORK: dict[str, Callable[[], object]] = {
    "the text of a type": lambda: text_of(LARGE),
    "an affine expression with others in it": _expression,
    "elements in brackets": lambda: spell_nested([str(i) for i in range(24)], (2, 3, 4)),
}


@pytest.mark.parametrize("name", WORK)
def test_nothing_is_left_behind(name: str) -> None:
    WORK[name]()
    # What other tests have made is not looked at.
    gc.freeze()
    gc.disable()
    try:
        for _ in range(TIMES):
            WORK[name]()
        # What else goes on in this process may leave a few.
        assert gc.collect() < TIMES
    finally:
        gc.enable()


def test_elements_in_brackets() -> None:
    assert spell_nested(["1", "2", "3", "4"], (2, 1, 2)) == "[[[1, 2]], [[3, 4]]]"


def test_a_long_message_is_kept_once() -> None:
    text = DOUBLED + "func.func @f(%a: !t18) {\n" + '  "x.y"(%a) : (!t17) -> ()\n' * 3 + "  return\n}\n"
    loaded = load(text)
    said = [
        diagnostic for diagnostic in (*loaded.diagnostics, *verify(loaded.module)) if diagnostic.severity == "error"
    ]
    assert len(said) == 3
    assert len({id(diagnostic.message) for diagnostic in said}) == 1
    assert len(said[0].message) == LONGEST_MESSAGE + 1
