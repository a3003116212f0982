"""Older editions in use: what is asked of documents, checked runs, and the library, of texts as they stand."""

from __future__ import annotations

import json
from collections.abc import Generator
from pathlib import Path

import pytest

import fathom
from benchmarks.client import Client
from tests.cli.running import fathom as command
from tests.patience import PATIENCE
from tests.server.client import COMMAND
from tests.server.every_question import Asking, warm_server

LANGUAGE = Path(__file__).parents[1] / "fixtures" / "editions" / "language"
OUT_OF_BOUNDS = """\
// MLIR: 13
func @f(%i: index) -> f32 {
  %m = memref.alloca() : memref<4xf32>
  %c0 = constant 0 : index
  %one = constant 1.0 : f32
  memref.store %one, %m[%c0] : memref<4xf32>
  %x = memref.load %m[%i] : memref<4xf32>
  return %x : f32
}
"""
LEFT = {
    "13": """\
func @f(%m: memref<?xf32>, %i: index) -> vector<4xf32> {
  %z = constant 0.0 : f32
  %v = vector.transfer_read %m[%i], %z : memref<?xf32>, vector<4xf32>
  "test.left"() : () -> ()
  return %v : vector<4xf32>
}
""",
    "15": """\
func.func @f(%n: index) -> memref<?xf32, 1> {
  %t = gpu.wait async
  %m, %u = gpu.alloc async [%t] (%n) : memref<?xf32, 1>
  return %m : memref<?xf32, 1>
}
""",
    "16": """\
func.func @f(%v: vector<4xf32>, %x: f32, %p: !llvm.ptr<f32>) {
  %w = vector.insert %x, %v[1] : f32 into vector<4xf32>
  vector.print %w : vector<4xf32>
  %c = builtin.unrealized_conversion_cast %p : !llvm.ptr<f32> to index
  "test.left"(%c) : (index) -> ()
  return
}
""",
    "19": """\
func.func @f(%m: memref<4xf32>, %i: index, %x: f32) {
  memref.store %x, %m[%i] : memref<4xf32>
  "test.left"() : () -> ()
  return
}
""",
}
"""Texts of which something is left behind, so that it is looked into who made what."""


@pytest.fixture(scope="module")
def client() -> Generator[Client, None, None]:
    with warm_server(COMMAND) as client:
        yield client


@pytest.mark.parametrize("name", LEFT)
def test_every_question_is_answered(client: Client, name: str) -> None:
    borne = Asking(client, f"left{name}", f"// MLIR: {name}\n{LEFT[name]}", PATIENCE).all()
    assert not borne.refused


@pytest.mark.parametrize("name", ["13", "14", "15"])
def test_every_question_about_the_language_is_answered(client: Client, name: str) -> None:
    text = (LANGUAGE / f"{name}.mlir").read_text(encoding="utf-8")
    borne = Asking(client, f"language{name}", f"// MLIR: {name}\n{text}", PATIENCE).all()
    assert not borne.refused


def test_a_run_is_checked(tmp_path: Path) -> None:
    file = tmp_path / "a.mlir"
    file.write_text(OUT_OF_BOUNDS)
    assert command("run", "--check", "--entry=f", "--args=0", str(file)) == (0, "1.0\n", "")
    status, stdout, stderr = command("run", "--check", "--entry=f", "--args=7", str(file))
    assert (status, stdout) == (1, "")
    assert stderr.startswith(f"{file}:7:8: error: 'memref.load' op out-of-bounds access: 7 is not in [0, 4)\n")


def test_stages_are_shown_as_today(tmp_path: Path) -> None:
    """What is printed otherwise today than it is kept in the edition is printed, from the source on."""
    file, trace = tmp_path / "a.mlir", tmp_path / "trace.json"
    file.write_text(
        "func @f() -> vector<4xi1> {\n  %0 = vector.constant_mask [2] : vector<4xi1>\n  return %0 : vector<4xi1>\n}\n"
    )
    status, _, stderr = command("opt", "--mlir=13", "--lower-to-llvm", f"--record={trace}", str(file))
    assert (status, stderr) == (0, "")
    first, *_, last = json.loads(trace.read_text())["parts"][0]["stages"]
    assert "func.func @f() -> vector<4xi1> {\n    %0 = vector.constant_mask [2] : vector<4xi1>" in first["text"]
    assert "llvm.func @f()" in last["text"]


def test_the_library_takes_the_edition_that_a_text_says() -> None:
    assert fathom.compile(OUT_OF_BOUNDS).f(0) == 1.0
    lowered = fathom.lower(OUT_OF_BOUNDS)
    assert not lowered.failed
    assert "llvm.func @f" in lowered.text
