"""Edits of a text, as people and tools make them: of words and lines, whole and broken."""

from __future__ import annotations

from typing import TypeAlias

from hypothesis import strategies as st

Edit: TypeAlias = "tuple[str, int, int, int]"

BIG = """\
func.func @big(%arg0: i32, %arg1: i32, %c: i1, %m: memref<4xi32>) -> i32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %0 = arith.addi %arg0, %arg1 : i32
  %1 = arith.muli %0, %arg0 : i32
  %2:2 = arith.addui_extended %1, %0 : i32, i1
  scf.for %i = %zero to %one step %one {
    %3 = arith.subi %1, %2#0 : i32
    memref.store %3, %m[%i] : memref<4xi32>
    %4 = memref.load %m[%i] : memref<4xi32>
    // A comment.
    scf.if %c {
      %5 = arith.addi %4, %3 : i32
      memref.store %5, %m[%i] : memref<4xi32>
    } else {
      %5 = arith.muli %4, %3 : i32
      memref.store %5, %m[%i] : memref<4xi32>
    }
  }
  %3 = scf.for %i = %zero to %one step %one iter_args(%acc = %1) -> (i32) {
    %4 = arith.addi %acc, %0 : i32
    %5 = foo.bar %4, %0 : i32
    %6 = arith.addi %5, %4 : i32
    scf.yield %4 : i32
  }
  foo.instance "x" @module(a: %late, %w: i32, %2#1)
  %guess = foo.get
  %4 = arith.xori %3, %guess : i32
  %late = foo.sum (%guess, %4) {
    foo.add %w
  }
  cf.cond_br %c, ^bb1(%4 : i32), ^bb2
^bb1(%x: i32):
  %5 = arith.addi %x, %4 : i32
  %6 = arith.addi %5, %x : i32
  cf.br ^bb2
^bb2:
  %7 = arith.cmpi eq, %4, %0 : i32
  %8 = arith.select %7, %4, %0 : i32
  return %8 : i32
}
"""

LOOPS = """\
func.func @loops(%arg0: i32, %c: i1, %m: memref<4xi32>) -> i32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %0 = arith.addi %arg0, %arg0 : i32
  %1 = arith.muli %0, %arg0 : i32
  %2 = scf.for %i = %zero to %one step %one iter_args(%acc = %1) -> (i32) {
    %4 = arith.subi %1, %acc : i32
    %5 = scf.if %c -> (i32) {
      %6 = arith.addi %4, %acc : i32
      scf.yield %6 : i32
    } else {
      %6 = arith.muli %4, %acc : i32
      scf.yield %6 : i32
    }
    scf.for %j = %zero to %i step %one {
      memref.store %5, %m[%j] : memref<4xi32>
    }
    scf.yield %5 : i32
  }
  %3 = scf.execute_region -> i32 {
    cf.cond_br %c, ^bb1(%2 : i32), ^bb2
  ^bb1(%x: i32):
    %4 = arith.addi %x, %0 : i32
    scf.yield %4 : i32
  ^bb2:
    scf.yield %2 : i32
  }
  scf.while : () -> () {
    scf.condition(%c)
  } do {
    %4 = arith.addi %3, %1 : i32
    memref.store %4, %m[%zero] : memref<4xi32>
    scf.yield
  }
  scf.if %c { memref.store %3, %m[%one] : memref<4xi32> }
  %4 = arith.addi %3, %2 : i32
  return %4 : i32
}
"""
"""Nothing but operations that are known, so that an edit may open or close any region."""

