"""What is suggested where the cursor stands, on whole and broken lines; and that something or nothing is, and no fault,
at each place of any text."""

from __future__ import annotations

import pytest

from fathom.context import default_context
from fathom_server.features.completion import completion
from fathom_server.features.completion.suggestion import Completions
from fathom_server.features.completion.written import snippet_of
from tests.server.fixture import marked_snapshot, snapshot_of


def completed(marked: str) -> Completions | None:
    snapshot, (offset,) = marked_snapshot(marked)
    return completion(snapshot, offset)


def labels(marked: str) -> list[str]:
    completions = completed(marked)
    return [suggestion.label for suggestion in completions.suggestions] if completions is not None else []


def in_function(line: str) -> str:
    return f"""\
func.func @f(%a: i32, %m: memref<4xi32>) -> i32 {{
  %c = arith.constant 1 : index
  {line}
  %later = arith.constant 2 : index
  return %a : i32
}}
func.func private @g(i32) -> i32
"""


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("%0 = arith.addi %<|>", ["%c", "%a"]),
        ("%0 = arith.addi %<|>, %a : i32", ["%c", "%a"]),
        ("memref.store %a, %m[%<|>] : memref<4xi32>", ["%c"]),
        ("scf.for %i = %c to %<|>", ["%c"]),
        ("%<|>", ["%0"]),
        ("%0 = call @<|>", ["@f", "@g"]),
        ("%0 = call @g<|>(%a) : (i32) -> i32", ["@g"]),
        ("%0 = arith.ceildivs<|>", ["arith.ceildivsi"]),
        ('%0 = "arith.ceildivs<|>', ["arith.ceildivsi"]),
        ("retu<|>", ["return"]),
        ("%0 = arith.cmpi sg<|>", ["sgt", "sge"]),
        ("%0 = arith.addi %a, %a overf<|>", ["overflow"]),
        ("%0 = arith.constant 1 : ind<|>", ["index"]),
        ("%0 = llvm.mlir.zero : !llvm.pt<|>", ["!llvm.ptr"]),
        ("// %<|>", []),
        ('"a.b"() {a = "%<|>"} : () -> ()', []),
    ],
)
def test_what_may_stand_there(line: str, expected: list[str]) -> None:
    assert labels(in_function(line)) == expected


def test_names_that_are_about_to_be_given_are_not_those_of_others() -> None:
    assert labels("func.func @f(%a: i32, %<|>) {\n  return\n}\n") == ["%0"]
    assert labels("func.func @f(%a: i32) {\n  cf.br ^bb1\n^bb1(%<|>: i32):\n  return\n}\n") == ["%0"]


def test_names_that_are_used_already_are_given_first() -> None:
    text = "func.func @f(%a: i32) {\n  MARK\n  %0 = arith.addi %later, %a : i32\n  cf.br ^end\n^bb0:\n  return\n}\n"
    assert labels(text.replace("MARK", "%<|>")) == ["%later", "%1"]
    assert labels(text.replace("^bb0:", "^<|>").replace("  MARK\n", "")) == ["^end", "^bb0"]
    assert labels(text.replace("@f", "@<|>") + "func.func @g() {\n  call @h() : () -> ()\n  return\n}\n") == ["@h"]


def test_a_name_that_is_taken_is_not_given_again() -> None:
    text = "func.func @f(%a: i32) {\n  %<|>\n  scf.if %c {\n    %x = arith.constant 1 : i32\n  }\n  return\n}\n"
    other = "func.func @g(%x: i32, %y: i32) {\n  return\n}\n"
    assert labels(text + other) == ["%c", "%0", "%y"]
    assert labels(text.replace("%<|>", "scf.if %c {\n    %<|>\n  }") + other) == ["%c", "%0", "%x", "%y"]


def test_the_grammar_says_what_may_stand_in_types_and_attributes() -> None:
    assert labels(in_function("%0 = vector.contract {kind = #vector.kind<max<|>"))[:2] == ["maxui", "maxsi"]
    assert labels(in_function("%0 = llvm.mlir.undef : !llvm.struct<(i32, !llvm.meta<|>")) == ["!llvm.metadata"]
    assert labels(in_function("%0 = gpu.thread_id <|>"))[:3] == ["x", "y", "z"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("%0 = vector.contract {kind = #vector.kind<mi<|>", ["minui", "minsi", "minnumf", "minimumf"]),
        ("%0 = vector.contract {kind = #vector.kind<mi<|>>} %m", ["minui", "minsi", "minnumf", "minimumf"]),
        ('%0 = "gpu.thread_id"() <{dimension = #g<|>', ["#gpu.dim<x>", "#gpu.dim<y>", "#gpu.dim<z>"]),
        ("%0 = llvm.mlir.undef : !llvm.struct<(i32, pt<|>", ["ptr"]),
        ("%0 = arith.constant dense<tr<|>", ["true"]),
        ("%0 = affine.apply affine_map<(i0, j0)[s0] -> (j0 + s<|>", ["s0"]),
        ("memref.store %<|>", ["%c", "%a", "%m"]),
        ("memref.store %a, %<|>", ["%m"]),
        ("return %<|>", ["%a"]),
        ("%0 = call @g(%<|>", ["%a"]),
    ],
)
def test_what_fits_comes_first(line: str, expected: list[str]) -> None:
    assert labels(in_function(line))[: len(expected)] == expected


