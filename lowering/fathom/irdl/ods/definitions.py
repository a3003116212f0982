"""Types and attributes that dialects define, as tables of a description.

One that C++ reads and writes is `opaque`: its name is known, and its text is kept as it is written. So are the types of
other dialects, which may be read by code of theirs. Source of the rules:
*Defining Dialects*, "Attributes and Types".
"""

from __future__ import annotations

import re
from typing import Final

from fathom.irdl.expressions import Call, spell
from fathom.irdl.ods.classes import ATTRIBUTE_CLASSES, CPP_PARAMETERS, TYPE_CLASSES
from fathom.irdl.ods.constraints import constraint
from fathom.irdl.ods.draft import Draft, plain
from fathom.irdl.ods.enumerations import case_of, enumeration
from fathom.irdl.parameters import ATTRIBUTE_PARAMETERS, INTEGER_PARAMETERS, TYPE_PARAMETERS
from fathom.irdl.sections import Table
from fathom.tablegen.records import Record, Ref, Value

_LIST: Final = re.compile(r"(?:llvm::)?(?:ArrayRef|SmallVector)<(.*?)(?:,\s*\d+)?>")
_OPTIONAL: Final = re.compile(r"(?:std|llvm)::optional<(.*)>")
_NUMBER: Final = re.compile(r"-?\d+")
_STRING: Final = re.compile(r'"[^"\\]*"')


def defined(draft: Draft, record: Record) -> Call | None:
    """The name of a type or attribute, whose table is there then; None for one without a name in texts."""
    dialect, is_type = draft.dialect_of(record), record.is_a("TypeDef")
    if dialect == "builtin":
        classes = TYPE_CLASSES if is_type else ATTRIBUTE_CLASSES
        known = classes.get(record.string("cppClassName") or "")
        return Call(known) if known else None
    mnemonic = record.string("mnemonic")
    if not mnemonic:
        return None
    kind, name = ("type" if is_type else "attribute"), table_name(record)
    draft.table(kind, name, lambda: _table(draft, record, dialect), record)
    return Call(name)


def table_name(record: Record) -> str:
    """The name of the table of a type or attribute: that of its class."""
    return record.string("cppClassName") or record.name


def _table(draft: Draft, record: Record, dialect: str) -> Table:
    table: Table = {}
    if summary := record.string("summary"):
        table["summary"] = summary
    if dialect != draft.name:
        table["dialect"] = dialect
    table["mnemonic"] = record.string("mnemonic") or ""
    if record.name != table_name(record):
        table["definition"] = record.name
    parameters = _parameters(draft, record)
    syntax = record.string("assemblyFormat")
    has_own_type_alone = bool(parameters) and all(
        parameter.endswith(": AttributeSelfTypeParameter") for parameter in parameters
    )
    is_foreign = dialect != draft.name and record.is_a("TypeDef")
    if record.bit("hasCustomAssemblyFormat") or is_foreign or parameters is None:
        table["opaque"] = True
    elif has_own_type_alone:
        table["parameters"], table["syntax"] = [*parameters], syntax or ""
    elif parameters and not syntax:
        table["opaque"] = True
    else:
        if parameters:
            table["parameters"] = [*parameters]
        if syntax or parameters:
            table["syntax"] = " ".join((syntax or "").split())
    traits = [*_traits(draft, record)]
    if record.bit("genMnemonicAlias"):
        traits.append("MnemonicAlias")
    if traits:
        table["traits"] = [*traits]
    return table


def _traits(draft: Draft, record: Record) -> list[str]:
    """The names of interfaces and traits."""
    traits: list[str] = []
    for listed in record.list("traits"):
        trait = draft.records.resolve(listed)
        name = trait.string("cppInterfaceName") if trait is not None and trait.is_a("Interface") else None
        name = name or (trait.name if trait is not None and not trait.is_anonymous else None)
        if name:
            traits.append(name)
    return traits


# ---- parameters


def _parameters(draft: Draft, record: Record) -> list[str] | None:
    """The parameters as entries; None where one is of a kind that only C++ reads."""
    dag = record.dag("parameters")
    parameters: list[str] = []
    for value, name in dag or ():
        kind = _parameter(draft, value)
        if kind is None or name is None:
            return None
        parameters.append(f"{name}: {kind}")
    return parameters


def _parameter(draft: Draft, value: Value) -> str | None:
    """The kind of a parameter, with its default."""
    if isinstance(value, str):
        return _spelt(_cpp_kind(draft, value))
    record = draft.records.resolve(value) if isinstance(value, Ref) else None
    if record is None:
        return None
    if not record.is_a("AttrOrTypeParameter"):
        return _spelt(constraint(draft, record))
    cpp = plain(record.string("cppType") or "")
    if record.is_a("AttributeSelfTypeParameter"):
        return "AttributeSelfTypeParameter"
    if record.is_a("EnumParameter"):
        enum = draft.find_enumeration(cpp)
        return f"EnumParameter<{enumeration(draft, enum)}>" if enum is not None else None
    is_string = record.is_a("StringRefParameter")  # Its printer is how all strings are printed.
    if record.string("parser") or (record.string("printer") and not is_string):
        return None
    optional = _OPTIONAL.fullmatch(cpp)
    kind = _cpp_kind(draft, optional[1] if optional else cpp)
    if kind is None:
        return None
    if record.is_a("OptionalArrayRefParameter"):
        return str(Call("OptionalArrayRefParameter", kind.arguments))
    if record.is_a("OptionalParameter"):
        return str(Call("OptionalParameter", (kind,)))
    default = record.string("defaultValue")
    if default is None or (is_string and not default):
        return str(kind)
    written = _default(draft, cpp, default)
    # A default that only C++ can tell is printed where a text has it, as one that is not there is not.
    return str(Call("OptionalParameter", (kind,))) if written is None else f"{kind} = {written}"


def _spelt(kind: Call | None) -> str | None:
    return spell(kind) if kind is not None else None


def _cpp_kind(draft: Draft, cpp: str) -> Call | None:
    """The kind that a type in C++ is."""
    cpp = plain(cpp)
    listed = _LIST.fullmatch(cpp)
    if listed is not None:
        element = _cpp_kind(draft, listed[1])
        return Call("ArrayRefParameter", (element,)) if element is not None else None
    if cpp in CPP_PARAMETERS:
        return Call(CPP_PARAMETERS[cpp])
    if cpp in INTEGER_PARAMETERS or cpp in (
        "bool",
        "Type",
        "Attribute",
        "AffineMap",
        *TYPE_PARAMETERS,
        *ATTRIBUTE_PARAMETERS,
    ):
        return Call(cpp)
    record = draft.find_class(cpp)
    if record is not None:
        return defined(draft, record)
    enum = draft.find_enumeration(cpp)
    if enum is not None:
        return Call(enumeration(draft, enum))
    interface = draft.find_value_interface(cpp)
    return Call(interface) if interface is not None else None


def _default(draft: Draft, cpp: str, default: str) -> str | None:
    default = default.strip()
    enum = draft.find_enumeration(cpp)
    if enum is not None:
        return case_of(draft, enum, default)
    if cpp == "bool" and default in ("true", "false"):
        return default
    if cpp.endswith("StringRef") and _STRING.fullmatch(default):
        return default
    return default if cpp in INTEGER_PARAMETERS and _NUMBER.fullmatch(default) else None
