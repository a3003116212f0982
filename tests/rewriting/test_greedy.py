"""The greedy driver, on operations of no dialect: what is visited, in which order, and when it ends."""

from __future__ import annotations

from fathom.context import Context
from fathom.elaborate import load
from fathom.ir.operation import Operation, Region, Value
from fathom.ir.printer import print_module
from fathom.ir.printing_flags import PrintingFlags
from fathom.irdl.definition import OpDefinition
from fathom.irdl.dialect import Dialect
from fathom.irdl.folding import TAKES_CONSTANTS
from fathom.irdl.interfaces import ConstantLike
from fathom.irdl.traits import CAST, CONSTANT_LIKE, IDEMPOTENT, INVOLUTION, ISOLATED_FROM_ABOVE, PURE
from fathom.rewriting.canonicalization import CANONICALIZATION, CanonicalizationPatterns
from fathom.rewriting.greedy_driver import GreedyConfig, apply_greedily
from fathom.rewriting.pattern import Failure, Pattern
from fathom.rewriting.rewriter import Rewriter

TOP_DOWN = GreedyConfig(top_down=True)
visited: list[str] = []


def look(op: Operation, operands: list[Value], rewriter: Rewriter) -> Failure | None:
    """Notes that the operation was visited, and leaves it alone."""
    visited.append(str(op.attributes["n"]).partition(" ")[0] if "n" in op.attributes else op.name)
    return Failure("only looking")


def rename(op: Operation, operands: list[Value], rewriter: Rewriter) -> Failure | None:
    """`a.old` becomes `a.new`."""
    rewriter.replace_with(op, "a.new", operands, [result.type for result in op.results], attributes=op.attributes)
    return None


def spin(op: Operation, operands: list[Value], rewriter: Rewriter) -> Failure | None:
    """Makes itself anew, for ever."""
    rewriter.replace_with(op, "a.spin", operands, [result.type for result in op.results])
    return None


def context(*patterns: Pattern) -> Context:
    names = ("look", "old", "new", "spin", "nest")
    traits = {
        "apart": (ISOLATED_FROM_ABOVE,),
        "pure": (PURE,),
        "negate": (PURE, INVOLUTION),
        "absolute": (PURE, IDEMPOTENT),
        "cast": (PURE, CAST),
    }
    definitions = (
        *(OpDefinition(f"a.{name}") for name in names),
        *(OpDefinition(f"a.{name}", traits=trait) for name, trait in traits.items()),
    )
    constant = OpDefinition("a.constant", traits=(PURE, CONSTANT_LIKE), interfaces=(ConstantLike(),))
    aspects = {CANONICALIZATION: lambda: patterns, TAKES_CONSTANTS: lambda: _is_marked}
    dialect = Dialect("a", (*definitions, constant), aspects=aspects)
    return Context().with_dialect(dialect)


def _is_marked(region: Region) -> bool:
    """Whether a region is one of an operation with the attribute `keeps`."""
    return region.parent is not None and "keeps" in region.parent.attributes


def rewrite(text: str, *patterns: Pattern, config: GreedyConfig = TOP_DOWN) -> tuple[str, bool]:
    """The body of the module that `text` becomes, in generic form, and whether the driver came to an end."""
    known = context(*patterns)
    module = load(text, known).module
    visited.clear()
    converged = apply_greedily(module, CanonicalizationPatterns(known).of, known, config)
    lines = print_module(module, PrintingFlags(generic=True)).strip().splitlines()[1:-1]
    return "\n".join(line.removeprefix("  ") for line in lines), converged


def check_order(text: str, expected: list[str], *patterns: Pattern, config: GreedyConfig = TOP_DOWN) -> None:
    """Operations that are looked at are visited in this order, in the one iteration that it takes."""
    rewrite(text, Pattern("a.look", look), *patterns, config=config)
    assert visited == expected


NESTED = """
"a.look"() {n = 1} : () -> ()
"a.nest"() ({
  "a.look"() {n = 2} : () -> ()
  "a.look"() {n = 3} : () -> ()
}) : () -> ()
"a.look"() {n = 4} : () -> ()
"""


def test_operations_are_visited_in_the_order_in_which_they_stand() -> None:
    check_order(NESTED, ["1", "2", "3", "4"])


def test_from_the_bottom_up_they_are_visited_from_the_last_to_the_first() -> None:
    check_order(NESTED, ["4", "3", "2", "1"], config=GreedyConfig())


