"""The dialect conversion, on operations of no dialect: order, casts between types, what is undone, what is reported."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from fathom.context import Context
from fathom.diagnostics import FAILED_TO_LEGALIZE, ILLEGAL_PRODUCT, REFUSED_BY_PASS, UNRESOLVED, Diagnostic
from fathom.elaborate import load
from fathom.ir.operation import Operation, Region, Value
from fathom.ir.printer import print_module
from fathom.ir.printing_flags import PrintingFlags
from fathom.ir.types import F32, I1, I32, I64, INDEX, Type
from fathom.irdl.build import NotRegistered
from fathom.irdl.definition import OpDefinition
from fathom.irdl.dialect import Dialect
from fathom.rewriting.conversion_driver import apply_full_conversion, apply_partial_conversion
from fathom.rewriting.conversion_rewriter import ConversionRewriter
from fathom.rewriting.observers import observed_by
from fathom.rewriting.pattern import Failure, Pattern
from fathom.rewriting.rewriter import Rewriter
from fathom.rewriting.target import ConversionTarget
from fathom.rewriting.type_converter import SignatureConversion, TypeConverter
from tests.rewriting.watching import Events


class Widen(TypeConverter):
    """`i32` becomes `i64`, `index` becomes two `i64`; `f32` has no conversion."""

    def convert_uncached(self, type: Type) -> Type | Sequence[Type] | None:
        table: dict[Type, Type | Sequence[Type] | None] = {I32: I64, INDEX: (I64, I64), F32: None}
        return table.get(type, type)


WIDEN = Widen()


def dialect(name: str, *operations: str) -> Dialect:
    return Dialect(name, tuple(OpDefinition(f"{name}.{operation}") for operation in operations))


CONTEXT = (
    Context()
    .with_dialect(dialect("a", "x", "f", "two", "pair", "flat", "nobody", "no"))
    .with_dialect(dialect("b", "x", "f", "pair", "flat", "better", "half", "use", "inner", "end"))
)
"""Two dialects whose operations say nothing of what they take."""


def rename(op: Operation, operands: list[Value], rewriter: ConversionRewriter) -> Failure | None:
    """`a.x` becomes `b.x`, on converted types."""
    types = [result.type for result in op.results]
    if rewriter.types is not None:
        types = rewriter.types.convert_all(types) or []
    rewriter.replace_with(op, op.name.replace("a.", "b."), operands, types)
    return None


def convert(
    text: str,
    *patterns: Pattern,
    target: ConversionTarget | None = None,
    full: bool = False,
    may_undo: bool = True,
) -> tuple[str, list[Diagnostic]]:
    """The body of the module that `text` becomes, in generic form; `a` is illegal unless `target` says otherwise."""
    module = load(text, CONTEXT).module
    target = target or ConversionTarget().illegal("a").legal("b")
    if full:
        diagnostics = apply_full_conversion(module, target, patterns, CONTEXT)
    else:
        diagnostics = apply_partial_conversion(module, target, patterns, CONTEXT, may_undo=may_undo)
    lines = print_module(module, PrintingFlags(generic=True)).strip().splitlines()[1:-1]
    return "\n".join(line.removeprefix("  ") for line in lines), diagnostics


def check_conversion(text: str, expected: str, *patterns: Pattern, target: ConversionTarget | None = None) -> None:
    got, diagnostics = convert(text, *patterns, target=target)
    assert diagnostics == []
    assert got == expected.strip("\n")


def check_refused(text: str, message: str, notes: Sequence[str], *patterns: Pattern, full: bool = False) -> None:
    """The operation between the marks `<|>` stays and is reported."""
    start, inside, end = text.split("<|>")
    _, (diagnostic,) = convert(start + inside + end, *patterns, full=full)
    assert diagnostic.message == message
    assert [note.message for note in diagnostic.notes] == list(notes)
    assert diagnostic.span is not None
    assert (start + inside + end)[diagnostic.span.start : diagnostic.span.end] == inside


def test_who_looks_on_hears_what_is_undone() -> None:
    def half(op: Operation, operands: list[Value], rewriter: ConversionRewriter) -> Failure | None:
        rewriter.create("a.nobody", operands)
        rewriter.replace_with(op, "b.x", operands, [result.type for result in op.results])
        return None

    observer = Events()
    with observed_by([observer]):
        convert('%0 = "a.x"() : () -> i32', Pattern("a.x", half, benefit=2, name="half"), Pattern("a.x", rename))
    assert observer.lines == [
        "try half on a.x",
        "  makes a.nobody, b.x; takes a.x",
        "undo half on a.x: failed to legalize generated operation 'a.nobody'",
        "try rename on a.x",
        "  makes b.x; takes a.x",
    ]


def test_what_is_illegal_goes() -> None:
    check_conversion('%0 = "a.x"() : () -> i32', '%0 = "b.x"() : () -> i32', Pattern("a.x", rename))


def test_users_that_stay_get_casts() -> None:
    check_conversion(
        '%0 = "a.x"() : () -> i32\n"b.use"(%0) : (i32) -> ()',
        """
