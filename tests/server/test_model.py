"""The model: what is remembered is true, is worked out no more often than needed, and goes with what it is about."""

from __future__ import annotations

import gc
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fathom.elaborate.elaborated import Elaborated
from fathom.ir.printer import print_op
from fathom.pipeline.language import parse_pipeline
from fathom.pipeline.lowering import run
from fathom.pipeline.segments import segment
from fathom.syntax.tree import Item
from fathom_server.features.preview import has_changed, preview, rendered
from fathom_server.features.stages import LLVM_DIALECT, LLVM_IR, stage_called, stages
from fathom_server.model.document import Document
from fathom_server.model.elaboration import KEPT, elaborated
from fathom_server.model.lookup import meant, named, scope_of, symbol, tables_around
from fathom_server.model.lowered import lowered, lowered_at_the_end, stalled
from fathom_server.model.mistakes import diagnostics
from fathom_server.model.modules import module_for
from fathom_server.model.outlines import declaration_of
from fathom_server.model.paths import name_of
from fathom_server.model.settings import Settings, updated
from fathom_server.model.snapshot import Snapshot
from fathom_server.session.collector import leave_nothing_alone
from tests.properties import examples
from tests.server.fixture import document_of, snapshot_of

TEXT = """\
!t = i32
memref.global @table : memref<4x!t> = dense<7>
func.func @leaf(%a: !t) -> !t {
  %x = arith.addi %a, %a : !t
  return %x : !t
}
func.func @caller(%a: i32) -> i32 {
  %m = memref.get_global @table : memref<4xi32>
  %c = arith.constant 0 : index
  %v = memref.load %m[%c] : memref<4xi32>
  %x = call @leaf(%v) : (i32) -> i32
  return %x : i32
}
module @inner {
  func.func @leaf(%a: i64) -> i64 {
    return %a : i64
  }
  func.func @other(%a: i64) -> i64 {
    %x = call @leaf(%a) : (i64) -> i64
    return %x : i64
  }
}
"""


def item_of(snapshot: Snapshot, name: str, which: int = 0):
    return named(snapshot, name)[which].item


def edit(document: Document, old: str, new: str) -> Snapshot:
    """Replaces a text that stands once."""
    text = document.tree.text
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times"
    ends = [text[: text.index(old)], text[: text.index(old) + len(old)]]
    start, end = ((before.count("\n"), len(before) - before.rfind("\n") - 1) for before in ends)
    document.edit(start, end, new)
    return document.snapshot()


def errors(snapshot: Snapshot) -> list[str]:
    return [d.message for item in snapshot.tree.items for d in diagnostics(snapshot, item)]


# ---- places


def test_the_tables_around_each_item_among_many() -> None:
    chance = random.Random(7)
    lines: list[str] = []
    depth = 0
    for number in range(1500):
        kind = chance.randrange(20)
        if kind == 0 and depth < 5:
            lines.append(f"module @m{number} {{")
            depth += 1
        elif kind == 1 and depth:
            lines.append("}")
            depth -= 1
        else:
            lines.append(f"func.func private @f{number}()")
    snapshot = snapshot_of("\n".join(lines))
    around: list[Item] = []
    for item in snapshot.tree.items:
        around = around[: item.frame.depth]
        assert [beginning.item for beginning in tables_around(snapshot, item)] == around
        around += [item] * (item.frame_out.depth - item.frame.depth)


# ---- truth


def answers(snapshot: Snapshot) -> object:
    """What the queries say of a version, in terms that two versions can share."""
    collected: list[object] = []
    for item in snapshot.tree.items:
        collected += [diagnostics(snapshot, item), stalled(snapshot, item)]
        collected += [print_op(op) for op in elaborated(snapshot, item).operations]
    for name in sorted(snapshot.symbols):
        for defined in named(snapshot, name):
            collected += [preview(snapshot, stage, name_of(snapshot, defined)) for stage in stages(snapshot)[::3]]
        declared = [declaration_of(snapshot, defined) for defined in named(snapshot, name)]
        collected += [op and print_op(op) for op in declared]
    return collected


SCRAPS = ("@leaf", "@table", "@other", "i64", "i32", "\n", "}\n", "// c\n", "!t = i64\n", "module {\n", " ", "%x")


