"""The code and the descriptions beside the `.td` files of MLIR's tests say nothing wrong."""

from __future__ import annotations

import io

import pytest

from fathom.cli import main
from tests.suite import definitions
from tests.suite.source import NoSource, mlir_source

PROGRAM = """\
module {
  func.func @f(%arg0: i32, %arg1: tensor<?xf32>) {
    %0 = test.region_if %arg0: i32 -> i32 then {
    ^bb0(%arg2: i32):
      test.region_if_yield %arg2 : i32
    } else {
    ^bb0(%arg2: i32):
      test.region_if_yield %arg2 : i32
    } join {
    ^bb0(%arg2: i32):
      test.region_if_yield %arg2 : i32
    }
    test.polyfor %i, %j {
      "test.use"(%i) : (index) -> ()
    }
    "test.op"() {a = #test.custom_struct<type_str = "x", value = ?>, b = !test.struct<{a,i32}, {b,f32}>} : () -> ()
    return
  }
}

"""


def test_a_dialect_with_code_is_read_and_printed() -> None:
    try:
        options = definitions.options(mlir_source())
    except NoSource:
        pytest.skip("MLIR's source is not at hand")
    stdout, stderr = io.StringIO(), io.StringIO()
    given = PROGRAM.replace("%i", "%a").replace("%j", "%b")
    status = main(["opt", "--allow-unregistered-dialect", *options], io.StringIO(given), stdout, stderr)
    assert (status, stderr.getvalue()) == (0, "")
    assert stdout.getvalue() == PROGRAM.replace("%i, %j", "%arg2, %arg3").replace('"test.use"(%i)', '"test.use"(%arg2)')
