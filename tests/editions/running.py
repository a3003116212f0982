"""`make editions-running`: made-up programs of older releases, run by the passes and the runner of their release, and
by Fathom as they stand, and the figures into `docs/editions.md`.

`python -m tests.editions.running [EDITION…] [--programs N] [--seed S]`: with editions those alone, N programs of each.
Only a run over all editions, and over a thousand programs at least, is written down.

Programs are functions without arguments that compute an integer by arithmetic, branches, loops, memory and calls, and
pointers that say what they point to, each as its release writes it. Twenty stand in a module, whose `main` mixes their
results.
"""

from __future__ import annotations

import argparse
import io
import random
import subprocess
import sys
from dataclasses import dataclass, field

from fathom.cli import main as fathom
from fathom.editions.edition import OLDER
from tests.editions.page import write
from tests.editions.pieces import SOURCES, tool_of

TOGETHER = 20
_TO_LLVM = {
    "13": "-convert-scf-to-std -convert-memref-to-llvm -convert-std-to-llvm",
    "14": "-convert-scf-to-std -convert-arith-to-llvm -convert-memref-to-llvm -convert-std-to-llvm",
    "15": "-convert-scf-to-cf -convert-arith-to-llvm -convert-memref-to-llvm -convert-func-to-llvm",
    "16": "-convert-scf-to-cf -convert-arith-to-llvm -convert-memref-to-llvm -convert-func-to-llvm",
    "19": "-convert-scf-to-cf -convert-cf-to-llvm -convert-arith-to-llvm -finalize-memref-to-llvm "
    "-convert-func-to-llvm",
}
_STD = {
    "addi": "addi",
    "subi": "subi",
    "muli": "muli",
    "andi": "and",
    "ori": "or",
    "xori": "xor",
    "shli": "shift_left",
    "shrui": "shift_right_unsigned",
    "shrsi": "shift_right_signed",
}
"""What operations of arith were called in `std`."""


@dataclass
class Words:
    """How a release calls things."""

    edition: int

    def arith(self, name: str) -> str:
        return _STD.get(name, name) if self.edition < 14 else f"arith.{name}"

    @property
    def function(self) -> str:
        return "func.func" if self.edition >= 15 else "func"

    @property
    def select(self) -> str:
        return "arith.select" if self.edition >= 15 else "select"

    @property
    def call(self) -> str:
        return "func.call" if self.edition >= 15 else "call"

    def branch(self, name: str) -> str:
        return f"cf.{name}" if self.edition >= 15 else name

    @property
    def has_typed_pointers(self) -> bool:
        return self.edition <= 16


