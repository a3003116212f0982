"""What longer runs of `tests/hunts/fuzz/run.py` found, as small as it could be made."""

from __future__ import annotations

import pytest

from fathom.context import Context
from fathom_server.model import elaboration
from fathom_server.session.opened import OpenDocument
from tests.hunts.fuzz.check import asked_here, check_like_new, edited, faults_logged, looked_at, new_document, shown
from tests.syntax.test_incremental import position


@pytest.fixture(autouse=True)
def _all_items_are_big(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(elaboration, "LIVE_FROM", 1)


def check_edit(marked: str, *messages: str) -> None:
    """A text, of which one place is edited: `<|old|new|>`, says afterwards what a new document says, these messages."""
    before, _, rest = marked.partition("<|")
    edit, _, after = rest.rpartition("|>")
    old, _, new = edit.partition("|")
    text = before + old + after
    with faults_logged() as faults:
        opened = looked_at(OpenDocument(new_document(text, Context())))
        edited(opened, position(text, len(before)), position(text, len(before + old)), new)
        assert opened.document.tree.text == before + new + after
        asked_here(opened, len(before))
        check_like_new(opened, marked)
    assert not faults, faults[0]
    ours = [d.message for _, diagnostics in opened.found() for d in diagnostics]
    assert ours == list(messages), shown(opened)


BLOCK_ADDRESS = """\
llvm.mlir.global private @g() {addr_space = 0 : i32, dso_local} : !llvm.ptr {
  %0 = llvm.blockaddress <function = @f, tag = <id = 0>> : !llvm.ptr
  llvm.return %0 : !llvm.ptr
}
llvm.func @<|f|f|>(%c: i1) {
  llvm.br ^bb1
^bb1:
  llvm.blocktag <id = 0>
  llvm.return
}
"""
NO_TAG = "'llvm.blockaddress' op expects an existing block label target in the referenced function"


def test_a_symbol_that_the_attribute_of_a_dialect_names() -> None:
    check_edit(BLOCK_ADDRESS)
    check_edit(BLOCK_ADDRESS.replace("|f|>", "|h|>"), NO_TAG)
    check_edit(BLOCK_ADDRESS.replace("<|f|f|>(%c: i1", "f(%c: i1<||{-# #-}|>"), "expected ')'")


def test_who_uses_a_symbol_whose_header_is_broken_does_no_wrong() -> None:
    check_edit(
        "func.func private @h(i32<||-|>)\nfunc.func @f(%a: i32) {\n  call @h(%a) : (i32) -> ()\n  return\n}\n",
        "expected ')'",
    )


UNWIND = """\
llvm.func @foo(i32) -> i32
llvm.func @p(...) -> i32
llvm.func @f(%0: i32) -> i32 attributes {personality = @p} {
  %1 = llvm.invoke @foo(%0) to ^bb1 unwind ^bb2 : (i32) -> i32
^bb1:
  llvm.return %0 : i32
^bb2:
LANDING  llvm.resume %2 : !llvm.struct<(ptr, i32)>
}
"""


def test_the_block_that_a_branch_goes_to_begins_anew() -> None:
    landing = "  %2 = llvm.landingpad cleanup : !llvm.struct<(ptr, i32)>\n"
    no_pad = "first operation in unwind destination should be a llvm.landingpad operation"
    undefined = "  %2 = llvm.mlir.undef : !llvm.struct<(ptr, i32)>\n"
    check_edit(UNWIND.replace("LANDING", f"<|{landing}|{undefined}|>"), no_pad)
    check_edit(UNWIND.replace("LANDING", f"<|{undefined}||>{landing}".replace("%2", "%3", 1)))
    check_edit(UNWIND.replace("LANDING", f"<||{undefined}|>{landing}".replace("%2", "%3", 1)), no_pad)


def test_an_operation_whose_beginning_is_lost() -> None:
    check_edit(
        """\
%0 = a.if (%b) (i1<||,|> i1) {
func.func @f(%a: i1) -> i1 {
 func.func @h(i1)
 } {
}
""",
        "operation 'a.if' is not known and is kept as it is written",
        "expected '}' to close the region that begins here",
        "'func.func' op symbol declaration cannot have public visibility",
    )


def test_a_resolver_without_a_body() -> None:
    header = 'CConv = #llvm.cconv<ccc>, linkage = #llvm.linkage<external>, sym_name = "<|s|r|>"'
    check_edit(
        f"""\
llvm.mlir.ifunc @foo : !llvm.func<void (ptr)>, !llvm.ptr @r {{dso_local}}
"llvm.func"() <{{function_type = !llvm.func<ptr ()>, {header}}}> : () -> ()
""",
        "'llvm.mlir.ifunc' op resolver must be a definition",
        "'llvm.func' op requires one region",
    )


def test_a_function_whose_check_may_follow_from_what_is_unknown() -> None:
    check_edit(
        """\
"func.func"() <{function_type = (i32) -> (), sym_name = "f"}> ({
  %0 = foo.<|bar|baz|>
  foo.ret %0
}) : () -> ()
""",
        "'func.func' op was left behind by the lowering to the LLVM dialect",
        "operation 'foo.baz' is not known and is kept as it is written",
        "'foo.baz' op was left behind by the lowering to the LLVM dialect",
        "operation 'foo.ret' is not known and is kept as it is written",
        "'foo.ret' op was left behind by the lowering to the LLVM dialect",
    )


def test_a_mistake_that_ends_where_the_text_is_divided() -> None:
    check_edit(
        """\
func.func @f() {
  "a.b"() ({
<|  return
}
"a.c"() {a = /
// -----
/
func.func @g() {
  re|#map = 1
|>turn
}
// -----
""",
        "expected '}' to close the region that begins here",
        "expected operation name in quotes",
    )


def test_a_label_where_a_region_with_arguments_begins() -> None:
    function, line = "func.func @f(%c: i1) {\nEDIT^bb1:\n  return\n}\n", "  cf.br ^bb1\n"
    check_edit(function.replace("EDIT", f"<||{line}|>"))
    check_edit(function.replace("EDIT", f"<|{line}||>"), "invalid block name in region with named arguments")


PRIVATE = """\
llvm.func @f(%a: !llvm.ptr) {
  omp.parallel private(@p %a -> %b : !llvm.ptr) {
    omp.terminator
  }
  llvm.return
}
omp.private {type = firstprivate} @p : f32 copy {
^bb0(%a: !llvm.ptr, %b: !llvm.ptr<|)|WRONG|>:
  omp.yield(%b : !llvm.ptr)
}
"""


def test_who_is_lowered_with_what_became_broken_or_sound_is_lowered_again() -> None:
    left = "'omp.parallel' op was left behind by the lowering to the LLVM dialect"
    check_edit(PRIVATE.replace("WRONG", ""), "expected ')'")
    check_edit(PRIVATE.replace("<|)|WRONG|>", "<||)|>"), left)


def test_what_stands_behind_a_region_that_belongs_to_nothing() -> None:
    check_edit(
        "module attributes {} {\n} {\n%0 =\n%1 = {\n%0 =\n<|||>",
        "expected operation name in quotes",
        "expected '}' to close the region that begins here",
    )


def test_a_brace_that_closes_another_operation_than_the_one_that_was_opened() -> None:
    check_edit(
        'spirv.func @f(%c: i1) "None" {\n  spirv.mlir.selection {\n  scf.if %c {\n    ]\n  ^bb1(%x: i32):\n  }\n<|||>'
        "    spirv.ReturnValue %c : i1\n  }\n  spirv.Return\n}\n",
        "expected operation name in quotes",
    )


def test_half_a_surrogate_pair_in_the_string_of_a_type() -> None:
    check_edit(
        'func.func private @f(!transform.op<"a<||\ud800|>">)\nfunc.func private @g() attributes {a = "\ud800\\00"}\n',
        "'func.func' op was left behind by the lowering to the LLVM dialect",
    )


def test_a_body_that_is_not_closed_is_not_called_empty() -> None:
    check_edit("func.func @d() {\n<|{||>", "expected '}' to close the region that begins here")


def test_what_stands_in_a_body_that_the_text_leaves_out_stands_where_the_operation_does() -> None:
    check_edit(
        "func.func @e(%a: tensor<1x2xf32>, %b: tensor<2x1xf32>) -> tensor<2x1xf32> {\n"
        "  %0 = tensor.empty()<||\n  |> : tensor<1x2xf32>\n"
        "  %1 = linalg.transpose ins(%0 : tensor<1x2xf32>) outs(%b : tensor<2x1xf32>) permutation = [1, 0]\n"
        "  return %1 : tensor<2x1xf32>\n}\n",
    )


def test_a_body_that_the_text_leaves_out_is_checked_in_a_new_document_too() -> None:
    check_edit(
        "func.func @f(%a: tensor<1x2xf32>, %b: tensor<2x1xf32>) {\n"
        "  %0 = linalg.transpose <|ins(%a : tensor<1x2xf32>) ||>outs(%b : tensor<2x1xf32>) permutation = [1, 0]\n"
        "  return\n}\n",
        "'linalg.transpose' op expected 2 operands, but found 1",
        "'linalg.yield' op expected number of yield values (1) to match the number of inits / outs operands of the "
        "enclosing LinalgOp (0)",
    )


def test_a_variable_whose_name_is_a_string_to_those_who_use_it() -> None:
    check_edit(
        "module {\n  <|tosa.variable @x : tensor<1xf32>||>\n  func.func @f(%a: tensor<1xf32>) {\n"
        "    tosa.variable_write @x, %a : tensor<1xf32>\n    return\n  }\n}\n",
        "'tosa.variable_write' op 'x' has not been declared by 'tosa.variable'",
    )


def test_an_operation_with_text_behind_its_region_is_blamed_up_to_that() -> None:
    text = "func.func @f() {\n  %0 = test.x {a,\n      b} {\n    ^bb0:\n    test.y\n  } -> f32\n  return\n}\n"
    opened = looked_at(OpenDocument(new_document(text, Context())))
    findings = [
        d for _, diagnostics in opened.found() for d in diagnostics if d.message.startswith("'test.x' op was left")
    ]
    assert [text[d.span.start : d.span.end] for d in findings if d.span is not None] == ["test.x {a,\n      b} {"]


def test_results_over_several_lines_of_an_operation_that_breaks_off() -> None:
    check_edit('<|"a.b"() : () -> ()||>\n%u,\n  %v = "a.c"() {n}\n', "expected ':' followed by operation type")
    check_edit(
        "func.func @f(%a: i32) {\n<||  // x\n|>  %x,\n    %y = arith.addi %a = [map<(b : (i32) -> (i32, i32)\n"
        "  return\n}\n",
        "expected ','",
    )


def test_what_stands_behind_the_operation_that_is_checked() -> None:
    check_edit(
        "func.func @f(%a: i32) {\n  %c = arith.constant true\n  scf.condition(%c) %a : i32\n} f.do {\n^bb0(%x: i32):\n"
        "<| |\n  |>  scf.yield %x : i32\n}\n",
        "'scf.condition' op expects parent op 'scf.while'",
        "operation 'f.do' is not known and is kept as it is written",
        "'scf.yield' op expects parent op to be one of "
        "'scf.execute_region, scf.for, scf.if, scf.index_switch, scf.while'",
    )


def test_the_signature_of_a_function_that_a_lowered_one_names_may_be_broken() -> None:
    check_edit(
        "func.func @f(%a: <|i32|!nosuch|>) {\n  return\n}\n"
        "func.func @g() {\n  %c = func.constant @f : () -> ()\n  return\n}\n",
        "undefined symbol alias id 'nosuch'",
    )


def test_what_leaves_more_regions_than_the_item_began() -> None:
    check_edit(
        "func.func @f() -> () {\nfunc.func @e{{{{g() -> () {\n  spirv.mlir.selection {\n<|  }\n||>  return\n}\n",
        "expected '}' to close the region that begins here",
        "expected '('",
        "expected '}' to close the region that begins here",
    )


def test_a_statement_that_is_gone_and_whose_value_is_still_used() -> None:
    check_edit(
        "{{\n}\n%arg4{\nc.c<|%arg4{||>\n}\n",
        "expected operation name in quotes",
        "expected '=' after SSA name",
        "operation 'c.c' is not known and is kept as it is written",
    )


def test_a_value_that_is_used_in_a_region_before_its_definition() -> None:
    """To lower the function it is copied, and the copy must not use the values that it is a copy of."""
    check_edit(
        "func.func @f(%c: i1) {\n  cf.br ^bb2\n^bb1:\n  scf.if %c {\n    func.call @g(%x) : (i1) -> ()\n  }\n  return\n"
        "^bb2:\n  %x = arith.constant <|true|false|>\n  cf.br ^bb1\n}\nfunc.func private @g(i1)\n",
    )


def test_an_operand_beside_functions_in_an_operation_that_uses_its_own_result() -> None:
    """What stands for a value of another item is defined in no block."""
    check_edit(
        '%f = "a.b"() : () -> f32\n%t = tensor.empty() : tensor<4xf32>\n'
        "%0 = scf.execute_region -> tensor<4xf32> {\n  %c = arith.constant 0 : index\n"
        "  %u = tensor.insert %f into %<|t|u|>[%c] : tensor<4xf32>\n  scf.yield %u : tensor<4xf32>\n}\n",
        "operation 'a.b' is not known and is kept as it is written",
        "operand #1 does not dominate this use",
    )


def test_a_function_is_lowered_again_when_the_kernel_that_it_launches_breaks() -> None:
    check_edit(
        "module attributes {gpu.container_module} {\n  gpu.module @k {\n    gpu.func @f() kernel {\n"
        "      %c = arith.constant <|1 : i32|1 : f32|>\n      gpu.return\n    }\n  }\n"
        "  func.func @g() {\n    %c = arith.constant 1 : index\n"
        "    gpu.launch_func @k::@f blocks in (%c, %c, %c) threads in (%c, %c, %c)\n    return\n  }\n}\n",
        "unexpected decimal integer literal for a floating point value",
    )


def test_what_is_matched_loses_the_user_that_counts() -> None:
    unused = "'pdl.operation' op expected a bindable user when defined in the matcher body of a `pdl.pattern`"
    check_edit(
        'pdl.pattern : benefit(1) {\n  %r = operation\n  %s = results of %r\n<|  rewrite %r with "x"\n||>}\n',
        "'pdl.pattern' op expected body to terminate with `pdl.rewrite`",
        unused,
        'block with no terminator, has %1 = "pdl.results"(%0) : (!pdl.operation) -> !pdl.range<value>',
    )
    check_edit(
        'pdl.pattern : benefit(1) {\n  %r = operation\n  %s = results of %r\n  rewrite with "x"'
        "<|(%s : !pdl.range<value>)||>\n}\n",
        unused,
    )


LEFT_BEHIND = "'{}' op was left behind by the lowering to the LLVM dialect"


def test_the_beginning_of_the_module_of_a_kernel_that_is_launched_breaks() -> None:
    check_edit(
        "module attributes {gpu.container_module} {\n"
        "  gpu.module @k attributes {a.b = #llvm.linkage<<|weak|none|>>} {\n"
        "    gpu.func @f() kernel {\n      gpu.return\n    }\n  }\n"
        "  func.func @g() {\n    %c = arith.constant 1 : index\n"
        "    gpu.launch_func @k::@f blocks in (%c, %c, %c) threads in (%c, %c, %c)\n    return\n  }\n}\n",
        "expected one of [external, available_externally, linkonce, linkonce_odr, weak, weak_odr, appending, internal, "
        "private, extern_weak, common] for LLVM linkage types, got: none",
        LEFT_BEHIND.format("gpu.func"),
        "failed to legalize operation 'builtin.unrealized_conversion_cast' that was explicitly marked illegal",
        LEFT_BEHIND.format("gpu.launch_func"),
    )


def test_what_is_wrong_with_a_body_that_an_operation_implies_is_found_in_a_big_item_too() -> None:
    powf = "  linalg.powf ins(%a, %b : memref<4xf32>, memref<4xf16>) outs(%a : memref<4xf32>)\n"
    wrong = "'math.powf' op requires the same type for all operands and results"
    check_edit(f"func.func @f(%a: memref<4xf32>, %b: memref<4xf16>) {{\n<||{powf}|>{powf}  return\n}}\n", wrong, wrong)


def test_what_is_nested_in_the_root_only_is_lowered_anew_when_that_is_another() -> None:
    nested = """\
module {
  func.func @f() {
    return
  ^bb1:
    return
  }
}
"""
    left = "'func.return' was not lowered by --convert-func-to-llvm"
    for other in ("func.func private @g()\n", "module {\n}\n"):
        check_edit(f"<||{other}|>{nested}", left)
        check_edit(f"<|{other}||>{nested}")


def test_a_region_that_is_open_at_the_end_of_the_text_goes_with_what_opened_it() -> None:
    check_edit(
        "pdl.pattern @p : benefit(1) {\n"
        "  %root = operation\n"
        "  %attr = apply_<|ctor<[4]xf32>, %d : memref<?xf32>) {\n  // memre||>native_constraint "
        '"N"(%root : !pdl.operation) : !pdl.attribute\n'
        "  rewrite %root {\n"
        '    apply_native_rewrite "a"(%attr : !pdl.attribute{-#)\n  \n}\n',
        "expected '}' to close the region that begins here",
        "expected ')'",
    )
