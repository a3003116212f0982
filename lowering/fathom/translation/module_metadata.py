"""The metadata of a module as a whole: lists of nodes with names, such as `llvm.ident` and `llvm.module.flags`.

Source of the rules: *'llvm' Dialect*, "`llvm.module_flags`" and "`llvm.linker_options`"; *LLVM Language Reference*,
"Module Flags Metadata".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from fathom.dialects.llvm.ir_names import PROFILE_COUNTS
from fathom.ir.attributes import ArrayAttr, FloatAttr, IntegerAttr, StringAttr, SymbolRefAttr
from fathom.ir.dialect_values import DialectAttr, Parameter
from fathom.ir.operation import Operation
from fathom.ir.property_values import elements_property
from fathom.ir.types import I32, I64, FloatType
from fathom.translation.constant_text import spell, typed
from fathom.translation.constants import Float, integer
from fathom.translation.function import Untranslatable
from fathom.translation.metadata import Node, quoted
from fathom.translation.state import Line, ModuleState

FLAGS: Final = "llvm.module.flags"
MODULE_SAID: Final = frozenset[str]()
"""The properties of a module that are said: none. What is said of its attributes is `llvm.…`."""
_FORMATS: Final = ("SampleProfile", "InstrProf", "CSInstrProf")


def name_metadata(module: Operation, state: ModuleState) -> None:
    """What the attributes of the module itself say of who made it, how, and of what else it needs."""
    for attribute, name in (("llvm.ident", "llvm.ident"), ("llvm.commandline", "llvm.commandline")):
        value = module.attribute(attribute)
        if isinstance(value, StringAttr):
            _add(state, name, state.metadata.node(quoted(value.value)))
    libraries = module.attribute("llvm.dependent_libraries")
    if isinstance(libraries, ArrayAttr):
        state.named.setdefault("llvm.dependent-libraries", [])
        for element in libraries.elements:
            if isinstance(element, StringAttr):
                _add(state, "llvm.dependent-libraries", state.metadata.node(quoted(element.value)))


def name_linker_options(op: Operation, state: ModuleState) -> None:
    """`llvm.linker_options`."""
    state.unsaid.check(op, frozenset({"options"}))
    options = [element.value for element in elements_property(op, "options") if isinstance(element, StringAttr)]
    _add(state, "llvm.linker.options", state.metadata.node(*map(quoted, options)), op)


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
        _add(state, FLAGS, state.metadata.node(f"i32 {behaviour}", quoted(name), operand), op)


def _flag_value(value: Parameter, state: ModuleState) -> str | Node | None:
    match value:
        case IntegerAttr(number):
            return f"i32 {integer(I32, number).signed}"
        case StringAttr(text):
            return quoted(text)
        case ArrayAttr(elements):
            entries = [_profile_entry(element, state) for element in elements if isinstance(element, DialectAttr)]
            return Node(tuple(entries), distinct=True)
        case DialectAttr(name="profile_summary"):
            return _profile_summary(value, state)
        case _:
            return None


def _word(value: Parameter) -> str:
    """A number of 64 bits."""
    return f"i64 {integer(I64, _count(value)).signed}"


def _profile_entry(entry: DialectAttr, state: ModuleState) -> Node:
    """A call, from where to where, and how often."""
    ends: list[str | Node] = []
    for end in entry.parameters[:2]:
        symbol = state.address(end.root) if isinstance(end, SymbolRefAttr) else None
        is_function = isinstance(end, SymbolRefAttr) and end.root in state.functions
        ends.append(typed(symbol, state.types) if symbol is not None and is_function else "null")
    return state.metadata.node(*ends, _word(entry.parameters[2]))


def _count(value: Parameter) -> int:
    return value if isinstance(value, int) else value.value if isinstance(value, IntegerAttr) else 0


def _profile_summary(summary: DialectAttr, state: ModuleState) -> Node:
    node: Callable[..., Node] = state.metadata.node

    def counted(name: str, value: Parameter) -> Node:
        return node(quoted(name), _word(value))

    parts = [node(quoted("ProfileFormat"), quoted(_FORMATS[_count(summary.parameter("format"))]))]
    parts += [counted(name, summary.parameter(parameter)) for parameter, name in PROFILE_COUNTS.items()]
    partial = summary.parameter("is_partial_profile")
    if partial is not None:
        parts.append(counted("IsPartialProfile", partial))
    ratio = summary.parameter("partial_profile_ratio")
    if isinstance(ratio, FloatAttr):
        double = spell(Float(FloatType("f64"), ratio.bits), state.types)
        parts.append(node(quoted("PartialProfileRatio"), f"double {double}"))
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


def _add(state: ModuleState, name: str, node: Node, op: Operation | None = None) -> None:
    state.named.setdefault(name, []).append(node)
    if op is not None and op.span is not None:
        state.named_spans.setdefault(name, op.span)


def _default_flag(state: ModuleState, name: str, value: int) -> None:
    """A flag that warns of others, unless the module says it itself."""
    key = quoted(name)
    if not any(key in node.operands for node in state.named.get(FLAGS, ())):
        _add(state, FLAGS, state.metadata.node("i32 2", key, f"i32 {value}"))


def _is_msvc(triple: str) -> bool:
    """Whether a target triple is one of Windows with Microsoft's environment, as LLVM reads it."""
    parts = triple.split("-", 3)
    return len(parts) == len(("arch", "vendor", "os", "env")) and (
        parts[2].startswith(("win32", "windows")) and parts[3].startswith("msvc")
    )


def named_lines(state: ModuleState, triple: str) -> list[Line]:
    """The `!name = !{…}` lines, and numbers for the nodes in them. MLIR adds which debug information there is to the
    flags wherever it is not there."""
    _default_flag(state, "Debug Info Version", 3)
    if _is_msvc(triple):
        _default_flag(state, "CodeView", 1)
    for nodes in state.named.values():
        for node in nodes:
            state.metadata.number(node)
    return [
        Line(f"!{name} = !{{{', '.join(node.text for node in nodes)}}}", state.named_spans.get(name))
        for name, nodes in state.named.items()
    ]
