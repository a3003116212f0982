"""A dialect from its description: a TOML file that reads like a specification (`docs/dialects.md`).

Reading one costs little; an operation, type or attribute is made of its table when its name is first met, and is
remembered. What is wrong with a table is a `Mistake` with its place, and the definition it belongs to is not there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from fathom.irdl.code import DialectCode
from fathom.irdl.definition import OpDefinition
from fathom.irdl.description_scope import DescriptionScope
from fathom.irdl.dialect import Dialect
from fathom.irdl.enumerations import Enumeration
from fathom.irdl.expressions import Call, DescriptionError, Entry, NotUnderstood, parse_entry
from fathom.irdl.lazy import Lazy
from fathom.irdl.operation_reader import OPERATION_KEYS, read_operation
from fathom.irdl.sections import Mistake, Sections, Table
from fathom.irdl.tables import TableReader
from fathom.records import replace
from fathom.slices import rest

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.types import Type
    from fathom.irdl.parameter_directives import ParameterDefinition
    from fathom.irdl.parametric import Parametric
    from fathom.irdl.readers import ParameterReader

GENERIC: Final = "generic"
"""What `allow_unknown_operations` says where these may stand in the generic form only."""
ALLOWING: Final = {kind: f"allow_unknown_{kind}" for kind in ("operations", "types", "attributes")}
TOP_KEYS: Final = frozenset(("dialect", "summary", "checked", "namespace", "extends", *ALLOWING.values()))
KINDS: Final = frozenset(("op", "class", "type", "attribute", "enum", "constraint"))
TYPE_KEYS: Final = frozenset(
    ("summary", "description", "dialect", "mnemonic", "definition", "parameters", "syntax", "traits", "opaque")
)
ENUM_KEYS: Final = frozenset(
    ("summary", "cases", "width", "bits", "separator", "primary_groups", "groups", "noun", "namespace")
)
_DIALECT_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_$]*")
"""What MLIR takes for the namespace of a dialect (`Dialect::isValidNamespace`)."""
_OPERATION_NAME: Final = re.compile(r"[A-Za-z0-9_$.]+")
"""What may follow `dialect.` in a bare identifier (*MLIR Language Reference*, "Identifiers and keywords")."""


_KEPT: Final = "it is kept as it is written, with the operations in whose text it stands without its name"


class Description:
    """The description of one dialect: its definitions, as they are asked for, and what is wrong with it."""

    def __init__(self, text: str, origin: str, code: DialectCode | None = None) -> None:
        """`origin` names the file in mistakes; `code` is what the dialect has beside its description, if anything."""
        self.code: Final = code or DialectCode()
        self._own_code: Final = code
        self.sections: Final = Sections(text, origin)
        top = TableReader(self.sections, "", "", self.sections.top)
        self.name: Final = top.text("dialect")
        self.namespace: Final = top.text("namespace") or f"::mlir::{self.name}"
        self.checked: Final = top.how_checked() or "complete"
        self.admits: Final = self.sections.top.get(ALLOWING["operations"]) == GENERIC
        self.extends: Final = top.flag("extends")
        self.all_operations: Final = self.admits or self._has_all(top, "operations")
        self.all_types: Final = self._has_all(top, "types")
        self.all_attributes: Final = self._has_all(top, "attributes")
        self._check_top(top)
        self.enumerations: Final[Mapping[str, Enumeration]] = Lazy(lambda: self._names("enum"), self._enumeration)
        self.types: Final[Mapping[str, Parametric]] = Lazy(lambda: self._names("type"), self._type)
        self.attributes: Final[Mapping[str, Parametric]] = Lazy(lambda: self._names("attribute"), self._attribute)
        self.operations: Final[Mapping[str, OpDefinition]] = Lazy(self._operation_names, self._operation)
        self.scope: Final = DescriptionScope(self)

    # ---- as a whole

    @property
    def mistakes(self) -> list[Mistake]:
        """What has been found wrong so far."""
        return self.sections.mistakes

    def check(self) -> list[Mistake]:
        """Makes all definitions, and says what is wrong with any."""
        for definitions in (self.enumerations, self.types, self.attributes, self.operations):
            for _ in definitions:
                rest()
        for name in self._names("constraint"):
            self.scope.own_type(name)
            self.scope.own_attribute(name)
        for name in self._names("class"):
            table = TableReader(self.sections, "class", name, self.sections.table("class", name))
            table.only(OPERATION_KEYS)
        known = {*self._names("op")}
        for name in (name for name in known if not _OPERATION_NAME.fullmatch(name)):
            self._report(f"no operation can be called '{name}'", "op", name)
        for name in self.code.operations.keys() - known:
            self._report(f"code is given for the operation '{name}', which is not described", "", "")
        return self.mistakes

    @property
    def kept(self) -> list[Mistake]:
        """What is not understood, of what was looked at so far: texts of it are kept as they are written."""
        return self.sections.kept

    def dialect(self) -> Dialect:
        """The dialect that is described."""
        by_mnemonic = {self._mnemonic("type", name): name for name in self._own("type")}
        attributes = {self._mnemonic("attribute", name): name for name in self._own("attribute")}
        return Dialect(
            self.name,
            self.operations,
            Lazy(lambda: list(by_mnemonic), lambda name: _type_reader(self.types.get(by_mnemonic[name]))),
            Lazy(
                lambda: list(attributes),
                lambda name: _attribute_reader(self.attributes.get(attributes[name])),
            ),
            complete=self.completes,
            admits=self.admits,
            all_types=self.all_types,
            all_attributes=self.all_attributes,
            extends=self.extends,
            code=self._own_code,
            aspects=self.code.aspects,
        )

    @property
    def completes(self) -> bool:
        """Whether an operation that is not described is none."""
        return not self.extends if self.all_operations is None else self.all_operations

    def _has_all(self, top: TableReader, kind: str) -> bool | None:
        """Whether it says that all of a kind are described, or that others may be; None if it says nothing."""
        return not top.flag(ALLOWING[kind]) if ALLOWING[kind] in top.table else None

    def _check_top(self, top: TableReader) -> None:
        if self.sections.mistakes:
            return
        if not self.name:
            top.report('a description begins with `dialect = "name"`')
        elif not _DIALECT_NAME.fullmatch(self.name):
            top.report(f"no dialect can be called '{self.name}'", "dialect")
        top.only(TOP_KEYS | KINDS)
        for kind in self.sections.top.keys() & KINDS:
            tables = self.sections.top[kind]
            if not isinstance(tables, dict):
                top.report(f"expected tables, such as [{kind}.NAME]", kind)
                continue
            for name in (name for name, table in tables.items() if not isinstance(table, dict)):
                TableReader(self.sections, kind, "", self.sections.top).report("expected a table", name)
        for kind in self.sections.kinds:
            if kind not in KINDS:
                from difflib import get_close_matches

                near = get_close_matches(kind, KINDS, 1)
                hint = f"; did you mean '{near[0]}'?" if near else ""
                names = self.sections.names(kind)
                self._report(f"unknown kind of table '{kind}'{hint}", kind, names[0] if names else "")

    def _report(self, message: str, kind: str, name: str, key: str = "") -> None:
        self.mistakes.append(self.sections.mistake(message, kind, name, key))

    def _names(self, kind: str) -> list[str]:
        return self.sections.names(kind)

    def _own(self, kind: str) -> list[str]:
        """The types or attributes that are not those of another dialect."""
        return [name for name in self._names(kind) if "dialect" not in self.sections.table(kind, name)]

    def _mnemonic(self, kind: str, name: str) -> str:
        mnemonic = self.sections.table(kind, name).get("mnemonic", name)
        return mnemonic if isinstance(mnemonic, str) else name

    def table_of(self, kind: str, mnemonic: str) -> str | None:
        """The name of the table of the dialect's own type or attribute that is written so; None where there is none."""
        return next((name for name in self._own(kind) if self._mnemonic(kind, name) == mnemonic), None)

    # ---- operations

    def _operation_names(self) -> list[str]:
        return [f"{self.name}.{name}" for name in self._names("op")]

    def _operation(self, full_name: str) -> OpDefinition | None:
        name = full_name.removeprefix(f"{self.name}.")
        table = self._inherited(name)
        reader = TableReader(self.sections, "op", name, table)
        return read_operation(reader, full_name, self.scope, self.code, self.checked)

    def _inherited(self, name: str) -> Table:
        """The table of an operation with what it takes from its classes: traits add up, all else is replaced."""
        table = self.sections.table("op", name)
        seen: set[str] = set()
        while isinstance(base := table.get("like"), str):
            if base in seen or not self.sections.has("class", base):
                what = "refers to itself" if base in seen else "is not described"
                self._report(f"the class '{base}' {what}", "op", name, "like")
                return {key: value for key, value in table.items() if key != "like"}
            seen.add(base)
            outer = self.sections.table("class", base)
            merged = {**outer, **{key: value for key, value in table.items() if key != "like"}}
            first, second = outer.get("traits"), table.get("traits")
            if isinstance(first, list) and isinstance(second, list):
                merged["traits"] = [*first, *second]
            table = merged
        return table

    # ---- types and attributes

    def _type(self, name: str) -> Parametric | None:
        return self._parametric("type", name, is_type=True)

    def _attribute(self, name: str) -> Parametric | None:
        return self._parametric("attribute", name, is_type=False)

    def _parametric(self, kind: str, name: str, *, is_type: bool) -> Parametric | None:
        # Many dialects have no types and attributes of their own.
        from fathom.irdl.parametric import Parametric

        table = TableReader(self.sections, kind, name, self.sections.table(kind, name))
        table.only(TYPE_KEYS)
        body = self.code.bodies.get(name)
        opaque = table.flag("opaque") or (self.checked == "declared" and self._holds_kept(kind, name, set()))
        parameters = table.each("parameters", lambda text: self._parameter(parse_entry(text)))
        syntax = table.text("syntax")
        if parameters and "syntax" not in table.table:
            table.report("parameters need a `syntax` that says how they are written")
        made: list[Parametric] = []

        def make(text: str) -> None:
            read = Parametric(
                table.text("dialect") or self.name,
                table.text("mnemonic") or name,
                name,
                is_type,
                () if opaque else tuple(parameters),
                None,
                self.code.customs,
                table.text("summary"),
                self.code.parameters.get(name),
                frozenset(table.texts("traits")),
                table.text("definition"),
                opaque,
            )
            try:
                if body is not None:
                    made.append(body.complete(read))
                else:
                    made.append(read if opaque else replace(read, assembly=text or None))
            except NotUnderstood as error:
                if self.checked == "complete":
                    raise
                table.keep(f"{error.message}: {_KEPT}", "syntax", error.column)
                made.append(replace(read, parameters=(), opaque=True))

        if table.is_sound:
            table.at("syntax", syntax, make)
            if opaque and body is None and table.flag("opaque") and "dialect" not in table.table:
                table.keep(f"only C++ reads what stands in it: {_KEPT}", "")
        return made[0] if made and table.is_sound else None

    def _holds_kept(self, kind: str, name: str, seen: set[str]) -> bool:
        """Whether a type or attribute has another in it that only code reads, and that stands there without its name,
        so that nobody can tell where it ends."""
        seen.add(name)
        parameters = self.sections.table(kind, name).get("parameters", [])
        for text in parameters if isinstance(parameters, list) else ():
            inner = _innermost(text) if isinstance(text, str) else ""
            for what in ("type", "attribute"):
                if inner in seen or not self.sections.has(what, inner):
                    continue
                is_kept = bool(self.sections.table(what, inner).get("opaque")) and inner not in self.code.bodies
                if is_kept or self._holds_kept(what, inner, seen):
                    return True
        return False

    def _parameter(self, entry: Entry) -> ParameterDefinition:
        from fathom.irdl.parameter_directives import ParameterDefinition
        from fathom.irdl.parameters import kind_of

        call = entry.constraint
        if call is None:
            raise DescriptionError("a parameter needs a kind: `name: kind`", len(entry.name))
        if call.name == "AttributeSelfTypeParameter":
            kind = kind_of(Call("Type"), self.scope)
            return ParameterDefinition(entry.name, kind, optional=True, own_type=True)
        kind = kind_of(call, self.scope)
        if call.name == "OptionalArrayRefParameter":
            return ParameterDefinition(entry.name, kind, optional=True, default=())
        default = entry.default
        if default is None:
            return ParameterDefinition(entry.name, kind, optional=call.name == "OptionalParameter")
        return ParameterDefinition(entry.name, kind, default=self.scope.parameter_default(kind, entry))

    # ---- enumerations

    def _enumeration(self, name: str) -> Enumeration | None:
        table = TableReader(self.sections, "enum", name, self.sections.table("enum", name))
        table.only(ENUM_KEYS)
        bits = table.flag("bits")
        cases = table.table.get("cases")
        numbered: dict[str, int] = {}
        if isinstance(cases, list):
            for index, case in enumerate(cases):
                if str(case) in numbered:
                    table.report(f"the case '{case}' is there twice", "cases")
                numbered[str(case)] = (1 << index) if bits else index
        elif isinstance(cases, dict):
            for case, number in cases.items():
                if isinstance(number, int):
                    numbered[case] = number
                else:
                    table.report(f"the number of the case '{case}' is no integer", "cases")
        if not numbered:
            table.report("an enumeration needs `cases`: a list of keywords, or a table of keywords and numbers")
        width = table.integer("width", 32)
        separator = table.text("separator") or "|"
        if not table.is_sound:
            return None
        primary = table.flag("primary_groups")
        full = f"{table.text('namespace') or self.namespace}::{name}"
        summary, noun = table.text("summary"), table.text("noun")
        groups = tuple(table.texts("groups"))
        return Enumeration(full, numbered, width, bits, separator, primary, summary, noun, groups)


def _innermost(parameter: str) -> str:
    """The name of what a parameter is, or is a list of; empty where that cannot be told."""
    try:
        call = parse_entry(parameter).constraint
    except DescriptionError:
        return ""
    while call is not None and call.arguments and isinstance(call.arguments[0], Call):
        call = call.arguments[0]
    return call.name if call is not None else ""


def _type_reader(definition: Parametric | None) -> Callable[[ParameterReader], Type] | None:
    """What reads a type of this definition; None where there is none, or only code reads it."""
    from fathom.irdl.parametric import reader_of

    return reader_of(definition) if definition is not None and not definition.opaque else None


def _attribute_reader(definition: Parametric | None) -> Callable[[ParameterReader], Attribute] | None:
    """The same for an attribute."""
    from fathom.irdl.parametric import attribute_reader_of

    return attribute_reader_of(definition) if definition is not None and not definition.opaque else None
