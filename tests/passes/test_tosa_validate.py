"""What `tosa-validate` says of an operation is what mlir-opt 22 says of it, and `tosa-attach-target` of names."""

from __future__ import annotations

import re

import pytest

from fathom.elaborate import load
from tests.oracles import run_tool
from tests.passes.running import run_pass

OPEN_SIZES = (
    'module attributes {tosa.target_env = #tosa.target_env<specification_version = "1.1.draft", level = "8k", '
    "profiles = [pro_fp], extensions = [int16]>}"
)
ANYTHING = (
    'module attributes {tosa.target_env = #tosa.target_env<specification_version = "1.0", level = "none", '
    "profiles = [pro_int], extensions = [dynamic, doubleround]>}"
)
LATER = (
    'module attributes {tosa.target_env = #tosa.target_env<specification_version = "1.0", level = "8k", '
    "profiles = [pro_fp], extensions = [bf16, int64]>}"
)
FLOATS = (
    'module attributes {tosa.target_env = #tosa.target_env<specification_version = "1.0", level = "8k", '
    "profiles = [pro_fp], extensions = [bf16, fp8e5m2, int16, controlflow]>}"
)
ZERO = '%z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>'
POOL = "pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>"
RESIZE = """%scale = tosa.const_shape {values = dense<[@, 1, 2, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %two = tosa.const_shape {values = dense<[0, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.resize %a, %scale, %two, %two {mode = NEAREST_NEIGHBOR} : (tensor<1x1x1x1xf32>, !tosa.shape<4>, \
!tosa.shape<2>, !tosa.shape<2>) -> tensor<1x1x1x1xf32>"""
RESCALE = """%m = "tosa.const"() <{values = dense<1> : tensor<1xi32>}> : () -> tensor<1xi32>
  %s = "tosa.const"() <{values = dense<1> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.rescale %a, %m, %s, %s, %s {scale32 = true, rounding_mode = DOUBLE_ROUND, per_channel = false, \
input_unsigned = false, output_unsigned = false} : (tensor<4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, \
tensor<1xi8>) -> tensor<4xi8>"""
SHIFTED = """%s = "tosa.const"() <{values = dense<@> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.mul %a, %a, %s : (tensor<4xi32>, tensor<4xi32>, tensor<1xi8>) -> tensor<4xi32>"""
CHOSEN = """%0 = tosa.cond_if %p : tensor<i1> -> tensor<4xf32> {
    tosa.yield %a : tensor<4xf32>
  } else {
    tosa.yield %a : tensor<4xf32>
  }"""


def unary(type: str) -> str:
    return f"%0 = tosa.tanh %a : ({type}) -> {type}"


def check_said_as_mlir(body: str, arguments: str, options: str = "", head: str = "module") -> None:
    """Both say the same of the operations of a function, in their order."""
    text = f"{head} {{\nfunc.func @f({arguments}) {{\n  {body}\n  return\n}}\n}}\n"
    loaded = load(text)
    assert not loaded.has_errors, loaded.diagnostics
    ours = [diagnostic.message.rstrip() for diagnostic in run_pass("tosa-validate", loaded.module, options)]
    answer = run_tool("mlir-opt", (f"--tosa-validate={options}",), text)
    assert ours == re.findall(r"error: (.*)", answer.stderr)


@pytest.mark.parametrize(
    ("body", "arguments"),
    [
        (unary("tensor<4xf32>"), "%a: tensor<4xf32>"),
        (unary("tensor<*xf32>"), "%a: tensor<*xf32>"),
        (unary("tensor<?xf32>"), "%a: tensor<?xf32>"),
        (unary("tensor<1x1x1x1x1x1x1xf32>"), "%a: tensor<1x1x1x1x1x1x1xf32>"),
        (unary("tensor<536870912xf32>"), "%a: tensor<536870912xf32>"),
        ("%0 = tosa.add %a, %a : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>", "%a: tensor<4xi1>"),
        ("%0 = tosa.add %a, %a : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xui8>", "%a: tensor<4xui8>"),
        (
            "%0 = tosa.negate %a, %z, %z : (tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<4xf32>",
            "%a: tensor<4xf32>, %z: tensor<1xf32>",
        ),
        (
            f"%0 = tosa.max_pool2d %a {{kernel = array<i64: 8193, 1>, {POOL}}} : "
            "(tensor<1x8193x1x1xf32>) -> tensor<1x1x1x1xf32>",
            "%a: tensor<1x8193x1x1xf32>",
        ),
        (RESIZE.replace("@", "1024"), "%a: tensor<1x1x1x1xf32>"),
        (RESCALE, "%a: tensor<4xi8>"),
    ],
)
def test_levels_types_and_constants(body: str, arguments: str) -> None:
    check_said_as_mlir(body, arguments)


