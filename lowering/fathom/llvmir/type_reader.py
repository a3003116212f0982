"""Reads types."""

from __future__ import annotations

import re
from typing import Final

from fathom.llvmir.spelling import unescape
from fathom.llvmir.tokens import END, Mistake, Tokens, tokens_of
from fathom.llvmir.types import (
    I1,
    PRIMITIVES,
    PTR,
    ArrayType,
    FunctionType,
    IdentifiedStructType,
    IntegerType,
    PointerType,
    StructType,
    TargetExtType,
    Type,
    VectorType,
)

_INTEGER: Final = re.compile(r"i([1-9][0-9]{0,7})", re.ASCII)


def name_of(token: str) -> str:
    """The name that a token is behind its sigil; none if it is a number."""
    name = token[1:]
    if name[:1] == '"':
        return unescape(name[1:-1])
    return "" if name.isdecimal() else name


class TypeReader(Tokens):
    """Types that are equal are the same object, so that what is known of one is found by identity."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.words: dict[str, Type] = {**PRIMITIVES, "ptr": PTR, "i1": I1}
        """The types that are one token."""
        self._made: dict[object, Type] = {}

    def interned(self, of: Type, *key: object) -> Type:
        """The type that was made first of the same; the key has the identities of what it is made of."""
        return self._made.setdefault((of.__class__, *key), of)

    def vector(self, element: Type, count: int, is_scalable: bool = False) -> Type:
        """A vector."""
        return self.interned(VectorType(element, count, is_scalable), id(element), count, is_scalable)

    def struct(self, elements: tuple[Type, ...], is_packed: bool = False) -> StructType:
        """A literal struct."""
        of = self.interned(StructType(elements, is_packed), is_packed, *map(id, elements))
        assert isinstance(of, StructType)
        return of

    def type(self) -> Type:
        """A type that has to be there."""
        token = self.t[self.p]
        of = self.words.get(token)
        if of is None:
            of = self._other(token)
        else:
            self.p += 1
            if of is PTR and self.t[self.p] == "addrspace":
                of = self.pointer(self.address_space())
        while self.t[self.p] == "(":
            of = self._function(of)
        return of

    def pointer(self, space: int) -> Type:
        """A pointer."""
        return self.interned(PointerType(space), space) if space else PTR

    def address_space(self) -> int:
        """`addrspace(N)`, or nothing, which is 0."""
        if not self.accept("addrspace"):
            return 0
        self.expect("(")
        space = self.number()
        self.expect(")")
        return space

    def is_type(self) -> bool:
        """Whether a type is next."""
        token = self.t[self.p]
        return token in self.words or token[0] in "<[{%" or token == "target" or bool(_INTEGER.fullmatch(token))

    def _other(self, token: str) -> Type:
        if match := _INTEGER.fullmatch(token):
            self.p += 1
            of = self.words[token] = IntegerType(int(match[1]))
            return of
        if token[0] == "%" and len(token) > 1:
            self.p += 1
            of = self.words[token] = IdentifiedStructType(name_of(token))
            return of
        if len(token) > 1 and token[0] in "<[{":
            of = self.words[token] = self._in_brackets(token)
            return of
        if token not in ("[", "<", "{", "target"):
            raise self.unexpected("a type")
        self.p += 1
        self.opened()
        match token:
            case "[":
                count, element = self._counted()
                self.closed("]")
                return self.interned(ArrayType(element, count), id(element), count)
            case "<" if self.t[self.p] == "{":
                self.p += 1
                elements = self.type_list("}")
                self.closed(">")
                return self.struct(elements, True)
            case "<":
                is_scalable = self.accept("vscale")
                if is_scalable:
                    self.expect("x")
                count, element = self._counted()
                self.closed(">")
                return self.vector(element, count, is_scalable)
            case "{":
                self.depth -= 1
                return self.struct(self.type_list("}"))
            case _:
                return self._target_type()

    def _in_brackets(self, token: str) -> Type:
        """A type that is one token, read from those in it."""
        outer, at = self.t, self.p
        self.t, self.p = [*tokens_of(token), END], 0
        try:
            of = self.type()
            self.expect(END)
        except Mistake as mistake:
            self.t, self.p = outer, at
            raise self.mistake(mistake.message) from None
        self.t, self.p = outer, at + 1
        return of

    def _counted(self) -> tuple[int, Type]:
        count = self.number()
        self.expect("x")
        return count, self.type()

    def type_list(self, end: str) -> tuple[Type, ...]:
        """Types up to a bracket, behind which it goes on."""
        if self.accept(end):
            return ()
        self.opened()
        types = [self.type()]
        while self.accept(","):
            types.append(self.type())
        self.closed(end)
        return tuple(types)

    def _function(self, result: Type) -> Type:
        self.p += 1
        parameters: list[Type] = []
        is_vararg = False
        self.opened()
        if self.t[self.p] != ")":
            while not is_vararg:
                if self.accept("..."):
                    is_vararg = True
                else:
                    parameters.append(self.type())
                if not self.accept(","):
                    break
        self.closed(")")
        return self.function(result, parameters, is_vararg)

    def function(self, result: Type, parameters: list[Type], is_vararg: bool) -> FunctionType:
        """A function type."""
        of = self.interned(
            FunctionType(result, tuple(parameters), is_vararg), id(result), is_vararg, *map(id, parameters)
        )
        assert isinstance(of, FunctionType)
        return of

    def _target_type(self) -> Type:
        self.expect("(")
        name = self.string()
        types: list[Type] = []
        numbers: list[int] = []
        while self.accept(","):
            if self.is_type():
                types.append(self.type())
            else:
                numbers.append(self.number())
        self.closed(")")
        key = (name, *map(id, types), *numbers)
        return self.interned(TargetExtType(unescape(name), tuple(types), tuple(numbers)), len(types), *key)
