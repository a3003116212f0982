"""What the syntax of functions has in common, of whatever dialect they are: the signature, and the body behind it.

Source of the rules: *'func' Dialect*, "func.func", and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.func.callees import function_type
from fathom.ir.attributes import DictAttr, TypeAttr
from fathom.ir.property_values import elements_property
from fathom.ir.types import FunctionType
from fathom.irdl.declared import CustomDirective

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.dialects.llvm.types import LLVMFunctionType
    from fathom.ir.operation import BlockArgument, Operation
    from fathom.ir.types import Type
    from fathom.irdl.protocols import FunctionSignature, OpParser, OpPrinter, ParsedOp, Resolver


_NO_ATTRIBUTES: Final = DictAttr(())


def attributes_at(op: Operation, name: str, index: int) -> DictAttr:
    """The dictionary of one argument (`arg_attrs`) or result (`res_attrs`)."""
    entries = elements_property(op, name)
    entry = entries[index] if index < len(entries) else None
    return entry if isinstance(entry, DictAttr) else _NO_ATTRIBUTES


# ---- parsing


def _parse_signature(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    parser.signature(parsed, variadic="variadic" in arguments)


def parse_body(parser: OpParser, parsed: ParsedOp, _: Sequence[str] = ()) -> None:
    """` {…}`; a declaration has no body, and its arguments may have types only."""
    if parser.at_region():
        parser.region(parsed, [argument for argument in signature_of(parsed).arguments if argument.token >= 0])


def signature_of(parsed: ParsedOp) -> FunctionSignature:
    """The signature that has been read."""
    assert parsed.function is not None, "the signature has been read"
    return parsed.function


def resolve_signature(resolver: Resolver, parsed: ParsedOp, kind: type[FunctionType] = FunctionType) -> None:
    """The type of the function, the attributes of its arguments and results, and the arguments of its body."""
    signature = signature_of(parsed)
    inputs = tuple(resolver.argument_type(argument) for argument in signature.arguments)
    resolver.properties["function_type"] = TypeAttr(kind(inputs, tuple(resolver.types(signature.results))))
    resolver.signature_attributes(signature)
    resolve_body(resolver, signature, inputs)


def resolve_body(resolver: Resolver, signature: FunctionSignature, arguments: Sequence[Type]) -> None:
    """The arguments of the body; behind a signature without names it has a label of its own."""
    named = any(argument.token >= 0 for argument in signature.arguments)
    resolver.region_argument_types = [list(arguments) if named else []]


# ---- printing


def print_body(op: Operation, printer: OpPrinter, _: Sequence[str] = ()) -> None:
    """` {…}`, without the label that the signature stands for; nothing for a declaration."""
    if op.regions and not op.regions[0].is_empty:
        printer.write(" ")
        printer.region(op.regions[0], entry_arguments=False)


def entry_arguments(op: Operation) -> list[BlockArgument] | None:
    """The arguments of the body; None for a declaration."""
    entry = op.regions[0].first if op.regions else None
    return list(entry.arguments) if entry is not None else None


def print_signature(
    op: Operation,
    printer: OpPrinter,
    arguments: Sequence[BlockArgument] | None,
    type: FunctionType | LLVMFunctionType,
    further: str = "",
) -> None:
    """`(%a: i32 {attributes}, ...) -> f32`; the arguments are those of the body, or None for a declaration. What may be
    `further` is behind them."""
    printer.write("(")
    if arguments is None:
        printer.write(_spell_types(type.inputs, op, "arg_attrs", printer))
    else:
        for index, argument in enumerate(arguments):
            if index:
                printer.write(", ")
            printer.region_argument(argument, attributes_at(op, "arg_attrs", index))
    printer.write(f"{', ' if type.inputs and further else ''}{further})")
    if type.results:
        printer.write(f" -> {_spell_results(type.results, op, printer)}")


def spell_function_type(inputs: Sequence[Type], results: Sequence[Type], op: Operation, printer: OpPrinter) -> str:
    """`(i32 {attributes}, f32) -> f32`."""
    return f"({_spell_types(inputs, op, 'arg_attrs', printer)}) -> {_spell_results(results, op, printer)}"


def _spell_results(types: Sequence[Type], op: Operation, printer: OpPrinter) -> str:
    """One alone, or `(f32 {attributes}, i32)`."""
    if len(types) == 1 and not isinstance(types[0], FunctionType) and not attributes_at(op, "res_attrs", 0).entries:
        return printer.spell(types[0])
    return f"({_spell_types(types, op, 'res_attrs', printer)})"


def _spell_types(types: Sequence[Type], op: Operation, name: str, printer: OpPrinter) -> str:
    """`i32 {attributes}, f32`."""
    if not elements_property(op, name):
        return printer.spell_types(types)
    dictionaries = [attributes_at(op, name, index).entries for index in range(len(types))]
    return ", ".join(
        [
            printer.spell(type) + printer.spell_dictionary(dictionary)
            for type, dictionary in zip(types, dictionaries, strict=True)
        ]
    )


def write_signature(op: Operation, printer: OpPrinter, arguments: Sequence[str]) -> None:
    """The same of a body that may have further arguments; the property that is the type is named first."""
    type, inside = function_type(op, arguments[0]), entry_arguments(op)
    print_signature(op, printer, inside[: len(type.inputs)] if inside is not None else None, type)


SIGNATURE: Final = CustomDirective(_parse_signature, write_signature, spaced=True)
"""`custom<Signature>($function_type, $arg_attrs, $res_attrs)`."""
BODY: Final = CustomDirective(parse_body, print_body, spaced=True)
"""`custom<FunctionBody>($body)`, behind a signature."""
ATTRIBUTES_BUT: Final = CustomDirective(
    lambda parser, parsed, _: parser.attr_dict_with_keyword(parsed),
    lambda op, p, arguments: p.attributes_but(op, arguments, keyword=True),
    spaced=True,
)
"""`custom<AttributesBut>(ref($sym_name), "visibility")`, `attributes {…}`, where also attributes that are no properties
stand elsewhere."""
