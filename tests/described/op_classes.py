"""The modules of `fathom.ops`: a class for each operation, and what its parts are, of the definitions of the library.

A part whose name every operation has already (`result`, `operands`, `name`) is left out where it is no operand, result
or region of this one: it is read by the name of its kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import fathom.ops
from fathom.context import default_context
from fathom.ir.operation import OWN_NAMES
from fathom.irdl.constraint import AttributeForm
from fathom.irdl.declared import Property
from fathom.irdl.definition import OpDefinition
from fathom.irdl.groups import Arity
from fathom.irdl.kinds import Kind
from fathom.irdl.named_parts import python_name
from fathom.irdl.stored_kinds import stored_kind
from fathom.irdl.terms import Term

FOLDER: Final = Path(fathom.ops.__file__).parent
CLASSES: Final = {
    "affine map attribute": "AffineMapAttr",
    "array attribute": "ArrayAttr",
    "bool attribute": "IntegerAttr",
    "dense array attribute": "DenseArrayAttr",
    "dictionary attribute": "DictAttr",
    "flat symbol reference attribute": "SymbolRefAttr",
    "float attribute": "FloatAttr",
    "integer attribute": "IntegerAttr",
    "integer set attribute": "IntegerSetAttr",
    "string attribute": "StringAttr",
    "symbol reference attribute": "SymbolRefAttr",
    "type attribute": "TypeAttr",
    "unit attribute": "UnitAttr",
}
"""The classes of attributes by the kinds that descriptions know; any other is an `Attribute`."""
ARITIES: Final = {Arity.ONE: "{}", Arity.OPTIONAL: "{} | None", Arity.VARIADIC: "list[{}]"}


def class_name(name: str) -> str:
    """The class of the operations of a name: `vector.extract_strided_slice` is an `ExtractStridedSliceOp`."""
    words = re.split(r"[._]", name.partition(".")[2])
    joined = "".join(word[:1].upper() + word[1:] for word in words) + "Op"
    return joined if joined.isidentifier() else f"_{joined}"


def property_class(declared: Property) -> str:
    """The class of a property, as Python writes it."""
    constraint = declared.constraint
    kind = stored_kind(constraint.test) if isinstance(constraint.test, Term) else None
    known = CLASSES.get(kind.name, "Attribute") if isinstance(kind, Kind) else "Attribute"
    if constraint.mnemonic:
        known = "EnumAttr"
    if constraint.form is AttributeForm.UNIT:
        known = "Attribute" if declared.native else "UnitAttr"
    return f"{known} | None" if declared.optional and declared.default is None else known


def parts(definition: OpDefinition) -> dict[str, str]:
    """The parts of an operation, each with its class as Python writes it."""
    classes = {prop.name: property_class(prop) for prop in definition.properties}
    groups: tuple[tuple[str, Sequence[Any]], ...] = (
        ("Block", definition.successors),
        ("Region", definition.regions),
        ("OpResult", definition.results),
        ("Value", definition.operands),
    )
    for kind, of_kind in groups:
        classes |= {part.name: ARITIES[part.arity].format(kind) for part in of_kind}
    return {python_name(name): kind for name, kind in classes.items() if name.isidentifier() and not _is_taken(name)}


def _is_taken(name: str) -> bool:
    return name in OWN_NAMES


def texts(dialect: str) -> tuple[str, str]:
    """The module of a dialect, and its stub."""
    known = default_context().dialect(dialect)
    assert known is not None, dialect
    named = sorted((class_name(name), name) for name in known.by_name)
    assert len({class_ for class_, _ in named}) == len(named), f"two operations of {dialect} have one class"
    module = [f'"""The operations of {dialect} (`fathom.ops`). Made by `make dialects`: do not edit."""', ""]
    module += ["from fathom.ops import OpClass", "", *(f'{class_} = OpClass("{name}")' for class_, name in named)]
    stub = "".join(_stub(class_, known.by_name[name]) for class_, name in named)
    stub = re.sub(r"\n{3,}", "\n\n", stub).strip("\n") + "\n"
    return "\n".join([*module, ""]), "\n".join([*_imports(set(re.findall(r"\w+", stub))), "", stub])


def _stub(name: str, definition: OpDefinition) -> str:
    by_part = parts(definition)
    if not by_part:
        return f"class {name}(Operation): ...\n"
    lines = "".join(f"    {part}: Final[{kind}]\n" for part, kind in by_part.items())
    return f"\nclass {name}(Operation):\n{lines}\n"


def _imports(used: set[str]) -> Iterator[str]:
    """What a stub needs."""
    if "Final" in used:
        yield "from typing import Final\n"
    wanted = (
        ("attributes", {"Attribute", "EnumAttr", *CLASSES.values()}),
        ("operation", {"Block", "Operation", "OpResult", "Region", "Value"}),
    )
    for module, names in wanted:
        if names & used:
            yield f"from fathom.ir.{module} import {', '.join(sorted(names & used, key=str.lower))}"


def dialects() -> list[str]:
    """The dialects of the library that have operations."""
    names = default_context().dialect_names()
    return sorted(name for name in names if (known := default_context().dialect(name)) is not None and known.by_name)


def paths(dialect: str) -> tuple[Path, Path]:
    """The files of a module and its stub; the name of `async` has a line behind it, since it is a word of Python."""
    name = python_name(dialect)
    return FOLDER / f"{name}.py", FOLDER / f"{name}.pyi"


def write() -> None:
    """Writes all modules."""
    for dialect in dialects():
        for path, text in zip(paths(dialect), texts(dialect), strict=True):
            path.write_text(text, encoding="utf-8")
