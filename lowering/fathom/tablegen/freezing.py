"""Finished records as the values that everybody else works with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from fathom.slices import rest
from fathom.tablegen.definitions import Definition, FieldKind
from fathom.tablegen.limits import DEEPEST_NESTING
from fathom.tablegen.mistakes import Place, file_of, offset_of
from fathom.tablegen.records import Bits as BitsValue
from fathom.tablegen.records import Code, Dag, Location, Record, Records, Ref, Unresolved, Value
from fathom.tablegen.references import DefTerm, Variable
from fathom.tablegen.sequences import DagTerm, List
from fathom.tablegen.stream import File
from fathom.tablegen.terms import Bit, BitOf, Bits, Int, String, Term, Unset, shown


def location_of(place: Place, files: Sequence[File]) -> Location:
    """A place by its file, line and column."""
    file = files[file_of(place)]
    return file.text.location(file.path, offset_of(place))


class _Locations(Mapping[str, Location]):
    """Where fields are, worked out when somebody asks."""

    def __init__(self, places: Mapping[str, Place], files: Sequence[File]) -> None:
        self._places = places
        self._files = files

    def __getitem__(self, name: str) -> Location:
        return location_of(self._places[name], self._files)

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


def frozen_records(defs: Mapping[str, Definition], classes: Sequence[str], files: Sequence[File]) -> Records:
    """All records, in the order of their names. One that was frozen before is the same record again."""
    frozen_defs: dict[str, Record] = {}
    for name in sorted(defs):
        rest()
        frozen_defs[name] = frozen_record(defs[name], files)
    return Records(frozen_defs, tuple(sorted(classes)))


def frozen_record(of: Definition, files: Sequence[File]) -> Record:
    if of.frozen is None:
        fields = {name: field for name, field in of.fields.items() if name not in of.argument_names}
        of.frozen = Record(
            of.written_name,
            tuple([superclass.written_name for superclass in of.all_superclasses]),
            {name: frozen(field.value) for name, field in fields.items()},
            of.is_anonymous,
            tuple([location_of(place, files) for place in of.places]),
            tuple([name for name, field in fields.items() if field.kind is FieldKind.MAY_STAY_OPEN]),
            _Locations({name: field.place for name, field in fields.items()}, files),
        )
    return of.frozen


def frozen(term: Term, left: int = DEEPEST_NESTING) -> Value:
    """A value in its final form. `left` is how many levels may be in each other: nobody goes further down."""
    rest()
    if left == 0:
        return Unresolved("complex", "…")
    match term:
        case String():
            return Code(term.value) if term.is_code else term.value
        case Bit() | Int():
            return term.value
        case Unset():
            return None
        case DefTerm():
            return Ref(term.definition.written_name)
        case List():
            return tuple([frozen(element, left - 1) for element in term.elements])
        case DagTerm():
            return Dag(
                frozen(term.operator, left - 1),
                tuple([frozen(argument, left - 1) for argument in term.arguments]),
                tuple([None if name is None else name.value for name in term.names]),
                None if term.operator_name is None else term.operator_name.value,
            )
        case Bits():
            return BitsValue(tuple([_frozen_bit(bit) for bit in term.bits]))
        case Variable():
            return Unresolved("var", term.name, term.name)
        case BitOf(of=Variable(name=name)):
            return Unresolved("varbit", term.text, name, term.index)
        case _:
            return Unresolved("complex", shown(term))


def _frozen_bit(term: Term) -> bool | Unresolved | None:
    value = frozen(term)
    if isinstance(value, bool | Unresolved) or value is None:
        return value
    return bool(value)
