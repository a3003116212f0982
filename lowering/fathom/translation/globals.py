"""Globals, aliases, constructors and comdats: what stands before the functions.

Source of the rules: *LLVM Language Reference*, "Global Variables", "Aliases" and "Comdats".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fathom.diagnostics import TRANSLATION, Diagnostic
from fathom.dialects.llvm.attributes import ir_words
from fathom.ir.attributes import ArrayAttr, Attribute, IntegerAttr, SymbolRefAttr, TypeAttr
from fathom.ir.operation import Operation, Span
from fathom.ir.property_values import integer_property, text_property
from fathom.irdl.interfaces import symbol_name
from fathom.irdl.traits import RETURN_LIKE
from fathom.llvmir.constants import aggregate, elements_of, integer
from fathom.llvmir.module import Comdat, GlobalAlias, GlobalIFunc, GlobalObject, GlobalValue, GlobalVariable
from fathom.llvmir.types import I32, PTR, ArrayType, StructType, Type
from fathom.llvmir.values import Constant, ConstantPointerNull, UndefValue
from fathom.llvmir.words import SELECTION_KINDS, VISIBILITIES
from fathom.translation.attribute_constants import constant_of, why_none
from fathom.translation.function import FunctionEmitter, Untranslatable
from fathom.translation.function_attributes import texts_as_attributes
from fathom.translation.instructions import EMITTERS
from fathom.translation.state import ModuleState

_SHARED: Final = frozenset("sym_name linkage visibility_ dso_local thread_local_ unnamed_addr".split())
GLOBAL_SAID: Final = _SHARED | frozenset(
    """
    global_type value addr_space constant externally_initialized section comdat alignment target_specific_attrs
    dbg_exprs
    """.split()
)
ALIAS_SAID: Final = _SHARED | {"alias_type"}
IFUNC_SAID: Final = _SHARED | {"i_func_type", "resolver", "resolver_type", "address_space"}
STRUCTORS_SAID: Final = frozenset({"ctors", "dtors", "priorities"})


def say_shared(op: Operation, made: GlobalValue) -> None:
    """What all globals have: how they are seen from outside."""
    made.visibility = VISIBILITIES[integer_property(op, "visibility_", 0)]
    made.is_dso_local = "dso_local" in op.properties
    made.unnamed_addr = ir_words("UnnamedAddr")[integer_property(op, "unnamed_addr", 0)]
    made.thread_local = "generaldynamic" if "thread_local_" in op.properties else ""


def say_placed(op: Operation, state: ModuleState, made: GlobalObject) -> None:
    """What functions and variables have: where they lie."""
    made.section = text_property(op, "section") or ""
    made.alignment = integer_property(op, "alignment", 0)
    reference = op.properties.get("comdat")
    if isinstance(reference, SymbolRefAttr) and reference.nested:
        name = reference.nested[-1]
        made.comdat = state.comdats.setdefault(name, Comdat(name))


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


def _symbol(value: Attribute, state: ModuleState) -> GlobalValue | None:
    return state.symbols.get(value.root) if isinstance(value, SymbolRefAttr) else None


def region_constant(op: Operation, state: ModuleState) -> Constant:
    """What the region of a global or an alias returns; all of it must fold."""
    out = FunctionEmitter(state)
    block = op.regions[0].first
    for inner in block or ():
        if inner.has(RETURN_LIKE):
            result = out.operand(inner.operands[0], inner)
            if not isinstance(result, Constant):
                break
            return result
        emitter = EMITTERS.get(inner.name)
        if emitter is None:
            raise Untranslatable(inner, "unemittable constant value")
        emitter.emit(out, inner)
        state.unsaid.check(inner, emitter.says, op)
        if out.flow.block.instructions:
            raise Untranslatable(inner, "unemittable constant value")
    raise Untranslatable(op, "unemittable constant value")


def make_global(op: Operation, state: ModuleState) -> None:
    """`@name = … global type value, align n`."""
    made = state.made.get(op)
    if not isinstance(made, GlobalVariable):
        raise Untranslatable(op, "'llvm.mlir.global' op requires attribute 'global_type'")
    state.unsaid.check(op, GLOBAL_SAID, op)
    value = initializer(op, state, made.value_type)
    if made.linkage != "extern_weak" and not (made.linkage == "external" and value is None):
        made.initializer = value if value is not None else UndefValue(made.value_type)
    say_shared(op, made)
    say_placed(op, state, made)
    made.is_externally_initialized = "externally_initialized" in op.properties
    made.is_constant = "constant" in op.properties
    made.attributes = texts_as_attributes(op, "target_specific_attrs")
    state.module.globals.append(made)


def make_alias(op: Operation, state: ModuleState) -> None:
    """`@name = … alias type, value`."""
    made = state.made.get(op)
    if not isinstance(made, GlobalAlias):
        raise Untranslatable(op, "'llvm.mlir.alias' op requires attribute 'alias_type'")
    state.unsaid.check(op, ALIAS_SAID, op)
    say_shared(op, made)
    made.aliasee = region_constant(op, state)
    state.module.aliases.append(made)


def make_ifunc(op: Operation, state: ModuleState) -> None:
    """`@name = … ifunc type, ptr @resolver`."""
    made, resolver = state.made.get(op), op.properties.get("resolver")
    found = _symbol(resolver, state) if resolver is not None else None
    if not isinstance(made, GlobalIFunc) or not isinstance(op.properties.get("resolver_type"), TypeAttr) or not found:
        raise Untranslatable(op, "")
    state.unsaid.check(op, IFUNC_SAID, op)
    say_shared(op, made)
    made.resolver = found
    state.module.ifuncs.append(made)


_ENTRY: Final = StructType((I32, PTR, PTR))


def make_structors(op: Operation, state: ModuleState) -> None:
    """`llvm.global_ctors` and `llvm.global_dtors`: functions with their priorities. MLIR drops the data they belong
    to."""
    which = "ctors" if "ctors" in op.properties else "dtors"
    names, priorities = op.properties.get(which), op.properties.get("priorities")
    state.unsaid.check(op, STRUCTORS_SAID)
    entries: list[tuple[int, Constant]] = []
    for index, name in enumerate(names.elements if isinstance(names, ArrayAttr) else ()):
        priority = priorities.elements[index] if isinstance(priorities, ArrayAttr) else None
        function = _symbol(name, state)
        if function is None or not isinstance(priority, IntegerAttr):
            raise Untranslatable(op, f"'{op.name}' op does not reference a function")
        entries.append((priority.value, function))
    add_structors(state, which, entries, op.span)


def add_structors(state: ModuleState, which: str, entries: Sequence[tuple[int, Constant]], span: Span | None) -> None:
    """Has functions with their priorities called before the program or after it, behind those that are."""
    name = f"llvm.global_{which}"
    made = [aggregate(_ENTRY, [integer(I32, priority), each, ConstantPointerNull(PTR)]) for priority, each in entries]
    before = next((each for each in state.variables if each.name == name), None)
    if before is not None:
        state.variables.remove(before)
        made = [*(elements_of(before.initializer) or () if before.initializer is not None else ()), *made]
    type = ArrayType(_ENTRY, len(made))
    variable = GlobalVariable(PTR, name, type, aggregate(type, made), linkage="appending")
    state.variables.append(variable)
    state.spans[variable] = span


def collect_comdats(op: Operation, state: ModuleState) -> None:
    """Notes all selectors; only those in use are printed."""
    for inner in (operation for region in op.regions for operation in region.operations()):
        name = symbol_name(inner)
        if name in state.comdats:
            message = "comdat selection symbols must be unique even in different comdat regions"
            state.diagnostics.append(Diagnostic(message, inner.span, code=TRANSLATION, op=inner))
        state.comdats[name] = Comdat(name, SELECTION_KINDS[integer_property(inner, "comdat", 0)])
