"""The code behind `custom<…>` in the formats of the gpu dialect.

Source of the rules: *'gpu' Dialect*, and the directives of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from fathom.dialects import own_description
from fathom.dialects.gpu.types import ASYNC_TOKEN
from fathom.ir.attributes import Attribute, StringAttr
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.types import INDEX
from fathom.irdl.cases import cases_of
from fathom.irdl.definition import CustomDirective
from fathom.irdl.keywords import bracketed, comma_separated
from fathom.irdl.listed import print_list, typed, typed_value
from fathom.irdl.parameter_directives import CustomParameters
from fathom.irdl.parametric import CustomBody
from fathom.irdl.stripped import parse_stripped_attribute

if TYPE_CHECKING:
    from fathom.ir.dialect_values import Parameter
    from fathom.ir.operation import Operation
    from fathom.ir.types import Speller
    from fathom.irdl.parametric import Parametric
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp
    from fathom.irdl.readers import ParameterReader


def definition_of(name: str) -> Parametric:
    """An attribute of the dialect by the name of its class."""
    return own_description("gpu").attributes[name]


# ---- (`async`)? (`[` tokens `]`)?


def parse_async(parser: OpParser, parsed: ParsedOp, _: Sequence[str] = ()) -> None:
    """`async [%a, %b]`, into the groups of that name that every asynchronous operation has."""
    start = parser.here()
    parsed.types["asyncToken"] = []
    if parser.accept("async"):
        if not parsed.result_groups:
            parser.fail(f"custom op '{parsed.name}' needs to be named when marked 'async'", start)
        del parsed.types["asyncToken"]
        parsed.composed_types["asyncToken"] = parser.composed_type(lambda _, __: ASYNC_TOKEN)
    parsed.operands["asyncDependencies"] = parser.value_list("[", "]") if parser.at("[") else []


def is_async(op: Operation) -> bool:
    """Whether an operation gives a token."""
    return bool(op.results) and op.results[-1].type == ASYNC_TOKEN


def print_async(op: Operation, p: OpPrinter, _: Sequence[str] = ()) -> None:
    if is_async(op):
        p.write("async")
    tokens = op.all_of("asyncDependencies")
    if tokens:
        p.write(" [" if is_async(op) else "[")
        p.values(tokens)
        p.write("]")


# ---- the operation of a reduction


def _parse_reduction(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """`add`, or nothing."""
    definition = definition_of("AllReduceOperationAttr")
    if not parser.at_kind("bare"):
        return
    if not parser.at_any(cases_of(definition)):
        parser.optional_word()
        parser.fail(f"custom op '{parsed.name}' invalid op kind")
    parsed.attributes[arguments[0]] = parse_stripped_attribute(definition, parser, parsed.name)


def _print_reduction(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    value = op.properties.get(arguments[0])
    if isinstance(value, DialectAttr):
        p.write(f" {value.spell_stripped(p.spell).strip()}")


# ---- launch_func


def _parse_dimension_type(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """`: i64`; without it the sizes of the grid are of type `index`."""
    grid, cluster, *clusters = arguments
    groups = [grid, *(clusters if parsed.operands.get(cluster) else ())]
    if parser.accept(":"):
        type = parser.type()
        parsed.types.update((group, [type]) for group in groups)
        return
    index = parser.composed_type(lambda _, __: INDEX)
    parsed.composed_types.update((group, index) for group in groups)


def _print_dimension_type(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    type = op.one_of(arguments[0]).type
    if type != INDEX:
        p.write(": ")
        p.type(type)


def _parse_kernel_operands(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """`args(%a : i32, %b : f32)`."""
    group = arguments[0]
    parsed.operands[group], parsed.types[group] = [], []
    if parser.accept("args"):
        bracketed(parser, "()", lambda: typed_value(parser, parsed, group), "argument list")


def _print_kernel_operands(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    if values := op.all_of(arguments[0]):
        p.write("args(")
        print_list(p, values, partial(typed, p))
        p.write(")")


# ---- binary


def default_handler() -> Attribute:
    """`#gpu.select_object`."""
    return definition_of("SelectObjectAttr").make_attribute()


def _parse_handler(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """`<#gpu.select_object<1>>`; the first object is selected where nothing is said."""
    if not parser.accept("<"):
        parsed.attributes[arguments[0]] = default_handler()
        return
    parsed.attributes[arguments[0]] = parser.attribute()
    parser.expect(">")


def _print_handler(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    value = op.properties.get(arguments[0])
    if value is not None and value != default_handler():
        p.write("<")
        p.attribute(value)
        p.write(">")


DIRECTIVES: Final[Mapping[str, CustomDirective]] = {
    "AllReduceOperation": CustomDirective(_parse_reduction, _print_reduction),
    "AsyncDependencies": CustomDirective(parse_async, print_async),
    "LaunchDimType": CustomDirective(_parse_dimension_type, _print_dimension_type),
    "LaunchFuncOperands": CustomDirective(_parse_kernel_operands, _print_kernel_operands),
    "OffloadingHandler": CustomDirective(_parse_handler, _print_handler),
}


# ---- in attributes

_FORMATS: Final = {"offload": 1, "assembly": 2, "bin": 3, "fatbin": 4}


def _read_object(reader: ParameterReader) -> Sequence[Parameter]:
    """`bin = "…"`; without a word it is a fat binary."""
    reader.suggest(_FORMATS)
    word = reader.optional_keyword()
    if word is not None and word not in _FORMATS:
        reader.fail_before("expected keyword for GPU object format")
    if word is not None and not reader.accept("="):
        reader.fail_here("expected '='")
    return [_FORMATS[word or "fatbin"], reader.attribute()]


def _spell_object(values: Sequence[Parameter], of: Speller) -> str:
    number, text = values
    word = next((word for word, case in _FORMATS.items() if case == number), "")
    written = of(text) if isinstance(text, Attribute) else ""
    return written if word == "fatbin" else f"{word} = {written}"


def _read_kernels(reader: ParameterReader) -> Sequence[Parameter]:
    """`[#gpu.kernel_metadata<…>, …]`, or nothing."""
    attributes = comma_separated(reader, reader.attribute) if reader.accept("[") else []
    if attributes:
        reader.expect("]")
    return [tuple(attributes)]


def _kernel_name(kernel: Parameter) -> str:
    name = kernel.parameters[0] if isinstance(kernel, DialectAttr) and kernel.parameters else ""
    return name.value if isinstance(name, StringAttr) else str(name)


def _spell_kernels(values: Sequence[Parameter], of: Speller) -> str:
    """Kernels stand in the order of their names."""
    (kernels,) = values
    listed = sorted(kernels, key=_kernel_name) if isinstance(kernels, tuple) else []
    texts = ", ".join(of(parameter) for parameter in listed if isinstance(parameter, Attribute))
    return f"[{texts}]" if texts else ""


BODIES: Final = {"KernelTableAttr": CustomBody(("kernel_table",), _read_kernels, _spell_kernels)}
CUSTOMS: Final = {"Object": CustomParameters(_read_object, _spell_object)}
