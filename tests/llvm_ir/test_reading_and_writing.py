"""What LLVM prints is read, and written as it was; the modules here are as `llvm-dis` 22 prints them."""

from __future__ import annotations

from pathlib import Path

import pytest

from fathom.llvmir.reader import read
from fathom.llvmir.writer import write

MODULES = sorted((Path(__file__).parent / "modules").glob("*.ll"))


NESTED = f"{'[2 x ' * 20}i8{']' * 20}"
TYPES = [
    f"\n@x = external global {of}\n"
    for of in (
        "{ i32, [2 x <4 x float>], ptr addrspace(3) }",
        "<{ i8, <vscale x 2 x i1> }>",
        "[3 x <{ i8, { i16, [0 x ptr] } }>]",
        "{ { i8, i8 }, <{ half }> }",
        NESTED,
        f"{{ {NESTED}, i1 }}",
        f"[4 x {{ {NESTED}, [5 x {{ x86_fp80, bfloat }}] }}]",
    )
]
"""Globals of types in brackets, within each other and not."""


def check_same(text: str) -> None:
    """A text in LLVM's own form is written as it is read."""
    assert write(read(text)) == text


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_modules(path: Path) -> None:
    check_same(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "text",
    [
        "",
        'source_filename = "\\22\\\\\\E2\\82\\AC\\FF"\n',
        "\n@0 = global ptr @1\n@1 = global ptr @0\n",
        "\n; Unknown intrinsic\ndeclare void @llvm.no.such()\n",
        "\n!named = !{!DIExpression(), !0}\n\n!0 = distinct !{!0}\n",
        "\n@a = global double 0x3FE6666666666666\n@b = global double 6.000000e-01\n",
        "\n@c = global float 0x7FF4000000000000\n",
        *TYPES,
    ],
)
def test_small_ones(text: str) -> None:
    check_same(text)
