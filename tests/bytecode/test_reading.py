"""Bytecode that mlir-opt wrote is the text that mlir-opt prints for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from fathom.bytecode.properties import Layout
from fathom.bytecode.reader import read_bytecode
from fathom.context import default_context
from tests.bytecode.files import ALLOW, FIXTURES, SAMPLE, fathom, real
from tests.bytecode.generated import generated_properties

FILE = (FIXTURES / "sample.mlirbc").read_bytes()


def check_read(data: bytes, expected: str, *arguments: str) -> None:
    assert fathom("opt", ALLOW, *arguments, data=data) == (0, expected, "")


def test_a_file_is_printed() -> None:
    expected = (FIXTURES / "sample.expected.mlir").read_text(encoding="utf-8")
    check_read(FILE, expected)


def test_a_file_is_found_by_its_name(tmp_path: Path) -> None:
    file = tmp_path / "any.name"
    file.write_bytes(FILE)
    assert fathom("opt", ALLOW, str(file))[:2] == fathom("opt", ALLOW, data=FILE)[:2]


@pytest.mark.parametrize("version", range(7))
def test_every_version_is_read(version: int) -> None:
    data = real(SAMPLE.read_bytes(), ALLOW, "--emit-bytecode", f"--emit-bytecode-version={version}")
    printed = real(data, ALLOW, "--mlir-print-debuginfo").decode()
    check_read(data, printed, "--mlir-print-debuginfo")


def test_an_old_version_is_the_same_program() -> None:
    old = fathom("opt", ALLOW, data=(FIXTURES / "sample-0.mlirbc").read_bytes())[1]
    new = (FIXTURES / "sample.expected.mlir").read_text(encoding="utf-8")
    # What is no attribute at heart, and the properties of what is not registered, MLIR loses before version 5.
    assert old == new.replace(" overflow<nsw, nuw>", "").replace(" <{a = 1 : i32}>", "")


def test_other_commands_read_it() -> None:
    text = b"func.func @main() -> i32 {\n  %c = arith.constant 7 : i32\n  return %c : i32\n}\n"
    data = real(text, "--emit-bytecode")
    assert fathom("run", data=data) == (0, "7\n", "")
    lowered = real(data, "--emit-bytecode", "--convert-func-to-llvm", "--convert-arith-to-llvm")
    status, output, errors = fathom("translate", "--mlir-to-llvmir", data=lowered)
    assert (status, errors) == (0, "")
    assert "ret i32 7" in output


def test_an_unregistered_dialect_is_refused() -> None:
    status, output, errors = fathom("opt", data=FILE)
    assert (status, output) == (1, "")
    assert "unregistered dialect. If this is intended" in errors or "is unknown. If this is intended" in errors
    assert "<stdin>:0:0: note: in bytecode version 6 produced by: MLIR22" in errors


def test_the_uses_of_a_value_are_in_the_order_that_is_given() -> None:
    module = read_bytecode(FILE, default_context(), lambda _: False).operations[0]
    for op in module.walk():
        for value in op.results:
            assert sum(value.uses.values()) == sum(user.operands.count(value) for user in value.uses)


def test_properties_stand_as_mlir_tblgen_has_them() -> None:
    context, differing = default_context(), []
    for name, (attributes, others) in generated_properties().items():
        definition = context.lookup(name)
        if definition is None:
            continue
        layout = Layout(definition)
        ordered = [(prop, layout.is_required(prop)) for prop in layout.order(5)]
        behind = [*(part.name for part in layout.native), *(segment for segment, _ in layout.segments)]
        if (ordered, behind) != (attributes, others):
            differing.append(name)
    assert not differing
