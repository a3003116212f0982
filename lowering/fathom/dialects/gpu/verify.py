"""What the verifiers of the gpu dialect ask for besides what is declared.

Source of the rules: *'gpu' Dialect*; the texts of errors are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

from fathom.dialects.gpu.types import MMAMatrixType
from fathom.dialects.memref.common import check_dynamic_sizes
from fathom.ir.attributes import UnitAttr
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.operation import is_module
from fathom.ir.strides import has_unit_stride, layout_symbols
from fathom.ir.traversal import ancestors
from fathom.ir.types import FloatType, IntegerType, MemRefType, VectorType, element_type
from fathom.irdl.architectures import checked_chips, chip_version
from fathom.irdl.cases import word_of
from fathom.irdl.checking import bare
from fathom.irdl.code import OpCode
from fathom.irdl.definition import Problem
from fathom.irdl.interfaces import Speculatable, Speculation, SymbolTable
from fathom.irdl.type_traits import have_compatible_shapes
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops import gpu as ops

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fathom.ir.types import Type
    from fathom.irdl.symbols import Lookup


_FLOAT: Final = frozenset(("minnumf", "maxnumf", "minimumf", "maximumf"))
_INTEGER: Final = frozenset(("minsi", "minui", "maxsi", "maxui", "and", "or", "xor"))


# ---- reductions


def _reduction_problem(op: ops.AllReduceOp | ops.SubgroupReduceOp, element: Type) -> Complaint:
    name = word_of(op.op)
    fits = (
        isinstance(element, FloatType) if name in _FLOAT else name not in _INTEGER or isinstance(element, IntegerType)
    )
    if fits:
        return None
    return bare(f"`{name}` reduction operation is not compatible with type '{op.result.type}'")


@verifies("gpu.all_reduce", regions=True)
def _verify_all_reduce(op: ops.AllReduceOp) -> Complaint:
    body, type = op.body, op.result.type
    if body.is_empty != (op.op is not None):
        return bare("expected either an op attribute or a non-empty body")
    entry = body.first
    if entry is None:
        return _reduction_problem(op, type)
    if len(entry.arguments) != 2:
        return bare("expected two region arguments")
    if any(argument.type != type for argument in entry.arguments):
        return bare("incorrect region argument type")
    yields = [block.last for block in body.blocks if isinstance(block.last, ops.YieldOp)]
    for last in yields:
        if len(last.operands) != 1:
            return bare("expected one gpu.yield operand")
        if last.operands[0].type != type:
            return bare("incorrect gpu.yield type")
    return None if yields else bare("expected gpu.yield op in region")


def _is_power(value: int) -> bool:
    return value > 0 and not value & (value - 1)


@verifies("gpu.subgroup_reduce")
def _verify_subgroup_reduce(op: ops.SubgroupReduceOp) -> Complaint:
    type = op.result.type
    if isinstance(type, VectorType) and any(type.scalable):
        return "is not compatible with scalable vector types"
    if problems := _reduction_problem(op, element_type(type)):
        return problems
    size, stride = op.cluster_size, op.cluster_stride.value
    if size is not None and not _is_power(size.value):
        return f"cluster size {size.value % 2**32} is not a power of two"
    if stride != 1 and size is None:
        return "cluster stride can only be specified if cluster size is specified"
    if not _is_power(stride):
        return f"cluster stride {stride % 2**32} is not a power of two"
    return None


@verifies("gpu.rotate")
def _verify_rotate(op: ops.RotateOp) -> Complaint:
    return f"offset must be in the range [0, {op.width.value})" if op.offset.value >= op.width.value else None


def _names_lane(op: ops.SubgroupBroadcastOp) -> bool:
    return word_of(op.broadcast_type) == "specific_lane"


@verifies("gpu.subgroup_broadcast")
def _verify_broadcast(op: ops.SubgroupBroadcastOp) -> Complaint:
    if _names_lane(op) == (op.lane is not None):
        return None
    return f"lane {'must' if op.lane is None else 'can only'} be specified for `specific_lane` broadcast"


def _speculation_of_broadcast(op: ops.SubgroupBroadcastOp) -> Speculation:
    """Which lane is the first active one depends on where the operation stands."""
    return Speculation.ALWAYS if _names_lane(op) else Speculation.NEVER


# ---- launch_func


@verifies("gpu.launch_func")
def _verify_launch_func(op: ops.LaunchFuncOp) -> Complaint:
    module = next(filter(is_module, ancestors(op)), None)
    if module is not None and not isinstance(module.attribute("gpu.container_module"), UnitAttr):
        return "expected the closest surrounding module to have the 'gpu.container_module' attribute"
    types = {value.type for axis in "XYZ" for value in op.all_of(f"clusterSize{axis}")}
    if len(types) > 1:
        return "expects types of the cluster dimensions must be the same"
    return None


# ---- modules

_OLDEST: Final = 20
"""The first architecture that a target may name."""


@verifies("gpu.module")
def _verify_module(op: ops.ModuleOp) -> Complaint:
    versions = (chip_version(chip) for chip in checked_chips(op))
    if any(version is not None and version < _OLDEST for version in versions):
        return bare(f"Minimum NVVM target SM version is sm_{_OLDEST}")
    return None


# ---- memory


@verifies("gpu.memcpy")
def _verify_copy(op: ops.MemcpyOp) -> Complaint:
    source, target = op.src.type, op.dst.type
    if element_type(source) != element_type(target):
        return "arguments have incompatible element type"
    return None if have_compatible_shapes(source, target) else "arguments have incompatible shape"


@verifies("gpu.alloc")
def _verify_allocation(op: ops.AllocOp) -> Complaint:
    type = op.memref.type
    if not isinstance(type, MemRefType):
        return None
    problems = check_dynamic_sizes(type, len(op.dynamicSizes))
    if not problems and len(op.symbolOperands) != layout_symbols(type):
        return "symbol operand count does not equal memref symbol count"
    return problems


@verifies("gpu.dynamic_shared_memory")
def _verify_shared_memory(op: ops.DynamicSharedMemoryOp) -> Complaint:
    around = next((e for e in ancestors(op) if e.definition is None or e.interface(SymbolTable) is not None), None)
    type = op.result.type
    if around is None or not isinstance(type, MemRefType):
        return None
    space = type.space
    if not isinstance(space, DialectAttr) or space.full_name != "gpu.address_space" or space.parameters != (2,):
        return "address space must be address_space<workgroup>"
    if type.has_static_shape:
        return "result memref type must be memref<?xi8, #gpu.address_space<workgroup>>"
    return None


# ---- matrices


@verifies("gpu.subgroup_mma_load_matrix")
def _verify_load(op: ops.SubgroupMmaLoadMatrixOp) -> Complaint:
    if not has_unit_stride(op.srcMemref.type):
        return bare("expected source memref most minor dim must have unit stride")
    return None


@verifies("gpu.subgroup_mma_store_matrix")
def _verify_store(op: ops.SubgroupMmaStoreMatrixOp) -> Complaint:
    if not has_unit_stride(op.dstMemref.type):
        return bare("expected destination memref most minor dim must have unit stride")
    source = op.src.type
    if isinstance(source, MMAMatrixType) and source.operand != "COp":
        return bare("expected the operand matrix being stored to have 'COp' operand type")
    return None


@verifies("gpu.subgroup_mma_compute")
def _verify_compute(op: ops.SubgroupMmaComputeOp) -> Complaint:
    matrices = [type for type in (value.type for value in op.operands) if isinstance(type, MMAMatrixType)]
    if len(matrices) != 3:
        return None
    a, b, c = matrices
    if (a.operand, b.operand, c.operand) != ("AOp", "BOp", "COp"):
        return bare("operands must be in the order AOp, BOp, COp")
    if a.shape[1] != b.shape[0] or a.shape[0] != c.shape[0] or b.shape[1] != c.shape[1]:
        return bare("operand shapes do not satisfy matmul constraints")
    return None


# ---- launches of kernels


@verifies("gpu.launch_func", symbols=True)
def kernel_problem(launch: ops.LaunchFuncOp, lookup: Lookup) -> Complaint:
    """What is wrong with the kernel that a `gpu.launch_func` names, if it stands directly in a function of a module:
    MLIR looks no deeper."""
    from fathom.dialects.func.callees import function_type
    from fathom.dialects.gpu.functions import is_kernel
    from fathom.irdl.interfaces import FunctionLike

    around = next(islice(ancestors(launch), 1, None), None)
    if around is not None and not is_module(around):
        return None
    kernel = launch.kernel
    container = lookup(kernel.root)
    if container is None:
        return f"kernel container '{kernel.root}' is undefined"
    if container.name in ("gpu.binary", "") or container.definition is None:
        return None
    if not isinstance(container, ops.ModuleOp):
        return f"kernel module '{kernel.root}' is undefined"
    function = lookup(kernel)
    if function is None:
        return f"kernel function '{kernel}' is undefined"
    if function.interface(FunctionLike) is None:
        if function.definition is None:
            return None
        note = ("see the kernel definition here", function)
        return Problem(f"referenced kernel '{kernel}' is not a function", notes=(note,))
    if not is_kernel(function):
        return "kernel function is missing the 'gpu.kernel' attribute"
    if not isinstance(function, ops.FuncOp):
        return None
    given, expected = launch.kernelOperands, function_type(function).inputs
    if len(given) != len(expected):
        return f"got {len(given)} kernel operands but expected {len(expected)}"
    for index, (value, type) in enumerate(zip(given, expected, strict=True)):
        if value.type != type:
            return f"type of function argument {index} does not match"
    return None


CODE: Final[Mapping[str, OpCode]] = {
    "subgroup_broadcast": OpCode(interfaces=(Speculatable(_speculation_of_broadcast),)),
}
