"""What files of other projects have of dialects that are not on the way to LLVM IR, or not as it is commonly written:
read in the edition in which the release's own mlir-opt takes it."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from fathom.context import context_of
from fathom.modernising.engine import mistakes_in
from tests.oracles import missing

CASES = [
    (
        "15",
        "func.func @product(%a: tensor<1x2x3xf32>, %b: tensor<1x3x4xf32>) -> tensor<1x2x4xf32> {\n"
        '  %0 = "tosa.matmul"(%a, %b) : (tensor<1x2x3xf32>, tensor<1x3x4xf32>) -> tensor<1x2x4xf32>\n'
        "  return %0 : tensor<1x2x4xf32>\n}\n",
    ),
    (
        "19",
        "func.func @flat(%a: tensor<1x2x3xf32>) -> tensor<6xf32> {\n"
        "  %0 = tosa.reshape %a {new_shape = array<i64: 6>} : (tensor<1x2x3xf32>) -> tensor<6xf32>\n"
        "  return %0 : tensor<6xf32>\n}\n",
    ),
    (
        "19",
        "func.func @either(%c: tensor<i1>, %a: tensor<f32>) -> tensor<f32> {\n"
        "  %0 = tosa.cond_if %c -> (tensor<f32>) {\n    tosa.yield %a : tensor<f32>\n  } else {\n"
        "    tosa.yield %a : tensor<f32>\n  }\n  return %0 : tensor<f32>\n}\n",
    ),
    ("15", 'pdl.pattern @rewritten : benefit(1) {\n  %0 = operation\n  rewrite %0 with "somehow"\n}\n'),
    (
        "19",
        "module attributes {gpu.container_module} {\n"
        "  gpu.module @kernels {\n    gpu.func @nothing() kernel {\n      gpu.return\n    }\n  }\n"
        "  func.func @main() {\n    %c = arith.constant 1 : index\n"
        "    gpu.launch_func @kernels::@nothing blocks in (%c, %c, %c) threads in (%c, %c, %c)\n    return\n  }\n}\n",
    ),
    *(
        (
            edition,
            "func.func @compare(%a: index, %b: index, %x: f32) {\n"
            '  %0 = "arith.cmpi"(%a, %b) {predicate = 1} : (index, index) -> i1\n'
            '  %1 = "arith.cmpf"(%x, %x) {predicate = 1} : (f32, f32) -> i1\n  return\n}\n',
        )
        for edition in ("15", "16", "19")
    ),
    (
        "15",
        "func.func @tiles(%a: tensor<1x1x8x2xi8>, %b: tensor<1x1x4x2xi8>, %c: tensor<1x1x8x4xi32>) {\n"
        "  %0 = linalg.mmt4d ins(%a, %b: tensor<1x1x8x2xi8>, tensor<1x1x4x2xi8>) "
        "outs(%c: tensor<1x1x8x4xi32>) -> tensor<1x1x8x4xi32>\n  return\n}\n",
    ),
    (
        "16",
        "transform.sequence failures(propagate) {\n^bb1(%root: !pdl.operation):\n"
        '  %0 = transform.structured.match ops{["linalg.matmul"]} in %root\n}\n',
    ),
]


@pytest.mark.parametrize(("edition", "text"), CASES)
def test_it_is_read_as_the_release_does(edition: str, text: str) -> None:
    assert [mistake.message for mistake in mistakes_in(text, 0, context_of(edition))] == []
    tool = shutil.which(f"mlir-opt-{edition}")
    if tool is None:
        missing(f"mlir-opt-{edition}")
    answer = subprocess.run([tool], input=text, capture_output=True, text=True, check=False, timeout=20)
    assert answer.returncode == 0, answer.stderr
