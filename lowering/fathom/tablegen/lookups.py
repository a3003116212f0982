"""The rules of operations that look at records and types: `!cast`, `!isa`, `!exists`, `!instances` and such."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from fathom.tablegen.definitions import Definition, FieldKind
from fathom.tablegen.mistakes import Refused
from fathom.tablegen.references import AnonymousName, DefTerm, Variable
from fathom.tablegen.sequences import List
from fathom.tablegen.strings import matches, string
from fathom.tablegen.terms import CHARACTERS_FOR_A_STEP, UNSET, Int, String, Term, int_of, shown
from fathom.tablegen.types import STRING, UNKNOWN, RecordType, Type

if TYPE_CHECKING:
    from fathom.tablegen.operations import Operation, Rule
    from fathom.tablegen.resolvers import Resolver


def _cast(of: Operation, at: Resolver) -> Term | None:
    value = of.operands[0]
    if of.type is STRING:
        if isinstance(value, String):
            return value
        if isinstance(value, DefTerm):
            return String(value.text)
        number = int_of(value)
        if number is not None:
            return String(str(number))
    elif isinstance(of.type, RecordType) and isinstance(value, String):
        return _record_of_name(of, value.value, of.type, at)
    return value.convert(of.type)


def _record_of_name(of: Operation, name: str, expected: RecordType, at: Resolver) -> Term | None:
    definition = at.keeper.record_named(name)
    if definition is None and at.record is not None and _is_named(at.record, name):
        # A record may name itself, but its type is only known when it is finished.
        if not at.final:
            return None
        definition = at.record
    places = at.record.places if at.record else ()
    if definition is None:
        if at.final:
            raise Refused(f"Undefined reference to record: '{name}'\n", *places)
        return None
    if not definition.term.type.is_a(expected):
        message = f"Expected type '{expected.text}', got '{definition.term.type.text}' in: {shown(of)}\n"
        raise Refused(message, *places)
    return definition.term


def _is_named(record: Definition, name: str) -> bool:
    return isinstance(record.name, String | AnonymousName) and record.name.unquoted == name


def _isa(of: Operation, at: Resolver) -> Term | None:
    value = of.operands[0]
    asked = _asked(of)
    if value.type is UNKNOWN:
        return None
    if value.type.converts_to(asked):
        return Int(1)
    if not isinstance(asked, RecordType):
        return Int(0)
    if isinstance(value, DefTerm) or (value.concrete and not asked.converts_to(value.type)):
        return Int(0)
    return None


def _exists(of: Operation, at: Resolver) -> Term | None:
    name = of.operands[0]
    if not isinstance(name, String):
        return None
    asked = _asked(of)
    definition = at.keeper.record_named(name.value)
    if definition is not None:
        return Int(int(definition.term.type.is_a(asked)))
    if at.record is not None and _is_named(at.record, name.value):
        return Int(int(at.record.made_type().is_a(asked))) if at.final else None
    return Int(0) if at.final else None


def _instances(of: Operation, at: Resolver) -> Term | None:
    expression = of.operands[0]
    if (at.record is not None and not at.final) or not isinstance(expression, String):
        return None
    asked = _asked(of)
    at.keeper.work_on_list(len(at.keeper.defs))
    definitions = [
        instance
        for instance in at.keeper.instances_of(asked.text)
        if matches(at, expression.value, instance.written_name)
    ]
    definitions.sort(key=lambda definition: _by_numbers(definition.written_name))
    return List(tuple(definition.term for definition in definitions), asked)


def _by_numbers(name: str) -> list[tuple[int, int, str]]:
    """An order in which numbers in names count as numbers."""
    return [
        (ord("0"), len(part), part) if part[0].isdigit() else (ord(part), 0, "")
        for part in re.findall(r"[0-9]+|[^0-9]", name)
    ]


def _asked(of: Operation) -> Type:
    assert of.checked is not None
    return of.checked


def _initialized(of: Operation, at: Resolver) -> Term | None:
    value = of.operands[0]
    if value is UNSET:
        return Int(0)
    return Int(1) if value.concrete else None


def _repr(of: Operation, at: Resolver) -> Term | None:
    value = of.operands[0]
    if not value.concrete:
        return None
    of_record = value.definition.fields.values() if isinstance(value, DefTerm) else ()
    at.keeper.work_on_text(CHARACTERS_FOR_A_STEP * (value.size + sum([field.value.size for field in of_record])))
    return string(at, record_text(value.definition) if isinstance(value, DefTerm) else value.text)


def record_text(of: Definition) -> str:
    """A record as llvm-tblgen prints it: those fields first that were declared with `field`."""
    classes = of.all_superclasses
    lines = [
        f"{of.written_name} {{"
        + "".join(["\t//", *(f" {class_.written_name}" for class_ in classes)] if classes else [])
    ]
    for open_ones in (True, False):
        for field in of.fields.values():
            is_open = field.kind is FieldKind.MAY_STAY_OPEN
            if is_open is open_ones and field.name not in of.arguments:
                type_ = "code" if isinstance(field.value, String) and field.value.is_code else field.type.text
                prefix = "field " if is_open else ""
                lines.append(f"  {prefix}{type_} {field.name} = {field.value.text};")
    return "\n".join([*lines, "}", ""])


def _subst(of: Operation, at: Resolver) -> Term | None:
    sought, new, value = of.operands
    if isinstance(sought, DefTerm) and isinstance(new, DefTerm) and isinstance(value, DefTerm):
        return new if sought.text == value.text else value
    if isinstance(sought, Variable) and isinstance(new, Variable) and isinstance(value, Variable):
        return Variable(new.name if sought.name == value.name else value.name, of.type)
    if isinstance(sought, String) and isinstance(new, String) and isinstance(value, String):
        if not sought.value:
            return String(value.value)
        at.keeper.work_on_text(len(value.value) + value.value.count(sought.value) * len(new.value))
        return string(at, value.value.replace(sought.value, new.value))
    return None


RULES: Final[Mapping[str, Rule]] = {
    "cast": _cast,
    "isa": _isa,
    "exists": _exists,
    "instances": _instances,
    "initialized": _initialized,
    "repr": _repr,
    "subst": _subst,
}
