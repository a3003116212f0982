"""What debug information stands for, in a sentence for people: that of the LLVM dialect, and nodes of LLVM IR alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, Protocol, TypeAlias

from fathom.debug_info.correspondence import EXPRESSION, NULL_TYPE, by_attribute
from fathom.ir.attributes import Attribute, IntegerAttr, StringAttr
from fathom.ir.dialect_values import DialectAttr, Parameter
from fathom.ir.locations import CallSiteLoc, FileLineColLoc, FusedLoc, LocationAttr, NameLoc, UnknownLoc
from fathom.records import record

_MOST: Final = 6
"""So many parts of a list are told."""
_BLOCKS: Final = frozenset({"DILexicalBlock", "DILexicalBlockFile"})
_DEEPEST: Final = 4
"""And locations nested so deep: aliases make them as large as nobody reads."""

Step: TypeAlias = "tuple[str, tuple[int | str, ...]]"
"""A step of an expression: DWARF's word, and its arguments."""


class Described(Protocol):
    """An attribute or a node of debug information: its parts are asked for by the names of the attribute's parameters,
    and say nothing (an empty text, 0, None) where there is none."""

    @property
    def kind(self) -> str:
        """The class of the node; empty where it is none that is known."""
        ...

    def text(self, name: str) -> str:
        """A string, or one of DWARF's words."""
        ...

    def number(self, name: str) -> int:
        """A number; 1 for what holds."""
        ...

    def inner(self, name: str) -> Described | None:
        """What it refers to."""
        ...

    def listed(self, name: str) -> Sequence[Described | None]:
        """What it refers to in a list."""
        ...

    def bound(self, name: str) -> int | Described | None:
        """A number, or what gives it."""
        ...

    def steps(self) -> Sequence[Step]:
        """Those of an expression."""
        ...


def told(attribute: Attribute) -> str:
    """The sentence about an attribute of debug information or a location; empty for any other."""
    if isinstance(attribute, LocationAttr):
        return _location(attribute)
    return told_of(_Attribute(attribute)) if isinstance(attribute, DialectAttr) else ""


def told_of(described: Described) -> str:
    """The sentence about what is described; empty for what is of no known kind."""
    tell = _TOLD.get(described.kind)
    return tell(described) if tell is not None else ""


# ---- locations


def _location(location: LocationAttr, depth: int = 0) -> str:
    if depth > _DEEPEST:
        return "…"
    match location:
        case UnknownLoc():
            return "no known place in the source"
        case FileLineColLoc(file, line, column):
            return f"{_position(line, column)} of `{file}`"
        case NameLoc(name, child):
            return f"`{name}`" + (f": {_location(child, depth + 1)}" if child is not None else ", at no known place")
        case CallSiteLoc(callee, caller):
            return f"{_location(callee, depth + 1)}; inlined at {_location(caller, depth + 1)}"
        case FusedLoc(locations, metadata):
            places = " and ".join(_location(part, depth + 1) for part in locations[:_MOST])
            scope = told(metadata) if metadata is not None and not isinstance(metadata, LocationAttr) else ""
            return f"{places}, in {scope}" if scope else places
        case _:
            return ""


def _position(line: int, column: int) -> str:
    return f"line {line}, column {column}" if column else f"line {line}"


# ---- nodes


def _path(file: Described | None) -> str:
    """A file in its directory."""
    if file is None:
        return ""
    name, directory = file.text("name"), file.text("directory")
    return f"{directory.rstrip('/')}/{name}" if directory and not name.startswith("/") else name


def _at(described: Described) -> str:
    """Behind what is told: where it stands in the source."""
    path, line = _path(described.inner("file")), described.number("line")
    if not path:
        return f" in line {line}" if line else ""
    return f" at `{path}:{line}`" if line else f" in `{path}`"


def _within(described: Described) -> str:
    """Behind what is told: in what it stands, if that is no file. Of blocks in one another the innermost is told."""
    scope = described.inner("scope")
    while described.kind in _BLOCKS and scope is not None and scope.kind in _BLOCKS:
        scope = scope.inner("scope")
    said = told_of(scope) if scope is not None and scope.kind != "DIFile" else ""
    return f", in {said}" if said else ""


