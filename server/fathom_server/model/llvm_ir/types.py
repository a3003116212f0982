"""The types of values, as texts: read off the instruction that gives a value, which need not be whole."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Final

from fathom.llvmir.words import CASTS, TAIL_CALL_KINDS
from fathom_server.model.llvm_ir.snapshot import LlvmSnapshot
from fathom_server.model.llvm_ir.tokens import Kind, Token, key_of, tokens_in
from fathom_server.model.llvm_ir.units import Unit

MOST_TOKENS: Final = 2_000
"""So many tokens of an instruction are looked at."""
MOST_NAMED: Final = 32
"""So many types are looked up one in the other."""

_OPEN: Final = {"(": ")", "[": "]", "{": "}", "<": ">"}
_CLOSE: Final = frozenset(_OPEN.values())


def type_of(snapshot: LlvmSnapshot, unit: Unit, key: str) -> str:
    """The type of a local value; empty if it cannot be told."""
    argument = next((argument for argument in unit.names.arguments if argument.key == key), None)
    if argument is not None:
        return text_of(argument.tokens[: type_end(argument.tokens, 0)])
    definition = unit.names.definition(key)
    if definition is None:
        return ""
    if any(mention.start == definition.start for _, mention in unit.names.labels):
        return "label"
    return _Result(snapshot, list(islice(tokens_in(unit.text, definition.start), MOST_TOKENS))).type()


def text_of(tokens: Sequence[Token]) -> str:
    """Tokens as LLVM writes them."""
    out = ""
    for number, token in enumerate(tokens):
        before = tokens[number - 1].text if number else ""
        is_tight = not before or before in ("(", "[", "<") or token.text in (")", "]", ">", ",", "*")
        is_call = token.text == "(" and before in ("addrspace", "target", "align", "dereferenceable")
        braces = (before, token.text) in (("<", "{"), ("}", ">"), ("{", "}"))
        out += token.text if is_tight or is_call or braces else f" {token.text}"
    return out


def matching(tokens: Sequence[Token], index: int) -> int:
    """The index behind the bracket that closes the one at an index; of the end if nothing does."""
    depth = 0
    for number in range(index, len(tokens)):
        depth += (tokens[number].text in _OPEN) - (tokens[number].text in _CLOSE)
        if depth == 0:
            return number + 1
    return len(tokens)


def type_end(tokens: Sequence[Token], index: int) -> int:
    """The index behind the type that begins at an index; the index itself if none does."""
    if index >= len(tokens):
        return index
    token = tokens[index]
    if token.kind in (Kind.TYPE, Kind.LOCAL):
        end = index + 1
    elif token.text in ("[", "{", "<"):
        end = matching(tokens, index)
    elif token.text == "target":
        end = matching(tokens, index + 1)
    else:
        return index
    while end < len(tokens):
        if tokens[end].text == "*":
            end += 1
        elif tokens[end].text == "addrspace" and end + 1 < len(tokens):
            end = matching(tokens, end + 1)
        else:
            break
    return end


def parts(tokens: Sequence[Token]) -> list[Sequence[Token]]:
    """What stands between commas that are in no brackets."""
    found: list[Sequence[Token]] = []
    depth, start = 0, 0
    for number, token in enumerate(tokens):
        depth += (token.text in _OPEN) - (token.text in _CLOSE)
        if depth == 0 and token.text == ",":
            found.append(tokens[start:number])
            start = number + 1
    return [*found, tokens[start:]]


class _Result:
    """The type of the result of an instruction, whose tokens begin with the name of the result."""

    def __init__(self, snapshot: LlvmSnapshot, tokens: list[Token]) -> None:
        self._snapshot = snapshot
        end = next((number for number in range(2, len(tokens)) if _begins_another(tokens, number)), len(tokens))
        self._tokens = [token for token in tokens[:end] if token.kind is not Kind.COMMENT]

    def type(self) -> str:
        index = 2
        while index < len(self._tokens) and self._tokens[index].text in TAIL_CALL_KINDS:
            index += 1
        if index >= len(self._tokens):
            return ""
        operation = self._tokens[index].text
        operands = parts(self._tokens[self._behind_flags(index + 1) :])
        types = [part[: type_end(part, 0)] for part in operands]
        first = types[0]
        match operation:
            case "icmp" | "fcmp":
                return self._vector_of("i1", first) if first and first[0].text == "<" else "i1"
            case "alloca":
                spaces = [part for part in operands if part and part[0].text == "addrspace"]
                return " ".join(["ptr", *map(text_of, spaces[:1])])
            case "getelementptr" | "atomicrmw" | "select" | "va_arg" if len(types) > 1:
                return text_of(types[1])
            case "cmpxchg" if len(types) > 1:
                return f"{{ {text_of(types[1])}, i1 }}"
            case "extractelement":
                return text_of(_element(first))
            case "shufflevector" if len(types) > 2:
                return self._vector_of(text_of(_element(first)), types[2])
            case "extractvalue":
                return text_of(self._field(first, operands[1:]))
            case "catchpad" | "cleanuppad" | "catchswitch":
                return "token"
            case _ if operation in CASTS:
                words = [number for number, token in enumerate(operands[0]) if token.text == "to"]
                target = operands[0][words[-1] + 1 :] if words else ()
                return text_of(target[: type_end(target, 0)])
            case _:
                return text_of(first)

    def _behind_flags(self, index: int) -> int:
        """The index of the type that comes behind flags, conventions, attributes and predicates."""
        tokens = self._tokens
        while index < len(tokens):
            token = tokens[index]
            if token.text == "target" or token.kind not in (Kind.WORD, Kind.NUMBER, Kind.STRING, Kind.GROUP):
                break
            index += 1
            if index < len(tokens) and tokens[index].text in ("(", "="):
                index = matching(tokens, index) if tokens[index].text == "(" else index + 2
        return index

    def _vector_of(self, element: str, like: Sequence[Token]) -> str:
        """A vector of elements, of as many as another has."""
        at = next((number for number in range(len(like) - 1, 0, -1) if like[number].text == "x"), None)
        return f"{text_of(like[: at + 1])} {element}>" if at is not None else ""

    def _field(self, of: Sequence[Token], indices: Sequence[Sequence[Token]]) -> Sequence[Token]:
        """The type of a part of an aggregate."""
        for index in indices:
            if not index or not index[0].text.isdecimal():
                break  # Metadata comes behind the indices.
            of = self._resolved(of)
            if not of:
                return ()
            if of[0].text == "[":
                of = _element(of)
                continue
            fields = parts(of[2:-2] if of[0].text == "<" else of[1:-1])
            number = int(index[0].text[:9])
            of = fields[number] if number < len(fields) else ()
        return of

    def _resolved(self, of: Sequence[Token]) -> Sequence[Token]:
        """What a type with a name is."""
        for _ in range(MOST_NAMED):
            if len(of) != 1 or of[0].kind is not Kind.LOCAL:
                return of
            unit = self._snapshot.unit_of(key_of(of[0].text))
            if unit is None:
                return ()
            written = list(islice(tokens_in(unit.text), MOST_TOKENS))
            of = written[3 : type_end(written, 3)]
        return ()


def _element(of: Sequence[Token]) -> Sequence[Token]:
    """The type of the elements of an array or a vector."""
    first = next((number for number, token in enumerate(of) if token.text == "x"), None)
    if first is None:
        return ()
    if of[first - 1].text == "vscale":
        first += 2
    return of[first + 1 : -1]


def _begins_another(tokens: Sequence[Token], index: int) -> bool:
    """Whether another instruction begins, or the function ends."""
    token = tokens[index]
    following = tokens[index + 1].text if index + 1 < len(tokens) else ""
    return (token.kind is Kind.LOCAL and following == "=") or token.kind in (Kind.LABEL, Kind.RECORD)
