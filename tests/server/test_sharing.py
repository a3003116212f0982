"""A few lines of aliases that say of what is shared what would fill the memory if it were copied."""

from __future__ import annotations

import pytest

from fathom_server.features.hover import hover
from fathom_server.features.symbols import outline
from fathom_server.model.elaboration import diagnostics
from fathom_server.model.lowering import stalled
from tests.server.fixture import snapshot_of

BESIDE = "func.func @g(%a: i32) -> i32 {\n  return %a : i32\n}\n"
ATTRIBUTES = "#t0 = [1, 2]\n" + "".join(f"#t{i} = [#t{i - 1}, #t{i - 1}]\n" for i in range(1, 25))
TYPES = "!t0 = tuple<i32, i32>\n" + "".join(f"!t{i} = tuple<!t{i - 1}, !t{i - 1}>\n" for i in range(1, 41))
CHAIN = "!t0 = i32\n" + "".join(f"!t{i} = !t{i - 1}\n" for i in range(1, 5000))


@pytest.mark.parametrize(
    "text",
    [
        f"{ATTRIBUTES}func.func private @f() attributes {{a = #t24}}\n",
        f"{TYPES}func.func private @f(!t40)\n",
        f"{CHAIN}func.func private @f(!t4999)\n",
    ],
    ids=["attributes", "types", "a chain"],
)
def test_what_is_shared_is_gone_through_once(text: str) -> None:
    """It ends: spelt out, the attribute would have 2^25 numbers, and the type 2^41."""
    snapshot = snapshot_of(text + BESIDE)
    for item in snapshot.tree.items:
        assert diagnostics(snapshot, item) == ()
        assert stalled(snapshot, item) is not None
    assert [entry.symbol.name for entry in outline(snapshot)] == ["f", "g"]
    assert hover(snapshot, len(text) + BESIDE.index("return %a") + 8) is not None
