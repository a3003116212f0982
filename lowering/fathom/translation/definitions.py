"""Functions of the LLVM dialect as functions of LLVM IR."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.intrinsic_calls import call_of
from fathom.dialects.llvm.ir_names import FUNCTION_BOOLEANS, FUNCTION_STRINGS, STREAMING_MARKS, ZA_MARKS
from fathom.dialects.llvm.signatures import is_debug_intrinsic
from fathom.ir.attributes import SymbolRefAttr
from fathom.ir.custom_text import is_kept_text
from fathom.ir.operation import Operation
from fathom.ir.property_values import text_property
from fathom.irdl.cases import number_of
from fathom.llvmir.instructions import BranchInst
from fathom.llvmir.module import Function
from fathom.llvmir.types import VOID
from fathom.llvmir.values import Argument
from fathom.rewriting.llvm_exports import BUILDERS
from fathom.rewriting.lowerings import INTRINSICS, llvm_translation
from fathom.slices import checkpoint
from fathom.translation.amendments import Signature, amended_function
from fathom.translation.attribute_sets import attribute_list
from fathom.translation.building import builder_emitter
from fathom.translation.calls import CALLS, intrinsic_emitter
from fathom.translation.function import (
    Emitter,
    Flow,
    FunctionEmitter,
    Untranslatable,
    begin_phis,
    end_phis,
    flow_order,
    flows_of,
    in_order,
)
from fathom.translation.function_attributes import FUNCTION_ATTRIBUTES, function_attributes
from fathom.translation.function_metadata import KERNEL_HINTS, function_metadata
from fathom.translation.globals import say_placed, say_shared
from fathom.translation.instructions import EMITTERS
from fathom.translation.intrinsics import complete
from fathom.translation.state import ModuleState
from fathom.translation.terminators import TERMINATORS
from fathom.translation.types import NoLLVMType
from fathom.translation.unsaid import Lost

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fathom.ir.attributes import Attribute

ALL_EMITTERS: Final = {**EMITTERS, **CALLS, **TERMINATORS}
SAID: Final = (
    frozenset(
        """
    sym_name function_type linkage CConv visibility_ unnamed_addr dso_local section comdat alignment garbageCollector
    personality arg_attrs res_attrs passthrough function_entry_count
    """.split()
    )
    | FUNCTION_ATTRIBUTES
    | KERNEL_HINTS.keys()
)
"""The properties of a function that are said."""
_OF_BODIES: Final = frozenset(
    {*FUNCTION_STRINGS, *FUNCTION_BOOLEANS, *STREAMING_MARKS, *ZA_MARKS, "vscale_range", "section", "personality"}
)
"""Those that MLIR says of functions with a body alone."""


def make_function(op: Operation, state: ModuleState) -> None:
    """A function's signature and instructions. Raises Untranslatable for what has no translation."""
    made = state.made.get(op)
    if not isinstance(made, Function):
        raise Untranslatable(op, "'llvm.func' op requires attribute 'function_type'")
    state.unsaid.check(op, SAID, op)
    say_shared(op, made)
    say_placed(op, state, made)
    region = op.regions[0] if op.regions else None
    properties = op.properties
    if region is None or region.first is None:
        properties = {name: value for name, value in properties.items() if name not in _OF_BODIES}
        made.section = ""
    signature = _signature(op, properties, state)
    parameters = made.value_type.parameters
    made.calling_convention = signature.convention
    made.attributes = attribute_list(
        signature.attributes, properties.get("res_attrs"), properties.get("arg_attrs"), len(parameters), state.types
    )
    if made.is_intrinsic:
        complete(made)
    made.gc = text_property(op, "garbageCollector") or ""
    personality = properties.get("personality")
    if isinstance(personality, SymbolRefAttr):
        made.personality = state.symbols.get(personality.root)
    if region is not None and region.first is not None:
        emitter = FunctionEmitter(state, state.debug.subprogram(op))
        made.arguments = [Argument(parameter) for parameter in parameters]
        emitter.values.update(zip(region.first.arguments, made.arguments, strict=False))
        flows = flows_of(region, state.blocks)
        made.blocks = emitter.blocks
        emitter.blocks += [flow.block for flow in flows]
        state.spans.update((flow.block, flow.span) for flow in flows)
        emitter.make_blocks = lambda inner: _emit_blocks(emitter, inner, op)
        emitter.make_blocks(flows)
        made.made = emitter.order
    made.metadata = in_order(signature.metadata)
    state.module.functions.append(made)


def _signature(op: Operation, properties: Mapping[str, Attribute], state: ModuleState) -> Signature:
    convention = number_of(properties.get("CConv")) or 0
    own = Signature(convention, function_attributes(properties), function_metadata(op, state))
    return amended_function(op, own, state) if op.attributes else own


def _emit_blocks(emitter: FunctionEmitter, flows: list[Flow], function: Operation) -> None:
    """Makes the instructions of all blocks."""
    begin_phis(emitter, flows)
    for flow in flow_order(flows):
        emitter.flow = flow
        if flow.source is None:
            assert flow.between is not None
            emitter.emit(flow.between, BranchInst(VOID, [], emitter.successors))
        following = flow.source.first if flow.source is not None else None
        while (op := following) is not None:
            following = op.next
            how = ALL_EMITTERS.get(op.name) or emitter_of(op)
            if how is not None:
                emit_operation(how, emitter, op, function)
            elif is_debug_intrinsic(op):
                emitter.record(op)
            else:
                _emit_standing_in(emitter, op, function)
        emitter.order.append(flow.current)
    end_phis(emitter, flows)


def emitter_of(op: Operation) -> Emitter | None:
    """What emits an operation: by its name, or by what its dialect says of the intrinsic that it calls."""
    how = ALL_EMITTERS.get(op.name)
    if how is not None or op.definition is None:
        return how
    call = op.definition.told(INTRINSICS)
    return _intrinsic_emitter(call) if call is not None else built(op)


def built(op: Operation) -> Emitter | None:
    """What emits an operation of which its dialect says what LLVM IR it is."""
    build = op.definition.told(BUILDERS) if op.definition is not None else None
    return builder_emitter(build, op.definition) if build is not None and op.definition is not None else None


@lru_cache(maxsize=2048)
def _intrinsic_emitter(call: str) -> Emitter:
    return intrinsic_emitter(call_of(call))


def _emit_standing_in(emitter: FunctionEmitter, op: Operation, function: Operation) -> None:
    """An operation of which code says what it is in the LLVM dialect."""
    how = llvm_translation(op)
    if how is None:
        raise Untranslatable(op, "")
    from fathom.translation.outside import emit_from_outside

    def emit(made: Operation) -> None:
        known = emitter_of(made)
        if known is None:
            raise Untranslatable(op, f"'{op.name}' op is translated to '{made.name}', which has no translation")
        emit_operation(known, emitter, made, function)

    emit_from_outside(how, emitter, op, emitter.module.context, emit)


def emit_operation(how: Emitter, emitter: FunctionEmitter, op: Operation, function: Operation | None = None) -> None:
    """One operation. One that the verifier would have refused is an error as well, not a crash."""
    checkpoint()
    if op.definition is None and is_kept_text(op):
        raise Untranslatable(op, "")
    try:
        how.emit(emitter, op)
        if op.attributes or (op.properties and not op.properties.keys() <= how.says):
            emitter.module.unsaid.check(op, how.says, function)
    except (NoLLVMType, Lost) as problem:
        raise Untranslatable(op, str(problem)) from None
    except (AssertionError, IndexError, KeyError, ValueError):
        raise Untranslatable(op, f"'{op.name}' op is malformed and cannot be translated") from None
