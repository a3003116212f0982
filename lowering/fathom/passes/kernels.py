"""Bodies of `gpu.launch` as kernels of their own, and what is better computed in a kernel than handed to it.

Source of the rules: `KernelOutlining.cpp` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from fathom.dialects.gpu.functions import KERNEL, WORKGROUP_COUNT, workgroup_count
from fathom.dialects.gpu.launch import SIZES, has_cluster
from fathom.ir.attributes import UNIT, DenseArrayAttr, IntegerAttr, StringAttr, SymbolRefAttr, TypeAttr
from fathom.ir.clone import clone
from fathom.ir.operation import Block, Region
from fathom.ir.traversal import ancestors
from fathom.ir.types import I32, I64, FunctionType
from fathom.irdl.build import segment_sizes
from fathom.irdl.interfaces import symbol_name
from fathom.irdl.traits import CONSTANT_LIKE
from fathom.ops import gpu as ops
from fathom.passes.asynchronous.captures import captures_of
from fathom.passes.gpu_operations import dimension
from fathom.rewriting.dead_symbols import references_in
from fathom.rewriting.folding import integer_constant
from fathom.rewriting.pattern import Operations
from fathom.rewriting.rewriter import Rewriter

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation, Value

_CHEAP: Final = Operations("memref.dim", "arith.select", "arith.cmpi")
"""What is computed anew in a kernel, as constants are."""
_INDICES: Final = ("block_id", "thread_id", "grid_dim", "block_dim")
_OF_CLUSTERS: Final = ("cluster_id", "cluster_dim")
_LARGEST: Final = 2**32 - 1


# ---- sinking


def sink(launch: ops.LaunchOp, context: Context) -> None:
    """Copies constants, sizes of memrefs, comparisons and choices into the body of a launch, which so takes no more
    from outside than before."""
    captures = captures_of(launch.body)
    sunk: dict[Operation, None] = {}
    available: set[Value] = set()
    for value in captures:
        if value.defining_op is not None:
            _take(value.defining_op, frozenset(captures), sunk, available)
    body = launch.body.first
    if body is None or not sunk:
        return
    rewriter = Rewriter(context)
    copies: dict[Value, Value] = {}
    rewriter.set_insertion_to_start(body)
    for op in sunk:
        copy = rewriter.clone(op, copies)
        for old, new in zip(op.results, copy.results, strict=True):
            _replace_inside(launch.body, old, new)


def _take(op: Operation, captures: frozenset[Value], sunk: dict[Operation, None], available: set[Value]) -> bool:
    """Whether an operation is copied, with those that it needs and the body does not use already."""
    if op in sunk:
        return True
    if not op.has(CONSTANT_LIKE) and op not in _CHEAP:
        return False
    for operand in op.operands:
        if operand in available:
            continue
        maker = operand.defining_op
        if (maker is None or not _take(maker, captures, sunk, available)) and operand not in captures:
            return False
    sunk[op] = None
    available.update(op.results)
    return True


def _replace_inside(region: Region, old: Value, new: Value) -> None:
    for user in list(old.uses):
        if any(around.parent_region is region for around in (user, *ancestors(user))):
            for place in old.places_in(user):
                user.set_operand(place, new)


# ---- outlining


class Outlining:
    """The symbols of a module, to which kernels come; a name that there is gets a number, which counts on."""

    def __init__(self, module: Operation, layout: Attribute | None, context: Context) -> None:
        (self._body,) = module.regions[0].blocks
        self._layout = layout
        self._context = context
        self._rewriter = Rewriter(context)
        self._symbols = {symbol_name(op): op for op in self._body if _names(op)}
        self._count = 0

    def outline(self) -> bool:
        """Makes kernels of all launches in functions and other symbols; whether there were any."""
        found = False
        for op in [each for each in self._body if _names(each)]:
            following = op.next
            for launch in [each for each in op.walk_postorder() if isinstance(each, ops.LaunchOp)]:
                self._outline(launch, following)
                found = True
        return found

    def _outline(self, launch: ops.LaunchOp, following: Operation | None) -> None:
        captures = captures_of(launch.body)
        around = next((each for each in ancestors(launch) if _names(each)), None)
        name = (
            launch.function.root if launch.function is not None else f"{symbol_name(around)}_kernel" if around else ""
        )
        kernel = _kernel(launch, name, captures, self._rewriter)
        module = self._module(launch, kernel)
        if module.parent is None:
            self._body.insert_before(module, following)
            self._add(module)
        _launch_instead(launch, SymbolRefAttr(symbol_name(module), (symbol_name(kernel),)), captures, self._rewriter)

    def _module(self, launch: ops.LaunchOp, kernel: ops.FuncOp) -> ops.ModuleOp:
        """The module of a kernel, with all that it refers to; one that the launch names is taken if it is there."""
        name = launch.module.root if launch.module is not None else symbol_name(kernel)
        module = self._symbols.get(name) if launch.module is not None else None
        if not isinstance(module, ops.ModuleOp):
            module = self._new_module(launch, name)
        if self._layout is not None:
            module.attributes["dlti.dl_spec"] = self._layout
        (body,) = module.regions[0].blocks
        inside = {symbol_name(op): op for op in body if _names(op)}
        free, count = symbol_name(kernel), 0
        while free in inside:
            free, count = f"{symbol_name(kernel)}_{count}", count + 1
        kernel.attributes["sym_name"] = StringAttr(free)
        pending: list[Operation] = [kernel]
        inside[free] = kernel
        body.append(kernel)
        while pending:
            for reference in _references(pending.pop()):
                leaf = reference.nested[-1] if reference.nested else reference.root
                meant = self._symbols.get(leaf)
                if leaf in inside or meant is None:
                    continue
                inside[leaf] = copy = clone(meant)
                body.append(copy)
                pending.append(copy)
        return module

    def _new_module(self, launch: ops.LaunchOp, name: str) -> ops.ModuleOp:
        region = Region()
        region.append(Block())
        made = _detached(self._rewriter, launch, "gpu.module", {"sym_name": StringAttr(name)}, {}, region)
        assert isinstance(made, ops.ModuleOp)
        return made

    def _add(self, module: ops.ModuleOp) -> None:
        """Notes the symbol of a module that was inserted, under another name if it is taken."""
        name = free = symbol_name(module)
        while free in self._symbols:
            free = f"{name}_{self._count}"
            self._count += 1
        module.properties["sym_name"] = StringAttr(free)
        self._symbols[free] = module


def _names(op: Operation) -> bool:
    return isinstance(op.attribute("sym_name"), StringAttr)


def _references(op: Operation) -> Iterator[SymbolRefAttr]:
    """What an operation and those in it refer to."""
    for each in op.walk():
        for value in (*each.properties.values(), *each.attributes.values()):
            yield from references_in(value)


def _detached(
    rewriter: Rewriter,
    source: Operation,
    name: str,
    properties: Mapping[str, Attribute],
    attributes: Mapping[str, Attribute],
    region: Region,
) -> Operation:
    """A new operation that stands nowhere yet, and comes from where another does."""
    place = Block()
    with rewriter.elsewhere():
        rewriter.set_insertion_to_end(place)
        rewriter.stand_in(source)
        made = rewriter.create(name, (), (), properties, attributes, regions=[region])
    made.unlink()
    return made


def _kernel(launch: ops.LaunchOp, name: str, captures: list[Value], rewriter: Rewriter) -> ops.FuncOp:
    """
        gpu.launch blocks(%bx, …) in (…) threads(%tx, …) in (…) { use(%captured, %tx)  gpu.terminator }
    gives
        gpu.func @f_kernel(%captured: f32) kernel { %tx = gpu.thread_id x  … use(%captured, %tx)  gpu.return }
    """
    body = launch.body.first
    assert body is not None, "a launch has a body"
    names = (*_INDICES, *(_OF_CLUSTERS if has_cluster(launch) else ()))
    memory = body.arguments[3 * len(names) :]
    types = [value.type for value in captures]
    properties: dict[str, Attribute] = {"function_type": TypeAttr(FunctionType(tuple(types), ()))}
    for of in ("block", "grid"):
        if (known := _known(launch, of)) is not None:
            properties[f"known_{of}_size"] = known
    attributes = {
        "sym_name": StringAttr(name),
        WORKGROUP_COUNT: IntegerAttr(workgroup_count(launch), I64),
        KERNEL: UNIT,
    }
    region = Region()
    entry = region.append(Block([*types, *(argument.type for argument in memory)]))
    kernel = _detached(rewriter, launch, "gpu.func", properties, attributes, region)
    assert isinstance(kernel, ops.FuncOp)
    with rewriter.elsewhere():
        rewriter.stand_in(launch)
        rewriter.set_insertion_to_end(entry)
        indices = [dimension(rewriter, f"gpu.{of}", axis) for of in names for axis in "xyz"]
    for value, argument in zip(captures, entry.arguments, strict=False):
        argument.span, argument.location = launch.span, launch.location
        _replace_inside(launch.body, value, argument)
    for old, new in zip(body.arguments, [*indices, *entry.arguments[len(captures) :]], strict=True):
        old.replace_all_uses_with(new)
    for block in launch.body.blocks:
        last = block.last
        if isinstance(last, ops.TerminatorOp):
            rewriter.set_insertion_before(last)
            rewriter.stand_in(last)
            rewriter.create("gpu.return")
            rewriter.erase(last)
    for op in list(body):
        op.unlink()
        entry.append(op)
    launch.body.remove(body)
    region.take_blocks(launch.body)
    return kernel


def _known(launch: ops.LaunchOp, of: str) -> Attribute | None:
    """The sizes of the grid or of blocks, if they are constants that a size can be."""
    sizes = [integer_constant(launch.one_of(f"{of}Size{axis}")) for axis in "XYZ"]
    numbers = [size for size in sizes if size is not None and size % 2**64 <= _LARGEST]
    if len(numbers) < 3:
        return None
    return DenseArrayAttr(I32, tuple((number + 2**31) % 2**32 - 2**31 for number in numbers))


def _launch_instead(launch: ops.LaunchOp, kernel: SymbolRefAttr, captures: list[Value], rewriter: Rewriter) -> None:
    rewriter.set_insertion_before(launch)
    rewriter.stand_in(launch)
    sizes = {name: launch.all_of(name) for name in SIZES}
    tokens, shared = launch.asyncDependencies, launch.all_of("dynamicSharedMemorySize")
    operands = [*tokens, *(value for group in sizes.values() for value in group), *shared, *captures]
    counts = [len(tokens), *map(len, sizes.values()), len(shared), len(captures), 0]
    properties = {"kernel": kernel, "operandSegmentSizes": segment_sizes(*counts)}
    rewriter.replace_with(launch, "gpu.launch_func", operands, [each.type for each in launch.results], properties)
