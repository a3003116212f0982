"""The attributes of the LLVM dialect in bytecode: those of debug information, and annotations of loops.

Each begins with the number of its kind; its parameters follow in the order below. Source of the rules:
`mlir/Dialect/LLVMIR/LLVMDialectBytecode.td` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from fathom.bytecode.encoding import Malformed
from fathom.bytecode.entry_reader import EntryReader
from fathom.bytecode.entry_writer import EntryWriter, Write, of_class
from fathom.ir.attributes import Attribute, StringAttr
from fathom.ir.dialect_values import DialectAttr, Parameter
from fathom.irdl import dwarf
from fathom.records import record


@record
class _Kind:
    """How a parameter is written. Its reader gives None for one that is absent."""

    read: Callable[[EntryReader], Parameter]
    write: Callable[[Parameter, EntryWriter], None]


def _number(value: Parameter) -> int:
    return value if isinstance(value, int) else 0


def _words(table: Mapping[int, str]) -> _Kind:
    """A word of DWARF, by its number; 0 for none."""
    numbers = {word: number for number, word in table.items()}

    def read(r: EntryReader) -> Parameter:
        number = r.bytes.varint()
        if number and number not in table:
            raise Malformed(f"no word of DWARF has the number {number} here")
        return table.get(number)

    return _Kind(read, lambda value, w: w.varint(numbers[value] if isinstance(value, str) and value else 0))


def _write_attribute(value: Parameter, w: EntryWriter) -> None:
    if not isinstance(value, Attribute):
        raise Malformed("an attribute lacks a parameter that bytecode must have")
    w.attribute(value)


def _read_optional_attributes(r: EntryReader) -> Parameter:
    if not r.bool():
        return None
    attributes = r.list(r.optional_attribute)
    kept = tuple(attribute for attribute in attributes if attribute is not None)
    if len(kept) != len(attributes):
        raise Malformed("an attribute of a list is not there")
    return kept or None


def _write_optional_attributes(value: Parameter, w: EntryWriter) -> None:
    elements = value if isinstance(value, tuple) else ()
    w.byte(bool(elements))
    if elements:
        w.list([element for element in elements if isinstance(element, Attribute)], w.optional_attribute)


def _read_optional_number(r: EntryReader) -> Parameter:
    number, is_there = r.bytes.flagged()
    return number if is_there else None


def _read_string(r: EntryReader) -> Parameter:
    return StringAttr(r.string())


_NUMBER: Final = _Kind(lambda r: r.bytes.varint(), lambda value, w: w.varint(_number(value)))
_OPTIONAL_NUMBER: Final = _Kind(_read_optional_number, lambda value, w: w.flagged(_number(value), value is not None))
_BOOL: Final = _Kind(lambda r: r.bool(), lambda value, w: w.byte(bool(value)))
_STRING: Final = _Kind(_read_string, lambda value, w: w.string(value.value if isinstance(value, StringAttr) else ""))
_ATTRIBUTE: Final = _Kind(lambda r: r.attribute(), _write_attribute)
_OPTIONAL: Final = _Kind(
    lambda r: r.optional_attribute(),
    lambda value, w: w.optional_attribute(value if isinstance(value, Attribute) else None),
)
_LIST: Final = _Kind(_read_optional_attributes, _write_optional_attributes)
_TAG: Final = _words(dwarf.TAGS)
_ENCODING: Final = _words(dwarf.ENCODINGS)
_OPERATION: Final = _words(dwarf.OPERATIONS)


def _read_arguments(r: EntryReader) -> Parameter:
    return (r.list(r.bytes.varint) or None) if r.bool() else None


def _write_arguments(value: Parameter, w: EntryWriter) -> None:
    arguments = value if isinstance(value, tuple) else ()
    w.byte(bool(arguments))
    if arguments:
        w.list(
            arguments,
            lambda argument: _ENCODING.write(argument, w) if isinstance(argument, str) else w.varint(_number(argument)),
        )


_ARGUMENTS: Final = _Kind(_read_arguments, _write_arguments)
_NODE: Final = {"scope": _ATTRIBUTE, "name": _OPTIONAL, "file": _OPTIONAL, "line": _NUMBER}
_SELF: Final = {"recId": _OPTIONAL, "isRecSelf": _BOOL}

_KINDS: Final[tuple[tuple[str, str, Mapping[str, _Kind]], ...]] = (
    ("DIBasicTypeAttr", "di_basic_type", {"tag": _TAG, "name": _STRING, "sizeInBits": _NUMBER, "encoding": _ENCODING}),
    (
        "DICompileUnitAttr",
        "di_compile_unit",
        {
            "id": _ATTRIBUTE,
            "sourceLanguage": _words(dwarf.LANGUAGES),
            "file": _ATTRIBUTE,
            "producer": _OPTIONAL,
            "isOptimized": _BOOL,
            "emissionKind": _NUMBER,
            "nameTableKind": _NUMBER,
        },
    ),
    (
        "DICompositeTypeAttr",
        "di_composite_type",
        {
            **_SELF,
            "tag": _TAG,
            "name": _OPTIONAL,
            "file": _OPTIONAL,
            "line": _NUMBER,
            "scope": _OPTIONAL,
            "baseType": _OPTIONAL,
            "flags": _NUMBER,
            "sizeInBits": _NUMBER,
            "alignInBits": _NUMBER,
            **dict.fromkeys(("dataLocation", "rank", "allocated", "associated"), _OPTIONAL),
            "elements": _LIST,
        },
    ),
    (
        "DIDerivedTypeAttr",
        "di_derived_type",
        {
            "tag": _TAG,
            "name": _OPTIONAL,
            "baseType": _OPTIONAL,
            **dict.fromkeys(("sizeInBits", "alignInBits", "offsetInBits"), _NUMBER),
            "dwarfAddressSpace": _OPTIONAL_NUMBER,
            "extraData": _OPTIONAL,
        },
    ),
    ("DIExpressionElemAttr", "di_expression_elem", {"opcode": _OPERATION, "arguments": _ARGUMENTS}),
    ("DIExpressionAttr", "di_expression", {"operations": _LIST}),
    ("DIFileAttr", "di_file", {"name": _STRING, "directory": _STRING}),
    (
        "DIGlobalVariableAttr",
        "di_global_variable",
        {
            "scope": _OPTIONAL,
            "name": _OPTIONAL,
            "linkageName": _OPTIONAL,
            "file": _ATTRIBUTE,
            "line": _NUMBER,
            "type": _ATTRIBUTE,
            "isLocalToUnit": _BOOL,
            "isDefined": _BOOL,
            "alignInBits": _NUMBER,
        },
    ),
    ("DIGlobalVariableExpressionAttr", "di_global_variable_expression", {"var": _ATTRIBUTE, "expr": _OPTIONAL}),
    (
        "DIImportedEntityAttr",
        "di_imported_entity",
        {
            "tag": _TAG,
            "scope": _ATTRIBUTE,
            "entity": _ATTRIBUTE,
            "file": _OPTIONAL,
            "line": _NUMBER,
            "name": _OPTIONAL,
            "elements": _LIST,
        },
    ),
    ("DILabelAttr", "di_label", _NODE),
    (
        "DILexicalBlockAttr",
        "di_lexical_block",
        {"scope": _ATTRIBUTE, "file": _OPTIONAL, "line": _NUMBER, "column": _NUMBER},
    ),
    (
        "DILexicalBlockFileAttr",
        "di_lexical_block_file",
        {"scope": _ATTRIBUTE, "file": _OPTIONAL, "discriminator": _NUMBER},
    ),
    (
        "DILocalVariableAttr",
        "di_local_variable",
        {**_NODE, "arg": _NUMBER, "alignInBits": _NUMBER, "type": _OPTIONAL, "flags": _NUMBER},
    ),
    ("DINamespaceAttr", "di_namespace", {"name": _OPTIONAL, "scope": _OPTIONAL, "exportSymbols": _BOOL}),
    (
        "DISubprogramAttr",
        "di_subprogram",
        {
            **_SELF,
            **dict.fromkeys(("id", "compileUnit", "scope", "name", "linkageName", "file"), _OPTIONAL),
            "line": _NUMBER,
            "scopeLine": _NUMBER,
            "subprogramFlags": _NUMBER,
            "type": _OPTIONAL,
            "retainedNodes": _LIST,
            "annotations": _LIST,
        },
    ),
    ("DISubrangeAttr", "di_subrange", dict.fromkeys(("count", "lowerBound", "upperBound", "stride"), _OPTIONAL)),
    (
        "DISubroutineTypeAttr",
        "di_subroutine_type",
        {"callingConvention": _words(dwarf.CALLING_CONVENTIONS), "types": _LIST},
    ),
    (
        "LoopAnnotationAttr",
        "loop_annotation",
        {
            **dict.fromkeys(
                "disableNonforced vectorize interleave unroll unrollAndJam licm distribute pipeline peeled unswitch "
                "mustProgress isVectorized startLoc endLoc".split(),
                _OPTIONAL,
            ),
            "parallelAccesses": _LIST,
        },
    ),
)
"""The name of each kind's class and of the attribute, and its parameters in their order."""
_CODES: Final = {name: code for code, (_, name, _) in enumerate(_KINDS)}


