"""Checks that look at nothing but an operation itself are made once for all that are like it, any other each time."""

from __future__ import annotations

from textwrap import dedent
from unittest import mock

from fathom.context import Context
from fathom.elaborate import load
from fathom.elaborate.templates import Template
from fathom.ir.types import IntegerType
from fathom.verify import alone, verify
from fathom.verify.kinds import SeenKinds


def check_rest(text: str, expected: dict[str, str]) -> None:
    """What is looked at of each operation of the text, however many there are that are like it, by name."""
    context = Context()
    loaded = load(dedent(text), context)
    known = loaded.elaborated
    assert [d.message for d in (*loaded.diagnostics, *verify(loaded.module, None, context, known.template))] == []
    templates: dict[str, Template | None] = {}
    for op in loaded.module.walk():
        if op.name in expected:
            templates.setdefault(op.name, known.template(op))
    assert {name: _shown(template) for name, template in templates.items()} == expected


def _shown(template: Template | None) -> str:
    rest = template.rest if template is not None else None
    if rest is None or rest.everything:
        return "everything"
    shown = [f"{len(rest.checks)} checks"] if rest.checks else []
    shown += ["verify"] if rest.verify else []
    shown += ["verify_regions"] if rest.verify_regions else []
    return ", ".join(shown) or "nothing"


def test_what_a_check_looks_at() -> None:
    check_rest(
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
          scf.for %j = %i to %i step %i {
            memref.store %a, %m[%j] : memref<4xi32>
          }
          %4 = func.call @f(%3, %m, %i, %c) : (i32, memref<4xi32>, index, i1) -> i32
          return %4 : i32
        }
        """,
        {
            "arith.addi": "nothing",
            "memref.load": "nothing",
            "affine.load": "verify",
            "scf.yield": "2 checks",
            "scf.if": "3 checks, verify, verify_regions",
            "scf.for": "2 checks, verify_regions",
            "func.call": "nothing",
            "func.return": "2 checks, verify",
        },
    )


def test_a_branch_is_checked_again_when_a_successor_has_another_argument() -> None:
    text = """
    func.func @f(%a: i32) -> i32 {
      cf.br ^bb1(%a : i32)
    ^bb1(%b: i32):
      %0 = arith.constant 1 : i32
      return %0 : i32
    }
    """
    context = Context()
    module = load(dedent(text), context).module
    kinds = SeenKinds(context)
    assert verify(module, context=context, likeness=kinds) == []
    branch = next(op for op in module.walk() if op.name == "cf.br")
    assert kinds.is_settled(branch)
    (block,) = branch.successors
    block.erase_arguments([0])
    block.add_argument(IntegerType(64))
    (diagnostic,) = verify(module, context=context, likeness=kinds)
    assert diagnostic.message == "type mismatch for bb argument #0 of successor #0"


def test_what_has_a_result_of_another_type_is_checked_again_and_so_are_its_users() -> None:
    context = Context()
    module = load("func.func @f(%a: i32) {\n  %0 = arith.addi %a, %a : i32\n  return\n}\n", context).module
    kinds = SeenKinds(context)
    assert verify(module, context=context, likeness=kinds) == []
    sum = next(op for op in module.walk() if op.name == "arith.addi")
    assert kinds.is_settled(sum)
    sum.retype(IntegerType(64))
    (diagnostic,) = verify(module, context=context, likeness=kinds)
    assert diagnostic.message == "'arith.addi' op requires the same type for all operands and results"


def test_checks_are_made_once() -> None:
    lines = "".join(f"  %{i} = arith.addi %a, %a : i32\n" for i in range(100))
    context = Context()
    loaded = load(f"func.func @f(%a: i32) {{\n{lines}  return\n}}\n", context)
    with mock.patch.object(alone, "checks_of", wraps=alone.checks_of) as made:
        assert verify(loaded.module, None, context, loaded.elaborated.template) == []
    assert [call.args[0].name for call in made.call_args_list] == ["arith.addi", "func.return"]
