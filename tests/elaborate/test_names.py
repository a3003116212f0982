"""Names of values and blocks, aliases and unknown operations: a text in, its printed form out."""

from __future__ import annotations

from textwrap import dedent, indent

import pytest

from fathom.elaborate import load
from fathom.ir.printer import print_module
from fathom.ir.printing_flags import PrintingFlags


def check_printed(text: str, expected: str, *, generic: bool = False) -> None:
    """Loads a text without mistakes and prints what stands in its module."""
    loaded = load(dedent(text))
    assert [d for d in loaded.diagnostics if d.severity == "error"] == []
    body = indent(dedent(expected).strip("\n"), "  ")
    head, tail = ('"builtin.module"() ({\n', "\n}) : () -> ()\n") if generic else ("module {\n", "\n}\n")
    assert print_module(loaded.module, PrintingFlags(generic=generic)).rstrip("\n") == (head + body + tail).rstrip("\n")


def test_values_are_found_before_their_definition() -> None:
    check_printed(
        """
        func.func @f(%c: i1) -> i32 {
          cf.br ^later
        ^use:
          %sum = arith.addi %late, %late : i32
          return %sum : i32
        ^later:
          %late = arith.constant 1 : i32
          cf.br ^use
        }
        """,
        """
        "func.func"() <{function_type = (i1) -> i32, sym_name = "f"}> ({
        ^bb0(%arg0: i1):
          "cf.br"()[^bb2] : () -> ()
        ^bb1:  // pred: ^bb2
          %0 = "arith.addi"(%1, %1) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
          "func.return"(%0) : (i32) -> ()
        ^bb2:  // pred: ^bb0
          %1 = "arith.constant"() <{value = 1 : i32}> : () -> i32
          "cf.br"()[^bb1] : () -> ()
        }) : () -> ()
        """,
        generic=True,
    )


def test_groups_of_results() -> None:
    check_printed(
        """
        %a:2, %b = "foo.three"() : () -> (i32, i32, f32)
        "foo.use"(%a#1, %a#0, %b, %a) : (i32, i32, f32, i32) -> ()
        """,
        """
        %0:3 = "foo.three"() : () -> (i32, i32, f32)
        "foo.use"(%0#1, %0#0, %0#2, %0#0) : (i32, i32, f32, i32) -> ()
        """,
    )


def test_names_of_a_region_end_with_it() -> None:
    check_printed(
        """
        func.func @f(%n: index, %x: i32) {
          scf.for %i = %n to %n step %n {
            %x1 = arith.addi %x, %x : i32
          }
          scf.for %i = %n to %n step %n {
            %x1 = arith.muli %x, %x : i32
          }
          return
        }
        """,
        """
        func.func @f(%arg0: index, %arg1: i32) {
          scf.for %arg2 = %arg0 to %arg0 step %arg0 {
            %0 = arith.addi %arg1, %arg1 : i32
          }
          scf.for %arg2 = %arg0 to %arg0 step %arg0 {
            %0 = arith.muli %arg1, %arg1 : i32
          }
          return
        }
        """,
    )


def test_aliases() -> None:
    loaded = load('!t = tuple<i32>\n#a = 7 : i32\n"foo.x"() {a = #a, b = !t} : () -> !t\n')
    assert not loaded.has_errors
    assert '"foo.x"() {a = 7 : i32, b = tuple<i32>} : () -> tuple<i32>' in print_module(loaded.module)


def test_names_before_a_region_of_an_unknown_operation_are_its_arguments() -> None:
    check_printed(
        """
        func.func @f(%lb: index, %ub: index) {
          foo.for %i = %lb to %ub {
            foo.use %i, %lb
          }
          return
        }
        """,
        """
        func.func @f(%arg0: index, %arg1: index) {
          foo.for %arg2 = %arg0 to %arg1 {
            foo.use %arg2, %arg0
          }
          return
        }
        """,
    )


def test_an_unknown_operation_takes_the_lines_that_begin_nothing() -> None:
    check_printed(
        """
        func.func @f(%m: memref<4xf32>) {
          %0 = foo.generic {kind = [1]}
            ins(%m : memref<4xf32>)
            outs(%m : memref<4xf32>) {
          ^bb0(%a: f32, %b: f32):
            %c = arith.addf %a, %b : f32
            foo.yield %c : f32
          } -> memref<4xf32>
          return
        }
        """,
        """
        func.func @f(%arg0: memref<4xf32>) {
          %0 = foo.generic {kind = [1]} ins(%arg0 : memref<4xf32>) outs(%arg0 : memref<4xf32>) {
          ^bb0(%arg1: f32, %arg2: f32):
            %1 = arith.addf %arg1, %arg2 : f32
            foo.yield %1 : f32
          } -> memref<4xf32>
          return
        }
        """,
    )