@examples(12)
@given(st.randoms(use_true_random=False), st.integers(1, 8))
def test_what_is_remembered_is_what_a_fresh_look_gives(rng: random.Random, count: int) -> None:
    document = document_of(TEXT)
    former = document.snapshot()
    for _ in range(count):
        if rng.random() < 0.7:
            answers(document.snapshot())
        line = rng.randrange(document.tree.line_count)
        start = rng.randint(0, len(document.tree.line(line).rstrip("\n")))
        end = rng.choice((start, start, min(start + 4, len(document.tree.line(line).rstrip("\n")))))
        document.edit((line, start), (line, end), rng.choice(SCRAPS))
    assert answers(document.snapshot()) == answers(snapshot_of(document.tree.text))
    assert answers(former) == answers(snapshot_of(TEXT)), "a former version answers for itself"


@pytest.mark.parametrize(
    "line", ['%0, %0 = "a.b"() : () -> (i32, i32)', "%0 = a.b %0 = a.c", '%0 = "a.b"() : () -> i32']
)
def test_a_value_that_is_defined_twice_beside_functions_comes_and_goes(line: str) -> None:
    document = document_of(f"{line}\n{line}\n")
    document.edit((0, 0), (1, 0), "")
    document.edit((0, 0), (1, 0), "")
    assert document.tree.text == ""
    assert document.symbols.values_named("%0") == ()


# ---- no more work than needed


def test_an_edit_leaves_alone_what_it_does_not_concern() -> None:
    document = document_of(TEXT)
    before = document.snapshot()
    caller = item_of(before, "caller")
    answers(before)
    first = elaborated(before, caller), diagnostics(before, caller), lowered(before, caller, 6, False)
    after = edit(document, "%x = arith.addi %a, %a", "%x = arith.muli %a, %a")
    assert elaborated(after, caller) is first[0]
    assert diagnostics(after, caller) is first[1]
    assert lowered(after, caller, 6, False) is first[2], "it calls @leaf, whose body is not its concern"
    moved = edit(document, "!t = i32\n", "!t = i16\n")
    assert elaborated(moved, caller) is not first[0], "aliases are everybody's concern"


def test_what_moved_is_not_lowered_again() -> None:
    document = document_of("// one\nfunc.func private @g()\nfunc.func @f(%a: i32) -> i32 {\n  return %a : i32\n}\n")
    before = document.snapshot()
    stage = stage_called(before, LLVM_IR)
    first = preview(before, stage, "f")
    made = rendered(before, item_of(before, "f"), stage)
    after = edit(document, "// one\n", "// one\n// two\n")
    assert not has_changed(after, stage, "f")
    assert rendered(after, item_of(after, "f"), stage) is made
    second = preview(after, stage, "f")
    assert second.text == first.text
    shift = len("// two\n")
    assert [link.source.start for link in second.links] == [link.source.start + shift for link in first.links]


def test_a_header_concerns_those_who_name_it() -> None:
    document = document_of(TEXT)
    before = document.snapshot()
    answers(before)
    stage = stage_called(before, LLVM_IR)
    line = TEXT.splitlines().index("func.func @leaf(%a: !t) -> !t {")
    change = document.edit((line, 22), (line, 22), ", %b: i1")
    after = document.snapshot()
    assert has_changed(after, stage, "caller")
    assert change.stale.items(diagnostics) == {item_of(after, "caller"), item_of(after, "other")}
    assert any("incorrect number of operands for callee" in message for message in errors(after))


@pytest.mark.parametrize(
    ("before", "after"), [("\n", "\n"), (" ", " "), ("\nmodule @m {\n", "}\n"), (" module { ", " } ")]
)
def test_what_the_module_around_says_of_itself_concerns_what_is_in_it(before: str, after: str) -> None:
    header = f"module attributes {{dlti.dl_spec = #dlti.dl_spec<index = 32 : i64>}} {{{before}"
    document = document_of(f"{header}func.func @f(%i: index) -> index {{ return %i : index }}{after}}}\n")
    former = document.snapshot()
    stage = stage_called(former, LLVM_IR)
    name = "m::@f" if "@m" in before else "f"
    assert "i32 @f(i32 %0)" in (preview(former, stage, name).text or "")
    now = edit(document, "index = 32", "index = 64")
    assert has_changed(now, stage, name)
    assert "i64 @f(i64 %0)" in (preview(now, stage, name).text or "")


