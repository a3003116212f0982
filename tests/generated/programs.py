"""Hypothesis strategies for well-typed MLIR programs that always end, never divide by zero and stay within bounds.

Two functions, `@f` and a `@main() -> i32` that calls it and returns one number made of all that was computed.
"""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st

from tests.generated.writer import Writer, block, drawn_numbers

INTEGERS = ("i8", "i32", "i64")
TYPES = ("i1", *INTEGERS, "index", "f32", "f64")
WIDTHS = {"i1": 1, "i8": 8, "i32": 32, "i64": 64}
MEMORY = "memref<4xi32>"

INTEGER_BINARY = ("addi", "subi", "muli", "andi", "ori", "xori", "maxsi", "minsi", "maxui", "minui")
FLOAT_BINARY = ("addf", "subf", "mulf", "divf")
COMPARISONS = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
FLOAT_COMPARISONS = ("oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno")


def integer_binary(w: Writer) -> None:
    kind = w.choose((*INTEGERS, "i1", "index"))
    w.define(kind, f"arith.{w.choose(INTEGER_BINARY)} {w.value(kind)}, {w.value(kind)} : {kind}")


def division(w: Writer) -> None:
    """By a constant that is neither zero nor minus one, so that nothing overflows."""
    kind = w.choose(INTEGERS)
    divisor = w.define(kind, f"arith.constant {w.number(2, 50)} : {kind}")
    w.define(kind, f"arith.{w.choose(('divsi', 'divui', 'remsi', 'remui'))} {w.value(kind)}, {divisor} : {kind}")


def shift(w: Writer) -> None:
    kind = w.choose(INTEGERS)
    amount = w.define(kind, f"arith.constant {w.number(0, WIDTHS[kind] - 1)} : {kind}")
    w.define(kind, f"arith.{w.choose(('shli', 'shrsi', 'shrui'))} {w.value(kind)}, {amount} : {kind}")


def comparison(w: Writer) -> None:
    kind = w.choose((*INTEGERS, "index"))
    w.define("i1", f"arith.cmpi {w.choose(COMPARISONS)}, {w.value(kind)}, {w.value(kind)} : {kind}")


def float_binary(w: Writer) -> None:
    kind = w.choose(("f32", "f64"))
    w.define(kind, f"arith.{w.choose(FLOAT_BINARY)} {w.value(kind)}, {w.value(kind)} : {kind}")


def float_comparison(w: Writer) -> None:
    kind = w.choose(("f32", "f64"))
    w.define("i1", f"arith.cmpf {w.choose(FLOAT_COMPARISONS)}, {w.value(kind)}, {w.value(kind)} : {kind}")


def selection(w: Writer) -> None:
    kind = w.choose(TYPES)
    w.define(kind, f"arith.select {w.value('i1')}, {w.value(kind)}, {w.value(kind)} : {kind}")


def resize(w: Writer) -> None:
    """To a wider or a narrower integer."""
    source, target = w.choose(tuple(WIDTHS)), w.choose(tuple(WIDTHS))
    if WIDTHS[source] == WIDTHS[target]:
        return
    name = "trunci" if WIDTHS[source] > WIDTHS[target] else w.choose(("extsi", "extui"))
    w.define(target, f"arith.{name} {w.value(source)} : {source} to {target}")


def index_cast(w: Writer) -> None:
    kind = w.choose(("i32", "i64"))
    source, target = (kind, "index") if w.number(0, 1) else ("index", kind)
    w.define(target, f"arith.{w.choose(('index_cast', 'index_castui'))} {w.value(source)} : {source} to {target}")


def to_float(w: Writer) -> None:
    source, target = w.choose(INTEGERS), w.choose(("f32", "f64"))
    w.define(target, f"arith.{w.choose(('sitofp', 'uitofp'))} {w.value(source)} : {source} to {target}")


def memory(w: Writer) -> None:
    place = w.define("index", f"arith.constant {w.number(0, 3)} : index")
    buffer = w.value(MEMORY)
    if w.number(0, 1):
        w.line(f"memref.store {w.value('i32')}, {buffer}[{place}] : {MEMORY}")
    else:
        w.define("i32", f"memref.load {buffer}[{place}] : {MEMORY}")


def conditional(w: Writer, depth: int) -> None:
    kind = w.choose(TYPES)
    condition = w.value("i1")
    name = w.name()
    w.line(f"{name} = scf.if {condition} -> ({kind}) {{")
    branch(w, depth, kind)
    w.line("} else {")
    branch(w, depth, kind)
    w.line("}")
    w.scope.setdefault(kind, []).append(name)


