"""What a debugger shows of a program: each function with its lines, and each value that has a name and is a number.

    %x = arith.addi %a, %b : i32
becomes
    %slot = llvm.alloca …                            at the start of the function
    …
    %x = arith.addi %a, %b : i32
    llvm.store %x, %slot
    llvm.intr.dbg.declare #llvm.di_local_variable<name = "x", …> = %slot

so that a variable is there as long as its function runs. That is added before anything is lowered.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from fathom.debug_info.correspondence import definition_of
from fathom.debug_info.scopes import add_scope, file_of, new_unit, subprogram_of
from fathom.ir.attributes import Attribute, StringAttr
from fathom.ir.locations import LocationAttr, UnknownLoc, fused
from fathom.ir.operation import Block, BlockArgument, Operation, Value
from fathom.ir.types import I64, FloatType, IndexType, IntegerType, Type
from fathom.irdl.interfaces import FunctionLike, RegionBranch
from fathom.passes.to_llvm import emit
from fathom.rewriting.rewriter import Rewriter

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.ir.dialect_values import DialectAttr
    from fathom.ir.operation_printer import Locator

FULL: Final = 1
"""The kind of debug information that has variables."""
_WIDEST: Final = 64
_NAMES: Final = re.compile(r"(?:%[\w$.-]+(?::\d+)?[\s,]*)+=\s*\Z", re.ASCII)
_MOST: Final = 2000
"""So many characters in front of an operation are looked at."""
_NAME: Final = re.compile(r"%([\w$.-]+)(?::(\d+))?", re.ASCII)


def add_debug_information(module: Operation, text: str, locate: Locator, context: Context) -> None:
    """Has the functions directly in a module stand for those that `text` shows; `locate` says where things stand."""
    for op in module.walk():
        op.location = locate(op)
        for argument in (a for region in op.regions for block in region.blocks for a in block.arguments):
            argument.location = locate(argument)
    unit: DialectAttr | None = None
    for function in [op for region in module.regions for op in region.operations()]:
        like = function.interface(FunctionLike)
        if like is None or not any(not region.is_empty for region in function.regions) or subprogram_of(function):
            continue
        unit = unit or new_unit(file_of(function.location), FULL, is_optimized=False)
        add_scope(function, unit, is_optimized=False)
        subprogram = subprogram_of(function)
        if subprogram is not None:
            _Variables(function, subprogram, text, Rewriter(context)).add()


class _Variables:
    """The variables of one function."""

    def __init__(self, function: Operation, subprogram: DialectAttr, text: str, rewriter: Rewriter) -> None:
        self._subprogram = subprogram
        self._text = text
        self._rewriter = rewriter
        self._blocks = list(function.regions[0].blocks)

    def add(self) -> None:
        """Adds them all. What stands in a region, such as that of a loop, is in a scope of its own."""
        pending = [(block, self._subprogram) for block in self._blocks]
        while pending:
            block, scope = pending.pop()
            ops = list(block)
            for number, argument in enumerate(list(block.arguments), 1):
                self._show(argument, self._name(argument), scope, number if block is self._blocks[0] else 0)
            for op in ops:
                if scope is not self._subprogram and isinstance(op.location, LocationAttr):
                    op.location = fused((op.location,), scope)
                for result, name in zip(op.results, self._result_names(op), strict=False):
                    self._show(result, name, scope)
                if op.interface(RegionBranch) is not None:
                    pending += ((inner, _block(scope, inner)) for region in op.regions for inner in region.blocks)

    def _show(self, value: Value, name: str, scope: DialectAttr, argument: int = 0) -> None:
        """Keeps a value in memory for as long as the function runs, and says what it is called."""
        type = _type_of(value.type)
        if type is None or not name:
            return
        location = value.location if isinstance(value, BlockArgument) else _location(value.defining_op)
        place = file_of(location)
        rewriter = self._rewriter
        # What has no line belongs to the beginning of a function, behind which debuggers stop.
        rewriter.location = UnknownLoc()
        variable = definition_of("DILocalVariableAttr").make_attribute(
            scope=scope,
            name=StringAttr(name),
            file=self._subprogram.parameter("file"),
            line=place.line if place is not None else 0,
            arg=argument,
            type=type,
        )
        rewriter.set_insertion_to_start(self._blocks[0])
        kept = I64 if isinstance(value.type, IndexType) else value.type
        slot = emit.alloca(rewriter, kept, emit.index_constant(rewriter, I64, 1))
        # An argument of the function is known before there is room for it.
        after = slot if isinstance(value, BlockArgument) and value.block is self._blocks[0] else value
        rewriter.set_insertion_behind(after)
        rewriter.location = location
        rewriter.create("llvm.intr.dbg.declare", [slot], (), {"varInfo": variable})
        if after is slot:
            rewriter.location = UnknownLoc()
        if kept is not value.type:
            value = rewriter.create("arith.index_cast", [value], [kept]).result
        emit.store(rewriter, value, slot)

    def _name(self, argument: BlockArgument) -> str:
        """The name of an argument, where it stands in the text."""
        found = _NAME.match(self._text, argument.span.start) if argument.span is not None else None
        return _shown(found[1]) if found is not None else ""

    def _result_names(self, op: Operation) -> list[str]:
        """The names of the results, in front of the operation; `%x:2` are `x` and `x#1`."""
        start = op.span.start if op.span is not None and op.results else 0
        found = _NAMES.search(self._text[max(0, start - _MOST) : start])
        names: list[str] = []
        for name, count in _NAME.findall(found[0]) if found is not None else ():
            name = _shown(name)
            names += [name, *(f"{name}#{number}" for number in range(1, int(count or 1)))]
        return names


def _location(op: Operation | None) -> Attribute | None:
    return op.location if op is not None else None


def _shown(name: str) -> str:
    """A name as a debugger takes it; a number keeps its sign."""
    return f"%{name}" if name[0].isdecimal() else name


def _block(scope: DialectAttr, block: Block) -> DialectAttr:
    """The scope of a region."""
    first = next(iter(block), None)
    place = file_of(first.location) if first is not None else None
    return definition_of("DILexicalBlockAttr").make_attribute(
        scope=scope,
        file=scope.parameter("file"),
        line=place.line if place is not None else 0,
        column=place.column if place is not None else 0,
    )


def _type_of(type: Type) -> DialectAttr | None:
    """What a debugger takes a value for; None for what is no number."""
    match type:
        case IndexType():
            word, size = "signed", 64
        case IntegerType(width=width) if width <= _WIDEST:
            word, size = ("boolean" if width == 1 else "signed"), max(8, 1 << (width - 1).bit_length())
        case FloatType(name="f32" | "f64" as name):
            word, size = "float", int(name[1:])
        case _:
            return None
    return definition_of("DIBasicTypeAttr").make_attribute(
        tag="DW_TAG_base_type", name=StringAttr(str(type)), sizeInBits=size, encoding=f"DW_ATE_{word}"
    )
