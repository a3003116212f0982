"""The metadata of a module as a whole: lists of nodes with names, such as `llvm.ident` and `llvm.module.flags`.

Source of the rules: *'llvm' Dialect*, "`llvm.module_flags`" and "`llvm.linker_options`"; *LLVM Language Reference*,
"Module Flags Metadata".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from fathom.dialects.llvm.attributes import ir_words
from fathom.dialects.llvm.ir_names import PROFILE_COUNTS
from fathom.ir.attributes import ArrayAttr, FloatAttr, IntegerAttr, StringAttr, SymbolRefAttr
from fathom.ir.dialect_values import DialectAttr, Parameter
from fathom.ir.operation import Operation
from fathom.ir.property_values import elements_property
from fathom.llvmir.metadata import MDNode, MDTuple, Metadata, ValueAsMetadata
from fathom.llvmir.module import Function
from fathom.llvmir.types import DOUBLE
from fathom.llvmir.values import ConstantFP
from fathom.translation.function import Untranslatable
from fathom.translation.metadata import i32, i64, quoted
from fathom.translation.state import ModuleState

FLAGS: Final = "llvm.module.flags"
MODULE_SAID: Final = frozenset[str]()
"""The properties of a module that are said: none. What is said of its attributes is `llvm.…`."""


def name_metadata(module: Operation, state: ModuleState) -> None:
    """What the attributes of the module itself say of who made it, how, and of what else it needs."""
    for attribute, name in (("llvm.ident", "llvm.ident"), ("llvm.commandline", "llvm.commandline")):
        value = module.attribute(attribute)
        if isinstance(value, StringAttr):
            _add(state, name, state.nodes.tuple(quoted(value.value)))
    libraries = module.attribute("llvm.dependent_libraries")
    if isinstance(libraries, ArrayAttr):
        state.module.named_metadata.setdefault("llvm.dependent-libraries", [])
        for element in libraries.elements:
            if isinstance(element, StringAttr):
                _add(state, "llvm.dependent-libraries", state.nodes.tuple(quoted(element.value)))


def name_linker_options(op: Operation, state: ModuleState) -> None:
    """`llvm.linker_options`."""
    state.unsaid.check(op, frozenset({"options"}))
    options = [element.value for element in elements_property(op, "options") if isinstance(element, StringAttr)]
    _add(state, "llvm.linker.options", state.nodes.tuple(*map(quoted, options)), op)


def name_flags(op: Operation, state: ModuleState) -> None:
    """`llvm.module_flags`. Raises Untranslatable."""
    state.unsaid.check(op, frozenset({"flags"}))
    for flag in elements_property(op, "flags"):
        if not isinstance(flag, DialectAttr) or flag.name != "mlir.module_flag":
            raise Untranslatable(op, f"unsupported module flag: {flag}")
        behaviour, key, value = flag.parameters
        name = key.value if isinstance(key, StringAttr) else ""
        operand = _flag_value(value, state)
        if operand is None:
            raise Untranslatable(op, f"unsupported module flag value: {value}")
        _add(state, FLAGS, state.nodes.tuple(i32(_count(behaviour)), quoted(name), operand), op)


def _flag_value(value: Parameter, state: ModuleState) -> Metadata | None:
    match value:
        case IntegerAttr(number):
            return i32(number)
        case StringAttr(text):
            return quoted(text)
        case ArrayAttr(elements):
            entries = [_profile_entry(element, state) for element in elements if isinstance(element, DialectAttr)]
            return MDTuple([*entries], is_distinct=True)
        case DialectAttr(name="profile_summary"):
            return _profile_summary(value, state)
        case _:
            return None


def _word(value: Parameter) -> Metadata:
    """A number of 64 bits."""
    return i64(_count(value))


def _profile_entry(entry: DialectAttr, state: ModuleState) -> MDNode:
    """A call, from where to where, and how often."""
    ends: list[Metadata | None] = []
    for end in entry.parameters[:2]:
        symbol = state.symbols.get(end.root) if isinstance(end, SymbolRefAttr) else None
        ends.append(ValueAsMetadata(symbol) if isinstance(symbol, Function) else None)
    return state.nodes.tuple(*ends, _word(entry.parameters[2]))


def _count(value: Parameter) -> int:
    return value if isinstance(value, int) else value.value if isinstance(value, IntegerAttr) else 0


def _profile_summary(summary: DialectAttr, state: ModuleState) -> MDNode:
    node: Callable[..., MDNode] = state.nodes.tuple

    def counted(name: str, value: Parameter) -> MDNode:
        return node(quoted(name), _word(value))

    parts = [
        node(quoted("ProfileFormat"), quoted(ir_words("ProfileSummaryFormatKind")[_count(summary.parameter("format"))]))
    ]
    parts += [counted(name, summary.parameter(parameter)) for parameter, name in PROFILE_COUNTS.items()]
    partial = summary.parameter("is_partial_profile")
    if partial is not None:
        parts.append(counted("IsPartialProfile", partial))
    ratio = summary.parameter("partial_profile_ratio")
    if isinstance(ratio, FloatAttr):
        double = ValueAsMetadata(ConstantFP(DOUBLE, ratio.bits))
        parts.append(node(quoted("PartialProfileRatio"), double))
    details = summary.parameter("detailed_summary")
    entries = (
        [
            node(_word(cut), _word(least), _word(many))
            for cut, least, many in (detail.parameters for detail in details if isinstance(detail, DialectAttr))
        ]
        if isinstance(details, tuple)
        else []
    )
    parts.append(node(quoted("DetailedSummary"), node(*entries)))
    return node(*parts)


def _add(state: ModuleState, name: str, node: MDNode, op: Operation | None = None) -> None:
    state.module.named_metadata.setdefault(name, []).append(node)
    if op is not None and op.span is not None:
        state.spans.setdefault(name, op.span)


def _default_flag(state: ModuleState, name: str, value: int) -> None:
    """A flag that warns of others, unless the module says it itself."""
    key = quoted(name)
    flags = state.module.named_metadata.get(FLAGS, ())
    if not any(isinstance(node, MDTuple) and key in node.operands for node in flags):
        _add(state, FLAGS, state.nodes.tuple(i32(2), key, i32(value)))


def _is_msvc(triple: str) -> bool:
    """Whether a target triple is one of Windows with Microsoft's environment, as LLVM reads it."""
    parts = triple.split("-", 3)
    return len(parts) == len(("arch", "vendor", "os", "env")) and (
        parts[2].startswith(("win32", "windows")) and parts[3].startswith("msvc")
    )


def default_flags(state: ModuleState, triple: str) -> None:
    """What MLIR adds to the flags wherever it is not there: which debug information there is."""
    _default_flag(state, "Debug Info Version", 3)
    if _is_msvc(triple):
        _default_flag(state, "CodeView", 1)
