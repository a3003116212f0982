"""Values that are defined beside functions: what stands beside them can use them, and nothing else."""

from __future__ import annotations

import random

import pytest

from fathom.context import default_context
from fathom.elaborate.suggestions import FEW
from fathom_server.features.navigation import definition, references
from fathom_server.features.rename import rename
from fathom_server.model.document import Document
from fathom_server.model.lowered import stalled
from fathom_server.model.modules import module_for, module_of_split
from fathom_server.model.settings import Settings
from fathom_server.session.opened import OpenDocument

TEXT = """\
%use = "a.use"(%later) : (i32) -> i32
func.func @f() {
  "a.b"(%x) : (i32) -> ()
  return
}
%later:2 = "a.b"() : () -> (i32, i32)
module {
  "a.c"(%later, %inner) : (i32, i16) -> ()
  %inner = hw.constant 0 : i16
  fsm.machine @m() {
    "a.q"(%inner, %missing) : (i16, i32) -> ()
  }
}
%x = comb.foo %later#1
"""


def opened(text: str) -> OpenDocument:
    """A document of which all items were looked at."""
    document = OpenDocument(Document("file:///a.mlir", 0, text, default_context(), Settings()))
    while document.to_check:
        document.check_first()
    return document


def errors(document: OpenDocument) -> list[str]:
    """`line: name` for each name that is undeclared."""
    tree = document.document.tree
    messages: list[str] = []
    for item, start in tree.items.with_offsets():
        for diagnostic in document.findings.of(item).mistakes.all:
            if diagnostic.severity == "error" and diagnostic.span is not None:
                first, last = start + diagnostic.span.start, start + diagnostic.span.end
                assert diagnostic.message == "use of undeclared SSA value name"
                messages.append(f"{tree.text.count(chr(10), 0, first) + 1}: {tree.text[first:last]}")
    return messages


def replace(document: OpenDocument, old: str, new: str) -> None:
    text = document.document.tree.text
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times"
    start = text.index(old)
    ends = [text[:start], text[: start + len(old)]]
    first, last = ((end.count("\n"), len(end) - end.rfind("\n") - 1) for end in ends)
    document.changed(document.document.edit(first, last, new))
    document.settle()
    while document.to_check:
        document.check_first()


def test_values_are_visible_beside_their_definition_and_nowhere_else() -> None:
    assert errors(opened(TEXT)) == ["3: %x", "8: %later", "11: %missing"]


def mistakes(document: OpenDocument) -> list[str]:
    """`line: message` for each mistake."""
    tree = document.document.tree
    return [
        f"{tree.line_of(start + diagnostic.span.start)[0] + 1}: {diagnostic.message}"
        for item, start in tree.items.with_offsets()
        for diagnostic in document.findings.of(item).mistakes.all
        if diagnostic.severity == "error" and diagnostic.span is not None
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "%0 = arith.constant 1 : i32\n%3 = arith.addi %0, %0 : i64\n",
            "2: use of value '%0' expects different type than prior uses: 'i64' vs 'i32'",
        ),
        ('%0 = "a.b"() : () -> i32\n%0 = "a.b"() : () -> i64\n', "2: redefinition of SSA value '%0'"),
        (
            '"x.use"(%0) : (i64) -> ()\n%0 = "a.b"() : () -> i32\n',
            "1: definition of SSA value '%0#0' has type 'i32'",
        ),
        (
            '%0:2 = "a.b"() : () -> (i32, i32)\n"x.use"(%0, %0#1, %0#2) : (i32, i32, i32) -> ()\n',
            "2: reference to invalid result number",
        ),
        (
            '"x.use"(%0#2) : (i32) -> ()\n%0:2 = "a.b"() : () -> (i32, i32)\n',
            "1: use of undeclared SSA value name",
        ),
        ('%0 = foo.bar\n"x.use"(%0) : (i32) -> ()\n"x.use"(%0) : (i64) -> ()\n', ""),
        ('%0 = "a.b"() : () -> i32\n// -----\n%0 = "a.b"() : () -> i64\n"x.use"(%0) : (i64) -> ()\n', ""),
    ],
)
def test_what_items_say_of_one_value_must_agree(text: str, expected: str) -> None:
    """A mistake that MLIR sees at a definition behind the use is shown at the use."""
    assert mistakes(opened(text)) == ([expected] if expected else [])
    nested = "module {\n" + text.replace("// -----\n", "}\nmodule {\n") + "}\n"
    line, _, message = expected.partition(": ")
    assert mistakes(opened(nested)) == ([f"{int(line) + 1}: {message}"] if expected else [])


def test_those_who_use_a_value_hear_of_its_type() -> None:
    document = opened('%0 = "a.b"() : () -> i32\n%0 = "a.c"() : () -> i64\n"x.use"(%0) : (i32) -> ()\n')
    assert mistakes(document) == ["2: redefinition of SSA value '%0'"]
    replace(document, "i32\n%0", "i16\n%0")
    wrong = "3: use of value '%0' expects different type than prior uses: 'i32' vs 'i16'"
    assert mistakes(document) == ["2: redefinition of SSA value '%0'", wrong]
    replace(document, '%0 = "a.b"() : () -> i16', '%1 = "a.b"() : () -> i16')
    assert mistakes(document) == [wrong.replace("i16", "i64")]
    replace(document, "i64", "i32")
    assert mistakes(document) == []


