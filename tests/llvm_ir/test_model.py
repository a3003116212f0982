"""A model that is made by hand, in any order, is written as LLVM does."""

from __future__ import annotations

import pytest

from fathom.llvmir import budget
from fathom.llvmir.attributes import Attribute, AttributeList, StringAttribute, attribute_set
from fathom.llvmir.instructions import BasicBlock, BinaryOperator, BranchInst, CmpInst, PHINode, ReturnInst
from fathom.llvmir.metadata import DIExpression, MDString, MDTuple, SpecializedMDNode, ValueAsMetadata
from fathom.llvmir.module import Function, GlobalVariable, Module
from fathom.llvmir.names import SymbolTable, globals_table, locals_table
from fathom.llvmir.node_kinds import NODES
from fathom.llvmir.types import (
    I1,
    I8,
    I32,
    PTR,
    VOID,
    ArrayType,
    FunctionType,
    IdentifiedStructType,
    StructType,
    Type,
)
from fathom.llvmir.unique_nodes import UniqueNodes
from fathom.llvmir.values import (
    Argument,
    Constant,
    ConstantAggregate,
    ConstantAggregateZero,
    ConstantDataSequential,
    ConstantInt,
    Repeated,
)
from fathom.llvmir.writer import write, write_lines
from fathom.text.beginnings import TextTooLong


def counting() -> Function:
    """A loop, of which the last block is made first and the parts of the phi come last."""
    limit = Argument(I32)
    function = Function(PTR, "count", FunctionType(I32, (I32,)), arguments=[limit])
    entry, loop, done = BasicBlock("entry"), BasicBlock(), BasicBlock()
    phi = PHINode(I32, [], [])
    done.instructions.append(ReturnInst(VOID, [phi]))
    next_one = BinaryOperator(I32, [phi, ConstantInt(I32, 1)], "add", ("nsw", "nuw"))
    again = CmpInst(I1, [next_one, limit], "icmp", "ult")
    loop.instructions += (phi, next_one, again, BranchInst(VOID, [again], [loop, done]))
    entry.instructions.append(BranchInst(VOID, [], [loop]))
    phi.operands, phi.blocks = [ConstantInt(I32, 0), next_one], [entry, loop]
    function.blocks += (entry, loop, done)
    next_one.name = "next"
    return function


def test_blocks_in_any_order() -> None:
    module = Module(functions=[counting()])
    assert write(module) == (
        "\n"
        "define i32 @count(i32 %0) {\n"
        "entry:\n"
        "  br label %1\n"
        "\n"
        "1:                                                ; preds = %1, %entry\n"
        "  %2 = phi i32 [ 0, %entry ], [ %next, %1 ]\n"
        "  %next = add nuw nsw i32 %2, 1\n"
        "  %3 = icmp ult i32 %next, %0\n"
        "  br i1 %3, label %1, label %4\n"
        "\n"
        "4:                                                ; preds = %1\n"
        "  ret i32 %2\n"
        "}\n"
    )


def test_attributes_in_llvms_order() -> None:
    attributes = attribute_set(
        [
            StringAttribute("target-cpu", "x86-64"),
            Attribute("memory"),
            Attribute("nounwind"),
            StringAttribute("frame-pointer", "all"),
            Attribute("cold"),
            Attribute("align", 4),
            Attribute("align", 8),
        ]
    )
    assert [each.kind for each in attributes] == [
        *("cold", "nounwind", "align", "memory", "frame-pointer", "target-cpu")
    ]
    assert attributes.get("align") == Attribute("align", 8)
    assert not AttributeList().parameter(3)


def test_names() -> None:
    table = SymbolTable()
    assert [table.unique(each) for each in ("x", "x", "y", "y", "", "x1", "x")] == [
        *("x", "x1", "y", "y2", "", "x13", "x4")
    ]
    module = Module(functions=[counting()])
    assert globals_table(module).unique("count") == "count.1"
    assert (
        globals_table(Module(target_triple="nvptx64-nvidia-cuda", functions=[counting()])).unique("count") == "count1"
    )
    assert locals_table(module.functions[0]).unique("next") == "next1"


