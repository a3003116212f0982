"""The slot for a value that a position is in: which operand of an operation, argument of a call, or argument of a block
it is, and what type fits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Final

from fathom.ir.operation import Operation
from fathom.ir.types import POISON, Type
from fathom.irdl.constraint import TypeConstraint
from fathom.irdl.definition import OpDefinition, Operand
from fathom.irdl.groups import Arity
from fathom.irdl.infer import infer_types
from fathom.irdl.interfaces import Call, FunctionLike, RegionBranch
from fathom.irdl.traits import RETURN_LIKE
from fathom.records import NamedTuple
from fathom.syntax.lexer import Token
from fathom_server.features.completion.inquiry import Inquiry
from fathom_server.model.places import path_to
from fathom_server.model.scoping import Symbol, declaration_of, meant

WRONG: Final = 2
"""How well a type fits that does not."""


class Slot(NamedTuple):
    """What stands in one place for a value: `type` is what its type must be, `constraint` what it must satisfy, as far
    as either is known. One of several whose `types` are all known has a `number` among them. Which operand stands there
    may be guessed: then it is not `is_sure`."""

    name: str
    type: Type | None = None
    constraint: TypeConstraint | None = None
    types: Sequence[Type] = ()
    number: int = 0
    is_sure: bool = True

    def rank(self, type: Type) -> int:
        """How well a type fits: 0 for the very one, 1 for one that may be it, WRONG for another."""
        if self.type is not None and self.type != POISON:
            return 0 if type == self.type else 1 if type == POISON else WRONG
        if self.constraint is None or type == POISON:
            return 1
        return 0 if self.constraint.accepts(type) else WRONG


class Callee(NamedTuple):
    """The function that is called at a position, and the number of the `argument` that the position is in; None
    behind the arguments."""

    symbol: Symbol
    operation: Operation | None
    argument: int | None

    @property
    def is_variadic(self) -> bool:
        """Whether it takes more arguments than it names."""
        return self.symbol.parsed.function is not None and self.symbol.parsed.function.variadic

    def names(self) -> list[str]:
        """The names of its arguments, empty for those that have none."""
        function = self.symbol.parsed.function
        text = self.symbol.piece.texts(self.symbol.base)
        return (
            [text(argument.token) if argument.token >= 0 else "" for argument in function.arguments] if function else []
        )


class _Open(NamedTuple):
    """An open parenthesis, or what is open without one behind the name of an operation: the index of its token among
    those before a position, and how many commas stand in it."""

    token: int
    commas: int


def slot_at(inquiry: Inquiry) -> Slot | None:
    """The slot for a value at a position; None where nothing is known of one."""
    definition = inquiry.definition
    if definition is None:
        return None
    tokens = inquiry.position.before
    open = innermost(tokens)
    if definition.interface(Call) is not None and any(token.kind == "SYMBOL" for token in tokens):
        called = callee_at(inquiry)
        if called is None or called.argument is None:
            return None
        return _of_type(called.symbol.name, signature_of(called.operation)[0], called.argument)
    if open is not None and open.token > 0 and tokens[open.token - 1].kind == "BLOCK":
        return _of_block(inquiry, tokens[open.token - 1].text, open.commas)
    around = inquiry.place.region.parent if inquiry.place is not None and inquiry.place.region is not None else None
    if definition.has(RETURN_LIKE) and around is not None and around.interface(FunctionLike) is not None:
        return _of_type(definition.name, signature_of(around)[1], _values_behind_name(tokens))
    if definition.has(RETURN_LIKE) and around is not None and around.interface(RegionBranch) is not None:
        slot = _of_type(definition.name, [result.type for result in around.results], _values_behind_name(tokens))
        # It may as well go on in another region, such as the first of a loop.
        return slot._replace(is_sure=False) if slot is not None else None
    parsed = inquiry.position.expected.parsed
    if parsed is not None and parsed.generic:
        return _of_generic(inquiry, definition, open.commas) if open is not None else None
    if "value" not in inquiry.position.expected.kinds or inquiry.position.expected.new:
        return None
    return _of_format(inquiry, definition) or _of_order(inquiry, definition)


def innermost(tokens: Sequence[Token]) -> _Open | None:
    """The parenthesis that is open behind some tokens."""
    commas: list[_Open] = []
    for index, token in enumerate(tokens):
        if token.kind != "PUNCT":
            continue
        if token.text in ("(", "[", "{"):
            commas.append(_Open(index, 0))
        elif token.text in (")", "]", "}") and commas:
            commas.pop()
        elif token.text == "," and commas:
            commas[-1] = _Open(commas[-1].token, commas[-1].commas + 1)
    return commas[-1] if commas and tokens[commas[-1].token].text == "(" else None


def callee_at(inquiry: Inquiry) -> Callee | None:
    """The function that the operation at a position calls by its name, where that is known."""
    definition, position = inquiry.definition, inquiry.position
    if definition is None or definition.interface(Call) is None:
        return None
    tokens = position.before
    last = max((index for index, token in enumerate(tokens) if token.kind == "SYMBOL"), default=-1)
    path = path_to(tokens, last) if last >= 0 else ()
    symbol = meant(inquiry.snapshot, position.item, position.start - inquiry.snapshot.start_of(position.item), path)
    if symbol is None:
        return None
    open = innermost(tokens)
    index = open.commas if open is not None and open.token > last else None
    return Callee(symbol, declaration_of(inquiry.snapshot, symbol), index)


def signature_of(operation: Operation | None) -> tuple[Sequence[Type], Sequence[Type]]:
    """The types of the arguments and of the results of a function; none where they are not known."""
    definition = operation.definition if operation is not None else None
    function = definition.interface(FunctionLike) if definition is not None else None
    type = function.type(operation) if function is not None and operation is not None else None
    inputs: Sequence[Type] = getattr(type, "inputs", ())
    results: Sequence[Type] = getattr(type, "results", ())
    return inputs, results


def _of_type(name: str, types: Sequence[Type], index: int) -> Slot | None:
    return Slot(name, types[index], None, types, index) if index < len(types) else None


def _of_block(inquiry: Inquiry, label: str, index: int) -> Slot | None:
    region = inquiry.place.region if inquiry.place is not None else None
    labels = inquiry.known.labels.get(region) if region is not None else None
    block = labels.defined.get(label) if labels is not None else None
    return _of_type(label, [argument.type for argument in block.arguments], index) if block is not None else None


def _values_behind_name(tokens: Sequence[Token]) -> int:
    """How many values stand behind the last word."""
    return sum(token.kind == "VALUE" for token in takewhile(lambda token: token.kind != "BARE", reversed(tokens)))


def _of_generic(inquiry: Inquiry, definition: OpDefinition, index: int) -> Slot | None:
    """The operand of a number in the generic form."""
    if index >= len(definition.operands) or any(
        operand.arity is not Arity.ONE for operand in definition.operands[:index]
    ):
        return None
    operand = definition.operands[index]
    given = {
        declared.name: [text] for declared, text in zip(definition.operands, _values_before(inquiry), strict=False)
    }
    return _slot(inquiry, definition, operand, given)


def _values_before(inquiry: Inquiry) -> list[str]:
    """The names of the values in the parenthesis that is open at the position."""
    open = innermost(inquiry.position.before)
    tokens = inquiry.position.before[open.token :] if open is not None else ()
    return [token.text for token in tokens if token.kind == "VALUE"]


def _of_format(inquiry: Inquiry, definition: OpDefinition) -> Slot | None:
    """The operand that the format wants first."""
    expected = inquiry.position.expected
    by_name = {operand.name: operand for operand in definition.operands}
    group = next((by_name[name] for name in expected.groups if name in by_name), None)
    if group is None:
        return None
    return _slot(inquiry, definition, group, expected.operands)._replace(is_sure=len(expected.groups) == 1)


def _of_order(inquiry: Inquiry, definition: OpDefinition) -> Slot | None:
    """The operand that follows those before the position, where these say by their order which they are."""
    tokens = takewhile(lambda token: token.text != definition.name, reversed(inquiry.position.before))
    given = [token.text for token in tokens if token.kind == "VALUE" and inquiry.type_of(token.text) is not None]
    for number, operand in enumerate(definition.operands):
        if operand.arity is not Arity.ONE or number == len(given):
            is_sure = operand.arity is Arity.ONE
            return _slot(inquiry, definition, operand, {})._replace(is_sure=is_sure)
    return None


def _slot(inquiry: Inquiry, definition: OpDefinition, operand: Operand, given: Mapping[str, Sequence[str]]) -> Slot:
    known = {name: [inquiry.type_of(text) for text in texts] for name, texts in given.items() if texts}
    of_group = {
        name: [type_ for type_ in types if type_ is not None] for name, types in known.items() if None not in types
    }
    inferred = infer_types(definition, of_group, {}).get(operand.name, ()) if operand.name not in of_group else ()
    # Of a group, those that are before the position are no part of what is given yet.
    run = takewhile(lambda token: token.kind == "VALUE" or token.text == ",", reversed(inquiry.position.before))
    number = sum(token.kind == "VALUE" for token in run) if operand.arity is Arity.VARIADIC else 0
    type = inferred[number] if number < len(inferred) else operand.constraint.type
    return Slot(operand.name, type, operand.constraint)
