"""Reads attributes. Source of the rules: *LLVM Language Reference*, "Parameter Attributes", "Function Attributes"."""

from __future__ import annotations

from typing import Final

from fathom.llvmir.attribute_kinds import KINDS, MEMORY_ACCESS, Form
from fathom.llvmir.attributes import (
    NONE,
    Attribute,
    AttributeSet,
    AttributeValue,
    CaptureInfo,
    ConstantRange,
    MemoryEffects,
    StringAttribute,
)
from fathom.llvmir.spelling import unescape
from fathom.llvmir.type_reader import TypeReader

_FLAGS: Final = {word: Attribute(word) for word, form in KINDS.items() if form is Form.FLAG}


class AttributeReader(TypeReader):
    """Sets that are written alike are the same object."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.groups: dict[str, AttributeSet] = {}
        """The groups, by their tokens."""
        self._sets: dict[tuple[str, ...], AttributeSet] = {}

    def attributes(self, end: str = "") -> AttributeSet:
        """The attributes that are next, of a group, a parameter, a result or a function, up to a word that is none
        there."""
        t, start = self.t, self.p
        token = t[start]
        if token not in KINDS and token[0] not in '"#':
            return NONE
        members: list[Attribute | StringAttribute] = []
        while True:
            token = t[self.p]
            if (flag := _FLAGS.get(token)) is not None:
                self.p += 1
                members.append(flag)
            elif token in KINDS and token != end:
                self.p += 1
                members.append(Attribute(token, self._attribute_value(KINDS[token])))
            elif token[0] == '"':
                members.append(self._string())
            elif token in self.groups:
                self.p += 1
                members += self.groups[token]
            else:
                break
        if not members:
            return NONE
        key = tuple(t[start : self.p])
        if len(key) == 1 and key[0] in self.groups:
            return self.groups[key[0]]
        made = self._sets.get(key)
        if made is None:
            made = self._sets[key] = AttributeSet(tuple(members))
        return made

    def _string(self) -> StringAttribute:
        kind = self.string()
        return StringAttribute(kind, unescape(self.string()) if self.accept("=") else "")

    def _attribute_value(self, form: Form) -> AttributeValue:
        if form is Form.ALIGN or (form is Form.BYTES and self.t[self.p] == "="):
            if not self.accept("=") and self.accept("("):
                number = self.number()
                self.expect(")")
                return number
            return self.number()
        if form is Form.WORDS and self.t[self.p] != "(":
            return ()
        self.expect("(")
        value = self._in_parentheses(form)
        self.expect(")")
        return value

    def _in_parentheses(self, form: Form) -> AttributeValue:
        match form:
            case Form.TYPE:
                return self.type()
            case Form.BYTES:
                return self.number()
            case Form.NUMBERS:
                numbers = [self.number()]
                while self.accept(","):
                    numbers.append(self.number())
                return tuple(numbers)
            case Form.QUOTED:
                return tuple(self.string().split(","))
            case Form.MEMORY:
                return self._memory()
            case Form.CAPTURES:
                return self._captures()
            case Form.RANGE:
                bits = self.t[self.p][1:]
                self.type()
                lower = self.number()
                self.expect(",")
                return ConstantRange(int(bits), lower, self.number())
            case Form.RANGES:
                return self._ranges()
            case _:
                words: list[str] = []
                while self.t[self.p] not in (")", "\0"):
                    words.append(self.t[self.p])
                    self.p += 1
                return tuple(words)

    def _memory(self) -> MemoryEffects:
        default = self.one_of(MEMORY_ACCESS)
        locations: list[tuple[str, str]] = []
        while self.t[self.p] not in (")", "\0"):
            self.accept(",")
            name = self.t[self.p].removesuffix(":")
            self.p += 1
            locations.append((name, self.one_of(MEMORY_ACCESS)))
        return MemoryEffects(default or "none", tuple(locations))

    def _captures(self) -> CaptureInfo:
        other: list[str] = []
        result: list[str] | None = None
        while self.t[self.p] not in (")", "\0"):
            token = self.t[self.p]
            self.p += 1
            if token == "ret:":
                result = []
            elif token not in (",", "none"):
                (other if result is None else result).append(token)
        return CaptureInfo(tuple(other), None if result is None else tuple(result))

    def _ranges(self) -> tuple[tuple[int, int], ...]:
        ranges: list[tuple[int, int]] = []
        while self.accept("("):
            lower = self.number()
            self.expect(",")
            ranges.append((lower, self.number()))
            self.expect(")")
            self.accept(",")
        return tuple(ranges)


def read_attributes(text: str) -> AttributeSet:
    """The attributes that are written so. Raises Mistake."""
    return AttributeReader(text).attributes()