def _place(described: Described) -> str:
    """Where an instruction comes from."""
    inlined = described.inner("inlinedAt")
    said = _position(described.number("line"), described.number("column")) + _within(described)
    return said + (f"; inlined at {told_of(inlined)}" if inlined is not None else "")


def _named(noun: str) -> Callable[[Described], str]:
    def tell(described: Described) -> str:
        name = described.text("name")
        return (f"the {noun} `{name}`" if name else f"a {noun} without a name") + _at(described)

    return tell


def _type(described: Described | None) -> str:
    """A type, about as C writes it."""
    if described is None:
        return "void"
    name = described.text("name")
    match described.kind:
        case "DIDerivedType":
            base = _type(described.inner("baseType"))
            return name or _DERIVED.get(described.text("tag"), "{}").format(base)
        case "DICompositeType":
            if described.number("isRecSelf"):
                return "the type around it"
            if described.text("tag") == "DW_TAG_array_type":
                bounds = "".join(_bounds(each) for each in described.listed("elements") if each is not None)
                return name or _type(described.inner("baseType")) + bounds
            return f"{_tag(described)} {name}".strip()
        case "DISubroutineType":
            return "a function"
        case "DINullType":
            return "void"
        case _:
            return name or "a type without a name"


_DERIVED: Final = {
    "DW_TAG_pointer_type": "{}*",
    "DW_TAG_reference_type": "{}&",
    "DW_TAG_const_type": "const {}",
}
"""How types that follow from others are written, by their tags."""


def _signature(described: Described) -> str:
    result, *inputs = [_type(type) for type in described.listed("types")] or ["void"]
    return f"the type `{result} ({', '.join(inputs)})` of a function"


def _tag(described: Described) -> str:
    """`DW_TAG_structure_type` is a structure."""
    return described.text("tag").removeprefix("DW_TAG_").removesuffix("_type").replace("_", " ") or "type"


def _bounds(subrange: Described) -> str:
    count, upper = (_bound(subrange.bound(name)) for name in ("count", "upperBound"))
    return f"[{count}]" if count else f"[{_bound(subrange.bound('lowerBound'))}:{upper}]"


def _bound(value: int | Described | None) -> str:
    if value is None:
        return ""
    if isinstance(value, int):
        return str(value)
    return value.text("name") if value.kind in ("DILocalVariable", "DIGlobalVariable") else "…"


def _subrange(subrange: Described) -> str:
    return f"the bounds `{_bounds(subrange)}` of a dimension"


def _sized(described: Described) -> str:
    bits = described.number("sizeInBits")
    return f"the type `{_type(described)}`" + (f", {bits} bits" if bits else "")


def _derived(described: Described) -> str:
    if described.text("tag") != "DW_TAG_member":
        return _sized(described)
    offset = described.number("offsetInBits")
    type = _type(described.inner("baseType"))
    return f"the member `{described.text('name')}` of type `{type}`, {offset} bits from the start"


def _composite(described: Described) -> str:
    parts = described.listed("elements")
    members = [part.text("name") for part in parts if part is not None and part.kind == "DIDerivedType"]
    shown = ", ".join(f"`{name}`" for name in members[:_MOST] if name) + (", …" if len(members) > _MOST else "")
    return _sized(described) + _at(described) + (f", with {shown}" if shown else "")


def _subprogram(described: Described) -> str:
    if described.number("isRecSelf"):
        return "the function around it"
    said = _named("function")(described)
    return said + _within(described) if described.inner("type") is not None else said


def _variable(described: Described) -> str:
    argument, type = described.number("arg"), described.inner("type")
    name = described.text("name")
    noun = f"argument {argument}," if argument else "the variable"
    said = f"{noun} `{name}`" if name else f"{noun} without a name"
    return said + (f" of type `{_type(type)}`" if type is not None else "") + _at(described) + _within(described)


def _global(described: Described) -> str:
    type = _type(described.inner("type"))
    return f"the variable `{described.text('name')}` of type `{type}`{_at(described)}{_within(described)}"


def _block(described: Described) -> str:
    return f"a block{_at(described)}{_within(described)}"


def _unit(described: Described) -> str:
    producer, language = described.text("producer"), described.text("sourceLanguage").removeprefix("DW_LANG_")
    by = f", made by {producer}" if producer else ""
    return f"the compile unit of `{_path(described.inner('file'))}` ({language}){by}"