def test_terminators_come_first_where_a_block_ends() -> None:
    text = "func.func @f(%a: i32) {\n  %0 = scf.if %c -> i32 {\n    scf.y<|>\n  }\n  scf.<|>\n  return\n}\n"
    first, last = text.split("<|>\n  }", maxsplit=1)[0], text
    assert labels(first + "<|>\n  }\n  return\n}\n")[0] == "scf.yield"
    assert "scf.yield" not in labels(last.replace("scf.y<|>", "scf.yield %a : i32"))


def test_the_names_of_properties_are_those_that_are_not_given() -> None:
    offered = labels(in_function('%0 = "llvm.load"(%p) <{alignment = 4 : i64, <|>'))
    assert "ordering" in offered
    assert "alignment" not in offered
    assert "addi" not in offered


def test_dialects_come_before_their_operations() -> None:
    offered = labels(in_function("%0 = memr<|>"))
    assert (offered[0], "memref.load" in offered) == ("memref.", True)
    assert labels(in_function("func.fu<|>")) == ["func.func"]


BLOCKS = """\
func.func @f(%a: i1) {
  cf.cond_br %a, ^one, ^two
^one:
  %x = arith.constant 1 : i32
  cf.br ^end(%x : i32)
^two:
  %y = arith.constant 2 : i32
  MARK
^end(%z: i32):
  return
}
"""


def test_blocks_with_their_arguments() -> None:
    completions = completed(BLOCKS.replace("MARK", "cf.br ^<|>"))
    assert completions is not None
    assert [(suggestion.label, suggestion.detail) for suggestion in completions.suggestions] == [
        ("^one", ""),
        ("^two", ""),
        ("^end", "(i32)"),
    ]


def test_values_of_blocks_that_do_not_dominate_are_none_to_be_used() -> None:
    assert labels(BLOCKS.replace("MARK", "cf.br ^end(%<|> : i32)")) == ["%y"]


def test_values_say_their_types_and_where_they_come_from() -> None:
    completions = completed(in_function("%0 = arith.addi %<|>"))
    assert completions is not None
    assert [(suggestion.detail, suggestion.documentation) for suggestion in completions.suggestions] == [
        ("index", "result of `arith.constant`"),
        ("i32", ""),
    ]


def test_symbols_of_a_table() -> None:
    inner = "module @m {\n  func.func private @x()\n  func.func private @y()\n}\n"
    assert labels(f"func.func @f() {{\n  call @m::@<|>\n  return\n}}\n{inner}") == ["@x", "@y"]


def test_aliases() -> None:
    assert labels('!word = i32\n#map = affine_map<() -> ()>\n"a.b"() : () -> !wor<|>\n') == ["!word"]
    assert labels('#map = affine_map<() -> ()>\n"a.b"() {a = #ma<|>} : () -> ()\n') == ["#map"]


def test_what_is_written_of_the_word_gives_way() -> None:
    marked = in_function("%0 = arith.ad<|>dx %a, %a : i32")
    completions = completed(marked)
    assert completions is not None
    assert marked.replace("<|>", "")[completions.start : completions.end] == "arith.addx"


@pytest.mark.parametrize(
    ("name", "snippet"),
    [
        ("arith.addi", "%${1:lhs}, %${2:rhs} : ${3:type}"),
        ("memref.load", "%${1:memref}[%${2:indices}] : ${3:type}"),
        ("cf.cond_br", "%${1:condition}, ^${2:trueDest}, ^${3:falseDest}"),
        ("func.call", "${1:callee}(%${2:operands}) : (${3:inputs}) -> ${4:results}"),
        ("scf.yield", ""),
    ],
)
def test_snippets_follow_from_formats(name: str, snippet: str) -> None:
    definition = default_context().lookup(name)
    assert definition is not None
    assert snippet_of(definition) == snippet


def test_every_format_gives_a_snippet_that_is_balanced() -> None:
    context = default_context()
    for dialect in ("arith", "memref", "cf", "scf", "tensor", "vector", "gpu", "llvm", "omp", "bufferization"):
        known = context.dialect(dialect)
        assert known is not None
        for name in known.by_name:
            definition = context.lookup(name)
            assert definition is not None
            snippet = snippet_of(definition)
            assert all(snippet.count(a) == snippet.count(b) for a, b in ("()", "[]")), (name, snippet)


@pytest.mark.parametrize("cut", [1, 2, 3])
def test_there_is_an_answer_at_each_place(cut: int) -> None:
    text = BLOCKS.replace("MARK", 'cf.br ^end(%y : i32) "a.b"(%x) {a = @b::@c, d = #map} : (!t) -> !llvm.ptr {')
    for snapshot in (snapshot_of(text[: len(text) * cut // 3]), snapshot_of("\n" * cut), snapshot_of("")):
        for offset in range(snapshot.tree.length + 1):
            completion(snapshot, offset)
