"""What passes say that only say something: the text that mlir-opt writes to standard error."""

from __future__ import annotations

from textwrap import dedent
from typing import Final

from fathom.elaborate import load
from fathom.passes import find
from fathom.passes.definition import ShowingPass

TEXT = """
func.func @f(%c: i1, %a: memref<?xi32>, %n: index) {
  %0 = memref.load %a[%n] : memref<?xi32>
  scf.if %c {
    memref.store %0, %a[%n] : memref<?xi32>
  }
  return
}
"""


def check_shown(name: str, options: str, expected: str, text: str = TEXT) -> None:
    """What a pass with these options says of the text."""
    loaded = load(text)
    class_ = find(name)
    assert class_ is not None
    use = class_.read(options)
    assert isinstance(use, ShowingPass)
    assert use.shown(loaded.module) == dedent(expected)


def test_operations_are_counted() -> None:
    check_shown(
        "print-op-stats",
        "",
        """\
        Operations encountered:
        -----------------------
          builtin.module , 1
             func.func   , 1
             func.return , 1
           memref.load   , 1
           memref.store  , 1
              scf.if     , 1
              scf.yield  , 1
        """,
    )


def test_operations_are_counted_as_json() -> None:
    check_shown(
        "print-op-stats",
        "json",
        """\
        {
          "builtin.module" : 1,
          "func.func" : 1,
          "func.return" : 1,
          "memref.load" : 1,
          "memref.store" : 1,
          "scf.if" : 1,
          "scf.yield" : 1
        }
        """,
    )


GRAPH: Final = r"""digraph G {
  compound = true;
  subgraph cluster_1 {
    v2 [label = " ", shape = plain];
    label = "builtin.module";
    subgraph cluster_3 {
      v4 [label = " ", shape = plain];
      label = "";
      subgraph cluster_5 {
        v6 [label = " ", shape = plain];
        label = "func.func";
        subgraph cluster_7 {
          v8 [label = " ", shape = plain];
          label = "";
          v9 [fillcolor = "0.000000 0.3 0.95", label = "{ub.poison\l|{<res_0> %0}}", shape = Mrecord, style = filled];
          v10 [fillcolor = "0.250000 0.3 0.95", label = "{func.return\l}", shape = Mrecord, style = filled];
        }
      }
    }
  }
  v9 -> v10[style = dashed];
}
"""


def test_a_graph() -> None:
    text = "func.func @f() {\n  %0 = ub.poison : i32\n  return\n}\n"
    check_shown("view-op-graph", "print-control-flow-edges print-attrs=0 print-result-types=0", GRAPH, text)