def test_bare_words_name_operations_inside_an_unknown_one() -> None:
    check_printed(
        """
        foo.pattern : benefit(1) {
          %t = type : i32
          %o = operand : %t
          rewrite %o {
            replace %o with(%t)
          }
        }
        """,
        """
        foo.pattern : benefit(1) {
          %0 = type : i32
          %1 = operand : %0
          rewrite %1 {
            replace %1 with(%0)
          }
        }
        """,
    )


def test_locations() -> None:
    loaded = load('"foo.x"() : () -> () loc("a.c":3:4)\n"foo.y"() : () -> () loc(#l)\n#l = loc("name")\n')
    assert not loaded.has_errors
    text = print_module(loaded.module, PrintingFlags(debug_info=True))
    assert 'loc("a.c":3:4)' in text and 'loc("name")' in text


def test_names_in_the_text_of_an_unknown_operation_may_be_its_own() -> None:
    check_printed(
        """
        hw.module.extern @e(in %a: i1, in %b: i1)
        hw.module @empty(inout %a: i1) { }
        func.func @f(%a: i32) {
          return
        }
        """,
        """
        hw.module.extern @e(in %a: i1, in %b: i1)
        hw.module @empty(inout %a: i1) { }
        func.func @f(%arg0: i32) {
          return
        }
        """,
    )


def test_unknown_operation_names_what_follows_in_its_region_and_around_it() -> None:
    check_printed(
        """
        hw.module @m(in %a: i1) {
          hw.instance "x" @e(a: %later, b: %inner)
          sv.initial {
            sv.use %later, %inner
            %inner = comb.not %a
          }
          %later = comb.xor %a, %a
          %loop = verif.contract %later {
            %0 = arith.addi %loop, %loop : i32
          }
        }
        """,
        """
        hw.module @m(in %arg0: i1) {
          hw.instance "x" @e(a: %0, b: %inner)
          sv.initial {
            sv.use %0, %2
            %2 = comb.not %arg0
          }
          %0 = comb.xor %arg0, %arg0
          %1 = verif.contract %0 {
            %2 = arith.addi %1, %1 : i32
          }
        }
        """,
    )


def test_names_before_a_region_of_an_unknown_operation_are_meant_in_all_that_follow() -> None:
    check_printed(
        """
        func.func @f(%n: i32) {
          %0:2 = x.while (%i = %n, %acc = %n) : i32, i32 cond {
            x.compare %i, %acc
          } do {
            %1 = arith.addi %i, %acc : i32
            x.yield %1
          } last {
          ^bb0(%i: i32):
            x.yield %i, %acc
          }
          return
        }
        """,
        """
        func.func @f(%arg0: i32) {
          %0:2 = x.while (%arg1 = %arg0, %arg2 = %arg0) : i32, i32 cond {
            x.compare %arg1, %arg2
          } do {
            %1 = arith.addi %arg1, %arg2 : i32
            x.yield %1
          } last {
          ^bb0(%arg1: i32):
            x.yield %arg1, %arg2
          }
          return
        }
        """,
    )


def test_types_of_unknown_values_follow_from_their_uses_and_are_never_disputed() -> None:
    check_printed(
        """
        func.func @f(%c: i32, %m: memref<4xf32>) -> (i32, !torch.v<[1],f32>) {
          %0 = foo.bar
          %1 = arith.addi %0, %c : i32
          %2 = arith.addf %0, %0 : f32
          %3 = memref.load %m[%0] : memref<4xf32>
          %4 = foo.baz
          func.call @g(%4) : (!torch.v<[1],f32>) -> ()
          return %1, %4 : i32, !torch.v<[1], f32>
        }
        func.func private @g(!torch.v<[1], f32>)
        """,
        """
        func.func @f(%arg0: i32, %arg1: memref<4xf32>) -> (i32, !torch.v<[1],f32>) {
          %0 = foo.bar
          %1 = arith.addi %0, %arg0 : i32
          %2 = arith.addf %0, %0 : f32
          %3 = memref.load %arg1[%0] : memref<4xf32>
          %4 = foo.baz
          call @g(%4) : (!torch.v<[1],f32>) -> ()
          return %1, %4 : i32, !torch.v<[1],f32>
        }
        func.func private @g(!torch.v<[1],f32>)
        """,
    )


def test_aliases_in_the_text_of_unknown_operations_keep_their_meaning() -> None:
    text = dedent(
        """
        #map = affine_map<(d0) -> (d0)>
        #own = #foo.layout<a, b>
        !t = tensor<4xf32, #own>
        #where = loc("a":1:2)
        foo.generic {maps = [#map, #map], l = #own} ins(!t) (i32 loc(#where)) loc(#where)
        """
    )
    printed = print_module(load(text).module)
    assert printed == dedent(
        """\
        #loc = loc("a":1:2)
        #map = affine_map<(d0) -> (d0)>
        module {
          foo.generic {maps = [#map, #map], l = #foo.layout<a, b>} ins(tensor<4xf32, #foo.layout<a, b>>) (i32 loc(#loc))
        }

        """
    )
    assert print_module(load(printed).module) == printed


