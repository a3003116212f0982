"""Functions that write their results to buffers which they are given.

Source of the rules: *Passes*, `-buffer-results-to-out-params`, and `BufferResultsToOutParams.cpp` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.bufferization.allocations import allocation_of
from fathom.bufferization.functions import Functions, functions_in, signature
from fathom.bufferization.options import Refusal, Refusals
from fathom.ir.attributes import UNIT, ArrayAttr, DictAttr, TypeAttr
from fathom.ir.operation import BlockArgument, types_of
from fathom.ir.strides import is_identity, strides_and_offset
from fathom.ir.types import DYNAMIC, INDEX, FunctionType, MemRefType
from fathom.irdl.build import segment_sizes
from fathom.ops.func import CallOp, ReturnOp
from fathom.rewriting.dead_symbols import visibility_of
from fathom.rewriting.rewriter import Rewriter

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fathom.ir.operation import Operation, Value
    from fathom.irdl.dialect import Definitions

RESULT = "bufferize.result"


class OutParams:
    """Changes the functions of a module, and then the calls."""

    def __init__(
        self, context: Definitions, *, adds_attribute: bool, hoists_static: bool, hoists_dynamic: bool
    ) -> None:
        self._context = context
        self._rewriter = Rewriter(context)
        self._adds_attribute = adds_attribute
        self._hoists_static = hoists_static
        self._hoists_dynamic = hoists_dynamic
        self._sizes: dict[Operation, list[list[BlockArgument]]] = {}
        """Of functions whose buffers are allocated by callers: for each the arguments that are its sizes."""

    def run(self, module: Operation, *, and_public: bool) -> None:
        """Works on a module. Raises Refusal or Refusals."""
        changed: set[Operation] = set()
        for function in functions_in(module):
            if function.regions[0].is_empty or (visibility_of(function) == "public" and not and_public):
                continue
            added = self._change_signature(function)
            for op in list(function.walk_postorder()):
                if isinstance(op, ReturnOp):
                    self._change_return(op, function, added)
            changed.add(function)
        self._change_calls(module, changed)

    def _change_signature(self, function: Operation) -> list[BlockArgument]:
        """Results that are memrefs become arguments, behind the others."""
        type = signature(function)
        moved: list[int] = []
        for index, result in enumerate(type.results):
            if isinstance(result, MemRefType):
                if not is_identity(result) and not _is_fully_dynamic(result):
                    message = "cannot create out param for result with unsupported layout"
                    raise Refusal(function, message, is_bare=True)
                moved.append(index)
        kept = [index for index in range(len(type.results)) if index not in moved]
        inputs = (*type.inputs, *(type.results[index] for index in moved))
        results = tuple(type.results[index] for index in kept)
        function.properties["function_type"] = TypeAttr(FunctionType(inputs, results))
        of_results = _entries(function, "res_attrs", len(type.results))
        added = [of_results[index] for index in moved]
        if self._adds_attribute:
            added = [_with(entry, RESULT) for entry in added]
        _set_entries(function, "arg_attrs", [*_entries(function, "arg_attrs", len(type.inputs)), *added])
        _set_entries(function, "res_attrs", [of_results[index] for index in kept])
        block = function.regions[0].entry
        arguments = [block.add_argument(type.results[index], function.span) for index in moved]
        for argument in arguments:
            argument.location = function.location
        return arguments

    def _change_return(self, end: Operation, function: Operation, added: Sequence[BlockArgument]) -> None:
        """Copies what is returned, or has it computed where it is to be."""
        rewriter = self._rewriter
        rewriter.set_insertion_before(end)
        rewriter.stand_in(end)
        sizes: list[list[BlockArgument]] = []
        kept = [value for value in end.operands if not isinstance(value.type, MemRefType)]
        for place, argument in zip(_memrefs(end.operands), added, strict=False):
            value = end.operands[place]
            maker, type = value.defining_op, value.type
            is_static = isinstance(type, MemRefType) and type.has_static_shape
            hoists = self._hoists_static if is_static else self._hoists_dynamic
            if hoists and maker is not None and allocation_of(maker, self._context) is not None:
                if self._hoists_dynamic:
                    sizes.append(_size_arguments(maker, function))
                value.replace_all_uses_with(argument)
                maker.erase()
            else:
                rewriter.create("memref.copy", [value, argument])
        rewriter.create("func.return", kept)
        end.erase()
        self._sizes.setdefault(function, sizes)

    def _change_calls(self, module: Operation, changed: set[Operation]) -> None:
        functions = Functions(module)
        refusals: list[Refusal] = []
        for call in list(module.walk_postorder()):
            if not isinstance(call, CallOp):
                continue
            function = functions.called(call)
            try:
                if function is None:
                    message = f"cannot find callee '{call.callee.root}' in symbol table"
                    raise Refusal(call, message, is_bare=True)
                if function in changed:
                    self._change_call(call, function)
            except Refusal as refusal:
                refusals.append(refusal)
        if refusals:
            raise Refusals(refusals)

    def _change_call(self, call: CallOp, function: Operation) -> None:
        """Allocates what the function is to write."""
        rewriter = self._rewriter
        rewriter.set_insertion_before(call)
        rewriter.stand_in(call)
        known = iter(self._sizes.get(function, ()))
        given: list[Value] = []
        for place in _memrefs(call.results):
            result = call.results[place]
            type = result.type
            assert isinstance(type, MemRefType), "it is one of the memrefs"
            sizes: list[Value] = []
            if not type.has_static_shape:
                arguments = next(known, None)
                if not arguments:
                    message = "cannot create out param for dynamically shaped result"
                    raise Refusal(call, message, is_bare=True)
                sizes = [call.operands[argument.index] for argument in arguments]
            plain = MemRefType(type.shape, type.element, None, type.space)
            properties = {"operandSegmentSizes": segment_sizes(len(sizes), 0)}
            buffer: Value = rewriter.create("memref.alloc", sizes, [plain], properties).result
            if not is_identity(type):
                buffer = rewriter.create("memref.cast", [buffer], [type]).result
            result.replace_all_uses_with(buffer)
            given.append(buffer)
        rest = [result for result in call.results if not isinstance(result.type, MemRefType)]
        properties = {"callee": call.callee}
        new = rewriter.create("func.call", [*call.operands, *given], types_of(rest), properties)
        for old, value in zip(rest, new.results, strict=True):
            old.replace_all_uses_with(value)
        call.erase()


def _memrefs(values: Iterable[Value]) -> list[int]:
    """The places of those that are ranked memrefs."""
    return [place for place, value in enumerate(values) if isinstance(value.type, MemRefType)]


def _is_fully_dynamic(type: MemRefType) -> bool:
    layout = strides_and_offset(type)
    return layout is not None and layout[1] == DYNAMIC and all(stride == DYNAMIC for stride in layout[0])


def _size_arguments(maker: Operation, function: Operation) -> list[BlockArgument]:
    """The arguments of a function that are the sizes of what is allocated; none where one is something else."""
    arguments = function.regions[0].entry.arguments
    sizes: list[BlockArgument] = []
    for operand in maker.operands:
        if operand.type == INDEX:
            if not isinstance(operand, BlockArgument) or operand not in arguments:
                return []
            sizes.append(operand)
    return sizes


# ---- attributes of arguments and results


def _entries(function: Operation, name: str, count: int) -> list[DictAttr]:
    attribute = function.properties.get(name)
    entries = attribute.elements if isinstance(attribute, ArrayAttr) else ()
    return [entry for entry in entries if isinstance(entry, DictAttr)] or [DictAttr(())] * count


def _set_entries(function: Operation, name: str, entries: Sequence[DictAttr]) -> None:
    if any(entry.entries for entry in entries):
        function.properties[name] = ArrayAttr(tuple(entries))
    else:
        function.properties.pop(name, None)


def _with(entry: DictAttr, name: str) -> DictAttr:
    others = [named for named in entry.entries if named[0] != name]
    return DictAttr(tuple(sorted([*others, (name, UNIT)], key=lambda named: named[0])))
