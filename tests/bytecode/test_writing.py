"""Bytecode that is written is, byte for byte, what mlir-opt writes, but for who wrote it."""

from __future__ import annotations

import re

import pytest

from fathom.bytecode import writer
from tests.bytecode.files import ALLOW, FIXTURES, SAMPLE, fathom, real
from tests.oracles import tool_version

TEXT = SAMPLE.read_bytes()


@pytest.fixture(autouse=True)
def who_wrote_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is aligned in a file depends on how long the name is of who wrote it."""
    monkeypatch.setattr(writer, "PRODUCER", f"MLIR{tool_version('mlir-opt')}")


def check_written(text: bytes, *options: str) -> None:
    theirs = real(text, ALLOW, "--emit-bytecode", *options)
    status, output, errors = fathom("opt", ALLOW, "--emit-bytecode", *options, data=text)
    assert (status, errors) == (0, "")
    assert output.encode("utf-8", "surrogateescape") == theirs


@pytest.mark.parametrize("version", range(7))
def test_every_version_is_written(version: int) -> None:
    check_written(TEXT, f"--emit-bytecode-version={version}")


def test_resources_without_their_data() -> None:
    # What is left of those of other tools, MLIR does not read either.
    text = re.sub(rb",\n  external_resources: .*", b"", TEXT)
    check_written(text, "--elide-resource-data-from-bytecode")
    data = fathom("opt", ALLOW, "--emit-bytecode", "--elide-resource-data-from-bytecode", data=text)[1]
    printed = fathom("opt", ALLOW, data=data.encode("utf-8", "surrogateescape"))[1]
    assert "dense_resource<weights>" in printed
    assert "dialect_resources" not in printed


def test_what_was_written_is_read() -> None:
    data = fathom("opt", ALLOW, "--emit-bytecode", data=TEXT)[1].encode("utf-8", "surrogateescape")
    expected = (FIXTURES / "sample.expected.mlir").read_text(encoding="utf-8")
    assert fathom("opt", ALLOW, data=data) == (0, expected, "")


@pytest.mark.parametrize("version", [-1, 7, 999])
def test_a_version_that_is_not_known(version: int) -> None:
    status, output, errors = fathom("opt", "--emit-bytecode", f"--emit-bytecode-version={version}", data=b"module {}\n")
    assert (status, output) == (1, "")
    assert f"<stdin>:1:1: error: unsupported version requested {version}, must be in range [0, 6]\n" in errors


def test_an_operation_known_by_its_text_only_is_refused() -> None:
    status, output, errors = fathom("opt", ALLOW, "--emit-bytecode", data=b"module {\n  a.b c\n}\n")
    assert (status, output) == (1, "")
    assert errors
