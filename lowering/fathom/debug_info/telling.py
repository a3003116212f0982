"""What debug information stands for, in a sentence for people."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from fathom.ir.attributes import Attribute, IntegerAttr, StringAttr
from fathom.ir.dialect_values import DialectAttr, Parameter
from fathom.ir.locations import CallSiteLoc, FileLineColLoc, FusedLoc, LocationAttr, NameLoc, UnknownLoc

_MOST: Final = 6
"""So many parts of a list are told."""
_DEEPEST: Final = 4
"""And locations nested so deep: aliases make them as large as nobody reads."""
_PREFIX: Final = "llvm."


def told(attribute: Attribute) -> str:
    """The sentence about an attribute of debug information or a location; empty for any other."""
    if isinstance(attribute, LocationAttr):
        return _location(attribute)
    if not isinstance(attribute, DialectAttr):
        return ""
    tell = _TOLD.get(attribute.full_name.removeprefix(_PREFIX))
    return tell(attribute) if tell is not None else ""


# ---- locations


def _location(location: LocationAttr, depth: int = 0) -> str:
    if depth > _DEEPEST:
        return "…"
    match location:
        case UnknownLoc():
            return "no known place in the source"
        case FileLineColLoc(file, line, column):
            return f"line {line}, column {column} of `{file}`"
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


# ---- attributes


def _text(attribute: DialectAttr, name: str) -> str:
    value = attribute.parameter(name)
    return value.value if isinstance(value, StringAttr) else ""


def _number(attribute: DialectAttr, name: str) -> int:
    value = attribute.parameter(name)
    return value if isinstance(value, int) else 0


def _inner(attribute: DialectAttr, name: str) -> DialectAttr | None:
    value = attribute.parameter(name)
    return value if isinstance(value, DialectAttr) else None


def _listed(attribute: DialectAttr, name: str) -> list[DialectAttr]:
    value = attribute.parameter(name)
    return [each for each in value if isinstance(each, DialectAttr)] if isinstance(value, tuple) else []


def _path(file: DialectAttr | None) -> str:
    """A file in its directory."""
    if file is None:
        return ""
    name, directory = _text(file, "name"), _text(file, "directory")
    return f"{directory.rstrip('/')}/{name}" if directory and not name.startswith("/") else name


def _at(attribute: DialectAttr) -> str:
    """Behind what is told: where it stands in the source."""
    path, line = _path(_inner(attribute, "file")), _number(attribute, "line")
    if not path:
        return f" in line {line}" if line else ""
    return f" at `{path}:{line}`" if line else f" in `{path}`"


def _within(attribute: DialectAttr, name: str = "scope") -> str:
    """Behind what is told: in what it stands, if that is no file."""
    scope = _inner(attribute, name)
    if scope is None or scope.full_name == "llvm.di_file":
        return ""
    said = told(scope)
    return f", in {said}" if said else ""


def _named(noun: str) -> Callable[[DialectAttr], str]:
    def tell(attribute: DialectAttr) -> str:
        name = _text(attribute, "name")
        return (f"the {noun} `{name}`" if name else f"a {noun} without a name") + _at(attribute)

    return tell


def _type(attribute: Attribute | Parameter) -> str:
    """A type, about as C writes it."""
    if not isinstance(attribute, DialectAttr):
        return "void"
    name = _text(attribute, "name") if "name" in attribute.definition.names else ""
    match attribute.full_name.removeprefix(_PREFIX):
        case "di_derived_type":
            base = _type(attribute.parameter("baseType"))
            match attribute.parameter("tag"):
                case "DW_TAG_pointer_type":
                    return name or f"{base}*"
                case "DW_TAG_reference_type":
                    return name or f"{base}&"
                case "DW_TAG_const_type":
                    return name or f"const {base}"
                case _:
                    return name or base
        case "di_composite_type":
            if attribute.parameter("isRecSelf"):
                return "the type around it"
            if attribute.parameter("tag") == "DW_TAG_array_type":
                bounds = "".join(map(_bounds, _listed(attribute, "elements")))
                return name or _type(attribute.parameter("baseType")) + bounds
            return f"{_tag(attribute)} {name}".strip()
        case "di_subroutine_type":
            return "a function"
        case "di_null_type":
            return "void"
        case _:
            return name or "a type without a name"


def _signature(attribute: DialectAttr) -> str:
    result, *inputs = [_type(type) for type in _listed(attribute, "types")] or ["void"]
    return f"the type `{result} ({', '.join(inputs)})` of a function"


def _tag(attribute: DialectAttr) -> str:
    """`DW_TAG_structure_type` is a structure."""
    return _word(attribute.parameter("tag"), "DW_TAG_").removesuffix("_type").replace("_", " ") or "type"


def _word(value: Parameter, prefix: str) -> str:
    """One of DWARF's words without what all of its kind begin with."""
    return value.removeprefix(prefix) if isinstance(value, str) else ""


