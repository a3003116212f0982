"""`convert-ptr-to-llvm`, which mlir-opt has as a part of `convert-to-llvm` only: there its texts are held against it
(`test_fixtures.py`)."""

from __future__ import annotations

from fathom.elaborate import load
from fathom.ir.printer import print_module
from tests.passes.running import run_pass


def check_lowered(text: str, lowered: str, *notes: str) -> None:
    """The pass makes this of the text, and says why the rest was left."""
    loaded = load(text)
    assert not loaded.has_errors, loaded.diagnostics
    diagnostics = run_pass("convert-ptr-to-llvm", loaded.module)
    assert print_module(loaded.module).strip() == f"module {{\n{lowered}}}"
    assert [note.message for diagnostic in diagnostics for note in diagnostic.notes] == list(notes)


def test_a_sum() -> None:
    check_lowered(
        'func.func private @f()\n%p, %n = "t.p"() : () -> (!ptr.ptr<#ptr.generic_space>, i64)\n'
        "%q = ptr.ptr_add inbounds %p, %n : !ptr.ptr<#ptr.generic_space>, i64\n",
        "  func.func private @f()\n"
        '  %0:2 = "t.p"() : () -> (!ptr.ptr<#ptr.generic_space>, i64)\n'
        "  %1 = unrealized_conversion_cast %0#0 : !ptr.ptr<#ptr.generic_space> to !llvm.ptr\n"
        "  %2 = llvm.getelementptr inbounds %1[%0#1] : (!llvm.ptr, i64) -> !llvm.ptr, i8\n",
    )


def test_a_space_without_a_number() -> None:
    check_lowered(
        '%p, %n = "t.p"() : () -> (!ptr.ptr<#llvm.address_space<3>>, i64)\n'
        "%q = ptr.ptr_add %p, %n : !ptr.ptr<#llvm.address_space<3>>, i64\n",
        '  %0:2 = "t.p"() : () -> (!ptr.ptr<#llvm.address_space<3>>, i64)\n'
        "  %1 = ptr.ptr_add %0#0, %0#1 : !ptr.ptr<#llvm.address_space<3>>, i64\n",
        "operand #0: no rule converts '!ptr.ptr<#llvm.address_space<3>>' to the LLVM dialect",
    )
