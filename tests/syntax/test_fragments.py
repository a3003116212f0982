"""What is remembered of fragments of the grammar changes nothing; the grammar's run gives what Lark's own would."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from importlib.resources import files
from typing import Any, TypeVar, cast

from hypothesis import given
from hypothesis import strategies as st
from lark import Lark, Transformer, UnexpectedToken
from lark.lexer import Lexer

from fathom.context import Context
from fathom.elaborate.elaborator import Elaborator
from fathom.syntax.fragments import FragmentMemory
from fathom.syntax.grammar import FragmentError, parse_fragment, terminals_of
from fathom.syntax.lexer import Token, tokens_of
from fathom.syntax.nodes import Leaf, Node
from fathom.syntax.parse import parse
from fathom.syntax.stream import TokenStream
from fathom.syntax.tables import STARTS
from tests.properties import examples
from tests.syntax.trees import names, structure

SIMPLE = st.sampled_from(
    ("i32", "f32", "index", "i1", "none", "!foo.bar", "!alias", "!foo.q<a b, 1>", "!foo.q<a  b, 1>")
)
DIMENSIONS = st.sampled_from(("", "4x", "?x", "*x", "2x?x3x", "[4]x", "2x[4]x"))


def shaped(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    layouts = st.sampled_from(("", ", 1", ", strided<[1, ?], offset: 3>", ", affine_map<(d0)[s0] -> (d0 + s0 * 2)>, 2"))
    return st.one_of(
        st.tuples(DIMENSIONS, inner, layouts).map(lambda t: f"memref<{t[0]}{t[1]}{t[2]}>"),
        st.tuples(DIMENSIONS, inner).map(lambda t: f"vector<{t[0]}{t[1]}>"),
        st.tuples(DIMENSIONS, inner).map(lambda t: f"tensor<{t[0]}{t[1]}>"),
        inner.map(lambda t: f"complex<{t}>"),
        st.lists(inner, max_size=3).map(lambda messages: f"tuple<{', '.join(messages)}>"),
        st.tuples(st.lists(inner, max_size=3), inner).map(lambda t: f"({', '.join(t[0])}) -> {t[1]}"),
        st.lists(inner, max_size=2).map(lambda messages: f"() -> ({', '.join(messages)})"),
    )


TYPES = st.recursive(SIMPLE, shaped, max_leaves=5)
NUMBERS = st.sampled_from(("1", "2", "-3", "4.0", "0x10", "-1.5e3"))


def composed(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.lists(inner, max_size=3).map(lambda messages: f"[{', '.join(messages)}]"),
        st.lists(inner, max_size=3).map(
            lambda messages: "{" + ", ".join(f"k{i} = {e}" for i, e in enumerate(messages)) + "}"
        ),
        st.tuples(NUMBERS, TYPES).map(" : ".join),
        st.tuples(NUMBERS, TYPES).map(lambda t: f"dense<{t[0]}> : {t[1]}"),
        st.tuples(inner, TYPES).map(lambda t: f"#foo.bar<{t[0]}> : {t[1]}"),
    )


ATTRIBUTES = st.recursive(
    st.one_of(NUMBERS, TYPES, st.sampled_from(('"a"', "@f", "@f::@g", "true", "unit", "#map", "loc(unknown)", "%0"))),
    composed,
    max_leaves=4,
)
ENDS = st.sampled_from(("", ",", ">", ")", "}", ": i32", "-> i32", "<1>", "loc", "= 1", "]", "{", "::@h", "x", ". "))

T = TypeVar("T")

MEMORY = FragmentMemory()
"""One memory for all examples, so that most of what they ask for was seen before."""


def shown(node: Node) -> object:
    """All of a tree that can be seen, but for white space, which only counts in what is kept as it is written."""
    children = [(str(c), c.type, c.ref) if isinstance(c, Leaf) else shown(c) for c in node.children]
    return node.kind, node.start, node.end, children


def stream_of(text: str) -> TokenStream:
    tokens = tokens_of(text)
    return TokenStream(tokens, Token("END", "", 0, len(text)))


def attempt(read: Callable[[], T]) -> T | str:
    """What a reader gives, or its message with the place."""
    try:
        return read()
    except FragmentError as error:
        return f"{error.position}: {error.message}"


def check_memory(start: str, text: str, after: str, *, fixed: bool) -> None:
    """Reads a fragment before different tokens, at different places, with a memory and without one."""
    for before in ("", "%a, "):
        stream = stream_of(f"{before}{text} {after}")
        first = len(tokens_of(before))
        expected = attempt(partial(parse_fragment, start, stream.token, first))
        ours = attempt(partial(MEMORY.read, start, stream, first, fixed=fixed))
        if isinstance(expected, str) or isinstance(ours, str):
            assert expected == ours
            continue
        parsed, (node, refs) = expected, ours
        assert shown(node) == shown(parsed.node.placed(first, [token.text for token in stream.tokens[first:]]))
        types = [inner for inner in parsed.node.walk() if fixed or inner.kind == "type"]
        assert set(refs) == {ref for type_ in types for ref in range(type_.start, type_.end)}


@examples(200)
@given(st.sampled_from(("type", "plain_type")), TYPES, ENDS)
def test_types_from_memory(start: str, text: str, after: str) -> None:
    check_memory(start, text, after, fixed=True)


@examples(200)
@given(ATTRIBUTES, ENDS)
def test_attributes_from_memory(text: str, after: str) -> None:
    check_memory("attribute", text, after, fixed=False)


def test_a_fragment_that_goes_on_is_not_cut_short() -> None:
    check_memory("attribute", "5", ",", fixed=False)
    check_memory("attribute", "5", ": i64", fixed=False)
    check_memory("type", "!foo.bar", ",", fixed=True)
    check_memory("type", "!foo.bar", "<1>", fixed=True)
    check_memory("type", "(i32)", ",", fixed=True)
    check_memory("type", "(i32)", "-> i32", fixed=True)


def test_what_is_kept_as_it_is_written_keeps_its_spaces() -> None:
    first, second = (MEMORY.read("type", stream_of(text), 0, fixed=True)[0] for text in ("!f.a<b c>", "!f.a<b  c>"))
    assert [leaf.spaced for leaf in first.all_leaves()] != [leaf.spaced for leaf in second.all_leaves()]


# ---- the run of the tables, beside Lark's own


class _ToNodes(Transformer):
    def __default__(self, data: Any, children: list[Any], meta: Any) -> Node:  # pyright: ignore[reportIncompatibleMethodOverride]
        return Node(str(data), children)


class _NoLexer(Lexer):
    def __init__(self, config: object) -> None:
        pass

    def lex(self, lexer_state: object, parser_state: object) -> Iterator[Any]:
        return iter(())


@cache
def lark() -> Lark:
    """Lark's own parser of the grammar."""
    return Lark(
        files("fathom.syntax").joinpath("mlir.lark").read_text(encoding="utf-8"),
        parser="lalr",
        lexer=_NoLexer,
        transformer=_ToNodes(),
        start=list(STARTS),
        keep_all_tokens=True,
        maybe_placeholders=False,
    )