%0 = "b.x"() : () -> i64
%1 = "builtin.unrealized_conversion_cast"(%0) : (i64) -> i32
"b.use"(%1) : (i32) -> ()
""",
        Pattern("a.x", rename, WIDEN),
    )


def test_converted_users_need_no_casts() -> None:
    check_conversion(
        '%0 = "a.x"() : () -> i32\n%1 = "a.x"(%0) : (i32) -> i32',
        '%0 = "b.x"() : () -> i64\n%1 = "b.x"(%0) : (i64) -> i64',
        Pattern("a.x", rename, WIDEN),
    )


def test_one_cast_serves_all_converted_users() -> None:
    check_conversion(
        '%0 = "b.x"() : () -> i32\n"a.x"(%0, %0) : (i32, i32) -> ()\n"a.x"(%0) : (i32) -> ()',
        """
%0 = "b.x"() : () -> i32
%1 = "builtin.unrealized_conversion_cast"(%0) : (i32) -> i64
"b.x"(%1, %1) : (i64, i64) -> ()
"b.x"(%1) : (i64) -> ()
""",
        Pattern("a.x", rename, WIDEN),
    )


def test_a_value_can_become_several() -> None:
    def pair(op: Operation, operands: list[Value], rewriter: ConversionRewriter) -> Failure | None:
        made = rewriter.create("b.pair", operands, [I64, I64])
        rewriter.replace(op, [made.results])
        return None

    def flat(op: Operation, operands: list[list[Value]], rewriter: ConversionRewriter) -> Failure | None:
        rewriter.replace_with(op, "b.flat", [value for values in operands for value in values])
        return None

    check_conversion(
        '%0 = "a.pair"() : () -> index\n"a.flat"(%0) : (index) -> ()',
        '%0:2 = "b.pair"() : () -> (i64, i64)\n"b.flat"(%0#0, %0#1) : (i64, i64) -> ()',
        Pattern("a.pair", pair, WIDEN),
        Pattern("a.flat", flat, WIDEN, one_to_many=True),
    )


def test_the_greater_benefit_goes_first() -> None:
    def other(op: Operation, operands: list[Value], rewriter: ConversionRewriter) -> Failure | None:
        rewriter.replace_with(op, "b.better", operands)
        return None

    check_conversion(
        '"a.x"() : () -> ()', '"b.better"() : () -> ()', Pattern("a.x", rename), Pattern("a.x", other, benefit=2)
    )


def test_what_a_pattern_makes_is_made_legal() -> None:
    def twice(op: Operation, operands: list[Value], rewriter: ConversionRewriter) -> Failure | None:
        rewriter.create("a.x")
        rewriter.replace_with(op, "a.x")
        return None

    check_conversion(
        '"a.two"() : () -> ()',
        '"b.x"() : () -> ()\n"b.x"() : () -> ()',
        Pattern("a.two", twice),
        Pattern("a.x", rename),
    )


def test_a_failed_pattern_leaves_no_trace() -> None:
    def half(op: Operation, operands: list[Value], rewriter: ConversionRewriter) -> Failure | None:
        rewriter.create("b.half")
        region = op.regions[0]
        assert region.first is not None
        assert op.parent is not None
        assert op.parent.parent is not None
        rewriter.split_block(op.parent, op)
        rewriter.inline_region_before(region, op.parent.parent, None)
        rewriter.modify(op, op.attributes.clear)
        return Failure("not after all")

    text = """