def test_users_of_what_was_replaced_are_visited_again() -> None:
    text = """
%0 = "a.look"() {n = 1} : () -> i32
%1 = "a.old"(%0) : (i32) -> i32
"a.look"(%1) {n = 2} : (i32) -> ()
"a.look"() {n = 3} : () -> ()
"""
    # The first iteration, in which what the replaced operation used and what used it come next; and one that
    # changes nothing.
    check_order(text, ["1", "1", "2", "3", "1", "2", "3"], Pattern("a.old", rename))


APART = """
"a.apart"() ({{
  "a.look"() {{n = 1}} : () -> ()
}}) : () -> ()
"a.apart"() ({{
  "a.look"() {{n = 2}} : () -> ()
  "a.old"() : () -> ()
}}) : () -> ()
{}
"""


def test_what_is_isolated_is_visited_again_if_something_changed_in_it() -> None:
    check_order(APART.format(""), ["1", "2", "2"], Pattern("a.old", rename))


def test_all_is_visited_again_if_something_changed_around_what_is_isolated() -> None:
    check_order(APART.format('"a.old"() : () -> ()'), ["1", "2", "1", "2"], Pattern("a.old", rename))


def test_dead_operations_go_and_so_does_what_only_they_used() -> None:
    text = """
%0 = "a.pure"() : () -> i32
%1 = "a.pure"(%0) : (i32) -> i32
%2 = "a.look"() : () -> i32
"""
    got, converged = rewrite(text)
    assert got == '%0 = "a.look"() : () -> i32'
    assert converged


def test_a_dialect_may_keep_constants_in_regions_of_its_operations() -> None:
    text = """
"a.nest"() ({{
  %0 = "a.constant"() <{{value = 1 : i32}}> : () -> i32
  "a.look"(%0) : (i32) -> ()
}}){} : () -> ()
"""
    constant, nest = '%0 = "a.constant"() <{value = 1 : i32}> : () -> i32', '"a.nest"() ({'
    assert rewrite(text.format(""))[0].splitlines()[:2] == [constant, nest]
    assert rewrite(text.format(" {keeps}"))[0].splitlines()[:2] == [nest, f"  {constant}"]


def test_operations_fold_by_their_traits() -> None:
    text = """
%0 = "a.look"() : () -> i32
%1 = "a.negate"(%0) : (i32) -> i32
%2 = "a.negate"(%1) : (i32) -> i32
%3 = "a.absolute"(%0) : (i32) -> i32
%4 = "a.absolute"(%3) : (i32) -> i32
%5 = "a.cast"(%4) : (i32) -> i32
"a.look"(%2, %5) : (i32, i32) -> ()
"""
    assert rewrite(text)[0].splitlines() == [
        '%0 = "a.look"() : () -> i32',
        '%1 = "a.absolute"(%0) : (i32) -> i32',
        '"a.look"(%0, %1) : (i32, i32) -> ()',
    ]


def test_the_pattern_of_higher_benefit_is_tried_first() -> None:
    got, _ = rewrite('"a.old"() : () -> ()', Pattern("a.old", look), Pattern("a.old", rename, benefit=2))
    assert got == '"a.new"() : () -> ()'
    assert visited == []


def test_what_does_not_end_is_stopped() -> None:
    got, converged = rewrite(
        '"a.spin"() : () -> ()', Pattern("a.spin", spin), config=GreedyConfig(max_iterations=3, max_rewrites=5)
    )
    assert got == '"a.spin"() : () -> ()'
    assert not converged


def test_patterns_can_be_left_out_by_their_names() -> None:
    known = context(Pattern("a.old", rename, name="(anonymous namespace)::Rename"), Pattern("a.look", look))
    assert len(CanonicalizationPatterns(known).of("a.old")) == 1
    assert CanonicalizationPatterns(known, disabled=frozenset({"Rename"})).of("a.old") == ()
    assert CanonicalizationPatterns(known, enabled=frozenset({"Rename"})).of("a.look") == ()


def test_a_dialect_that_is_present_brings_patterns_for_operations_of_others() -> None:
    known = context(Pattern("b.other", rename), Pattern("", look, trait=PURE))
    assert CanonicalizationPatterns(known).of("b.other") == ()
    present = CanonicalizationPatterns(known, present=frozenset({"a"}))
    assert [pattern.root for pattern in present.of("b.other")] == ["b.other"]
    assert [pattern.trait for pattern in present.of("a.pure")] == [PURE]
    assert present.of("a.look") == ()


def test_a_dialect_that_is_added_brings_its_own_patterns() -> None:
    assert context(Pattern("a.old", rename)).aspect(CANONICALIZATION, "a")
    assert Context().aspect(CANONICALIZATION, "no_such_dialect") == ()