def bare_conditional(w: Writer, depth: int) -> None:
    condition = w.value("i1")
    w.line(f"scf.if {condition} {{")
    outer = w.snapshot()
    w.indent += 1
    block(w, depth - 1)
    w.indent -= 1
    w.scope = outer
    w.line("}")


def branch(w: Writer, depth: int, kind: str) -> None:
    """A block that yields a value of a type."""
    outer = w.snapshot()
    w.indent += 1
    block(w, depth - 1)
    w.line(f"scf.yield {w.value(kind)} : {kind}")
    w.indent -= 1
    w.scope = outer


def loop(w: Writer, depth: int) -> None:
    kinds = [w.choose(TYPES) for _ in range(w.number(0, 2))]
    low, high, step = (w.define("index", f"arith.constant {n} : index") for n in (0, w.number(0, 4), w.number(1, 2)))
    starts = [w.value(kind) for kind in kinds]
    names = [w.name() for _ in kinds]
    carried = [w.name() for _ in kinds]
    induction = w.name()
    outer = w.snapshot()
    head = f"scf.for {induction} = {low} to {high} step {step}"
    if kinds:
        pairs = ", ".join(f"{name} = {start}" for name, start in zip(carried, starts, strict=True))
        head = f"{', '.join(names)} = {head} iter_args({pairs}) -> ({', '.join(kinds)})"
    w.line(f"{head} {{")
    w.indent += 1
    w.scope.setdefault("index", []).append(induction)
    for kind, name in zip(kinds, carried, strict=True):
        w.scope.setdefault(kind, []).append(name)
    block(w, depth - 1)
    if kinds:
        values = [w.value(kind) for kind in kinds]
        w.line(f"scf.yield {', '.join(values)} : {', '.join(kinds)}")
    w.indent -= 1
    w.line("}")
    w.scope = outer
    for kind, name in zip(kinds, names, strict=True):
        w.scope.setdefault(kind, []).append(name)


PLAIN = (
    integer_binary,
    division,
    shift,
    comparison,
    float_binary,
    float_comparison,
    selection,
    resize,
    index_cast,
    to_float,
    memory,
)
NESTED = (conditional, bare_conditional, loop)


def digest(w: Writer) -> str:
    """One i32 made of every integer in scope."""
    total = w.constant("i32")
    for kind in ("i1", "i8", "i32", "i64", "index"):
        for value in w.scope.get(kind, [])[:8]:
            wide = value
            if kind == "index":
                wide = w.define("", f"arith.index_cast {value} : index to i32")
            elif kind != "i32":
                wide = w.define("", f"arith.{'trunci' if kind == 'i64' else 'extsi'} {value} : {kind} to i32")
            total = w.define("", f"arith.xori {total}, {wide} : i32")
    return total


@st.composite
def programs(draw: Callable[..., object]) -> str:
    """A module of two functions, of which `@main() -> i32` takes no arguments."""
    arguments = {"%a": "i32", "%b": "i64", "%c": "f64", "%d": "i1", "%m": MEMORY}
    scope: dict[str, list[str]] = {}
    for name, kind in arguments.items():
        scope.setdefault(kind, []).append(name)
    w = Writer(drawn_numbers(draw), scope, PLAIN, NESTED)
    block(w, 2)
    result = digest(w)
    signature = ", ".join(f"{name}: {kind}" for name, kind in arguments.items())
    body = "\n".join(w.lines)
    kinds = ", ".join(arguments.values())
    return f"""\
func.func @f({signature}) -> i32 {{
{body}
  return {result} : i32
}}

func.func @main() -> i32 {{
  %a = arith.constant {w.number(-1000, 1000)} : i32
  %b = arith.constant {w.number(-(2**62), 2**62)} : i64
  %c = arith.constant 2.5 : f64
  %d = arith.constant {w.choose(("true", "false"))}
  %m = memref.alloca() : {MEMORY}
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %three = arith.constant 3 : index
  memref.store %a, %m[%zero] : {MEMORY}
  memref.store %a, %m[%one] : {MEMORY}
  memref.store %a, %m[%two] : {MEMORY}
  memref.store %a, %m[%three] : {MEMORY}
  %result = call @f(%a, %b, %c, %d, %m) : ({kinds}) -> i32
  return %result : i32
}}
"""
