"""What is recorded of a run, held against what the passes did."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import jsonschema
import pytest

from fathom.context import default_context
from fathom.elaborate import load
from fathom.ir.printer import print_module
from fathom.pipeline.language import parse_pipeline
from fathom.pipeline.lowering import run
from fathom.recording import Recorder
from fathom.recording.stages import stage_text
from tests.cli.running import fathom
from tests.passes.goldens import FIXTURES, run_flags
from tests.recording.goldens import fixtures
from tests.recording.replays import checked
from tests.recording.told import answers

SCHEMA = Path(__file__).resolve().parents[2] / "docs" / "trace.schema.json"
REPLAYED = (
    "arith-expand/divisions_and_extrema",
    "canonicalize/affine_maps",
    "canonicalize/reshapes",
    "canonicalize/vector_masks",
    "convert-complex-to-standard/every_op",
    "convert-to-llvm/everything",
    "convert-vector-to-llvm/products_neon",
    "finalize-memref-to-llvm/access",
    "inline/recursion",
    "pipeline/memref_first",
)
"""Fixtures of passes of which some steps are replayed."""
TELLING = (
    *("affine-loop-fusion", "affine-loop-invariant-code-motion", "affine-parallelize", "affine-super-vectorize"),
    *("affine-loop-unroll", "affine-loop-unroll-jam", "affine-scalrep"),
    *("cse", "inline", "loop-invariant-code-motion", "one-shot-bufferize", "symbol-dce"),
    *("mem2reg", "sccp", "sroa", "transform-interpreter"),
)
"""Passes without patterns that say why they leave what they leave."""


@pytest.mark.parametrize("path", fixtures(), ids=lambda path: path.stem)
def test_what_is_told(path: Path) -> None:
    assert answers(path) == path.with_suffix(".told").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", REPLAYED)
def test_steps_replay(name: str) -> None:
    path = FIXTURES / f"{name}.mlir"
    done = checked(path.read_text(encoding="utf-8"), run_flags(path), Random(29))
    assert done.operations
    assert not done.faults


@pytest.mark.parametrize(
    "path",
    [
        *(FIXTURES / f"{name}.mlir" for name in REPLAYED),
        *(path for name in TELLING for path in sorted((FIXTURES / name).glob("*.mlir"))),
    ],
    ids=lambda path: f"{path.parent.name}/{path.stem}",
)
def test_the_last_stage_is_what_the_run_left(path: Path) -> None:
    """That somebody looks on, and is told why things are left, changes nothing."""
    text, pipeline, context = path.read_text(encoding="utf-8"), parse_pipeline(run_flags(path)), default_context()
    module = load(text, context).module
    recorder = Recorder(pipeline, module, context)
    run(pipeline, module, context, observers=[recorder])
    plain = load(text, context).module
    run(pipeline, plain, context)
    assert print_module(module) == print_module(plain)
    assert stage_text(recorder.recording, len(pipeline.passes)).text == print_module(plain)


TWO_PARTS = """\
func.func @f(%a: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %x = arith.addi %a, %zero : i32
  return %x : i32
}
// -----
func.func @g(%v: vector<4xi1>) -> vector<4xi1> {
  %x = arith.andi %v, %v : vector<4xi1>
  return %x : vector<4xi1>
}
"""


def test_a_trace_is_as_its_schema_says(tmp_path: Path) -> None:
    file = tmp_path / "trace.json"
    status, plain, _ = fathom("opt", "--split-input-file", "--canonicalize", "--convert-arith-to-llvm", text=TWO_PARTS)
    options = ("--split-input-file", f"--record={file}", "--record-source-names", "--timeline")
    passes = ("--canonicalize", "--convert-arith-to-llvm")
    assert fathom("opt", *options, *passes, text=TWO_PARTS)[:2] == (status, plain) == (0, plain)
    trace = json.loads(file.read_text(encoding="utf-8"))
    jsonschema.validate(trace, json.loads(SCHEMA.read_text(encoding="utf-8")))
    first, second = trace["parts"]
    assert [stage["passes"] for stage in first["stages"]] == [0, 1]
    assert "return %a : i32" in first["stages"][1]["text"]
    assert [step["kind"] for step in second["passes"][0]["steps"]] == ["fold"]
    for part in trace["parts"]:
        for stage in part["stages"]:
            for number, start, end in stage["operations"]:
                name = part["operations"][number]["name"].removeprefix("builtin.").removeprefix("func.")
                assert name in stage["text"][start:end]


def test_a_trace_that_cannot_be_written(tmp_path: Path) -> None:
    status, _, said = fathom("opt", f"--record={tmp_path}/none/trace.json", "--cse", text=TWO_PARTS.partition("//")[0])
    assert status == 1
    assert "cannot write" in said
