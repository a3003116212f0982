"""Checks that look at nothing but an operation itself are made once for all that are like it, any other each time."""

from __future__ import annotations

from textwrap import dedent
from unittest import mock

from fathom.context import Context
from fathom.elaborate import load
from fathom.verify import alone, verify


def check_sound(text: str, expected: dict[str, bool]) -> None:
    """The operations of the text that are known to be in order by others, by name."""
    context = Context()
    loaded = load(dedent(text), context)
    known = loaded.elaborated
    assert [d.message for d in (*loaded.diagnostics, *verify(loaded.module, None, context, known.template))] == []
    found = {op.name: known.template(op) for op in loaded.module.walk() if op.name in expected}
    assert {name: template is not None and template.sound for name, template in found.items()} == expected


def test_what_a_check_looks_at() -> None:
    check_sound(
        """
        func.func @f(%a: i32, %m: memref<4xi32>, %i: index, %c: i1) -> i32 {
          %0 = arith.addi %a, %a : i32
          %1 = memref.load %m[%i] : memref<4xi32>
          %2 = affine.load %m[2] : memref<4xi32>
          %3 = scf.if %c -> i32 {
            scf.yield %0 : i32
          } else {
            scf.yield %1 : i32
          }
          %4 = func.call @f(%3, %m, %i, %c) : (i32, memref<4xi32>, index, i1) -> i32
          return %4 : i32
        }
        """,
        {
            "arith.addi": True,
            "memref.load": True,
            "affine.load": False,
            "scf.yield": False,
            "func.call": True,
            "func.return": False,
        },
    )


def test_checks_are_made_once() -> None:
    lines = "".join(f"  %{i} = arith.addi %a, %a : i32\n" for i in range(100))
    context = Context()
    loaded = load(f"func.func @f(%a: i32) {{\n{lines}  return\n}}\n", context)
    with mock.patch.object(alone, "violation", wraps=alone.violation) as made:
        assert verify(loaded.module, None, context, loaded.elaborated.template) == []
    assert [definition.name for _, definition in (call.args for call in made.call_args_list)] == [
        "arith.addi",
        "func.return",
    ]
