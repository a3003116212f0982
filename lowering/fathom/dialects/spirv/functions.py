"""Modules, functions and graphs of SPIR-V, and what says how a module is entered.

Source of the rules: *'spirv' Dialect*; the texts of errors are those of MLIR 22's parsers and verifiers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.func.callees import function_type
from fathom.dialects.func.signatures import BODY, SIGNATURE, resolve_signature
from fathom.dialects.spirv.types import ArrayType, PointerType, TensorArmType, cases
from fathom.dialects.spirv.words import number
from fathom.ir.attributes import ArrayAttr, DictAttr, SymbolRefAttr
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.property_values import elements_property
from fathom.ir.traversal import closest
from fathom.ir.types import FunctionType, Type, UnknownType
from fathom.irdl.checking import bare, entry_problem
from fathom.irdl.clauses import two_way
from fathom.irdl.code import OpCode
from fathom.irdl.interfaces import FunctionLike, symbol_name
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops import spirv as ops
from fathom.records import record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fathom.ir.operation import Operation
    from fathom.irdl.protocols import ParsedOp, Resolver
    from fathom.irdl.verifying import Complaint


# ---- spirv.module


@verifies("spirv.module", regions=True)
def _module(op: ops.ModuleOp) -> Complaint:
    """Of the operations in a module: that they are the dialect's, and of functions and their entry points."""
    entry = op._region0.first
    inner = list(entry) if entry is not None else []
    named = {symbol_name(inner_op): inner_op for inner_op in reversed(inner)}
    entered: set[tuple[str, int | None]] = set()
    for inner_op in inner:
        if inner_op.dialect != "spirv":
            return bare("'spirv.module' can only contain spirv.* ops", inner_op)
        elif isinstance(inner_op, ops.EntryPointOp):
            if wrong := _entry_point(inner_op, named, entered):
                return bare(wrong, inner_op)
        elif isinstance(inner_op, ops.FuncOp):
            if wrong := _function_in_module(inner_op):
                return wrong
    return None


def _entry_point(
    op: ops.EntryPointOp, named: Mapping[str, Operation], entered: set[tuple[str, int | None]]
) -> str | None:
    name = op.fn.root
    if name not in named or named[name].name != "spirv.func":
        return f"function '{name}' not found in 'spirv.module'"
    for element in elements_property(op, "interface"):
        if not isinstance(element, SymbolRefAttr) or element.nested:
            return f"expected symbol reference for interface specification instead of '{element}'"
        elif element.root not in named or named[element.root].name != "spirv.GlobalVariable":
            return f"expected spirv.GlobalVariable symbol reference instead of'{element}'"
    key = name, number(op, "execution_model")
    if key in entered:
        return "duplicate of a previous EntryPointOp"
    entered.add(key)
    return None


def _function_in_module(op: ops.FuncOp) -> Complaint:
    if op.body.is_empty and not _is_imported(op):
        without = "without 'Import' linkage_attributes (LinkageAttributes)"
        return bare(f"'spirv.module' cannot contain external functions {without}", op)
    for block in op.body.blocks:
        for inner in block:
            if inner.dialect != "spirv":
                return bare("functions in 'spirv.module' can only contain spirv.* ops", inner)
    return None


def _is_imported(op: ops.FuncOp) -> bool:
    linkage = op.linkage_attributes
    kind = linkage.parameter("linkage_type") if isinstance(linkage, DialectAttr) else None
    return isinstance(kind, DialectAttr) and kind.parameters[:1] == (cases("LinkageType")["Import"],)


# ---- spirv.func


def _decorated(op: Operation, index: int, names: tuple[str, str]) -> bool:
    """Whether an argument has one of two decorations."""
    attributes = op.properties.get("arg_attrs")
    own = attributes.elements[index : index + 1] if isinstance(attributes, ArrayAttr) else ()
    given = own[0].get("spirv.decoration") if own and isinstance(own[0], DictAttr) else None
    value = given.parameters[0] if isinstance(given, DialectAttr) and given.parameters else None
    return value in [cases("Decoration")[name] for name in names]


def _type_problem(op: Operation) -> str | None:
    """What is wrong with the signature: of pointers into physical memory it is told whether others lead there too."""
    type = function_type(op)
    if len(type.results) > 1:
        return "cannot have more than one result"
    for index, given in enumerate(type.inputs):
        if not isinstance(given, PointerType):
            continue
        inner = given.pointee.element if isinstance(given.pointee, ArrayType) else given
        if isinstance(given.pointee, PointerType):
            if _is_physical(given.pointee) and not _decorated(op, index, ("AliasedPointer", "RestrictPointer")):
                either = "must be decorated either 'AliasedPointer' or 'RestrictPointer'"
                return f"with a pointer points to a physical buffer pointer {either}"
        elif _is_physical(inner) and not _decorated(op, index, ("Aliased", "Restrict")):
            return "with physical buffer pointer must be decorated either 'Aliased' or 'Restrict'"
    return None