@pytest.mark.parametrize("count", [0, FEW])
def test_what_is_defined_beside_is_thought_of(count: int) -> None:
    many = "".join(f'%v{number} = "a.b"() : () -> i32\n' for number in range(count))
    use = '"a.use"(%coutn) : (i32) -> ()\n'
    document = opened(f'{many}{use}%count = "a.b"() : () -> i32\nfunc.func @f() {{\n{use}return\n}}\n')

    def notes() -> list[str]:
        diagnostics = (
            diagnostic
            for item in document.document.tree.items
            for diagnostic in document.findings.of(item).mistakes.all
        )
        return [note.message for diagnostic in diagnostics for note in diagnostic.notes if "%coutn" in note.message]

    here = "'%coutn' is not defined here"
    assert notes() == [f"{here}; did you mean '%count'?", here]
    replace(document, "%count = ", "%other = ")
    assert notes() == [here, here]


def test_definition_that_comes_or_goes_concerns_those_who_use_it() -> None:
    document = opened(TEXT)
    replace(document, "%inner = hw", "%other = hw")
    assert errors(document) == ["3: %x", "8: %later", "8: %inner", "11: %inner", "11: %missing"]
    replace(document, "%other = hw", "%missing = hw")
    assert errors(document) == ["3: %x", "8: %later", "8: %inner", "11: %inner"]
    replace(document, "%later:2 = ", "")
    assert errors(document)[0] == "1: %later"


@pytest.mark.parametrize("seed", range(20))
def test_edits_are_as_good_as_opening_anew(seed: int) -> None:
    chance = random.Random(seed)
    document = opened(TEXT)
    lines = list[str](TEXT.splitlines(keepends=True))
    for _ in range(8):
        at = chance.randrange(len(lines))
        flat = [line for line in TEXT.splitlines(keepends=True) if not set("{}") & set(line)]
        new = [] if chance.random() < 0.5 else [chance.choice(flat)]
        last = at + (chance.randrange(2) and lines[at] in flat)
        lines[at:last] = new
        last = min(last, document.document.tree.line_count)
        document.changed(document.document.edit((at, 0), (last, 0), "".join(new)))
        document.settle()
        while document.to_check:
            document.check_first()
        text = "".join(lines)
        assert document.document.tree.text == text
        fresh = opened(text)
        lists = [
            [
                (diagnostic.message, diagnostic.span and (diagnostic.span.start, diagnostic.span.end))
                for diagnostic in of.findings.of(item).mistakes.all
            ]
            for of in (document, fresh)
            for item in of.document.tree.items
        ]
        assert lists[: len(lists) // 2] == lists[len(lists) // 2 :], text


def test_definition_and_references_lead_through_all_items() -> None:
    snapshot = opened(TEXT).document.snapshot()
    for needle in ("%later) :", "%later:2", "%later#1"):
        lines = [TEXT[span.start :].partition("\n")[0] for span in definition(snapshot, TEXT.index(needle) + 1)]
        assert lines == ['%later:2 = "a.b"() : () -> (i32, i32)'], needle
    inner = references(snapshot, TEXT.index("%inner, %missing") + 1, include_declaration=True)
    assert [TEXT.count("\n", 0, span.start) + 1 for span in inner] == [8, 9, 11]


def test_item_that_uses_a_value_beside_it_is_lowered_with_the_document_only() -> None:
    text = "%c = arith.constant 1 : i32\n%d = arith.addi %c, %c : i32\nfoo.bar %later\n%later = foo.baz\n"
    snapshot = opened(text).document.snapshot()
    problems = [module_for(snapshot, (item,), True).problem for item in snapshot.tree.items]
    assert [problem and problem.message for problem in problems] == [
        None,
        "'%c' is defined beside this, which is lowered with the whole document only",
        None,
        None,
    ]
    assert module_of_split(snapshot, None).problem is None
    assert [stalled(snapshot, item) for item in snapshot.tree.items][1] == ()


LINES = """\
module @a { %x = "a.b"() : () -> i32
  "a.use"(%x, %y) : (i32, i16) -> ()
  %y = "a.b"() : () -> i16
} %x = "a.b"() : () -> i64 module @b { module { "a.use"(%z, %x) : (i8, i32) -> ()
  %z = "a.b"() : () -> i8
  "a.use"(%x) : (i32) -> ()
} %w = "a.b"() : () -> i8
  "a.use"(%w, %z) : (i8, i8) -> ()
}
"a.use"(%x, %y) : (i64, i16) -> ()
"""


def test_values_in_a_line_that_begins_or_ends_a_table_belong_to_what_they_stand_in() -> None:
    assert mistakes(opened(LINES)) == [f"{line}: use of undeclared SSA value name" for line in (4, 6, 8, 10)]
    wrong = LINES.replace('"a.use"(%x, %y) : (i32, i16)', '"a.use"(%x, %y) : (i64, i16)')
    assert mistakes(opened(wrong))[0] == "2: use of value '%x' expects different type than prior uses: 'i64' vs 'i32'"


@pytest.mark.parametrize("line", [0, 1, 3, 9])
def test_what_has_the_name_of_a_value_in_such_a_line_is_known(line: int) -> None:
    snapshot = opened(LINES).document.snapshot()
    start = sum(map(len, LINES.splitlines(keepends=True)[:line]))
    at = LINES.index("%x", start) + 1
    rows = {LINES.count("\n", 0, place.start) for place in references(snapshot, at, True)}
    assert rows == ({0, 1} if line < 2 else {3, 9})
    assert [LINES.count("\n", 0, place.start) for place in definition(snapshot, at)] == [0 if line < 2 else 3]
    edits = rename(snapshot, at, "%renamed")
    assert isinstance(edits, list)
    assert {LINES.count("\n", 0, edit.start) for edit in edits} == rows