def test_what_is_named_in_a_table_is_lowered_with_who_names_it() -> None:
    launch = """\
module attributes {gpu.container_module} {
  func.func @f(%m: memref<4xf32>) {
    %one = arith.constant 1 : index
    %x = arith.constant 1.0 : f32
    linalg.fill ins(%x : f32) outs(%m : memref<4xf32>)
    gpu.launch_func @kernels::@k blocks in (%one, %one, %one) threads in (%one, %one, %one) args(%m : memref<4xf32>)
    return
  }
  gpu.module @kernels {
    gpu.func @other() kernel {
      gpu.return
    }
    gpu.func @k(%m: memref<4xf32>) kernel {
      gpu.return
    }
  }
}
"""
    snapshot = document_of(launch).snapshot()
    messages = [diagnostic.message for item in snapshot.tree.items for diagnostic in stalled(snapshot, item)]
    assert messages[0] == "'gpu.launch_func' op was left behind by the lowering to the LLVM dialect"
    shown = preview(snapshot, stage_called(snapshot, LLVM_DIALECT), "f")
    assert shown.text is not None
    assert "gpu.func @k" in shown.text
    assert "@other" not in shown.text


def test_a_function_in_the_generic_form_is_declared_for_who_calls_it() -> None:
    text = """\
"func.func"() <{function_type = (i32) -> i32, sym_name = "called"}> ({
^bb0(%x: i32):
  "func.return"(%x) : (i32) -> ()
}) : () -> ()
func.func @caller(%x: i32) -> i32 {
  %y = func.call @called(%x) : (i32) -> i32
  return %y : i32
}
"""
    snapshot = document_of(text).snapshot()
    made = lowered_at_the_end(snapshot, item_of(snapshot, "caller"), False)
    text = print_op(made.module.op)
    assert "llvm.func @called(i32) -> i32" in text
    assert "llvm.call @called" in text


def test_settings_concern_what_is_lowered_and_nothing_else() -> None:
    document = document_of(TEXT)
    before = document.snapshot()
    caller = item_of(before, "caller")
    known, made = elaborated(before, caller), lowered(before, caller, 1, False)
    document.configure(updated(Settings(), {"pipeline": "--convert-func-to-llvm"})[0])
    after = document.snapshot()
    assert elaborated(after, caller) is known
    assert lowered(after, caller, 1, False) is not made
    assert [stage.id for stage in stages(after)] == [
        "source",
        "llvm-dialect",
        "llvm-ir",
        "llvm-optimized",
        "assembly",
        "object",
    ]


@pytest.mark.parametrize("order", [(0, 1, 2, 3, 4, 5, 6), (6, 3, 0), (2, 6, 4)])
def test_stages_are_the_same_whichever_they_are_made_of(order: tuple[int, ...]) -> None:
    snapshot = snapshot_of(TEXT)
    caller = item_of(snapshot, "caller")
    for passes in order:
        module = module_for(snapshot, (caller,), False).op
        run(segment(snapshot.settings.pipeline, 0, passes), module, snapshot.context)
        assert print_op(lowered(snapshot, caller, passes, False).module.op) == print_op(module)


def test_segments_of_nested_pipelines() -> None:
    text = "builtin.module(func.func(convert-scf-to-cf,convert-arith-to-llvm),convert-func-to-llvm)"
    pipeline = parse_pipeline(text)
    assert str(segment(pipeline, 0, 3)) == text
    assert str(segment(pipeline, 1, 3)) == "builtin.module(func.func(convert-arith-to-llvm),convert-func-to-llvm)"
    assert str(segment(pipeline, 2, 3)) == "builtin.module(convert-func-to-llvm)"
    assert str(segment(pipeline, 0, 1)) == "builtin.module(func.func(convert-scf-to-cf))"
    assert str(segment(pipeline, 2, 2)) == "builtin.module()"


# ---- names


def test_a_name_is_looked_up_in_the_nearest_table() -> None:
    snapshot = snapshot_of(TEXT)
    outer, inner = (defined.item for defined in named(snapshot, "leaf"))

    def found(scope: str, *path: str) -> object:
        known = meant(snapshot, item_of(snapshot, scope), 0, path)
        return known.item if known is not None else None

    assert found("caller", "leaf") is outer
    assert found("other", "leaf") is inner
    assert found("caller", "inner", "leaf") is inner
    assert found("caller", "inner", "table") is None
    assert found("other", "table") is item_of(snapshot, "table"), "what stands once is found wherever it is"
    scope = scope_of(snapshot, item_of(snapshot, "other"))
    assert symbol(snapshot, scope, "table") is None, "a reference is looked up in its own table"
    assert errors(snapshot) == []


