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
]


KINDS = ("word", "insert", "delete", "repeat", "swap", "undo", "cut")


@st.composite
def an_edit(draw: st.DrawFn) -> Edit:
    kind = draw(st.sampled_from(KINDS))
    return kind, draw(st.integers(1, 60)), draw(st.integers(0, 40)), draw(st.integers(0, 40))


def lines_after(edit: Edit, lines: list[str], former: list[list[str]]) -> list[str]:
    """The text after an edit of one or two lines."""
    kind, at, one, two = edit
    at = 1 + at % max(len(lines) - 2, 1)
    match kind:
        case "word":
            words = lines[at].split(" ")
            words[one % len(words)] = WORDS[two % len(WORDS)]
            return [*lines[:at], " ".join(words).rstrip("\n") + "\n", *lines[at + 1 :]]
        case "insert":
            return [*lines[:at], LINES[one % len(LINES)] + "\n", *lines[at:]]
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