def _reader(class_name: str, kinds: Mapping[str, _Kind]) -> Callable[[EntryReader], Attribute]:
    def read(r: EntryReader) -> Attribute:
        from fathom.dialects.llvm.described import DESCRIPTION

        definition = DESCRIPTION.attributes[class_name]
        parameters = {name: kind.read(r) for name, kind in kinds.items()}
        for name, kind in kinds.items():
            if kind is _ARGUMENTS and parameters["opcode"] == "DW_OP_LLVM_convert":
                parameters[name] = _converted(parameters[name])
        values = tuple(
            None
            if parameter.optional and parameters.get(parameter.name) == 0
            else parameters.get(parameter.name, parameter.default)
            for parameter in definition.parameters
        )
        return DialectAttr(definition.dialect, definition.mnemonic, values, definition)

    return read


def _converted(arguments: Parameter) -> Parameter:
    """The arguments of a conversion, of which the second is the encoding of a type."""
    if isinstance(arguments, tuple) and len(arguments) == 2 and isinstance(arguments[1], int):
        return arguments[0], dwarf.ENCODINGS.get(arguments[1], arguments[1])
    return arguments


READERS: Final = tuple(_reader(class_name, kinds) for class_name, _, kinds in _KINDS)
"""What reads an attribute, by the number of its kind."""


def _write(value: DialectAttr, w: EntryWriter) -> bool:
    """Writes an attribute; False where it has no encoding, or has a parameter that it would lose."""
    if value.dialect != "llvm" or value.name not in _CODES:
        return False
    code = _CODES[value.name]
    kinds = _KINDS[code][2]
    given = dict(zip(value.definition.names, value.parameters, strict=True))
    if any(parameter is not None for name, parameter in given.items() if name not in kinds):
        return False
    w.varint(code)
    for name, kind in kinds.items():
        kind.write(given.get(name), w)
    return True


WRITERS: Final[Mapping[type[Attribute], Write]] = dict((of_class(DialectAttr, _write),))
"""What writes an attribute, by its class."""
