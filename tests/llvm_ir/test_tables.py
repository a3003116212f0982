"""The tables say what LLVM does."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from fathom.llvm import PRINT
from fathom.llvm.process import ask
from fathom.llvmir.attribute_kinds import KINDS, ORDER, Form
from fathom.llvmir.packed_attributes import packed, unpacked
from fathom.llvmir.reader import read
from fathom.llvmir.words import CALLING_CONVENTIONS, METADATA_KINDS

VALUES = {
    "allockind": '("alloc")',
    "allocsize": "(0)",
    "captures": "(none)",
    "memory": "(read)",
    "nofpclass": "(nan)",
    "uwtable": "",
    "vscale_range": "(1,2)",
    "range": "(i32 0, 5)",
    "initializes": "((0, 4))",
}
FORMS = {Form.FLAG: "", Form.TYPE: "(i32)", Form.ALIGN: " 8", Form.BYTES: "(8)"}
AS_MEMORY = ("readnone", "readonly", "writeonly")
"""Of a function these are read as `memory`."""
OF_CALLS = ("builtin",)
OF_PARAMETERS = frozenset(
    """
    allocalign allocptr byref byval captures dead_on_return dead_on_unwind dereferenceable dereferenceable_or_null
    elementtype immarg inalloca initializes inreg nest noalias noext nofpclass nonnull noundef range returned signext
    sret swiftasync swifterror swiftself writable zeroext align
    """.split()
)


def spelt(kinds: Iterable[str]) -> str:
    """The attributes, from the last one of the table to the first."""
    return " ".join(each + (VALUES[each] if each in VALUES else FORMS[KINDS[each]]) for each in reversed([*kinds]))


def test_order_of_attributes() -> None:
    of_functions = [each for each in KINDS if each not in OF_PARAMETERS and each not in (*AS_MEMORY, *OF_CALLS)]
    of_parameters = [each for each in KINDS if each in OF_PARAMETERS or each in AS_MEMORY]
    text = f"declare void @f(ptr {spelt(of_parameters)}) {spelt(of_functions)}\n"
    attributes = read(ask(PRINT, text)).functions[0].attributes
    assert [each.kind for each in attributes.function] == of_functions
    assert [each.kind for each in attributes.parameter(0)] == of_parameters
    assert sorted(ORDER.values()) == [*range(len(KINDS))]


def test_calling_conventions() -> None:
    text = "".join(f"declare cc{number} void @f{number}()\n" for number in range(1, 128))
    module = read(ask(PRINT, text))
    assert [each.calling_convention for each in module.functions] == [*range(1, 128)]
    assert len(set(CALLING_CONVENTIONS.values())) == len(CALLING_CONVENTIONS)


def test_order_of_metadata() -> None:
    """What LLVM attaches of kinds that it knows stands in the order of their numbers, and others stand behind."""
    # Nodes of these kinds are of classes of their own.
    kinds = [each for each in METADATA_KINDS if each not in ("dbg", "DIAssignID")]
    attached = ", ".join(f"!{each} !0" for each in ("mine", *reversed(kinds)))
    text = f"define void @f(ptr %p) {{\n  %x = load ptr, ptr %p, {attached}\n  ret void\n}}\n"
    text += "!0 = distinct !{!0, !0, i64 0}\n"
    loaded = read(ask(PRINT, text)).functions[0].blocks[0].instructions[0]
    assert [kind for kind, _ in loaded.metadata] == [*kinds, "mine"]


@pytest.mark.parametrize(
    ("kind", "number"),
    [
        ("memory", 0),
        ("memory", 0b111001001001),
        ("allockind", 0b101001),
        ("allocsize", 1 << 32 | 2),
        ("allocsize", 1 << 32 | 0xFFFFFFFF),
        ("alignstack", 16),
    ],
)
def test_packed_values_are_unpacked(kind: str, number: int) -> None:
    assert packed(kind, unpacked(kind, number)) == number