@dataclass
class Maker:
    """Makes one function."""

    words: Words
    chance: random.Random
    number: int
    lines: list[str] = field(default_factory=list)
    count: int = 0

    def fresh(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def add(self, text: str) -> str:
        name = self.fresh()
        self.lines.append(f"  {name} = {text}")
        return name

    def constant(self, value: int, type: str = "i32") -> str:
        return self.add(f"{self.words.arith('constant')} {value} : {type}")

    def operation(self, one: str, other: str) -> str:
        name = self.chance.choice(["addi", "subi", "muli", "andi", "ori", "xori", "shli", "shrui", "shrsi"])
        if name.startswith("sh"):
            other = self.constant(self.chance.randrange(31))
        return self.add(f"{self.words.arith(name)} {one}, {other} : i32")

    def compare(self, one: str, other: str) -> str:
        predicate = self.chance.choice(["eq", "ne", "slt", "sle", "ugt", "uge"])
        return self.add(f"{self.words.arith('cmpi')} {predicate}, {one}, {other} : i32")

    def loop(self, start: str) -> str:
        low, high, step = (self.constant(number, "index") for number in (0, self.chance.randrange(1, 9), 1))
        result, carried, count = self.fresh(), self.fresh(), self.fresh()
        self.lines.append(
            f"  {result} = scf.for {count} = {low} to {high} step {step} iter_args({carried} = {start}) -> (i32) {{"
        )
        value = self.add(f"{self.words.arith('index_cast')} {count} : index to i32")
        value = self.operation(self.operation(carried, value), carried)
        self.lines += [f"  scf.yield {value} : i32", "  }"]
        return result

    def conditional(self, one: str, other: str) -> str:
        condition, result = self.compare(one, other), self.fresh()
        self.lines.append(f"  {result} = scf.if {condition} -> (i32) {{")
        first = self.operation(one, other)
        self.lines += [f"  scf.yield {first} : i32", "  } else {"]
        second = self.operation(other, one)
        self.lines += [f"  scf.yield {second} : i32", "  }"]
        return result

    def memory(self, one: str, other: str) -> str:
        place = self.constant(self.chance.randrange(4), "index")
        memory = self.add("memref.alloca() : memref<4xi32>")
        self.lines.append(f"  memref.store {one}, {memory}[{place}] : memref<4xi32>")
        loaded = self.add(f"memref.load {memory}[{place}] : memref<4xi32>")
        return self.operation(loaded, other)

    def pointer(self, one: str, other: str) -> str:
        if not self.words.has_typed_pointers:
            return self.operation(one, other)
        size = self.add("llvm.mlir.constant(4 : i64) : i64")
        index = self.add(f"llvm.mlir.constant({self.chance.randrange(4)} : i64) : i64")
        memory = self.add(f"llvm.alloca {size} x i32 : (i64) -> !llvm.ptr<i32>")
        place = self.add(f"llvm.getelementptr {memory}[{index}] : (!llvm.ptr<i32>, i64) -> !llvm.ptr<i32>")
        self.lines.append(f"  llvm.store {one}, {place} : !llvm.ptr<i32>")
        bytes_ = self.add(f"llvm.bitcast {place} : !llvm.ptr<i32> to !llvm.ptr<i8>")
        again = self.add(f"llvm.bitcast {bytes_} : !llvm.ptr<i8> to !llvm.ptr<i32>")
        loaded = self.add(f"llvm.load {again} : !llvm.ptr<i32>")
        return self.operation(loaded, other)

    def function(self) -> str:
        words, chance = self.words, self.chance
        values = [self.constant(chance.randrange(-1000, 1000)) for _ in range(3)]
        for _ in range(chance.randrange(4, 12)):
            one, other = chance.choice(values), chance.choice(values)
            kind = chance.choice(
                ["operation", "operation", "loop", "conditional", "memory", "pointer", "select", "call"]
            )
            if kind == "loop":
                made = self.loop(one)
            elif kind == "select":
                made = self.add(f"{words.select} {self.compare(one, other)}, {one}, {other} : i32")
            elif kind == "call" and self.number:
                made = self.add(f"{words.call} @f{chance.randrange(self.number)}() : () -> i32")
            else:
                make = {"conditional": self.conditional, "memory": self.memory, "pointer": self.pointer}
                made = make.get(kind, self.operation)(one, other)
            values.append(made)
        condition = self.compare(values[-1], values[0])
        self.lines += [
            f"  {words.branch('cond_br')} {condition}, ^one({values[-1]} : i32), ^two",
            "^one(%x: i32):",
            "  return %x : i32",
            "^two:",
            f"  {words.branch('br')} ^one({values[-2]} : i32)",
        ]
        return f"{words.function} @f{self.number}() -> i32 {{\n" + "\n".join(self.lines) + "\n}\n"


def module_of(edition: str, seed: int) -> str:
    """A module of programs, with a `main` that mixes their results."""
    words, chance = Words(int(edition)), random.Random(seed)
    text = "".join(Maker(words, chance, number).function() for number in range(TOGETHER))
    lines = [f"  %k = {words.arith('constant')} 31 : i32", f"  %s = {words.arith('constant')} 1 : i32"]
    last = "%s"
    for number in range(TOGETHER):
        lines += [
            f"  %c{number} = {words.call} @f{number}() : () -> i32",
            f"  %m{number} = {words.arith('muli')} {last}, %k : i32",
            f"  %a{number} = {words.arith('addi')} %m{number}, %c{number} : i32",
        ]
        last = f"%a{number}"
    return f"{text}{words.function} @main() -> i32 {{\n" + "\n".join(lines) + f"\n  return {last} : i32\n}}\n"


def of_release(edition: str, text: str) -> str:
    """What the tools of a release make of a module: the result of `main`."""
    tool = tool_of(edition)
    assert tool, f"the comparison needs mlir-opt-{edition}"
    passes = [*_TO_LLVM[edition].split(), *(["-reconcile-unrealized-casts"] if edition != "13" else [])]
    lowered = subprocess.run([tool, *passes], input=text, capture_output=True, text=True, check=True, timeout=60)
    runner = [f"mlir-cpu-runner-{edition}", "-e", "main", "-entry-point-result=i32"]
    return subprocess.run(
        runner, input=lowered.stdout, capture_output=True, text=True, check=True, timeout=60
    ).stdout.strip()


def of_fathom(edition: str, text: str) -> str:
    """What `fathom run` makes of it as it stands."""
    out, err = io.StringIO(), io.StringIO()
    status = fathom(["run", f"--mlir={edition}", "--entry=main", "-"], io.StringIO(text), out, err)
    return out.getvalue().strip() if not status else err.getvalue().strip()[:300]


def measured(edition: str, programs: int, seed: int) -> tuple[int, int]:
    """How many programs of an edition give the same in both ways, and of how many; what differs is printed."""
    same = 0
    modules = -(-programs // TOGETHER)
    for number in range(seed, seed + modules):
        text = module_of(edition, number)
        theirs, ours = of_release(edition, text), of_fathom(edition, text)
        same += theirs == ours
        if theirs != ours:
            print(f"{edition}, seed {number}: {theirs} and {ours}")
    return same * TOGETHER, modules * TOGETHER


def main() -> None:
    parser = argparse.ArgumentParser(description="made-up programs of older releases, run in two ways")
    parser.add_argument("editions", nargs="*")
    parser.add_argument("--programs", type=int, default=200, help="of each edition")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    editions = options.editions or OLDER
    lines = ["| edition | programs | the same result |", "|---|---:|---:|"]
    whole = True
    print("\n".join(lines))
    for edition in editions:
        same, programs = measured(edition, options.programs, options.seed)
        whole = whole and same == programs
        lines.append(f"| {edition} ({SOURCES[edition]}) | {programs} | {same} |")
        print(lines[-1], flush=True)
    if not options.editions and options.programs * len(editions) >= 1000:
        write("editions-running", "\n".join(lines))
    sys.exit(not whole)


if __name__ == "__main__":
    main()
