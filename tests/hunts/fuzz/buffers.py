"""Buffers as no person writes them, and edits of them: mutated text, with what a mistake or malice may put in it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from random import Random

from tests.syntax.test_incremental import MIXED, NESTED, SNIPPETS
from tests.verify.findings import pieces

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"

TOKENS = (
    *SNIPPETS,
    *("// -----\n", "func.func private @h(i32)\n", "llvm.func @l() {\n", "func.call @f()", "llvm.mlir.global"),
    *("\t", "\v", "\f", "\x7f", "\ufeff", "\u200b", "𝒳", "\ufffd", "\\", "'"),
    *("loc(#loc1)", "#loc1 = loc(unknown)\n", 'loc("a":1:2)', "!t = tuple<!t, !t>\n", "!t", "#a = [#a, #a]\n", "#a"),
    *("@f::@g", '@"f\\0A"', "-", "?", "*", "x", "4x", "9" * 40, "1e", "-1", "1.0e400", "#9", "%", "^", "!", "#"),
    *("vector<", "tensor<?x", "memref<*x", "strided<[", "array<i8: ", "opaque<", "dense_resource<", "distinct["),
    *("<{", "}>", "[[[[", "((((", "{{{{", "<<<<", "}}}}", "))))", ">>>>", "#-}\n", "{-# a: {} #-}"),
    *("scf.if %c {\n", "} else if", "^bb0(%x: i32, %y: i32):\n", "%x:2 = ", "%x#1", "arith.constant ", "dense<", " : "),
)
"""What is put in anywhere, besides what is already there."""

WORD = re.compile(r"[%@^!#]?[\w$][\w.$-]*")


def corpus(suite: Path | None) -> list[str]:
    """The texts that are mutated: small ones, with pieces of MLIR's own tests if these are at hand."""
    texts = [MIXED, NESTED, *(path.read_text(encoding="utf-8") for path in sorted(EXAMPLES.glob("*.mlir")))]
    for path in sorted(suite.rglob("*.mlir")) if suite is not None else ():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        texts += [piece for piece in pieces(text) if piece.strip() and len(piece) < 4000]
    return texts


def mutated(text: str, others: Sequence[str], chance: Random) -> str:
    """A text with some changes in it."""
    for _ in range(chance.choice((0, 1, 1, 2, 4))):
        first, last, inserted = an_edit(text, others, chance)
        text = text[:first] + inserted + text[last:]
    return text


def an_edit(text: str, others: Sequence[str], chance: Random) -> tuple[int, int, str]:
    """A change of a text: what stands between two offsets gives way to something else."""
    at = chance.randrange(len(text) + 1)
    match chance.randrange(12):
        case 0:  # a character or some are deleted
            return at, min(len(text), at + chance.choice((1, 1, 2, 5, 40, 300))), ""
        case 1 | 2:  # something is typed
            return at, at, chance.choice(TOKENS)
        case 3:  # something takes the place of something
            return at, min(len(text), at + chance.choice((1, 2, 5))), chance.choice(TOKENS)
        case 4:  # a line goes
            first, last = line_at(text, at)
            return first, last, ""
        case 5:  # a line comes a second time, or one of another place
            first, last = line_at(text, chance.randrange(len(text) + 1))
            start, _ = line_at(text, at)
            return start, start, text[first:last]
        case 6:  # a line is broken, or two are joined
            spaces = [index for index, character in enumerate(text[at : at + 200], at) if character in " \n"]
            if not spaces:
                return at, at, "\n"
            place = chance.choice(spaces)
            return place, place + 1, "\n    " if text[place] == " " else " "
        case 7:  # something is pasted from elsewhere
            other = chance.choice(others)
            start = chance.randrange(len(other) + 1)
            return at, at, other[start : start + chance.choice((3, 20, 100, 400))]
        case 8:  # a bracket or a separator goes
            marks = [index for index, character in enumerate(text[at : at + 300], at) if character in '{}()<>[],:="\n']
            place = chance.choice(marks) if marks else at
            return place, min(len(text), place + 1), ""
        case _:  # a name, a number, a type or an operation takes the place of another
            words = list(WORD.finditer(text))
            if not words:
                return at, at, chance.choice(TOKENS)
            word = chance.choice(words)
            like = [match.group() for match in words if kind_of(match.group()) == kind_of(word.group())]
            return word.start(), word.end(), chance.choice(like)


def kind_of(word: str) -> str:
    """Words of one kind may stand for each other: names of one sort, numbers, operations, and other words."""
    if word[0] in "%@^!#":
        return word[0]
    return "number" if word[0].isdecimal() else "operation" if "." in word else "word"


def line_at(text: str, at: int) -> tuple[int, int]:
    """Where the line of an offset begins and ends, with its end."""
    end = text.find("\n", at)
    return text.rfind("\n", 0, at) + 1, len(text) if end < 0 else end + 1
