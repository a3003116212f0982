"""The parser that an assembly format is: its directives, interpreted over the tokens of an operation.

Source of the rules: *Defining Dialects*, "Declarative Assembly Format".
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final, NoReturn, cast

from fathom.ir.types import NONE
from fathom.irdl.constraints import STRING, parse_cases
from fathom.irdl.custom import CUSTOM_PARSERS
from fathom.irdl.definition import Arity, AttributeForm, OpDefinition, Property
from fathom.irdl.format import (
    AllOperands,
    AllRegions,
    AllSuccessors,
    AttrDict,
    Custom,
    Directive,
    FunctionalType,
    Literal,
    OneOf,
    Optional,
    PropDict,
    Reference,
    Space,
    TypeOf,
    Variable,
)
from fathom.irdl.interfaces import FunctionLike, Symbol, SymbolTable
from fathom.syntax.nodes import AttributeSource, StringToken, SymbolToken
from fathom.syntax.vocabulary import OpSyntax

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.irdl.protocols import OpParser, ParsedOp


def syntax_of(definition: OpDefinition) -> OpSyntax | None:
    """How an operation is parsed; None for one that has the generic form only."""
    parse: Callable[[OpParser, ParsedOp], object]
    if definition.custom is not None:
        parse = definition.custom.parse
    elif definition.assembly is not None:
        parse = partial(_parse_format, definition)
    else:
        return None
    container = definition.interface(SymbolTable) is not None
    has_body = definition.interface(Symbol) is not None and not container and bool(definition.regions)
    function = has_body or definition.interface(FunctionLike) is not None
    return OpSyntax(definition.name, parse, definition.default_dialect, container, function)


def _parse_format(definition: OpDefinition, cursor: OpParser, parsed: ParsedOp) -> None:
    for directive in definition.format:
        parse_directive(directive, definition, cursor, parsed)


def parse_directive(directive: Directive, definition: OpDefinition, cursor: OpParser, parsed: ParsedOp) -> None:
    """Reads what the directive stands for into `parsed`."""
    match directive:
        case Literal(text):
            _expect_literal(text, cursor)
        case Space():
            pass
        case Variable(name):
            _parse_variable(name, definition, cursor, parsed)
        case TypeOf(name):
            _parse_types(name, definition, cursor, parsed)
        case FunctionalType(inputs, results):
            parsed.types[inputs], parsed.types[results] = cursor.functional_type()
        case AttrDict(with_keyword):
            (cursor.attr_dict_with_keyword if with_keyword else cursor.attr_dict)(parsed)
        case PropDict():
            cursor.properties(parsed)
        case AllOperands():
            parsed.operands["operands"] = cursor.bare_value_list()
        case AllRegions():
            while cursor.at_region():
                cursor.region(parsed)
        case AllSuccessors():
            cursor.successor_block(parsed)
            while cursor.accept(","):
                cursor.successor_block(parsed)
        case Optional():
            _parse_optional(directive, definition, cursor, parsed)
        case OneOf(clauses):
            _parse_clauses(clauses, definition, cursor, parsed)
        case Custom(name, arguments):
            CUSTOM_PARSERS[name](cursor, parsed, arguments)
        case Reference(argument):
            parse_directive(argument, definition, cursor, parsed)
        case _:
            raise TypeError(f"not a directive: {directive!r}")


def _expect_literal(text: str, cursor: OpParser) -> None:
    cursor.expect(text)


def _parse_optional(directive: Optional, definition: OpDefinition, cursor: OpParser, parsed: ParsedOp) -> None:
    elements = [d for d in directive.then if not isinstance(d, Space)]
    chosen = elements if _is_present(elements[0], definition, cursor) else directive.otherwise
    if chosen is elements:
        anchor = (directive.otherwise if directive.inverted else directive.then)[directive.anchor]
        if isinstance(anchor, Variable) and (prop := definition.property_map.get(anchor.name)) is not None:
            if prop.constraint.form is AttributeForm.UNIT:
                parsed.attributes[prop.name] = _unit()
    for element in chosen:
        parse_directive(element, definition, cursor, parsed)


def _unit() -> AttributeSource:
    from fathom.ir.attributes import UNIT

    return UNIT


def _is_present(directive: Directive, definition: OpDefinition, cursor: OpParser) -> bool:
    """Whether the text goes on with the directive; the language is LL(1), so its first token tells."""
    match directive:
        case Literal(text):
            return cursor.at(text)
        case Variable(name):
            return _variable_is_present(name, definition, cursor)
        case TypeOf():
            return cursor.at_type()
        case AllOperands():
            return cursor.at_kind("value")
        case AllRegions():
            return cursor.at_region()
        case AllSuccessors():
            return cursor.at_kind("block")
        case FunctionalType():
            return cursor.at("(")
        case Optional(then):
            return _is_present(then[0], definition, cursor)
        case OneOf(clauses):
            return any(_is_present(clause[0], definition, cursor) for clause in clauses)
        case Custom(_, arguments):
            return any(_is_present(argument, definition, cursor) for argument in arguments)
        case Reference(argument):
            return _is_present(argument, definition, cursor)
        case _:
            return False


def _variable_is_present(name: str, definition: OpDefinition, cursor: OpParser) -> bool:
    prop = definition.property_map.get(name)
    if prop is None:
        if any(region.name == name for region in definition.regions):
            return cursor.at_region()
        if any(successor.name == name for successor in definition.successors):
            return cursor.at_kind("block")
        return cursor.at_kind("value")
    match prop.constraint.form:
        case AttributeForm.SYMBOL_NAME:
            return cursor.at_kind("symbol")
        case AttributeForm.KEYWORD:
            return cursor.at_any(prop.constraint.cases) or cursor.at_kind("string")
        case AttributeForm.FLAGS:
            return cursor.at("<")
        case AttributeForm.ARRAY:
            return cursor.at("[")
        case AttributeForm.TYPE:
            return cursor.at_type()
        case AttributeForm.TYPED_LITERAL if prop.constraint.type == NONE:
            return cursor.at_kind("string")
        case AttributeForm.TYPED_LITERAL:
            return cursor.at_kind("integer") or cursor.at_kind("float") or cursor.at_any(("-", "true", "false"))
        case AttributeForm.STRIPPED if prop.constraint.definition is not None:
            return cursor.at_kind("alias") or prop.constraint.definition.at(_StrippedReader(cursor, definition.name))
        case AttributeForm.UNIT:
            return False
        case _ if prop.constraint is STRING:
            return cursor.at_kind("string")
        case _:
            return _at_attribute(cursor)


def _at_attribute(cursor: OpParser) -> bool:
    kinds = ("symbol", "string", "integer", "float", "alias", "type")
    words = ("[", "-", "true", "false", "unit", "dense", "array", "affine_map", "affine_set", "strided", "sparse")
    return any([cursor.at_kind(kind) for kind in kinds]) or cursor.at_any(words)  # noqa: C419 - part of the shape


def _parse_variable(name: str, definition: OpDefinition, cursor: OpParser, parsed: ParsedOp) -> None:
    prop = definition.property_map.get(name)
    if prop is not None:
        if prop.constraint.form is not AttributeForm.UNIT:
            parsed.attributes[name] = parse_property(prop, cursor, definition.name)
        return
    operand = next((o for o in definition.operands if o.name == name), None)
    if operand is not None:
        parsed.operands[name] = _parse_operands(operand.arity, cursor)
        return
    region = next((r for r in definition.regions if r.name == name), None)
    if region is not None:
        if region.arity is Arity.ONE:
            cursor.region(parsed)
        else:
            _parse_regions(cursor, parsed)
        return
    successor = next((s for s in definition.successors if s.name == name), None)
    if successor is None:
        raise ValueError(f"{definition.name} has nothing named ${name}")
    if successor.arity is Arity.ONE or cursor.at_kind("block"):
        cursor.successor_block(parsed)
    while successor.arity is Arity.VARIADIC and cursor.accept(","):
        cursor.successor_block(parsed)


def _parse_regions(cursor: OpParser, parsed: ParsedOp) -> None:
    if not cursor.at_region():
        return
    cursor.region(parsed)
    while cursor.accept(","):
        cursor.region(parsed)


def _parse_operands(arity: Arity, cursor: OpParser) -> list[int]:
    match arity:
        case Arity.ONE:
            return [cursor.value_use()]
        case Arity.OPTIONAL:
            use = cursor.optional_value_use()
            return [] if use is None else [use]
        case _:
            return cursor.bare_value_list()


def _expected_case(prop: Property, op_name: str) -> str:
    """What MLIR says where none of the keywords of an enumeration stands."""
    choices = ", ".join(prop.constraint.cases)
    return (
        f"custom op '{op_name}' expected string or keyword containing one of the following enum values for attribute "
        f"'{prop.name}' [{choices}]"
    )


def parse_property(prop: Property, cursor: OpParser, op_name: str = "") -> AttributeSource:
    """An inherent attribute in the form that its constraint says. Messages name the operation."""
    constraint = prop.constraint
    match constraint.form:
        case AttributeForm.SYMBOL_NAME:
            return SymbolToken(cursor.symbol_name())
        case AttributeForm.KEYWORD:
            return parse_cases(constraint, [_parse_case(prop, cursor, op_name)])
        case AttributeForm.FLAGS:
            return parse_cases(constraint, _parse_flags(prop, cursor))
        case AttributeForm.TYPE:
            return cursor.type()
        case AttributeForm.ARRAY:
            return cursor.array()
        case AttributeForm.STRIPPED if constraint.definition is not None and not cursor.at_kind("alias"):
            return cast("Attribute", constraint.definition.read(_StrippedReader(cursor, op_name)))
        case AttributeForm.TYPED_LITERAL:
            implied = constraint.type if constraint.type != NONE else None
            return StringToken(cursor.string()) if cursor.at_kind("string") else cursor.attribute(implied)
        case _ if constraint is STRING and cursor.at_kind("string"):
            return StringToken(cursor.string())
        case _:
            return cursor.attribute()


def _parse_case(prop: Property, cursor: OpParser, op_name: str) -> str:
    """The keyword of an enumeration, bare or as a string."""
    if not cursor.at_kind("string"):
        return cursor.keyword(prop.constraint.cases, _expected_case(prop, op_name))
    start = cursor.string()
    literal = cursor.text(start)
    case = next((case for case in prop.constraint.cases if literal in (case, f'"{case}"')), None)
    if case is None:
        cursor.fail(f"custom op '{op_name}' invalid {prop.name} attribute specification: {literal}", start)
    return case


class _StrippedReader:
    """The tokens of an operation, as the definition of an attribute of its dialect reads them."""

    def __init__(self, cursor: OpParser, op_name: str) -> None:
        self._cursor = cursor
        self._op_name = op_name
        self._last = cursor.here()

    def at(self, text: str) -> bool:
        return self._cursor.at(text)

    def at_kind(self, *kinds: str) -> bool:
        return any([self._cursor.at_kind(_KINDS[kind]) for kind in kinds])  # noqa: C419 - part of the shape

    def at_type(self) -> bool:
        return self._cursor.at_type()

    def at_attribute(self) -> bool:
        return _at_attribute(self._cursor)

    def accept(self, text: str) -> bool:
        self._last = self._cursor.here()
        return self._cursor.accept(text)

    def expect(self, text: str) -> None:
        self._last = self._cursor.here()
        self._cursor.expect(text)

    def optional_keyword(self) -> str | None:
        self._last = self._cursor.here()
        return self._cursor.optional_word()

    def string(self) -> str:
        self._last = self._cursor.string()
        return self._cursor.text(self._last)[1:-1]

    def keyword_or_string(self) -> str:
        if self._cursor.at_kind("string"):
            return self.string()
        word = self.optional_keyword()
        if word is None:
            self.fail_here("expected valid keyword or string")
        return word

    def integer(self) -> int:
        self._last = self._cursor.here()
        return self._cursor.integer_literal()

    def type(self) -> NoReturn:
        self.fail_here("expected the full form of the attribute")

    def attribute(self) -> NoReturn:
        self.fail_here("expected the full form of the attribute")

    def number(self, type: object) -> NoReturn:
        del type
        self.attribute()

    def fail(self, message: str) -> NoReturn:
        self.fail_here(message)

    def fail_here(self, message: str) -> NoReturn:
        self._cursor.fail(f"custom op '{self._op_name}' {message}")

    def fail_before(self, message: str) -> NoReturn:
        self._cursor.fail(f"custom op '{self._op_name}' {message}", self._last)


_KINDS: Final = {"BARE": "bare", "HASH": "alias", "HEX": "integer", "INTEGER": "integer", "STRING": "string"}
"""The kinds of tokens by the names that the parser of operations gives them."""


def _parse_flags(prop: Property, cursor: OpParser) -> list[str]:
    cases = prop.constraint.cases
    message = f"expected one of [{', '.join(cases)}] for {prop.constraint.summary}"
    cursor.expect("<")
    words = [cursor.keyword(cases, message)]
    while cursor.accept(",") or cursor.accept("|"):
        words.append(cursor.keyword(cases, message))
    cursor.expect(">")
    return words


def _parse_types(name: str, definition: OpDefinition, cursor: OpParser, parsed: ParsedOp) -> None:
    arities = [group.arity for group in (*definition.operands, *definition.results) if group.name == name]
    if arities and arities[0] is Arity.ONE:
        parsed.types[name] = [cursor.type()]
    else:
        parsed.types[name] = cursor.optional_type_list()


def _parse_clauses(
    clauses: tuple[tuple[Directive, ...], ...], definition: OpDefinition, cursor: OpParser, parsed: ParsedOp
) -> None:
    seen: set[int] = set()
    while True:
        found = next((i for i, clause in enumerate(clauses) if _is_present(clause[0], definition, cursor)), None)
        if found is None:
            return
        if found in seen:
            literal = clauses[found][0]
            cursor.fail(f"`{literal.text if isinstance(literal, Literal) else '?'}` clause can appear at most once")
        seen.add(found)
        for directive in clauses[found]:
            if isinstance(directive, Variable) and (prop := definition.property_map.get(directive.name)) is not None:
                if prop.constraint.form is AttributeForm.UNIT:
                    parsed.attributes[prop.name] = _unit()
            parse_directive(directive, definition, cursor, parsed)