def test_what_a_definition_has_in_its_body_is_not_held_against_those_who_name_it() -> None:
    snapshot = snapshot_of(
        """\
llvm.comdat @groups {
  llvm.comdat_selector @any any
}
llvm.mlir.global @any() comdat(@groups::@any) : i64
llvm.mlir.global_ctors ctors = [@tagged], priorities = [0 : i32], data = [#llvm.zero]
llvm.mlir.ifunc @ifunc : !llvm.func<f32 (i64)>, !llvm.ptr @resolver
llvm.func @resolver() -> !llvm.ptr {
  %0 = llvm.blockaddress <function = @tagged, tag = <id = 0>> : !llvm.ptr
  llvm.return %0 : !llvm.ptr
}
llvm.func @tagged() {
  llvm.blocktag <id = 0>
  llvm.return
}
llvm.mlir.global_dtors dtors = [@declared], priorities = [0 : i32], data = [#llvm.zero]
llvm.func @declared()
"""
    )
    messages = [diagnostic.message for item in snapshot.tree.items for diagnostic in diagnostics(snapshot, item)]
    assert messages == ["'llvm.mlir.global_dtors' op 'declared' does not have a definition"]


@pytest.mark.parametrize("parent", ["gpu.module @m", "module"])
def test_an_operation_is_told_where_it_stands(parent: str) -> None:
    """An item is elaborated without what it stands in, of which its definition says something."""
    function = '"gpu.func"() ({\n  "gpu.return"() : () -> ()\n}) {function_type = () -> (), sym_name = "f"} : () -> ()'
    text = f"{parent} {{\n{function}\n}}\n"
    snapshot = snapshot_of(text)
    messages = [diagnostic.message for item in snapshot.tree.items for diagnostic in diagnostics(snapshot, item)]
    assert messages == ([] if parent.startswith("gpu") else ["'gpu.func' op expects parent op 'gpu.module'"])


def test_a_function_behind_one_that_is_not_closed_stands_where_that_does() -> None:
    text = "gpu.module @m {\n  gpu.func @f() {\n    gpu.return\n\n  gpu.func @g() {\n    gpu.return\n  }\n}\n"
    snapshot = snapshot_of(text)
    messages = [diagnostic.message for item in snapshot.tree.items for diagnostic in diagnostics(snapshot, item)]
    assert messages == ["expected '}' to close the region that begins here"]


@pytest.mark.parametrize(
    "text",
    [
        "emitc.class @c {\n  emitc.field @f : !emitc.array<1xf32>\n  emitc.func @e() {\n    return\n  }\n}\n",
        "irdl.dialect @d {\n  irdl.type @t {\n    %0 = irdl.any\n    irdl.parameters(a: %0)\n  }\n"
        "  irdl.type @u {\n    %0 = irdl.any\n    %1 = irdl.parametric @d::@t<%0>\n"
        "    irdl.parameters(a: %1)\n  }\n}\n",
        "shape.function_library @l {\n  func @f(%a: !shape.value_shape) -> !shape.shape {\n"
        "    %0 = shape_of %a : !shape.value_shape -> !shape.shape\n    return %0 : !shape.shape\n  }\n"
        "} mapping {\n  d.o = @f\n}\n",
        "transform.with_pdl_patterns {\n^bb0(%a: !transform.any_op):\n"
        "  sequence %a : !transform.any_op failures(propagate) {\n  ^bb1(%b: !transform.any_op):\n  }\n}\n",
    ],
    ids=["members of a class", "types of a dialect", "text behind a region", "arguments of a region"],
)
def test_what_stands_in_symbol_tables_is_no_mistake(text: str) -> None:
    snapshot = snapshot_of(text)
    assert [diagnostic.message for item in snapshot.tree.items for diagnostic in diagnostics(snapshot, item)] == []


def test_what_is_wrong_with_an_item_does_not_keep_its_ir() -> None:
    text = "".join(f"func.func @f{n}() {{\n  %x = arith.addi %a, %a : i32\n  return\n}}\n" for n in range(4 * KEPT))
    gc.collect()
    leave_nothing_alone()  # What the server's collector leaves alone after a long look is not among the objects.
    before = {id(held) for held in gc.get_objects() if isinstance(held, Elaborated)}
    snapshot = snapshot_of(text)
    assert all(diagnostics(snapshot, item) for item in snapshot.tree.items)
    gc.collect()
    leave_nothing_alone()
    kept = [held for held in gc.get_objects() if isinstance(held, Elaborated) and id(held) not in before]
    assert 0 < len(kept) <= KEPT