def test_unique_nodes() -> None:
    nodes = UniqueNodes()
    name, number = MDString("a"), ValueAsMetadata(ConstantInt(I32, 1))
    first = nodes.tuple(name, number, None)
    assert nodes.tuple(MDString("a"), ValueAsMetadata(ConstantInt(I32, 1)), None) is first
    assert nodes.tuple(name, None, number) is not first
    file = nodes.node("DIFile", {"filename": "f", "directory": "d", "source": None})
    assert nodes.node("DIFile", {"directory": "d", "filename": "f"}) is file
    scope = nodes.node("DILexicalBlock", {"scope": file, "line": 3})
    module = Module(named_metadata={"x": [scope, first]})
    assert write(module) == (
        "\n!x = !{!0, !2}\n\n"
        "!0 = !DILexicalBlock(scope: !1, line: 3)\n"
        '!1 = !DIFile(filename: "f", directory: "d")\n'
        '!2 = !{!"a", i32 1, null}\n'
    )


def test_numbers_of_fields_however_they_are_said() -> None:
    count = SpecializedMDNode(NODES["DIGenericSubrange"], {"count": DIExpression(("DW_OP_consts", 4))})
    sized = SpecializedMDNode(NODES["DIBasicType"], {"size": 0, "encoding": "DW_ATE_signed"})
    ranked = SpecializedMDNode(
        NODES["DICompositeType"], {"tag": "DW_TAG_array_type", "rank": ValueAsMetadata(ConstantInt(I32, 3))}
    )
    assert write(Module(named_metadata={"x": [count, sized, ranked]})) == (
        "\n!x = !{!0, !1, !2}\n\n"
        "!0 = !DIGenericSubrange(count: 4)\n"
        "!1 = !DIBasicType(encoding: DW_ATE_signed)\n"
        "!2 = !DICompositeType(tag: DW_TAG_array_type, rank: 3)\n"
    )


def test_structs_that_name_each_other() -> None:
    node, other = IdentifiedStructType("node"), IdentifiedStructType()
    node.body = StructType((PTR, other))
    other.body = StructType((ArrayType(node, 0), I8), is_packed=True)
    module = Module(globals=[GlobalVariable(PTR, "g", node, ConstantAggregateZero(node), linkage="internal")])
    assert write(module) == (
        "\n%0 = type <{ [0 x %node], i8 }>\n%node = type { ptr, %0 }\n\n@g = internal global %node zeroinitializer\n"
    )


def test_deep_ones() -> None:
    """Nothing calls itself for what is nested."""
    constant: Constant = ConstantInt(I8, 1)
    for _ in range(2_000):
        constant = ConstantAggregate(ArrayType(constant.type, 1), (constant,))
    depth = 20_000
    circle = MDTuple([])
    node = circle
    for _ in range(depth):
        node = MDTuple([node])
    circle.operands.append(node)
    # The text of a type stands before each constant of it: of the whole that would be the square of the depth.
    alone = Module(globals=[GlobalVariable(PTR, "g", constant.type)], named_metadata={"x": [circle]})
    text = write(alone)
    assert text.count("[1 x ") == 2_000
    assert text.endswith(f"!{depth} = !{{!0}}\n")


def test_predecessors_in_the_order_in_which_they_were_made() -> None:
    function = counting()
    function.made += (function.blocks[1], function.blocks[0])
    assert "; preds = %entry, %1\n" in write(Module(functions=[function]))


def test_what_lines_are_of() -> None:
    function = counting()
    variable = GlobalVariable(PTR, "g", I32)
    written = write_lines(Module(globals=[variable], functions=[function], named_metadata={"ident": []}))
    of = dict(zip(written.lines, written.origins, strict=True))
    entry, loop, _ = function.blocks
    assert of["@g = external global i32"] is variable
    assert of["define i32 @count(i32 %0) {"] is of["}"] is function
    assert (of["entry:"], of["  br label %1"]) == (entry, entry.instructions[0])
    assert of["  %next = add nuw nsw i32 %2, 1"] is loop.instructions[1]
    assert of["!ident = !{}"] == "ident"


def test_what_is_the_same_many_times_over_takes_no_room() -> None:
    many = ConstantDataSequential(ArrayType(I32, 1 << 40), Repeated(7, 1 << 40))
    module = Module(globals=[GlobalVariable(PTR, "g", many.type, many)])
    with pytest.raises(TextTooLong):
        write(module)
    written = write_lines(module, shown=20)
    assert written.lines[1] == "@g = global [1099511627776 x i32] [i32 7, i32 7, i32 7, i32 7, i32 7]"
    assert written.cut == ["[i32 7, i32 7, i32 7, i32 7, i32 7]"]


def test_a_type_that_stands_for_more_than_anybody_could_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "MOST_OUTPUT", 1_000_000)
    doubled: Type = StructType((I8, I8))
    for _ in range(40):
        doubled = StructType((doubled, doubled))
    with pytest.raises(TextTooLong):
        write(Module(globals=[GlobalVariable(PTR, "g", doubled)]))
