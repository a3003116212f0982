"""What is told of debug information and locations, of each kind a sentence."""

from __future__ import annotations

import pytest

from fathom.debug_info.telling import told
from fathom.elaborate import load
from fathom.ir.locations import FusedLoc

FILE = '#llvm.di_file<"f.c" in "/src">'
INT = '#llvm.di_basic_type<tag = DW_TAG_base_type, name = "int", sizeInBits = 32, encoding = DW_ATE_signed>'
POINTER = f"#llvm.di_derived_type<tag = DW_TAG_pointer_type, baseType = {INT}, sizeInBits = 64>"
FUNCTION = f'#llvm.di_subprogram<scope = {FILE}, name = "f", file = {FILE}, line = 3>'
VARIABLE = f'#llvm.di_local_variable<scope = {FUNCTION}, name = "x", file = {FILE}, line = 4, type = {POINTER}>'
GLOBAL = f'#llvm.di_global_variable<name = "g", file = {FILE}, line = 1, type = {INT}>'
MEMBER = f'#llvm.di_derived_type<tag = DW_TAG_member, name = "next", baseType = {POINTER}, offsetInBits = 64>'
BLOCK = f"#llvm.di_lexical_block<scope = {FUNCTION}, file = {FILE}, line = 9, column = 2>"
FOUR = "#llvm.di_subrange<count = 4>"
NAMESPACE = '#llvm.di_namespace<name = "n", exportSymbols = false>'


@pytest.mark.parametrize(
    ("attribute", "sentence"),
    [
        (FILE, "the file `/src/f.c`"),
        (INT, "the type `int`, 32 bits"),
        (POINTER, "the type `int*`, 64 bits"),
        (FUNCTION, "the function `f` at `/src/f.c:3`"),
        (VARIABLE, "the variable `x` of type `int*` at `/src/f.c:4`, in the function `f` at `/src/f.c:3`"),
        (GLOBAL, "the variable `g` of type `int` at `/src/f.c:1`"),
        (MEMBER, "the member `next` of type `int*`, 64 bits from the start"),
        (BLOCK, "a block at `/src/f.c:9`, in the function `f` at `/src/f.c:3`"),
        (NAMESPACE, "the namespace `n`"),
        (
            f'#llvm.di_composite_type<tag = DW_TAG_structure_type, name = "Nod", sizeInBits = 99, elements = {MEMBER}>',
            "the type `structure Nod`, 99 bits, with `next`",
        ),
        (
            f"#llvm.di_composite_type<tag = DW_TAG_array_type, baseType = {INT}, elements = {FOUR}>",
            "the type `int[4]`",
        ),
        (f"#llvm.di_subroutine_type<types = #llvm.di_null_type, {INT}>", "the type `void (int)` of a function"),
        (
            "#llvm.di_expression<[DW_OP_deref, DW_OP_plus_uconst(8), DW_OP_LLVM_fragment(0, 32)]>",
            "what it points to, then 8 added, then bits 0 to 31 of the variable alone",
        ),
        ("#llvm.di_expression<[DW_OP_LLVM_convert(4, DW_ATE_signed)]>", "converted to 4 bits (signed)"),
        ("#llvm.di_expression<>", "the value itself"),
        (f'#llvm.di_label<scope = {FUNCTION}, name = "l", file = {FILE}, line = 5>', "the label `l` at `/src/f.c:5`"),
        (
            f"#llvm.di_imported_entity<tag = DW_TAG_imported_module, scope = {FUNCTION}, entity = {NAMESPACE}>",
            "an import of the namespace `n`, in the function `f` at `/src/f.c:3`",
        ),
        ('"a text"', ""),
    ],
)
def test_attributes(attribute: str, sentence: str) -> None:
    loaded = load(f'func.func private @f() loc(fused<{attribute}>["a":1:1])')
    assert not loaded.has_errors, loaded.diagnostics
    (module,) = (op for region in loaded.module.regions for op in region.operations())
    assert isinstance(module.location, FusedLoc)
    assert module.location.metadata is not None
    assert told(module.location.metadata) == sentence


@pytest.mark.parametrize(
    ("location", "sentence"),
    [
        ("unknown", "no known place in the source"),
        ('"a":1:2', "line 1, column 2 of `a`"),
        ('"name"', "`name`, at no known place"),
        ('"name"("a":1:2)', "`name`: line 1, column 2 of `a`"),
        ('callsite("a":1:2 at "b":3:4)', "line 1, column 2 of `a`; inlined at line 3, column 4 of `b`"),
        (
            f'fused<{FUNCTION}>["a":1:2, "b":3:4]',
            "line 1, column 2 of `a` and line 3, column 4 of `b`, in the function `f` at `/src/f.c:3`",
        ),
    ],
)
def test_locations(location: str, sentence: str) -> None:
    loaded = load(f"func.func private @f() loc({location})")
    (module,) = (op for region in loaded.module.regions for op in region.operations())
    assert module.location is not None
    assert told(module.location) == sentence


def test_a_large_one_is_told_in_part() -> None:
    doubled = "".join(f"#l{n} = loc(callsite(#l{n - 1} at #l{n - 1}))\n" for n in range(1, 40))
    loaded = load(f'#l0 = loc("a":1:1)\n{doubled}func.func private @f() loc(#l39)')
    (module,) = (op for region in loaded.module.regions for op in region.operations())
    assert module.location is not None
    assert len(told(module.location)) < 1000
