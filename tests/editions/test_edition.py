"""Editions as layers: descriptions that differ, which edition is meant, and that 22 is the library itself."""

from __future__ import annotations

import subprocess
import sys

import pytest

from fathom.context import context_of, default_context
from fathom.editions.chosen import said_in
from fathom.editions.differences import applied
from fathom.editions.edition import NEWEST, OLDER, edition, nearest
from fathom.modernising.engine import mistakes_in, modernised

BASE = """\
dialect = "shop"
checked = "complete"

[op.count]
results = ["result: I32"]

[op.total]
operands = ["items: Variadic<I32>"]

[enum.Size]
cases = ["small", "large"]
"""


def check_applied(difference: str, expected: str) -> None:
    assert applied(BASE, difference) == expected


def test_a_table_takes_the_place_of_another_and_what_is_gone_goes() -> None:
    check_applied(
        'dialect = "shop"\nchecked = "declared"\ngone = ["enum.Size", "op.total"]\n\n'
        '[op.count]\nresults = ["result: I64"]\n\n[op.old]\ntraits = ["Pure"]\n',
        'dialect = "shop"\nchecked = "declared"\n\n'
        '[op.count]\nresults = ["result: I64"]\n\n[op.old]\ntraits = ["Pure"]\n',
    )


def test_no_difference_is_the_same() -> None:
    check_applied('dialect = "shop"\n', BASE)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("// MLIR: 15\nmodule {}\n", "15"),
        ("// RUN: mlir-opt %s\n\n  // MLIR: v16.0.6\n", "16"),
        ("// MLIR:17\r\n", "18"),
        ("// MLIR: 23", NEWEST),
        ("module {}\n// MLIR: 15\n", None),
        ("// MLIR: 9\n", None),
        ("// MLIR: fifteen\n", None),
        ("// MLIR: " + "1" * 5000, None),
        ("", None),
    ],
)
def test_a_comment_before_the_code_says_the_edition(text: str, expected: str | None) -> None:
    assert said_in(text) == expected


def test_versions_between_editions_are_read_as_the_next_newer_one() -> None:
    assert [nearest(str(major)) for major in (9, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23)] == [
        None, "13", "13", "14", "15", "16", "18", "18", "19", "21", "21", "22", "22",
    ]  # fmt: skip


def test_each_edition_is_a_layer_on_the_next_one() -> None:
    assert context_of(NEWEST) is default_context()
    assert edition(NEWEST) is None
    for newer, name in zip((None, *OLDER), OLDER, strict=False):
        layer = edition(name)
        assert layer is not None and (layer.newer.name if layer.newer is not None else None) == newer
        assert context_of(name).language.edition == name
    with pytest.raises(KeyError):
        context_of("12")


def test_the_newest_reads_nothing_of_the_others() -> None:
    program = (
        "import io, sys; from fathom.cli import main; from fathom.cli.opt import main as opt\n"
        "from fathom.cli.streams import Streams\n"
        "out = io.StringIO()\n"
        "assert opt([], Streams(io.StringIO('module {}'), out, sys.stderr)) == 0 and out.getvalue()\n"
        "print(*sorted(name for name in sys.modules if name.startswith('fathom.editions')))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


BETWEEN_TWO = """\
func.func @both(%a: tensor<16x16xf32>, %d: tensor<4x4x4x4xf32>) {
  %0 = tensor.pack %a inner_dims_pos = [0, 1] inner_tiles = [4, 4] into %d : tensor<16x16xf32> -> tensor<4x4x4x4xf32>
  %1 = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [4, 4] into %d : tensor<16x16xf32> -> tensor<4x4x4x4xf32>
  return
}
"""


def test_between_two_editions_is_what_either_has() -> None:
    """What was renamed in a release is read by both names in those around it, and modernised to that of today."""
    context = context_of("21")
    assert context.language.edition == "21"
    assert mistakes_in(BETWEEN_TWO, 0, context) == []
    made = modernised(BETWEEN_TWO, context, default_context())
    assert not made.is_refused
    assert made.text == BETWEEN_TWO.replace("tensor.pack", "linalg.pack")
    # What neither has is as unknown as ever, and what both have is the newer one's.
    wrong = mistakes_in(BETWEEN_TWO.replace("tensor.pack", "tensor.stack"), 0, context)
    assert [mistake.message for mistake in wrong] == ["custom op 'tensor.stack' is unknown"]
    assert context.lookup("tensor.pad") is default_context().lookup("tensor.pad")
    assert context_of("18").lookup("llvm.load") is context_of("19").lookup("llvm.load")