"b.f"() ({
  "a.x"() ({
  ^bb0(%arg0: i32):
    "b.inner"(%arg0) : (i32) -> ()
  }) {k} : () -> ()
}) : () -> ()
""".strip()
    got, (diagnostic,) = convert(text, Pattern("a.x", half))
    assert got == text
    assert [note.message for note in diagnostic.notes] == ["not after all"]


def test_an_operation_that_cannot_be_made_legal_undoes_its_maker() -> None:
    def doomed(op: Operation, operands: list[Value], rewriter: ConversionRewriter) -> Failure | None:
        rewriter.replace_with(op, "a.nobody")
        return None

    check_refused(
        '<|>"a.x"() : () -> ()<|>',
        "failed to legalize operation 'a.x' that was explicitly marked illegal",
        ["failed to legalize generated operation 'a.nobody'"],
        Pattern("a.x", doomed),
    )


def test_a_product_that_is_not_legal_has_a_code_of_its_own() -> None:
    def doomed(op: Operation, operands: list[Value], rewriter: ConversionRewriter) -> Failure | None:
        rewriter.replace_with(op, "a.nobody")
        return None

    _, (made,) = convert('"a.x"() : () -> ()', Pattern("a.x", doomed))
    _, (left,) = convert('"a.x"() : () -> ()')
    assert (made.code, left.code) == (ILLEGAL_PRODUCT, FAILED_TO_LEGALIZE)


def test_a_conversion_that_may_not_undo_ends_there() -> None:
    def doomed(op: Operation, operands: list[Value], rewriter: ConversionRewriter) -> Failure | None:
        rewriter.replace_with(op, "a.nobody")
        return None

    patterns = Pattern("a.x", doomed), Pattern("a.f", rename)
    text = '"a.x"() : () -> ()\n"a.f"() : () -> ()'
    got, (diagnostic,) = convert(text, *patterns, may_undo=False)
    assert got == text
    assert (diagnostic.code, diagnostic.message) == (
        ILLEGAL_PRODUCT,
        "the pattern for 'a.x' produced IR that could not be legalized",
    )
    assert convert(text, *patterns)[0] == '"a.x"() : () -> ()\n"b.f"() : () -> ()'
    # One that only declines has done nothing that would have to be undone.
    declines = Pattern("a.x", lambda op, operands, rewriter: Failure("not this one"))
    assert convert(text, declines, Pattern("a.f", rename), may_undo=False)[1][0].code == FAILED_TO_LEGALIZE


def test_an_operation_without_pattern_is_reported() -> None:
    check_refused(
        '"b.x"() : () -> ()\n<|>"a.x"() : () -> ()<|>',
        "failed to legalize operation 'a.x' that was explicitly marked illegal",
        ["no pattern of this conversion is for it"],
    )


class Mute(Widen):
    """As `Widen`, without a way back to the types that there were."""

    def materialize_source(self, rewriter: Rewriter, type: Type, inputs: Sequence[Value]) -> Value | None:
        return None


def test_a_value_of_another_type_than_is_wanted_has_the_two_sides_named() -> None:
    _, (diagnostic,) = convert('%0 = "a.x"() : () -> i32\n"b.use"(%0) : (i32) -> ()', Pattern("a.x", rename, Mute()))
    assert diagnostic.code == UNRESOLVED
    assert diagnostic.message == (
        "failed to legalize unresolved materialization from ('i64') to ('i32') that remained live after conversion"
    )
    assert [(note.message, note.hint) for note in diagnostic.notes] == [
        ("see existing live user here", False),
        ("'b.x' gives 'i64': it was converted", True),
        ("'b.use' takes 'i32': it was not, or to another type", True),
    ]


def test_what_follows_the_first_error_is_a_hint() -> None:
    def speak(op: Operation, operands: list[Value], rewriter: ConversionRewriter) -> Failure:
        return Failure("no", said_of=op)

    text = '"a.x"() : () -> ()\n%0 = "a.pair"() : () -> i32\n"b.use"(%0) : (i32) -> ()\n"a.x"() : () -> ()'
    _, diagnostics = convert(text, Pattern("a.x", speak), Pattern("a.pair", rename, Mute()))
    assert [(diagnostic.code, diagnostic.hint) for diagnostic in diagnostics] == [
        (REFUSED_BY_PASS, False),
        (FAILED_TO_LEGALIZE, False),
        (FAILED_TO_LEGALIZE, True),
        (UNRESOLVED, True),
        (REFUSED_BY_PASS, True),
    ]


def test_what_each_pattern_wanted_is_said() -> None:
    def refuse(reason: str) -> Pattern:
        return Pattern("a.x", lambda op, operands, rewriter: Failure(reason))

    check_refused(
        '<|>"a.x"() : () -> ()<|>',
        "failed to legalize operation 'a.x' that was explicitly marked illegal",
        ["pattern 1 of 2: not on Mondays", "pattern 2 of 2: not on Tuesdays"],
        refuse("not on Mondays"),
        refuse("not on Tuesdays"),
    )


def test_a_type_without_conversion_is_the_reason() -> None:
    check_refused(
        '%0 = "b.x"() : () -> f32\n<|>"a.x"(%0) : (f32) -> ()<|>',
        "failed to legalize operation 'a.x' that was explicitly marked illegal",
        ["unable to convert type for operand #0, type was 'f32'"],
        Pattern("a.x", rename, WIDEN),
    )


def test_the_rest_is_converted_all_the_same() -> None:
    got, diagnostics = convert('"a.no"() : () -> ()\n"a.x"() : () -> ()', Pattern("a.x", rename))
    assert got == '"a.no"() : () -> ()\n"b.x"() : () -> ()'
    assert len(diagnostics) == 1


def test_a_full_conversion_leaves_nothing_of_unknown_legality() -> None:
    text = '<|>"c.x"() : () -> ()<|>'
    target = ConversionTarget().legal("builtin", "b").illegal("a")
    _, diagnostics = convert(text.replace("<|>", ""), target=target, full=True)
    assert [diagnostic.message for diagnostic in diagnostics] == ["failed to legalize operation 'c.x'"]
    assert convert(text.replace("<|>", ""), target=target)[1] == []


def test_unreachable_blocks_are_not_visited_but_reported() -> None:
    text = '"b.f"() ({\n  "b.end"() : () -> ()\n^bb1:  // no predecessors\n  "a.x"() : () -> ()\n}) : () -> ()'
    got, (diagnostic,) = convert(text, Pattern("a.x", rename))
    assert got == text
    assert diagnostic.severity == "warning"
    assert diagnostic.message == "'a.x' was not converted"


def test_block_arguments_convert_with_casts_for_those_that_stay() -> None:
    def signature(op: Operation, operands: list[Value], rewriter: ConversionRewriter) -> Failure | None:
        region = Region()
        rewriter.create("b.f", operands, regions=[region])
        rewriter.inline_region_before(op.regions[0], region, None)
        failure = rewriter.convert_region_types(region)
        rewriter.erase(op)
        return failure

    check_conversion(
        """