def test_attributes_and_types_that_a_foreign_dialect_defines_are_no_mistakes() -> None:
    check_printed(
        """
        "a.b"() {value = dense<[0, 1]> : !emitc.array<2xindex>} : () -> vector<4x!foo.ptr<#x>>
        "a.c"() {value = sparse<0, "foo"> : tensor<1x!unknown<>>} : () -> ()
        %0 = arith.constant #test.elements<[10, 11]> : tensor<2xi64>
        test.op loc("loc1":10:20) {a = 1} loc("loc2":1:2)
        "a.d"() : () -> () loc(#test.location<"foo" * 12>)
        """,
        """
        %0 = "a.b"() {value = dense<[0, 1]> : !emitc.array<2xindex>} : () -> vector<4x!foo.ptr<#x>>
        "a.c"() {value = sparse<0, "foo"> : tensor<1x!unknown<>>} : () -> ()
        %cst = arith.constant #test.elements<[10, 11]> : tensor<2xi64>
        test.op loc("loc1":10:20) {a = 1}
        "a.d"() : () -> ()
        """,
    )


def test_white_space_in_types() -> None:
    check_printed(
        """
        func.func private @f(vector<4 x i8>, tensor< ? x 4 x i8>, memref< * x i8>, vector<[4] x 2 x i8>, memref<2 x i8>)
        """,
        """
        func.func private @f(vector<4xi8>, tensor<?x4xi8>, memref<*xi8>, vector<[4]x2xi8>, memref<2xi8>)
        """,
    )


def test_blocks_of_an_unknown_operation_may_take_the_names_in_its_text() -> None:
    check_printed(
        """
        x.if (%a = %b, %c = %d) {
        ^bb0(%a: i32, %c: i32):
          "a.b"(%a) : (i32) -> ()
        } else {
        ^bb0(%a: f32):
          "a.b"(%a) : (f32) -> ()
        }
        """,
        """
        x.if (%a = %b, %c = %d) {
        ^bb0(%arg0: i32, %arg1: i32):
          "a.b"(%arg0) : (i32) -> ()
        } else {
        ^bb0(%arg0: f32):
          "a.b"(%arg0) : (f32) -> ()
        }
        """,
    )


def test_operations_share_lines_and_take_several() -> None:
    check_printed(
        """
        func.func @f() -> i32 {
          "a.b"() : () ->

            tensor<2xf32>
          %0 = arith.constant // One.
            1 : i32 %1 = arith.addi %0,
            %0 : i32 "a.c"(%1) : (i32) -> () return %1 : i32 } func.func @g() { return }
        """,
        """
        func.func @f() -> i32 {
          %0 = "a.b"() : () -> tensor<2xf32>
          %c1_i32 = arith.constant 1 : i32
          %1 = arith.addi %c1_i32, %c1_i32 : i32
          "a.c"(%1) : (i32) -> ()
          return %1 : i32
        }
        func.func @g() {
          return
        }
        """,
    )


def test_types_that_only_cpp_reads_may_be_spelt_in_two_ways() -> None:
    """What is known of them is compared, and nothing is held against the rest."""
    loaded = load(
        dedent("""
        func.func @f(%a: tensor<4x!emitc.array<4x3xf32>>) {
          "a.b"(%a) : (tensor<4x!emitc.array<4x03xf32>>) -> ()
          "a.b"(%a) : (tensor<5x!emitc.array<4x3xf32>>) -> ()
          return
        }
        """)
    )
    (error,) = [d.message for d in loaded.diagnostics if d.severity == "error"]
    assert error.startswith("use of value '%a' expects different type than prior uses: 'tensor<5x")


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("func.func private @f(memref<4xf32, #m>)\n#m = affine_map<(d0) -> (d0)>\n", "#m"),
        ("func.func private @f(!t)\n!t = i32\n", "!t"),
        ("!a = tuple<!b>\n!b = tuple<i32>\nfunc.func private @f(!a)\n", "!b"),
        # What names a location may come before that, and what nobody uses yet may stand anywhere.
        ('func.func private @f(i32 loc(#x)) loc(#y)\n#x = loc("a")\n#y = loc(fused[#x, "b"])\n', None),
        (
            "func.func private @f()\n#m = affine_map<(d0) -> (d0)>\nfunc.func private @g(memref<4xf32, #m>)\n",
            None,
        ),
    ],
)
def test_an_alias_is_defined_before_it_is_used(text: str, wrong: str | None) -> None:
    told = [(d.message, d.span) for d in load(text).diagnostics]
    if wrong is None:
        assert told == []
        return
    ((message, span),) = told
    assert message == f"undefined symbol alias id '{wrong[1:]}'"
    assert span is not None and span.start == text.index(wrong) and text[span.start : span.end] == wrong
