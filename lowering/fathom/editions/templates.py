"""Templates: a text as it was written once, turned into one as it is written now.

    was  "$tensor : $type"                        %t : memref<4xf32>
    is   "$tensor : tensor($type) to $type"       %t : tensor<4xf32> to memref<4xf32>

A template that is matched is a list of words with blanks between them: tokens, and holes. A hole `$name` stands for one
or more tokens in which brackets close, as few as may be; `$name?` also for none. `$attrs` is a dictionary and nothing
else, `$memref`, `$tensor` and `$vector` a type of this kind, `$symbol` begins with `@`, and `$literal` does not.
One that is filled is a text with holes in it, to some of which functions are applied.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from fathom.records import NamedTuple
from fathom.syntax.lexer import Token, tokens_of

LONGEST: Final = 2_000
MOST_WORDS: Final = 300
"""Of a longer text, in characters or tokens, no template tells anything."""

_CLOSERS: Final = {"(": ")", "[": "]", "{": "}", "<": ">"}
_BEGINNINGS: Final[Mapping[str, Callable[[str], bool]]] = {
    "attrs": lambda word: word == "{",
    "literal": lambda word: not word.startswith("@"),
    "memref": lambda word: word == "memref",
    "symbol": lambda word: word.startswith("@"),
    "tensor": lambda word: word == "tensor",
    "vector": lambda word: word == "vector",
}
"""What the holes that stand for something in particular begin with."""


class _Word(NamedTuple):
    """A token of a text, and where it stands there."""

    text: str
    start: int
    end: int


def rewritten(was: str, becomes: str | None, text: str) -> str | None:
    """A text of one form in another, or as it is; None where it has not the first one, or where it does not tell what
    the other wants."""
    holes = _matched(was.split(), text)
    if holes is None or becomes is None:
        return text if holes is not None else None
    return _filled(becomes, holes)


def _words(text: str) -> list[_Word]:
    words: list[_Word] = []
    start = 0
    for line in text.splitlines(keepends=True):
        words += [_Word(str(token.text), start + token.column, start + token.end) for token in tokens_of(line)]
        start += len(line)
    return words


# ---- matching


def _matched(template: Sequence[str], text: str) -> dict[str, str] | None:
    """What the holes of a template stand for in a text."""
    words = _words(text) if len(text) <= LONGEST else []
    if (not words and text.strip()) or len(words) > MOST_WORDS:
        return None
    ends = _hole_ends(template, words, 0, 0, set())
    if ends is None:
        return None
    holes: dict[str, str] = {}
    for name, (start, end) in ends.items():
        holes[name] = text[words[start].start : words[end - 1].end] if end > start else ""
    return holes


def _hole_ends(
    template: Sequence[str], words: Sequence[_Word], first: int, at: int, failed: set[tuple[int, int]]
) -> dict[str, tuple[int, int]] | None:
    """From which word to which the holes of a template go, from its `first` on, if the words from `at` on are what it
    says. What was tried in vain is in `failed`."""
    begin = first, at
    while first < len(template) and not template[first].startswith("$"):
        if at == len(words) or words[at].text != template[first]:
            return None
        first, at = first + 1, at + 1
    if first == len(template):
        return {} if at == len(words) else None
    if begin in failed:
        return None
    name, may_be_nothing = template[first][1:].removesuffix("?"), template[first].endswith("?")
    for end in _ends(words, at, name, may_be_nothing):
        others = _hole_ends(template, words, first + 1, end, failed)
        if others is not None:
            return {name: (at, end), **others}
    failed.add(begin)
    return None


def _ends(words: Sequence[_Word], at: int, name: str, may_be_nothing: bool) -> Iterator[int]:
    """Where what a hole stands for may end, the nearest first."""
    if may_be_nothing:
        yield at
    begins = _BEGINNINGS.get(name)
    if at == len(words) or (begins is not None and not begins(words[at].text)):
        return
    while at < len(words) and words[at].text not in _CLOSERS.values():
        at = _behind(words, at)
        if at <= 0:
            return
        yield at
        if name == "attrs":
            return


def _behind(words: Sequence[_Word], at: int) -> int:
    """The place behind a token, or behind what it opens; -1 where that does not close."""
    open: list[str] = []
    for index in range(at, len(words)):
        text = words[index].text
        if text in _CLOSERS:
            open.append(_CLOSERS[text])
        elif open and text == open[-1]:
            open.pop()
        if not open:
            return index + 1
    return -1


# ---- filling

_USE: Final = re.compile(r"(?:([a-z]+)\((\$\w+(?:, \$\w+)*)\))|\$(\w+)")
_BLANKS: Final = re.compile(r" {2,}")


def _filled(template: str, holes: Mapping[str, str]) -> str | None:
    """A text with what its holes stand for; None where a function has no answer."""
    out, last = "", 0
    for use in _USE.finditer(template):
        function, arguments, alone = use.groups()
        if function is not None and function not in _FUNCTIONS:
            text = f"{function}({', '.join(holes[argument[1:]] for argument in arguments.split(', '))})"
        elif function is not None:
            made = _FUNCTIONS[function](*(holes[argument[1:]] for argument in arguments.split(", ")))
            if made is None:
                return None
            text = made
        else:
            text = holes[alone]
        before = template[last : use.start()]
        # What a hole leaves empty takes no blank.
        out += before.removesuffix(" ") if not text else before
        out += text
        last = use.end()
    return (out + template[last:]).strip()


class _Shaped(NamedTuple):
    """`tensor<4x?xf32, #e>`: its word, its extents as they are written, its element type, and what stands behind."""

    word: str
    extents: tuple[str, ...]
    element: str


def _shaped(text: str) -> _Shaped | None:
    words = _words(text)
    if len(words) < 4 or words[1].text != "<" or _behind(words, 1) != len(words):
        return None
    tokens: list[Token] = tokens_of(text.replace("\n", " "))
    extents: list[str] = []
    index = 2
    while tokens[index].kind == "DIMS":
        extents += tokens[index].text.replace(" ", "").split("x")[:-1]
        index += 1
    end = index
    while words[end].text not in (",", ">"):
        end = _behind(words, end)
        if end < 0:
            return None
    return _Shaped(words[0].text, tuple(extents), text[words[index].start : words[end - 1].end])


def _items(text: str) -> list[str]:
    """The parts of a list, without its brackets, if it has any."""
    inner = text.strip().removeprefix("[").removesuffix("]")
    return [item.strip() for item in inner.split(",") if item.strip()]


def _unquoted(text: str) -> str | None:
    return text[1:-1] if len(text) > 2 and text[0] == text[-1] == '"' else None


def _untyped(text: str) -> str | None:
    """Numbers without their types."""
    return ", ".join(item.partition(":")[0].strip() for item in _items(text)) if ":" in text else None


def _dynamic(text: str) -> str:
    """The values in a list of values and numbers."""
    return ", ".join(item for item in _items(text) if item.startswith("%"))


def _tensor(text: str) -> str | None:
    """The tensor whose elements a memref has."""
    shaped = _shaped(text)
    if shaped is None or shaped.word != "memref":
        return None
    return f"tensor<{''.join(f'{extent}x' for extent in shaped.extents)}{shaped.element}>"


def _element(text: str) -> str | None:
    shaped = _shaped(text)
    return shaped.element if shaped is not None else None


def _part(text: str, at: str) -> str | None:
    """The type of what a vector has at a position."""
    shaped, depth = _shaped(text), len(_items(at))
    if shaped is None or shaped.word != "vector" or depth > len(shaped.extents):
        return None
    left = shaped.extents[depth:]
    return f"vector<{''.join(f'{extent}x' for extent in left)}{shaped.element}>" if left else shaped.element


def _shape(text: str) -> str | None:
    """The extents of a type, where all of them are known."""
    shaped = _shaped(text)
    if shaped is None or not all(extent.isdigit() for extent in shaped.extents):
        return None
    return f"[{', '.join(shaped.extents)}]"


_LLVM: Final = re.compile(r"(?<![\w.!])(ptr|struct|array|func|void|opaque)\b")


def _pointee(text: str) -> str | None:
    """A type of the LLVM dialect in which pointers said what they point to, as it stands in one, without its `!llvm.`,
    or not."""
    words = _words(text)
    out, last = "", 0
    index = 0
    while index < len(words):
        is_pointer = words[index].text in ("ptr", "!llvm.ptr")
        if is_pointer and index + 1 < len(words) and words[index + 1].text == "<":
            end = _behind(words, index + 1)
            if end < 0:
                return None
            out += text[last : words[index].end]
            last, index = words[end - 1].end, end
        else:
            index += 1
    out += text[last:]
    return f"!llvm.{out}" if _LLVM.match(out) else out


def _zeros(text: str) -> str | None:
    """A list of as many `#llvm.zero` as there are in a list."""
    return f"[{', '.join(['#llvm.zero'] * len(_items(text)))}]"


_FUNCTIONS: Final[Mapping[str, Callable[..., str | None]]] = {
    "unquoted": _unquoted,
    "untyped": _untyped,
    "dynamic": _dynamic,
    "tensor": _tensor,
    "element": _element,
    "part": _part,
    "shape": _shape,
    "pointee": _pointee,
    "zeros": _zeros,
}
"""What is worked out of the texts that holes stand for; None where they do not tell."""