def tree_of_lark(start: str, tokens: Sequence[Token]) -> Node | None:
    """What Lark's own parser makes of tokens; None where it does not take them."""
    state = lark().parse_interactive(start=start).parser_state
    try:
        for index, token in enumerate(tokens):
            actions = state.parse_conf.states[state.position]
            terminal = next((candidate for candidate in terminals_of(token) if candidate in actions), "OTHER")
            state.feed_token(cast("Any", Leaf.of(terminal, token.text, index)))
        return state.feed_token(cast("Any", Leaf.of("$END", "", -1)), is_end=True)
    except UnexpectedToken:
        return None


@examples(150)
@given(st.one_of(TYPES, ATTRIBUTES), ENDS)
def test_trees_are_those_of_lark(text: str, after: str) -> None:
    # A body stands right behind its name, which the grammar alone does not say.
    whole_text = f"{text}{after}" if after.startswith("<") else f"{text} {after}"
    tokens = tokens_of(whole_text)
    wanted = tree_of_lark("attribute", tokens)
    try:
        parsed = parse_fragment("attribute", stream_of(whole_text).token, 0)
    except FragmentError:
        assert wanted is None
        return
    whole = parsed.length == len(tokens)
    assert whole == (wanted is not None)
    assert wanted is None or shown(parsed.node) == shown(wanted)


# ---- statements


PLACES = """\
func.func @f(%a: {0}, %b: {1}) -> {0} {{
  %0 = "foo.a"(%a) : ({0}) -> {1}
  %1 = foo.b %a : {1}, {0} {{k = {2}}}
  %2 = arith.constant {2}
  return %a : {0}
}}
"""


@examples(60)
@given(st.lists(st.tuples(TYPES, TYPES, ATTRIBUTES), min_size=2, max_size=4))
def test_a_text_means_the_same_whatever_was_read_before(parts: list[tuple[str, str, str]]) -> None:
    texts = [PLACES.format(*part) for part in parts]
    context = Context()
    together = [parse(text, context.shapes) for text in texts]
    for text, tree in zip(texts, together, strict=True):
        alone = parse(text, Context().shapes)
        assert structure(tree) == structure(alone)
        assert names(tree) == names(alone)


def test_a_number_inside_a_token_belongs_to_the_shape() -> None:
    text = "func.func private @f(vector<[4]xi32>)\nfunc.func private @g(vector<[8]xi32>)\n"
    done = Elaborator(Context()).run(parse(text, Context().shapes).items)
    assert [str(op.properties["function_type"]) for op in done.operations] == [
        "(vector<[4]xi32>) -> ()",
        "(vector<[8]xi32>) -> ()",
    ]


def test_places_of_tokens_follow_from_those_of_the_first_of_a_shape() -> None:
    text = 'foo.a %x, "a" : i32 // one\n\t  foo.a %longer,  "" : i32\nfoo.a %x, "abc" : i32\n'
    for item in parse(text, Context().shapes).items:
        for piece in item.pieces:
            joined = "".join(piece.lines)
            assert [joined[first:last] for first, last in piece.token_spans()] == [t.text for t in piece.tokens()]
