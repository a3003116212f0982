"""What formatting makes of a text, and what it promises of any."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fathom.context import default_context
from fathom.formatting import texts
from fathom.formatting.change import changed
from fathom.formatting.formatter import format_tree
from fathom.formatting.layout import layout_of
from fathom.formatting.meaning import same_meaning, same_tokens
from fathom.formatting.texts import MeaningChanged, formatted
from fathom.syntax.lexer import SPACE, tokens_of
from fathom.syntax.parse import parse
from tests.formatting.goldens import expected_path, fixtures, text_of
from tests.oracles import mlir_opt
from tests.work import calls_of, check_follows_the_size

TEXTS = {path.stem: text_of(path) for path in fixtures()}
CONTEXT = default_context()


def check_formatted(text: str, expected: str) -> None:
    """A text becomes another one, which stays as it is."""
    assert formatted(text, CONTEXT) == expected
    assert formatted(expected, CONTEXT) == expected


def check_lines(text: str, first: int, last: int, expected: str) -> None:
    """Formatting some of its lines makes another text of one."""
    tree = parse(text, CONTEXT.shapes, splits=True)
    assert changed(text, format_tree(tree, range(first, last))) == expected


@pytest.mark.parametrize("path", fixtures(), ids=lambda path: path.stem)
def test_fixture(path: Path) -> None:
    check_formatted(text_of(path), text_of(expected_path(path)))


@pytest.mark.parametrize("name", ["functions", "lines", "comments", "beyond_ascii"])
def test_mlir_opt_finds_nothing_changed(name: str) -> None:
    options = ("--allow-unregistered-dialect", "--mlir-print-op-generic", "--split-input-file")
    assert mlir_opt(formatted(TEXTS[name], CONTEXT), *options) == mlir_opt(TEXTS[name], *options)


def test_a_blank_line_stays_before_a_line_that_divides_the_text_from_its_beginning() -> None:
    function = "func.func @f() {\n  return\n}\n"
    check_formatted(f"\n \n// -----\n{function}", f"\n// -----\n{function}")
    check_formatted(f"// -----\n{function}", f"// -----\n{function}")
    check_formatted(f"\n// x\n\n// -----\n{function}", f"// x\n\n// -----\n{function}")


def test_the_end_of_a_line_stays_the_one_that_it_is() -> None:
    check_formatted(
        "func.func @f() {\r\n    return\r\n\r\n\r\n}  \r\nfunc.func @g() { return }\r\n\r\n",
        "func.func @f() {\r\n  return\r\n\r\n}\r\nfunc.func @g() {\r\n  return\r\n}\r\n",
    )


def test_a_long_literal_is_passed_over() -> None:
    weights = ", ".join(["1.5"] * 1000)
    check_formatted(
        f"%0=arith.constant dense<[{weights}]>:tensor<1000xf32>",
        f"%0 = arith.constant dense<[{weights}]> : tensor<1000xf32>\n",
    )


def test_what_does_not_parse_stays_beside_an_operation_that_would_take_it_in() -> None:
    check_formatted(
        "func.func @f(%a: i32) {\n     foo.wrap\n   %a\n {\n%1 = arith.addi  %a,%a:i32\n }\nreturn\n}\n",
        "func.func @f(%a: i32) {\n  foo.wrap\n  %a\n {\n%1 = arith.addi  %a,%a:i32\n }\n  return\n}\n",
    )


def test_what_an_operation_that_nobody_knows_takes_in_stays_deeper_than_it() -> None:
    check_formatted("\tfoo.tight(%a)\n  %b\n  %c", "foo.tight(%a)\n %b\n %c\n")


def test_a_label_outside_of_any_region_is_at_the_margin() -> None:
    check_formatted("  ^bb2\n  : %2 =\n  arith.constant -1: i32", "^bb2\n    :\n%2 =\n    arith.constant -1 : i32\n")


def test_white_space_in_a_type_that_nobody_knows_stays() -> None:
    check_formatted(
        '"a"() {x=#foo.a<  b>} : ()->!foo.x< a\n\tb >', '"a"() {x = #foo.a<  b>} : () -> !foo.x< a\n\tb >\n'
    )


def test_a_line_is_laid_out_at_the_cost_of_its_length() -> None:
    def cost(count: int) -> int:
        regions = "scf.if %c { } " * count
        (item,) = parse(f"func.func @f(%c: i1) {{ {regions}return }}\n", CONTEXT.shapes).items
        shape = item.pieces[0].shape
        assert len(layout_of(shape).starts) == count + 3
        return calls_of(lambda: layout_of(shape))

    check_follows_the_size(cost, 500)


def test_what_is_nested_too_deep_on_one_line_is_passed_over() -> None:
    check_formatted("module{" * 2000, "module{" * 2000 + "\n")
    assert formatted("module{" * 90 + "}" * 90, CONTEXT).count("\n") == 89 + 1 + 89


def test_what_is_nested_too_deep_is_passed_over() -> None:
    text = "func.func @f(%c: i1) {\n" + "scf.if %c {\n" * 1500 + "}\n" * 1500 + "  return   \n}\nmodule{}\n"
    after = formatted(text, CONTEXT)
    assert after.endswith("}\nmodule {}\n")
    assert len(after) < 2 * len(text)
    assert formatted(after, CONTEXT) == after


def test_a_text_that_would_mean_something_else_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    def differs(*_: object) -> bool:
        return False

    monkeypatch.setattr(texts, "same_meaning", differs)
    with pytest.raises(MeaningChanged):
        formatted("module{}", CONTEXT)
    assert formatted("module {}\n", CONTEXT) == "module {}\n"


@pytest.mark.parametrize(
    "after",
    ["func.func @f(%a : i32) { return %a }", '"a"() {b = #x.y<a b>} : () -> ()', '"a"() {b = #x.y<ab >} : () -> ()'],
)
def test_what_means_something_else_is_known(after: str) -> None:
    tree = parse('"a"() {b = #x.y<ab>} : () -> ()', CONTEXT.shapes, splits=True)
    assert not same_meaning(tree, after, CONTEXT)


# ---- some lines


def test_only_the_lines_that_are_asked_for_change() -> None:
    text = "func.func @f() {\n      %0 = arith.constant  1:i32\n    %1 = arith.constant  2:i32\n}\n"
    check_lines(text, 1, 2, text.replace("      %0 = arith.constant  1:i32", "  %0 = arith.constant 1 : i32"))
    check_lines(text, 2, 3, text.replace("    %1 = arith.constant  2:i32", "  %1 = arith.constant 2 : i32"))
    check_lines(text, 0, 1, text)


@given(st.sampled_from(sorted(TEXTS)), st.data())
def test_any_lines(name: str, data: st.DataObject) -> None:
    text = TEXTS[name]
    tree = parse(text, CONTEXT.shapes, splits=True)
    first = data.draw(st.integers(0, tree.line_count))
    last = data.draw(st.integers(first, tree.line_count))
    changes = format_tree(tree, range(first, last))
    start, end = tree.line_start(first), tree.line_start(last)
    assert all(start <= change.start <= change.end <= end for change in changes)
    assert format_tree(tree, range(tree.line_count)) == format_tree(tree)


# ---- any text


@st.composite
def _respaced(draw: st.DrawFn) -> str:
    """One of the texts, or some lines of it, with other white space between tokens and before lines; in some, a few
    tokens are missing."""
    lines = TEXTS[draw(st.sampled_from(sorted(TEXTS)))].split("\n")
    random = draw(st.randoms(use_true_random=False))
    first = random.randrange(len(lines))
    missing = random.choice((0.0, 0.02))
    return "\n".join(_with_other_space(random.choice((lines, lines[first : first + 12])), random, missing))


def _with_other_space(text: list[str], random: Random, missing: float) -> list[str]:
    lines: list[str] = []
    for line in text:
        tokens = tokens_of(line)
        if not tokens or line.lstrip().startswith("//"):
            lines.append(line)
            continue
        made = random.choice(("", " ", "  ", "     ", "\t")) + line[tokens[0].column : tokens[0].end]
        for before, token in pairwise(tokens):
            gap = line[before.end : token.column]
            broken = gap and random.choice(("\n", "\n\t", "\n" + gap))
            if random.random() >= missing:
                made += random.choice((gap, gap, gap, gap + " ", broken)) + line[token.column : token.end]
        lines.append(made + line[tokens[-1].end :])
    return lines


@given(_respaced())
def test_only_white_space_changes_and_only_once(text: str) -> None:
    tree = parse(text, CONTEXT.shapes, splits=True)
    changes = format_tree(tree)
    assert all(not (text[change.start : change.end] + change.text).strip(SPACE) for change in changes)
    assert all(one.end <= other.start for one, other in pairwise(changes))
    after = changed(text, changes)
    assert same_tokens(text, after)
    assert format_tree(parse(after, CONTEXT.shapes, splits=True)) == []
    assert formatted(text, CONTEXT) == after


@given(st.text(alphabet=' \t\n\r{}()[]<>:=,-"%^@#!/abx01.\x00é', max_size=60))
def test_any_text_at_all(text: str) -> None:
    after = formatted(text, CONTEXT)
    assert formatted(after, CONTEXT) == after