"a.f"() ({
^bb0(%arg0: i32, %arg1: i32, %arg2: i64):
  "b.x"(%arg0, %arg1, %arg2) : (i32, i32, i64) -> ()
}) : () -> ()
""",
        """
"b.f"() ({
^bb0(%arg0: i64, %arg1: i64, %arg2: i64):
  %0 = "builtin.unrealized_conversion_cast"(%arg1) : (i64) -> i32
  %1 = "builtin.unrealized_conversion_cast"(%arg0) : (i64) -> i32
  "b.x"(%1, %0, %arg2) : (i32, i32, i64) -> ()
}) : () -> ()
""",
        Pattern("a.f", signature, WIDEN),
    )


def test_a_signature_may_add_arguments() -> None:
    def widen(op: Operation, operands: list[Value], rewriter: ConversionRewriter) -> Failure | None:
        conversion = SignatureConversion()
        conversion.append([I1])
        conversion.add([I64])
        region = Region()
        rewriter.create("b.f", operands, regions=[region])
        rewriter.inline_region_before(op.regions[0], region, None)
        rewriter.erase(op)
        return rewriter.convert_region_types(region, conversion)

    check_conversion(
        '"a.f"() ({\n^bb0(%arg0: i32):\n  "a.x"(%arg0) : (i32) -> ()\n}) : () -> ()',
        '"b.f"() ({\n^bb0(%arg0: i1, %arg1: i64):\n  "b.x"(%arg1) : (i64) -> ()\n}) : () -> ()',
        Pattern("a.f", widen, WIDEN),
        Pattern("a.x", rename, WIDEN),
    )


def test_recursively_legal_operations_are_left_alone() -> None:
    text = '"b.f"() ({\n  "a.x"() : () -> ()\n}) : () -> ()'
    target = ConversionTarget().illegal("a").legal("b.f").recursively_legal("b.f")
    check_conversion(text, text, Pattern("a.x", rename), target=target)


def test_legality_can_depend_on_the_operation() -> None:
    target = ConversionTarget().legal("b").dynamically_legal(lambda op: "keep" in op.attributes, "a")
    check_conversion(
        '"a.x"() {keep} : () -> ()\n"a.x"() : () -> ()',
        '"a.x"() {keep} : () -> ()\n"b.x"() : () -> ()',
        Pattern("a.x", rename),
        target=target,
    )


def test_constants_fold_before_patterns_apply() -> None:
    check_conversion(
        """