def _expression(described: Described) -> str:
    """How the place of a variable follows from a value, step by step."""
    steps = [_step(step) for step in described.steps()]
    return ", then ".join(steps) if steps else "the value itself"


def _step(step: Step) -> str:
    opcode, numbers = step
    match step:
        case "DW_OP_deref", ():
            return "what it points to"
        case "DW_OP_plus_uconst", (number,):
            return f"{number} added"
        case "DW_OP_constu" | "DW_OP_consts", (number,):
            return f"the number {number}"
        case "DW_OP_stack_value", ():
            return "that as the value, which is in no memory"
        case "DW_OP_LLVM_fragment", (int(offset), int(size)):
            return f"bits {offset} to {offset + size - 1} of the variable alone"
        case "DW_OP_LLVM_convert", (size, str(encoding)):
            return f"converted to {size} bits ({encoding.removeprefix('DW_ATE_')})"
        case _:
            return f"`{' '.join(map(str, (opcode, *numbers)))}`"


def _global_expression(described: Described) -> str:
    variable = described.inner("var")
    return told_of(variable) if variable is not None else ""


def _entity(described: Described) -> str:
    entity = described.inner("entity")
    return f"an import of {told_of(entity) if entity is not None else 'nothing'}{_within(described)}"


_TOLD: Final[Mapping[str, Callable[[Described], str]]] = {
    "DIBasicType": _sized,
    "DICommonBlock": _named("common block"),
    "DICompileUnit": _unit,
    "DICompositeType": _composite,
    "DIDerivedType": _derived,
    "DIExpression": _expression,
    "DIFile": lambda file: f"the file `{_path(file)}`",
    "DIFixedPointType": _sized,
    "DIGlobalVariable": _global,
    "DIGlobalVariableExpression": _global_expression,
    "DIImportedEntity": _entity,
    "DILabel": _named("label"),
    "DILexicalBlock": _block,
    "DILexicalBlockFile": _block,
    "DILocalVariable": _variable,
    "DILocation": _place,
    "DIModule": _named("module"),
    "DINamespace": lambda namespace: f"the namespace `{namespace.text('name')}`",
    "DINullType": lambda _: "no type: `void`, or the end of arguments of any number",
    "DIStringType": _sized,
    "DISubprogram": _subprogram,
    "DISubrange": _subrange,
    "DIGenericSubrange": _subrange,
    "DISubroutineType": _signature,
}
"""What is told of nodes, by their classes."""


# ---- attributes

_OTHER_KINDS: Final = {EXPRESSION: "DIExpression", NULL_TYPE: "DINullType"}
"""The classes of nodes that attributes stand for, but for those that stand in the table of both."""


@record
class _Attribute:
    """Debug information of the LLVM dialect."""

    attribute: DialectAttr

    @property
    def kind(self) -> str:
        name = self.attribute.full_name
        known = by_attribute().get(name)
        return known.kind if known is not None else _OTHER_KINDS.get(name, "")

    def text(self, name: str) -> str:
        value = self._parameter(name)
        return value.value if isinstance(value, StringAttr) else value if isinstance(value, str) else ""

    def number(self, name: str) -> int:
        value = self._parameter(name)
        return value if isinstance(value, int) else 0

    def inner(self, name: str) -> Described | None:
        value = self._parameter(name)
        return _Attribute(value) if isinstance(value, DialectAttr) else None

    def listed(self, name: str) -> Sequence[Described]:
        value = self._parameter(name)
        return [_Attribute(each) for each in value if isinstance(each, DialectAttr)] if isinstance(value, tuple) else []

    def bound(self, name: str) -> int | Described | None:
        value = self._parameter(name)
        return value.value if isinstance(value, IntegerAttr) else self.inner(name)

    def steps(self) -> Sequence[Step]:
        steps: list[Step] = []
        operations = self._parameter("operations")
        for step in operations if isinstance(operations, tuple) else ():
            if isinstance(step, DialectAttr):
                opcode, arguments = step.parameters
                numbers = arguments if isinstance(arguments, tuple) else ()
                steps.append((str(opcode), tuple(n if isinstance(n, (int, str)) else str(n) for n in numbers)))
        return steps

    def _parameter(self, name: str) -> Parameter:
        return self.attribute.parameter(name) if name in self.attribute.definition.names else None
