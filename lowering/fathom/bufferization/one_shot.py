"""One-Shot Bufferize: the analysis, the copies that it asks for, and the rewriting; of a module, or function by
function.

Source of the rules: *Bufferization*, "One-Shot Bufferize", and `OneShotModuleBufferize.cpp` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.bufferization.analysis import OneShotState, Statistics
from fathom.bufferization.copies import insert_copies, tell_what_is_decided
from fathom.bufferization.functions import LAYOUT, WRITABLE, Functions, in_order, returns_of, signature
from fathom.bufferization.marks import mark
from fathom.bufferization.onlookers import looked_on_by, onlooker
from fathom.bufferization.reasons import Teller
from fathom.bufferization.rewriting import Bufferizer
from fathom.ir.attributes import ArrayAttr, DictAttr, TypeAttr
from fathom.ir.types import FunctionType
from fathom.irdl.interfaces import symbol_name
from fathom.irdl.traits import SYMBOL_TABLE
from fathom.ops.func import FuncOp
from fathom.ops.memref import CastOp
from fathom.records import replace
from fathom.rewriting.observers import explaining

if TYPE_CHECKING:
    from fathom.bufferization.options import Options
    from fathom.ir.operation import Operation, Value
    from fathom.irdl.dialect import Definitions


def bufferize(module: Operation, options: Options, context: Definitions) -> Statistics:
    """Bufferizes a module. Raises Refusal or Refusals."""
    watch = explaining()
    if watch is None:
        return _bufferize(module, options, context)
    with looked_on_by(Teller(watch, onlooker())):
        return _bufferize(module, options, context)


def _bufferize(module: Operation, options: Options, context: Definitions) -> Statistics:
    functions = Functions(module) if options.bufferize_function_boundaries else None
    counts = Statistics()
    if not options.copy_before_write:
        analysed = replace(options, skipped_functions=frozenset(options.no_analysis_func_filter))
        counts = _insert_copies(module, analysed, context, functions)
        if options.test_analysis_only:
            return counts
    run = Bufferizer(options, context, functions, counts)
    if functions is None:
        run.run(module)
    else:
        _function_by_function(functions, run, options)
    return counts


def _insert_copies(
    module: Operation, options: Options, context: Definitions, functions: Functions | None
) -> Statistics:
    state = OneShotState(module, options, context)
    state.functions = functions
    if functions is not None:
        functions.analyze(state)
    else:
        state.analyze(module)
    if options.test_analysis_only:
        tell_what_is_decided(module, state)
        mark(module, state)
    else:
        run = Bufferizer(options, context, functions, state.statistics)
        insert_copies(module, run, state)
    return state.statistics


def _function_by_function(functions: Functions, run: Bufferizer, options: Options) -> None:
    ordered, circular = in_order(functions)
    for function in (*ordered, *circular):
        skips = symbol_name(function) in options.no_analysis_func_filter
        run.options = run.types.options = replace(options, copy_before_write=True) if skips else options
        run.run(function)
        if options.function_boundary_type_conversion == "infer-layout-map":
            _infer_layouts(function)
    run.options = run.types.options = options
    module = functions.module
    for region in module.regions:
        for block in region.blocks:
            for op in list(block):
                if not isinstance(op, FuncOp) and not op.has(SYMBOL_TABLE):
                    run.run(op)
    for function in functions.by_name.values():
        _drop_attributes(function)


def _infer_layouts(function: Operation) -> None:
    """A function returns what it has, without the casts to what its signature said, where all returns agree."""
    if function.regions[0].is_empty:
        return
    returns, type = returns_of(function), signature(function)
    results = list(type.results)
    for index in range(len(results)):
        types = {_uncast(end.operands[index]).type for end in returns}
        if len(types) == 1:
            results[index] = types.pop()
            for end in returns:
                end.set_operand(index, _uncast(end.operands[index]))
    function.properties["function_type"] = TypeAttr(FunctionType(type.inputs, tuple(results)))


def _uncast(value: Value) -> Value:
    op = value.defining_op
    return op.source if isinstance(op, CastOp) else value


def _drop_attributes(function: Operation) -> None:
    """What was said of arguments for bufferization alone."""
    attributes = function.properties.get("arg_attrs")
    if not isinstance(attributes, ArrayAttr) or function.regions[0].is_empty:
        return
    kept = tuple(
        DictAttr(tuple(named for named in entry.entries if named[0] not in (LAYOUT, WRITABLE)))
        if isinstance(entry, DictAttr)
        else entry
        for entry in attributes.elements
    )
    if any(isinstance(entry, DictAttr) and entry.entries for entry in kept):
        function.properties["arg_attrs"] = ArrayAttr(kept)
    else:
        del function.properties["arg_attrs"]