WORDS = [
    "%0",
    "%1",
    "%2#0",
    "%2",
    "%3",
    "%4",
    "%5",
    "%x",
    "%w",
    "%late",
    "%guess",
    "%new",
    "%c",
    "i32",
    "i3",
    "f32",
    "index",
    "arith.addi",
    "^bb1",
    "^bb9",
    "(",
    "}",
    ":",
    "{",
    "} else {",
    "scf.for",
    "scf.if",
    "%zero",
    "%one",
    "%i",
    "%acc",
    "(f32)",
    "iter_args(%acc = %2#0)",
]
LINES = [
    "    %new = arith.addi %0, %1 : i32",
    "    %0 = arith.addi %1, %1 : i32",
    "    %5 = arith.constant 7 : i32",
    "    %4 = foo.baz %3 : i32",
    "    foo.use %late, %w, %new, %guess",
    "    %w = arith.addf %guess, %late : f32",
    "    %guess = foo.get",
    "    %1 = arith.constant",
    "    memref.store %9, %m[%zero] : memref<4xi32>",
    "    arith.addi %new, %4 : i32",
    "    ",
    "    // nothing",
    "    %a = arith.addi %0, %0 : i32 %b = arith.muli %a, %a : i32",
    "    cf.br ^bb2",
    "^bb3(%5: i32):",
    "    scf.yield",
    "    }",
    "    } else {",
    "    scf.if %c {",
    "    scf.if %c {}",
    "    scf.if %c {\n      %5 = arith.addi %4, %3 : i32\n      foo.use %5\n    }",
    "    %new = scf.if %c -> (i32) {\n      scf.yield %0 : i32\n    } else {\n      scf.yield %late : i32\n    }",
    "    scf.for %i = %zero to %one step %one {\n      %7 = arith.index_cast %i : index to i32\n    }",
    "    %3 = scf.for %j = %zero to %one step %one iter_args(%x = %1) -> (i32) {\n      scf.yield %x : i32\n    }",
    "    scf.for %i = %zero to %one step %one {",
    "    %q = scf.execute_region -> i32 {\n      cf.br ^bb1\n    ^bb1:\n      scf.yield %0 : i32\n    }",
    "    foo.region %x, %late {\n      %w = foo.get\n    } and {\n      foo.add %x\n    }",
    "    func.func @inner(%0: i32) {\n      %1 = arith.addi %0, %0 : i32\n      return\n    }",
    "    scf.if %c { foo.use %0 } else { foo.use %1 }",
    "    scf.while : () -> () {\n      scf.condition(%c)\n    } do {\n      scf.yield\n    }",
    '    "scf.if"(%c) ({\n      foo.use %0\n      "scf.yield"() : () -> ()\n    }, {\n    }) : (i1) -> ()',
    "^bb1(%x: i32):",
    "^bb1(%x: i32, %4: index):",
    "^bb5:",
    "    cf.br ^bb5",
    "    cf.cond_br %c, ^bb1(%0 : i32), ^bb6",
]


KINDS = ("word", "insert", "delete", "repeat", "swap", "undo", "cut", "cut out", "put around", "paste")
"""What an edit does to the text, with its numbers: `cut out` takes several lines away, `paste` repeats several, and
`put around` puts an operation around some."""


@st.composite
def an_edit(draw: st.DrawFn) -> Edit:
    kind = draw(st.sampled_from(KINDS))
    return kind, draw(st.integers(1, 60)), draw(st.integers(0, 40)), draw(st.integers(0, 40))


def lines_after(edit: Edit, lines: list[str], former: list[list[str]]) -> list[str]:
    """The text after an edit; where there are not two lines, one is put in."""
    kind, at, one, two = edit
    if len(lines) < 2 and kind != "undo":
        kind = "insert"
    at = 1 + at % max(len(lines) - 2, 1)
    match kind:
        case "word":
            words = lines[at].split(" ")
            words[one % len(words)] = WORDS[two % len(WORDS)]
            return [*lines[:at], " ".join(words).rstrip("\n") + "\n", *lines[at + 1 :]]
        case "insert":
            return [*lines[:at], *f"{LINES[one % len(LINES)]}\n".splitlines(keepends=True), *lines[at:]]
        case "cut out":
            return [*lines[:at], *lines[at + one % 12 :]]
        case "paste":
            first = 1 + one % max(len(lines) - 2, 1)
            return [*lines[:at], *lines[first : first + two % 12], *lines[at:]]
        case "put around":
            last = at + one % 12
            return [*lines[:at], "  scf.if %c {\n", *lines[at:last], "  }\n", *lines[last:]]
        case "delete":
            return [*lines[:at], *lines[at + 1 :]]
        case "repeat":
            return [*lines[:at], lines[at], *lines[at:]]
        case "swap":
            other = 1 + one % max(len(lines) - 2, 1)
            changed = list(lines)
            changed[at], changed[other] = lines[other], lines[at]
            return changed
        case "cut":
            return [*lines[:at], lines[at][: one % max(len(lines[at]), 1)].rstrip("\n") + "\n", *lines[at + 1 :]]
        case _:
            return former[-1] if former else lines


def difference(lines: list[str], after: list[str]) -> tuple[int, int]:
    """Which lines give way in the first text: from one on, so many before its end; those at both ends are equal."""
    most = min(len(lines), len(after))
    first = next((i for i, (a, b) in enumerate(zip(lines, after, strict=False)) if a != b), most)
    last = 0
    while last < most - first and lines[-1 - last] == after[-1 - last]:
        last += 1
    return first, last
