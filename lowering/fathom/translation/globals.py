"""Globals, aliases, constructors and comdats: what stands before the functions.

Source of the rules: *LLVM Language Reference*, "Global Variables", "Aliases" and "Comdats".
"""

from __future__ import annotations

from typing import Final

from fathom.diagnostics import TRANSLATION, Diagnostic
from fathom.dialects.llvm.types import LLVMArrayType, LLVMPointerType, LLVMStructType
from fathom.ir.attributes import ArrayAttr, Attribute, IntegerAttr, SymbolRefAttr, TypeAttr
from fathom.ir.operation import Operation
from fathom.ir.property_values import integer_property, text_property
from fathom.ir.types import I32, Type
from fathom.irdl.interfaces import symbol_name
from fathom.irdl.traits import RETURN_LIKE
from fathom.llvmir.spelling import spell_name
from fathom.text.escapes import quote
from fathom.translation.attribute_constants import constant_of, why_none
from fathom.translation.constant_text import spell, typed
from fathom.translation.constants import Binary, Cast, Constant, Offset, Undef, Zero, aggregate, integer
from fathom.translation.function import BasicBlock, FunctionEmitter, Local, Untranslatable
from fathom.translation.function_attributes import texts_as_attributes
from fathom.translation.instructions import EMITTERS
from fathom.translation.state import Line, ModuleState, linkage

VISIBILITY: Final = ("", "hidden ", "protected ")
UNNAMED: Final = ("", "local_unnamed_addr ", "unnamed_addr ")
_SHARED: Final = frozenset("sym_name linkage visibility_ dso_local thread_local_ unnamed_addr".split())
GLOBAL_SAID: Final = _SHARED | frozenset(
    """
    global_type value addr_space constant externally_initialized section comdat alignment target_specific_attrs
    """.split()
)
ALIAS_SAID: Final = _SHARED | {"alias_type"}
IFUNC_SAID: Final = _SHARED | {"i_func_type", "resolver", "resolver_type", "address_space"}
STRUCTORS_SAID: Final = frozenset({"ctors", "dtors", "priorities"})
COMDATS: Final = ("any", "exactmatch", "largest", "nodeduplicate", "samesize")


def visibility_text(op: Operation) -> str:
    """Linkage-independent preemption and visibility, each with a space after it."""
    visibility = integer_property(op, "visibility_", 0)
    implied = linkage(op) in ("internal", "private") or (visibility and linkage(op) != "extern_weak")
    return "dso_local " * ("dso_local" in op.properties and not implied) + VISIBILITY[visibility]


def initializer(op: Operation, state: ModuleState, type: Type) -> Constant | None:
    """The value that a global starts with: from its attribute, or from the region that computes it."""
    value = op.properties.get("value")
    if value is not None:
        constant = _symbol(value, state) or constant_of(value, type)
        if constant is None:
            raise Untranslatable(op, why_none(value, type))
        return constant
    if not op.regions or op.regions[0].is_empty:
        return None
    return region_constant(op, state)


def _symbol(value: Attribute, state: ModuleState) -> Constant | None:
    return state.address(value.root) if isinstance(value, SymbolRefAttr) else None


def region_constant(op: Operation, state: ModuleState) -> Constant:
    """What the region of a global or an alias returns; all of it must fold."""
    out = FunctionEmitter(state)
    out.block = BasicBlock(None)
    block = op.regions[0].first
    for inner in block or ():
        if inner.has(RETURN_LIKE):
            result = out.operand(inner.operands[0], inner)
            if isinstance(result, Local):
                break
            return result
        emitter = EMITTERS.get(inner.name)
        if emitter is None:
            raise Untranslatable(inner, "unemittable constant value")
        emitter.emit(out, inner)
        state.unsaid.check(inner, emitter.says, op)
        if out.block.instructions:
            raise Untranslatable(inner, "unemittable constant value")
    raise Untranslatable(op, "unemittable constant value")


def global_line(op: Operation, state: ModuleState) -> Line:
    """`@name = … global type value, align n`."""
    kind = op.properties.get("global_type")
    if not isinstance(kind, TypeAttr):
        raise Untranslatable(op, "'llvm.mlir.global' op requires attribute 'global_type'")
    state.unsaid.check(op, GLOBAL_SAID, op)
    link = linkage(op)
    type_text = state.types(kind.type)
    value = initializer(op, state, kind.type)
    if link == "extern_weak" or (link == "external" and value is None):
        value, text = None, ""
    else:
        value = value if value is not None else Undef(kind.type)
        # A string or an array of another length brings its own type.
        text = typed(value, state.types).removeprefix(type_text + " ")
    head = f"{link} " if link != "external" or value is None else ""
    head += visibility_text(op)
    head += "thread_local " * ("thread_local_" in op.properties) + UNNAMED[integer_property(op, "unnamed_addr", 0)]
    space = integer_property(op, "addr_space", 0)
    head += f"addrspace({space}) " * bool(space)
    head += "externally_initialized " * ("externally_initialized" in op.properties)
    head += "constant " if "constant" in op.properties else "global "
    name = spell_name(symbol_name(op))
    return Line(f"@{name} = {head}{type_text}{' ' * bool(text)}{text}{_tail(op, state)}", op.span)