def _bounds(subrange: DialectAttr) -> str:
    count, upper = (_bound(subrange.parameter(name)) for name in ("count", "upperBound"))
    lower = _bound(subrange.parameter("lowerBound"))
    return f"[{count}]" if count else f"[{lower}:{upper}]"


def _bound(value: Parameter) -> str:
    match value:
        case IntegerAttr(number):
            return str(number)
        case DialectAttr(full_name="llvm.di_local_variable" | "llvm.di_global_variable"):
            return _text(value, "name")
        case DialectAttr():
            return "…"
        case _:
            return ""


def _sized(attribute: DialectAttr) -> str:
    bits = _number(attribute, "sizeInBits")
    return f"the type `{_type(attribute)}`" + (f", {bits} bits" if bits else "")


def _derived(attribute: DialectAttr) -> str:
    if attribute.parameter("tag") != "DW_TAG_member":
        return _sized(attribute)
    offset = _number(attribute, "offsetInBits")
    type = _type(attribute.parameter("baseType"))
    return f"the member `{_text(attribute, 'name')}` of type `{type}`, {offset} bits from the start"


def _composite(attribute: DialectAttr) -> str:
    members = [_text(member, "name") for member in _listed(attribute, "elements") if member.name == "di_derived_type"]
    shown = ", ".join(f"`{name}`" for name in members[:_MOST] if name) + (", …" if len(members) > _MOST else "")
    return _sized(attribute) + _at(attribute) + (f", with {shown}" if shown else "")


def _subprogram(attribute: DialectAttr) -> str:
    if attribute.parameter("isRecSelf"):
        return "the function around it"
    said = _named("function")(attribute)
    return said + _within(attribute) if _inner(attribute, "type") is not None else said


def _variable(attribute: DialectAttr) -> str:
    argument, type = _number(attribute, "arg"), attribute.parameter("type")
    name = _text(attribute, "name")
    noun = f"argument {argument}," if argument else "the variable"
    said = f"{noun} `{name}`" if name else f"{noun} without a name"
    return said + (f" of type `{_type(type)}`" if type is not None else "") + _at(attribute) + _within(attribute)


def _global(attribute: DialectAttr) -> str:
    type = _type(attribute.parameter("type"))
    return f"the variable `{_text(attribute, 'name')}` of type `{type}`{_at(attribute)}{_within(attribute)}"


def _block(attribute: DialectAttr) -> str:
    return f"a block{_at(attribute)}{_within(attribute)}"


def _unit(attribute: DialectAttr) -> str:
    producer, language = _text(attribute, "producer"), attribute.parameter("sourceLanguage")
    by = f", made by {producer}" if producer else ""
    return f"the compile unit of `{_path(_inner(attribute, 'file'))}` ({_word(language, 'DW_LANG_')}){by}"


def _expression(attribute: DialectAttr) -> str:
    """How the place of a variable follows from a value, step by step."""
    steps = [_step(step) for step in _listed(attribute, "operations")]
    return ", then ".join(steps) if steps else "the value itself"


def _step(step: DialectAttr) -> str:
    opcode, arguments = step.parameters
    numbers = arguments if isinstance(arguments, tuple) else ()
    match opcode, numbers:
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
        case "DW_OP_LLVM_convert", (size, encoding):
            return f"converted to {size} bits ({_word(encoding, 'DW_ATE_')})"
        case _:
            return f"`{' '.join(map(str, (opcode, *numbers)))}`"


def _global_expression(attribute: DialectAttr) -> str:
    variable = _inner(attribute, "var")
    return told(variable) if variable is not None else ""


def _entity(attribute: DialectAttr) -> str:
    entity = _inner(attribute, "entity")
    return f"an import of {told(entity) if entity is not None else 'nothing'}{_within(attribute, 'scope')}"


_TOLD: Final[Mapping[str, Callable[[DialectAttr], str]]] = {
    "di_basic_type": _sized,
    "di_common_block": _named("common block"),
    "di_compile_unit": _unit,
    "di_composite_type": _composite,
    "di_derived_type": _derived,
    "di_expression": _expression,
    "di_file": lambda attribute: f"the file `{_path(attribute)}`",
    "di_global_variable": _global,
    "di_global_variable_expression": _global_expression,
    "di_imported_entity": _entity,
    "di_label": _named("label"),
    "di_lexical_block": _block,
    "di_lexical_block_file": _block,
    "di_local_variable": _variable,
    "di_module": _named("module"),
    "di_namespace": lambda attribute: f"the namespace `{_text(attribute, 'name')}`",
    "di_null_type": lambda attribute: "no type: `void`, or the end of arguments of any number",
    "di_string_type": _sized,
    "di_subprogram": _subprogram,
    "di_subrange": lambda attribute: f"the bounds `{_bounds(attribute)}` of a dimension",
    "di_generic_subrange": lambda attribute: f"the bounds `{_bounds(attribute)}` of a dimension",
    "di_subroutine_type": _signature,
}
"""What is told of attributes, by their names."""
