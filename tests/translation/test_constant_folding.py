"""Arithmetic on constants folds while it is translated, to the very bits to which LLVM folds it.

Whatever integers and floats meet in whatever operation, mlir-translate 22 prints the same.
"""

from __future__ import annotations

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from fathom.elaborate import load
from fathom.ir.floats import SEMANTICS, infinity, nan
from fathom.translation import translate
from tests.oracles import mlir_translate, require_tool
from tests.properties import examples

WIDTHS = (1, 8, 16, 32, 33, 64)
FLOATS = ("f16", "bf16", "f32", "f64")
INTEGER_OPS = ("add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "shl", "lshr", "ashr", "and", "or", "xor")
FLOAT_OPS = ("fadd", "fsub", "fmul", "fdiv", "frem")
INTEGER_PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
FLOAT_PREDICATES = (
    *("_false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord"),
    *("ueq", "ugt", "uge", "ult", "ule", "une", "uno", "_true"),
)


@st.composite
def integer_constants(draw: st.DrawFn, width: int) -> str:
    """The operation that makes a constant of `iN`."""
    low, high = (-1, 0) if width == 1 else (-(1 << (width - 1)), (1 << (width - 1)) - 1)
    edges = st.sampled_from([low, high, 0, max(-1, low), min(1, high)])
    value = draw(st.one_of(edges, st.integers(low, high), st.sampled_from(["undef", "poison"])))
    if isinstance(value, str):
        return f"llvm.mlir.{value} : i{width}"
    return f"llvm.mlir.constant({value} : i{width}) : i{width}"


@st.composite
def float_constants(draw: st.DrawFn, kind: str) -> str:
    width = SEMANTICS[kind].width
    edges = [0, 1 << (width - 1), infinity(kind), infinity(kind, negative=True), nan(kind), 1]
    bits = draw(st.one_of(st.sampled_from(edges), st.integers(0, (1 << width) - 1)))
    return f"llvm.mlir.constant(0x{bits:0{width // 4}X} : {kind}) : {kind}"


@st.composite
def operations(draw: st.DrawFn) -> tuple[list[str], str, str]:
    """The constants that are the operands, the operation with `{0}` and `{1}` for them, and the type of its result."""
    form = draw(st.sampled_from(["integers", "floats", "icmp", "fcmp", "resize", "to-float", "to-integer", "refloat"]))
    width, kind = draw(st.sampled_from(WIDTHS)), draw(st.sampled_from(FLOATS))
    integer, real = integer_constants(width), float_constants(kind)
    match form:
        case "integers":
            op = draw(st.sampled_from(INTEGER_OPS))
            return [draw(integer), draw(integer)], f"llvm.{op} {{0}}, {{1}} : i{width}", f"i{width}"
        case "floats":
            op = draw(st.sampled_from(FLOAT_OPS))
            return [draw(real), draw(real)], f"llvm.{op} {{0}}, {{1}} : {kind}", kind
        case "icmp":
            name = draw(st.sampled_from(INTEGER_PREDICATES))
            return [draw(integer), draw(integer)], f'llvm.icmp "{name}" {{0}}, {{1}} : i{width}', "i1"
        case "fcmp":
            name = draw(st.sampled_from(FLOAT_PREDICATES))
            return [draw(real), draw(real)], f'llvm.fcmp "{name}" {{0}}, {{1}} : {kind}', "i1"
        case "resize":
            other = draw(st.sampled_from([w for w in WIDTHS if w != width]))
            op = "trunc" if other < width else draw(st.sampled_from(["zext", "sext"]))
            return [draw(integer)], f"llvm.{op} {{0}} : i{width} to i{other}", f"i{other}"
        case "to-float":
            op = draw(st.sampled_from(["sitofp", "uitofp"]))
            return [draw(integer)], f"llvm.{op} {{0}} : i{width} to {kind}", kind
        case "to-integer":
            op = draw(st.sampled_from(["fptosi", "fptoui"]))
            return [draw(real)], f"llvm.{op} {{0}} : {kind} to i{width}", f"i{width}"
        case _:
            narrow, wide = draw(st.sampled_from([("f16", "f32"), ("bf16", "f32"), ("f32", "f64"), ("f16", "f64")]))
            if draw(st.booleans()):
                return [draw(float_constants(narrow))], f"llvm.fpext {{0}} : {narrow} to {wide}", wide
            return [draw(float_constants(wide))], f"llvm.fptrunc {{0}} : {wide} to {narrow}", narrow


def program(parts: list[tuple[list[str], str, str]]) -> str:
    """A function that stores the result of each operation."""
    lines: list[str] = []
    for number, (operands, operation, kind) in enumerate(parts):
        names = [f"%c{number}_{index}" for index in range(len(operands))]
        lines += [f"{name} = {operand}" for name, operand in zip(names, operands, strict=True)]
        lines += [f"%r{number} = {operation.format(*names)}", f"llvm.store %r{number}, %p : {kind}, !llvm.ptr"]
    return "\n  ".join(["llvm.func @f(%p: !llvm.ptr) {", *lines, "llvm.return"]) + "\n}\n"


@settings(examples(10), phases=[Phase.generate])
@given(st.lists(operations(), min_size=50, max_size=100))
def test_folding_is_that_of_llvm(parts: list[tuple[list[str], str, str]]) -> None:
    require_tool("mlir-translate")
    text = program(parts)
    loaded = load(text)
    assert not loaded.has_errors, loaded.diagnostics
    assert translate(loaded.module).text.splitlines() == mlir_translate(text).splitlines()