def _tail(op: Operation, state: ModuleState) -> str:
    tail = ""
    if (section := text_property(op, "section")) is not None:
        tail += f", section {quote(section)}"
    tail += comdat_text(op, ", ")
    if alignment := integer_property(op, "alignment", 0):
        tail += f", align {alignment}"
    if attributes := texts_as_attributes(op, "target_specific_attrs"):
        tail += f" {state.group(attributes.group)}"
    return tail


def _comdat(op: Operation) -> str | None:
    """The comdat of a function or a global."""
    reference = op.properties.get("comdat")
    return reference.nested[-1] if isinstance(reference, SymbolRefAttr) and reference.nested else None


def note_comdat(op: Operation, state: ModuleState) -> None:
    """Notes the comdat that an operation is in. LLVM prints those of functions first, in the order of these."""
    if (name := _comdat(op)) is not None:
        state.comdats.setdefault(name, "any")


def comdat_text(op: Operation, separator: str) -> str:
    """The reference to the comdat, after the separator; its name is left out where it is the symbol's own."""
    name = _comdat(op)
    if name is None:
        return ""
    return f"{separator}comdat" + ("" if name == symbol_name(op) else f"(${spell_name(name)})")


def alias_line(op: Operation, state: ModuleState) -> Line:
    """`@name = … alias type, value`."""
    kind = op.properties.get("alias_type")
    if not isinstance(kind, TypeAttr):
        raise Untranslatable(op, "'llvm.mlir.alias' op requires attribute 'alias_type'")
    state.unsaid.check(op, ALIAS_SAID, op)
    link = linkage(op)
    head = f"{link} " if link != "external" else ""
    head += visibility_text(op)
    head += "thread_local " * ("thread_local_" in op.properties) + UNNAMED[integer_property(op, "unnamed_addr", 0)]
    aliased = region_constant(op, state)
    # An expression stands there without its type.
    is_expression = isinstance(aliased, (Offset, Cast, Binary))
    target = spell(aliased, state.types) if is_expression else typed(aliased, state.types)
    return Line(f"@{spell_name(symbol_name(op))} = {head}alias {state.types(kind.type)}, {target}", op.span)


def ifunc_line(op: Operation, state: ModuleState) -> Line:
    """`@name = … ifunc type, ptr @resolver`."""
    kind, resolver, type = (op.properties.get(name) for name in ("i_func_type", "resolver", "resolver_type"))
    address = _symbol(resolver, state) if resolver is not None else None
    if not isinstance(kind, TypeAttr) or not isinstance(type, TypeAttr) or address is None:
        raise Untranslatable(op, "")
    state.unsaid.check(op, IFUNC_SAID, op)
    link = linkage(op)
    head = (f"{link} " if link != "external" else "") + visibility_text(op)
    head += UNNAMED[integer_property(op, "unnamed_addr", 0)]
    target = f"{state.types(type.type)} {spell(address, state.types)}"
    return Line(f"@{spell_name(symbol_name(op))} = {head}ifunc {state.types(kind.type)}, {target}", op.span)


def structors_line(op: Operation, state: ModuleState) -> Line:
    """`llvm.global_ctors` and `llvm.global_dtors`: functions with their priorities. MLIR drops the data they belong
    to."""
    constructors = "ctors" in op.properties
    names, priorities = op.properties.get("ctors" if constructors else "dtors"), op.properties.get("priorities")
    state.unsaid.check(op, STRUCTORS_SAID)
    pointer = LLVMPointerType()
    entry = LLVMStructType((I32, pointer, pointer))
    entries: list[Constant] = []
    for index, name in enumerate(names.elements if isinstance(names, ArrayAttr) else ()):
        priority = priorities.elements[index] if isinstance(priorities, ArrayAttr) else None
        function = _symbol(name, state)
        if function is None or not isinstance(priority, IntegerAttr):
            raise Untranslatable(op, f"'{op.name}' op does not reference a function")
        entries.append(aggregate(entry, [integer(I32, priority.value), function, Zero(pointer)]))
    kind = LLVMArrayType(len(entries), entry)
    value = typed(aggregate(kind, entries), state.types)
    return Line(f"@llvm.global_{'ctors' if constructors else 'dtors'} = appending global {value}", op.span)


def collect_comdats(op: Operation, state: ModuleState) -> None:
    """Notes the kinds of all selectors; only those in use are printed."""
    for inner in (operation for region in op.regions for operation in region.operations()):
        if symbol_name(inner) in state.comdats:
            message = "comdat selection symbols must be unique even in different comdat regions"
            state.diagnostics.append(Diagnostic(message, inner.span, code=TRANSLATION, op=inner))
        state.comdats[symbol_name(inner)] = COMDATS[integer_property(inner, "comdat", 0)]
