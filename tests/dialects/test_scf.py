"""The scf dialect: what its verifier says."""

from __future__ import annotations

from fathom.elaborate import load

HEAD = "func.func @f(%i: index, %n: i32, %c: i1, %v: f32, %t: tensor<4xf32>) {\n"
TAIL = "\nreturn\n}\n"


def test_a_negated_condition_exchanges_the_regions() -> None:
    text = (
        f"{HEAD}%true = arith.constant true\n%not = arith.xori %c, %true : i1\n"
        f'scf.if %not {{\n"foo.a"() : () -> ()\n}} else {{\n"foo.b"() : () -> ()\n}}{TAIL}'
    )
    op = next(inner for inner in load(text).module.walk() if inner.name == "scf.if")
    assert op.definition is not None
    assert op.definition.fold is not None
    assert op.definition.fold(op, [None]) == []
    first = op.regions[0].first
    assert first is not None
    assert first.first is not None
    assert first.first.name == "foo.b"