@pytest.mark.parametrize(
    ("body", "arguments", "options", "head"),
    [
        (unary("tensor<?xf32>"), "%a: tensor<?xf32>", "", OPEN_SIZES),
        (unary("tensor<1x1x1x1x1x1x1xf32>"), "%a: tensor<1x1x1x1x1x1x1xf32>", "", ANYTHING),
        (RESCALE, "%a: tensor<4xi8>", "", ANYTHING),
        (
            "%0 = tosa.add %a, %a : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>",
            "%a: tensor<4xi1>",
            "allow-invalid-op-datatype-combinations=true",
            "module",
        ),
        (SHIFTED.replace("@", "-1"), "%a: tensor<4xi32>", "strict-op-spec-alignment=true", "module"),
        (SHIFTED.replace("@", "5"), "%a: tensor<4xi32>", "strict-op-spec-alignment=true", "module"),
        (
            CHOSEN,
            "%a: tensor<4xf32>, %p: tensor<i1>",
            "",
            "module",
        ),
    ],
)
def test_targets_and_options(body: str, arguments: str, options: str, head: str) -> None:
    check_said_as_mlir(body, arguments, options, head)


@pytest.mark.parametrize("head", ["module", OPEN_SIZES, ANYTHING, LATER, FLOATS])
@pytest.mark.parametrize(
    ("body", "arguments"),
    [
        (unary("tensor<4xf32>"), "%a: tensor<4xf32>"),
        (unary("tensor<4xbf16>"), "%a: tensor<4xbf16>"),
        (unary("tensor<4xi8>"), "%a: tensor<4xi8>"),
        ("%0 = tosa.add %a, %a : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>", "%a: tensor<4xi32>"),
        ("%0 = tosa.add %a, %a : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi64>", "%a: tensor<4xi64>"),
        ("%0 = tosa.clz %a : (tensor<4xi32>) -> tensor<4xi32>", "%a: tensor<4xi32>"),
        ("%0 = tosa.concat %a {axis = 0 : i32} : (tensor<4xi16>) -> tensor<4xi16>", "%a: tensor<4xi16>"),
        ("%0 = tosa.cast %a : (tensor<4xbf16>) -> tensor<4xf8E5M2>", "%a: tensor<4xbf16>"),
        (
            "%0 = tosa.matmul %a, %a, %z, %z : (tensor<1x1x1xf8E5M2>, tensor<1x1x1xf8E5M2>, tensor<1xf8E5M2>, "
            "tensor<1xf8E5M2>) -> tensor<1x1x1xf32>",
            "%a: tensor<1x1x1xf8E5M2>, %z: tensor<1xf8E5M2>",
        ),
        ("%0 = tosa.dim %a {axis = 0 : i32} : (tensor<4xbf16>) -> !tosa.shape<1>", "%a: tensor<4xbf16>"),
        ("%0 = tosa.const_shape {values = dense<1> : tensor<1xindex>} : () -> !tosa.shape<1>", ""),
        (CHOSEN, "%a: tensor<4xf32>, %p: tensor<i1>"),
    ],
)
def test_profiles_and_extensions(body: str, arguments: str, head: str) -> None:
    check_said_as_mlir(body, arguments, "strict-op-spec-alignment=true", head)


@pytest.mark.parametrize("options", ["profiles=pro_int,pro", "extensions=int16,int_4 profiles=pro_fp"])
def test_names_of_no_profile_or_extension(options: str) -> None:
    text = "func.func private @f()"
    told, loaded = run_tool("mlir-opt", [f"--tosa-attach-target={options}"], text).stderr, load(text)
    assert [
        diagnostic.message for diagnostic in run_pass("tosa-attach-target", loaded.module, options)
    ] == told.splitlines()
    assert not loaded.module.attributes