def _is_physical(type: Type) -> bool:
    return isinstance(type, PointerType) and type.storage == "PhysicalStorageBuffer"


@verifies("spirv.func")
def _entry(op: ops.FuncOp) -> Complaint:
    return entry_problem(op.body.first, function_type(op).inputs) if op.body.first is not None else None


# ---- spirv.EntryPoint and spirv.ExecutionMode


def _resolve_entered(resolver: Resolver, parsed: ParsedOp, _: None) -> None:
    """What is entered, and its variables, are named by symbols."""
    resolver.resolve_by_rules()
    variables = resolver.properties.get("interface")
    for element in (resolver.properties.get("fn"), *(variables.elements if isinstance(variables, ArrayAttr) else ())):
        if not isinstance(element, SymbolRefAttr) or element.nested:
            resolver.fail(f"custom op '{parsed.name}' invalid kind of attribute specified")


# ---- graphs of tensors, as the extension `SPV_ARM_graph` has them


@record
class GraphType(FunctionType):
    """The type of a graph, which is written as that of a function is."""


# ---- spirv.ARM.Graph


def _resolve_graph(resolver: Resolver, parsed: ParsedOp, _: None) -> None:
    resolve_signature(resolver, parsed, GraphType)


def _graph_type_problem(op: Operation) -> str | None:
    return None if function_type(op).results else "there should be at least one result"


@verifies("spirv.ARM.Graph")
def _graph(op: ops.ARMGraphOp) -> Complaint:
    type = function_type(op)
    for noun, types in (("argument", type.inputs), ("result", type.results)):
        for index, type_ in enumerate(types):
            if not isinstance(type_, (TensorArmType, UnknownType)):
                return f"type of {noun} #{index} must be a TensorArmType, but got '{type_}'"
    return entry_problem(op.body.first, type.inputs, "graph") if op.body.first is not None else None


@verifies("spirv.ARM.GraphOutputs")
def _outputs(op: ops.ARMGraphOutputsOp) -> Complaint:
    graph = closest(op, ops.ARMGraphOp)
    if graph is None:
        return None
    wanted, given = function_type(graph).results, [value.type for value in op.operands]
    if len(wanted) != len(given):
        requires = f"but enclosing spirv.ARM.Graph requires {len(wanted)} result(s)"
        return f"is returning {len(given)} value(s) {requires}"
    for index, (type, expected) in enumerate(zip(given, wanted, strict=False)):
        if type != expected:
            return bare(f"type of return operand {index} ('{type}') doesn't match graph result type ('{expected}')")
    return None


_SIGNATURE: Final = "custom<Name>($sym_name) custom<Signature>($function_type, $arg_attrs, $res_attrs)"
_BODY: Final = "attr-dict-with-keyword custom<FunctionBody>($body)"
DIRECTIVES: Final = {"FunctionBody": BODY, "Signature": SIGNATURE}
CODE: Final = {
    "EntryPoint": OpCode(
        custom=two_way(
            'custom<Quoted>($execution_model, "ExecutionModel") $fn custom<Further>($interface)', _resolve_entered
        )
    ),
    "ExecutionMode": OpCode(
        custom=two_way('$fn custom<Quoted>($execution_mode, "ExecutionMode") custom<Further>($values, "i32")')
    ),
    "func": OpCode(
        custom=two_way(
            f'{_SIGNATURE} custom<Quoted>($function_control, "FunctionControl") {_BODY}',
            lambda resolver, parsed, _: resolve_signature(resolver, parsed),
        ),
        interfaces=(FunctionLike(type_problem=_type_problem),),
    ),
    "module": OpCode(
        custom=two_way(
            '(custom<Name>($sym_name)^)? custom<Word>($addressing_model, "AddressingModel") '
            'custom<Word>($memory_model, "MemoryModel") '
            "(`requires` $vce_triple^)? attr-dict-with-keyword $_region0"
        )
    ),
    "ARM.Graph": OpCode(
        custom=two_way(f"{_SIGNATURE} {_BODY}", _resolve_graph),
        interfaces=(FunctionLike(type_problem=_graph_type_problem),),
    ),
    "ARM.GraphEntryPoint": OpCode(custom=two_way("$fn custom<Further>($interface)", _resolve_entered)),
}
