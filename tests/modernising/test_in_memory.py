"""Modules of older releases go into passes of today."""

from __future__ import annotations

from fathom.context import context_of
from fathom.elaborate import load
from fathom.pipeline.language import parse_pipeline
from fathom.pipeline.lowering import run

TEXT = """\
func.func @f(%v: vector<4xf32>, %i: index, %x: f32) -> f32 {
  %s = vector.insertelement %x, %v[%i : index] : vector<4xf32>
  %e = vector.extractelement %s[%i : index] : vector<4xf32>
  return %e : f32
}
"""


def test_passes_run_on_what_it_became() -> None:
    context = context_of("19")
    loaded = load(TEXT, context)
    pipeline = parse_pipeline(["--convert-vector-to-llvm", "--convert-std-to-llvm"], context.find_pass)
    lowering = run(pipeline, loaded.module, context)
    assert not lowering.failed, lowering.diagnostics
    assert lowering.context is context.newest
    names = {op.name for op in loaded.module.walk()}
    assert {"llvm.insertelement", "llvm.extractelement"} <= names
    assert all(name.partition(".")[0] in ("llvm", "builtin") for name in names), names


def test_spans_are_those_of_the_text() -> None:
    context = context_of("19")
    loaded = load(TEXT, context)
    run(parse_pipeline(["--canonicalize"], context.find_pass), loaded.module, context)
    (extract,) = (op for op in loaded.module.walk() if op.name == "vector.extract")
    assert extract.span is not None
    assert "vector.extractelement" in TEXT[extract.span.start : extract.span.end]
