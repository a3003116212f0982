"""LLVM's passes as `opt -passes` names them, as far as llvmlite has them.

    groups_of("function(sroa,instcombine),globaldce")
    # (Group("function", ("sroa", "instcombine")), Group("module", ("globaldce",)))

Source of the rules: *Using the New Pass Manager* (LLVM 22), "Invoking opt"; the passes that llvmlite 0.50 adds to a
pass manager. It cannot read a pipeline as a text, so a pass that it has no function for is refused by name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Final, Literal, TypeAlias

from fathom.llvm.codegen.pass_names import NAMES
from fathom.records import record

Unit: TypeAlias = Literal["module", "function"]


class NoPipeline(ValueError):
    """A text that is no list of passes, or has one that is not here; `at` is where in it."""

    def __init__(self, message: str, at: int = 0) -> None:
        super().__init__(message)
        self.at = at


@record
class Group:
    """Passes that run on a module, or one after the other on each function."""

    unit: Unit
    passes: tuple[str, ...]


MODULE_PASSES: Final[Mapping[str, str]] = {
    "always-inline": "always_inliner",
    "constmerge": "constant_merge",
    "deadargelim": "dead_arg_elimination",
    "globaldce": "global_dead_code_eliminate",
    "globalopt": "global_opt",
    "internalize": "internalize",
    "ipsccp": "ipsccp",
    "loop-extract": "loop_extract",
    "mergefunc": "merge_functions",
    "partial-inliner": "partial_inliner",
    "rpo-function-attrs": "rpo_function_attrs",
    "strip-dead-prototypes": "strip_dead_prototype",
}
"""Passes on modules by their names, and what llvmlite calls them."""
CALL_GRAPH_PASSES: Final[Mapping[str, str]] = {
    "argpromotion": "argument_promotion",
    "function-attrs": "post_order_function_attributes",
}
"""Passes on what calls each other; llvmlite runs them on a module."""
FUNCTION_PASSES: Final[Mapping[str, str]] = {
    "adce": "aggressive_dce",
    "aggressive-instcombine": "aggressive_instcombine",
    "break-crit-edges": "break_critical_edges",
    "dce": "dead_code_elimination",
    "dse": "dead_store_elimination",
    "instcombine": "instruction_combine",
    "instnamer": "instruction_namer",
    "jump-threading": "jump_threading",
    "lcssa": "lcssa",
    "loop-simplify": "loop_simplify",
    "loop-unroll": "loop_unroll",
    "lower-atomic": "lower_atomic",
    "lower-invoke": "lower_invoke",
    "lower-switch": "lower_switch",
    "memcpyopt": "mem_copy_opt",
    "mergereturn": "unify_function_exit_nodes",
    "newgvn": "new_gvn",
    "reassociate": "reassociate",
    "reg2mem": "register_to_memory",
    "sccp": "sccp",
    "simplifycfg": "simplify_cfg",
    "sink": "sinking",
    "sroa": "sroa",
    "tailcallelim": "tail_call_elimination",
}
"""Passes on functions."""
LOOP_PASSES: Final[Mapping[str, str]] = {
    "loop-deletion": "loop_deletion",
    "loop-reduce": "loop_strength_reduce",
    "loop-rotate": "loop_rotate",
    "loop-unroll-and-jam": "loop_unroll_and_jam",
}
"""Passes on loops; llvmlite runs each on all loops of a function before the next."""
_LEVELS: Final = {"module": 0, "cgscc": 1, "function": 2, "loop": 3, "loop-mssa": 3}
"""What a list in brackets runs on, and how far inside of what else that stands."""
_TABLES: Final = (MODULE_PASSES, CALL_GRAPH_PASSES, FUNCTION_PASSES, LOOP_PASSES)
_UNITS: Final[tuple[Unit, ...]] = ("module", "module", "function", "function")
_TOKEN: Final = re.compile(r"\s*(?:([\w.-]+(?:<[^<>]*>)?)|([(),]))")
_MOST_CHARACTERS: Final = 4096
_MOST_NESTED: Final = 16


def groups_of(text: str) -> tuple[Group, ...]:
    """The passes that a text lists, in the order in which they run. Raises NoPipeline."""
    if len(text) > _MOST_CHARACTERS:
        raise NoPipeline(f"a list of passes has at most {_MOST_CHARACTERS} characters")
    listed: list[tuple[Unit, str]] = []
    breaks: set[int] = set()
    _Reader(text, listed, breaks).read()
    groups: list[Group] = []
    for index, (unit, name) in enumerate(listed):
        if groups and groups[-1].unit == unit and index not in breaks:
            groups[-1] = Group(unit, (*groups[-1].passes, name))
        else:
            groups.append(Group(unit, (name,)))
    return tuple(groups)


class _Reader:
    """Reads one list. `breaks` says before which passes a new group begins."""

    def __init__(self, text: str, listed: list[tuple[Unit, str]], breaks: set[int]) -> None:
        self.text = text
        self.listed = listed
        self.breaks = breaks
        self.tokens, self.places = _tokens(text)
        self.at = 0

    def read(self) -> None:
        self.sequence(0, 0)
        if self.peek():
            raise self.wrong(f"unexpected '{self.peek()}' in the list of passes '{self.text}'")

    def wrong(self, message: str, back: int = 0) -> NoPipeline:
        """What is wrong with the next token, or with one before it."""
        return NoPipeline(message, self.places[self.at - back])

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def sequence(self, level: int, depth: int) -> None:
        if depth > _MOST_NESTED:
            raise self.wrong(f"lists of passes nest at most {_MOST_NESTED} deep")
        while True:
            self.element(level, depth)
            if self.peek() != ",":
                return
            self.at += 1

    def element(self, level: int, depth: int) -> None:
        token = self.peek()
        if not token or token in "(),":
            raise self.wrong(f"expected the name of a pass in '{self.text}'")
        self.at += 1
        name, _, parameters = token.partition("<")
        if self.peek() == "(":
            inner = _LEVELS.get(name)
            if inner is None or inner < level:
                raise self.wrong(f"'{name}' cannot hold passes here: expected one of {', '.join(_LEVELS)}", 1)
            self.at += 1
            self.breaks.add(len(self.listed))
            self.sequence(inner, depth + 1)
            if self.peek() != ")":
                raise self.wrong(f"expected ')' in the list of passes '{self.text}'")
            self.at += 1
            self.breaks.add(len(self.listed))
            return
        of = next((at for at, table in enumerate(_TABLES) if name in table), None)
        if of is None:
            raise self.wrong(_unknown(name), 1)
        if parameters:
            raise self.wrong(f"'{name}' takes no parameters here", 1)
        if of < level:
            raise self.wrong(f"'{name}' cannot run in a list for smaller parts of a module", 1)
        self.listed.append((_UNITS[of], name))


def _unknown(name: str) -> str:
    """What is said of a name that none of the passes here has."""
    listed = ", ".join(sorted(_known()))
    if name in NAMES:
        return f"LLVM's pass '{name}' is none of those that llvmlite can run; there are {listed}"
    near = get_close_matches(name, NAMES, 1)
    hint = f"; did you mean '{near[0]}'?" if near else ""
    return f"there is no pass '{name}' in LLVM{hint}; here there are {listed}"


def _tokens(text: str) -> tuple[list[str], list[int]]:
    """The tokens, and where each begins; behind the last, where the text ends."""
    tokens: list[str] = []
    places: list[int] = []
    at, end = 0, len(text.rstrip())
    while at < end:
        match = _TOKEN.match(text, at)
        if match is None:
            wrong = at + len(text[at:]) - len(text[at:].lstrip())
            raise NoPipeline(f"unexpected '{text[wrong : wrong + 1]}' in the list of passes '{text}'", wrong)
        tokens.append(match[1] or match[2])
        places.append(match.start(match.lastindex or 0))
        at = match.end()
    return tokens, [*places, end]


def _known() -> list[str]:
    return [name for table in _TABLES for name in table]