%0 = "arith.constant"() <{value = 2 : i32}> : () -> i32
%1 = "arith.muli"(%0, %0) : (i32, i32) -> i32
"b.x"(%1) : (i32) -> ()
""",
        """
%0 = "arith.constant"() <{value = 2 : i32}> : () -> i32
%1 = "arith.constant"() <{value = 4 : i32}> : () -> i32
"b.x"(%1) : (i32) -> ()
""",
        target=ConversionTarget().legal("arith.constant", "b"),
    )


def test_new_operations_have_the_span_of_the_old() -> None:
    text = '%0 = "a.x"() : () -> i32\n"b.use"(%0) : (i32) -> ()'
    module = load(text, CONTEXT).module
    apply_partial_conversion(
        module, ConversionTarget().illegal("a").legal("b"), [Pattern("a.x", rename, WIDEN)], CONTEXT
    )
    spans = {op.name: text[op.span.start : op.span.end] for op in module.walk() if op is not module and op.span}
    assert spans["b.x"] == spans["builtin.unrealized_conversion_cast"] == '"a.x"() : () -> i32'


def test_a_name_that_nothing_defines_is_refused() -> None:
    def misspelt(op: Operation, operands: list[Value], rewriter: ConversionRewriter) -> Failure | None:
        rewriter.replace_with(op, "b.y", operands)
        return None

    with pytest.raises(NotRegistered, match=r"b\.y"):
        convert('"a.x"() : () -> ()', Pattern("a.x", misspelt))
