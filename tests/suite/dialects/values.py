"""Types and attributes of `test` that C++ reads and writes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeVar, cast

from fathom.ir.attributes import ArrayAttr, Attribute, IntegerAttr, StringAttr
from fathom.ir.dialect_values import Parameter
from fathom.ir.types import DYNAMIC, F32, F64, I64, FloatType, Speller, Type
from fathom.irdl.parameter_directives import CustomParameters, refusal
from fathom.irdl.parametric import CustomBody
from fathom.irdl.readers import ParameterReader
from fathom.text.escapes import quote

T = TypeVar("T")


def _numbers(reader: ParameterReader) -> tuple[int, ...]:
    """`1, 2`, as far as there are numbers."""
    numbers: list[int] = []
    while reader.at_kind("INTEGER") or reader.at("-"):
        numbers.append(reader.integer())
        if not reader.accept(","):
            break
    return tuple(numbers)


def _listed(value: Parameter) -> str:
    return ", ".join(map(str, cast("tuple[int, ...]", value)))


# ---- <1, !test.smpla, [5, 6]>


def _read_compound(reader: ParameterReader) -> Sequence[Parameter]:
    width = reader.integer()
    reader.expect(",")
    type = reader.type()
    reader.expect(",")
    reader.expect("[")
    numbers = _numbers(reader)
    reader.expect("]")
    return width, type, numbers


def _spell_compound(values: Sequence[Parameter], of: Speller) -> str:
    width, type, numbers = values
    return f"{width}, {of(cast('Type', type))}, [{_listed(numbers)}]"


_COMPOUND: Final = CustomBody(("widthOfSomething", "oneType", "arrayOfInts"), _read_compound, _spell_compound)


# ---- <signed, 8>

_SIGNS: Final = {word[:count]: word for word in ("unsigned", "signed", "none") for count in (1, len(word))}


def _read_integer(reader: ParameterReader) -> Sequence[Parameter]:
    word = reader.optional_keyword()
    if word is None:
        reader.fail_here("expected valid keyword")
    sign = _SIGNS.get(word.lower())
    if sign is None:
        reader.fail_before("expected signed, unsigned, or none")
    reader.expect(",")
    return reader.integer(), sign


def _spell_integer(values: Sequence[Parameter], of: Speller) -> str:
    del of
    return f"{values[1]}, {values[0]}"


# ---- <{name,i32}, {other,f32}>


def _read_struct(reader: ParameterReader) -> Sequence[Parameter]:
    parameters: list[Parameter] = []
    while reader.accept("{"):
        name = reader.optional_keyword()
        if name is None:
            reader.fail_here("expected valid keyword")
        reader.expect(",")
        type = reader.type()
        reader.expect("}")
        parameters.append((name, type))
        if not reader.accept(","):
            break
    return (tuple(parameters),)


def _spell_struct(values: Sequence[Parameter], of: Speller) -> str:
    fields = cast("tuple[tuple[str, Type], ...]", values[0])
    return ", ".join(f"{{{name},{of(type)}}}" for name, type in fields)


# ---- <7>


def _read_key(reader: ParameterReader) -> Sequence[Parameter]:
    return (reader.integer(),)


def _spell_key(values: Sequence[Parameter], of: Speller) -> str:
    del of
    return str(values[0])


# ---- <a, b, c>


def _read_three(reader: ParameterReader) -> Sequence[Parameter]:
    parameters: list[Parameter] = []
    for lead in ("", ",", ","):
        if lead:
            reader.expect(lead)
        parameters.append(reader.attribute())
    return parameters


def _spell_three(values: Sequence[Parameter], of: Speller) -> str:
    return ", ".join(of(cast("Attribute", value)) for value in values)


# ---- <1 : two = "x", four = [1] : 2 : i64 : 3 : [4], [5 : i8]>


def _read_format(reader: ParameterReader) -> Sequence[Parameter]:
    def parameter(name: str, cpp: str, read: Callable[[], T]) -> T:
        return reader.part(read, refusal("TestAttrWithFormat", name, cpp))

    def numbers() -> tuple[int, ...]:
        reader.expect("[")
        listed = _numbers(reader)
        reader.expect("]")
        return listed

    one = parameter("one", "int64_t", reader.integer)
    reader.expect(":")
    kinds: dict[str, Callable[[], Parameter]] = {
        "two": lambda: parameter("two", "std::string", reader.string),
        "four": lambda: parameter("four", "llvm::SmallVector<int>", numbers),
    }
    parameters: dict[str, Parameter] = {}
    while kinds:
        name = reader.part(lambda: _keyword(reader), "expected a parameter name in struct")
        reader.expect("=")
        read = kinds.pop(name, None)
        if read is None:
            reader.fail_before(f"duplicate or unknown struct parameter name: {name}")
        parameters[name] = read()
        if kinds:
            reader.expect(",")
    reader.expect(":")
    three = parameter("three", "::mlir::IntegerAttr", reader.attribute)
    reader.expect(":")
    five = parameter("five", "uint64_t", reader.integer)
    reader.expect(":")
    six = numbers()
    reader.expect(",")
    reader.expect("[")
    listed = [reader.attribute()]
    while reader.accept(","):
        listed.append(reader.attribute())
    reader.expect("]")
    if len(cast("tuple[int, ...]", parameters["four"])) != one:
        reader.fail("expected 'one' to equal 'four.size()'")
    return one, parameters["two"], parameters["four"], three, five, six, tuple(listed)


def _keyword(reader: ParameterReader) -> str:
    word = reader.optional_keyword()
    if word is None:
        reader.fail_here("expected valid keyword")
    return word


def _spell_format(values: Sequence[Parameter], of: Speller) -> str:
    one, two, four, three, five, six, listed = values
    attributes = ", ".join(of(attribute) for attribute in cast("tuple[Attribute, ...]", listed))
    struct = f'two = "{two}", four = [{_listed(four)}]'
    return f"{one} : {struct} : {of(cast('Attribute', three))} : {five} : [{_listed(six)}], [{attributes}]"


_FORMAT: Final = ("one", "two", "four", "three", "five", "six", "arrayOfAttrWithTypeBuilderAttr")


# ---- types without parameters that have an alias


def _read_nothing(reader: ParameterReader) -> Sequence[Parameter]:
    del reader
    return ()


def _spell_nothing(values: Sequence[Parameter], of: Speller) -> str:
    del values, of
    return ""


# ---- <"float" : 2.0>

_FLOATS: Final = {"float": F32, "double": F64, "fp80": FloatType("f80")}


def _read_float(reader: ParameterReader) -> Sequence[Parameter]:
    name = reader.string()
    reader.expect(":")
    type = _FLOATS.get(name)
    if type is None:
        reader.fail_here("unknown float type, expected 'float', 'double' or 'fp80'")
    if reader.at_kind("INTEGER"):
        reader.fail_here("unexpected decimal integer literal for a floating point value")
    if not (reader.at_kind("FLOAT", "HEX") or reader.at("-")):
        reader.fail_here("expected floating point literal")
    return StringAttr(name), reader.number(type)


def _spell_float(values: Sequence[Parameter], of: Speller) -> str:
    name, value = (of(cast("Attribute", parameter)) for parameter in values)
    return f"{name} : {value.partition(' :')[0]}"


BODIES: Final[Mapping[str, CustomBody]] = {
    "TestCustomFloatAttr": CustomBody(("type_str", "value"), _read_float, _spell_float),
    "TestTypeOpAsmTypeInterfaceType": CustomBody((), _read_nothing, _spell_nothing, alias="op_asm_type_interface_type"),
    "CompoundAAttr": _COMPOUND,
    "CompoundAType": _COMPOUND,
    "StructType": CustomBody(("fields",), _read_struct, _spell_struct),
    "TestAttrWithFormatAttr": CustomBody(_FORMAT, _read_format, _spell_format),
    "TestIntegerType": CustomBody(("width", "signedness"), _read_integer, _spell_integer),
    "TestSubElementsAccessAttr": CustomBody(("first", "second", "third"), _read_three, _spell_three),
    "TestTypeWithLayoutType": CustomBody(("key",), _read_key, _spell_key),
}


# ---- custom<…>


def _read_dynamic(reader: ParameterReader) -> Sequence[Parameter]:
    return (DYNAMIC if reader.accept("?") else reader.integer(),)


def _spell_dynamic(values: Sequence[Parameter], of: Speller) -> str:
    del of
    return "?" if values[0] == DYNAMIC else str(values[0])


def _read_field(reader: ParameterReader) -> Sequence[Parameter]:
    if reader.at_kind("INTEGER"):
        return (ArrayAttr((IntegerAttr(reader.integer(), I64),)),)
    return (reader.attribute(),)


def _spell_field(values: Sequence[Parameter], of: Speller) -> str:
    value = values[0]
    if isinstance(value, ArrayAttr) and len(value.elements) == 1 and isinstance(value.elements[0], IntegerAttr):
        return str(value.elements[0].value)
    return of(value) if isinstance(value, Attribute) else ""


def _read_integers(reader: ParameterReader) -> Sequence[Parameter]:
    return (reader.integer(),)


def _spell_integers(values: Sequence[Parameter], of: Speller) -> str:
    del of
    return str(values[0])


def _read_truth(reader: ParameterReader) -> Sequence[Parameter]:
    return (int(reader.accept("true") or not reader.accept("false")),)


def _spell_truth(values: Sequence[Parameter], of: Speller) -> str:
    del of
    return "true" if values[0] else "false"


def _read_word(reader: ParameterReader) -> Sequence[Parameter]:
    if reader.at_kind("HASH", "ALIAS"):
        return (reader.attribute(),)
    return (StringAttr(reader.keyword_or_string()),)


def _spell_word(values: Sequence[Parameter], of: Speller) -> str:
    value = cast("StringAttr", values[0])
    text = of(value)
    if text.startswith("#"):
        return text
    return value.value if value.value.isidentifier() else quote(value.value)


CUSTOMS: Final = {
    "ConditionalAlias": CustomParameters(_read_word, _spell_word),
    "CustomOptStructFieldAttr": CustomParameters(_read_field, _spell_field),
    "CustomStructAttr": CustomParameters(_read_dynamic, _spell_dynamic),
    "CustomTypeA": CustomParameters(_read_integers, _spell_integers),
    "TrueFalse": CustomParameters(_read_truth, _spell_truth),
}

PARAMETERS: Final[Mapping[str, Callable[[Mapping[str, Parameter]], str | None]]] = {}
