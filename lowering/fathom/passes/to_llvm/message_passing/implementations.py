"""What programs see of MPICH and of Open MPI: what the handles of communicators, datatypes and reductions are.

MPICH has numbers. Open MPI has addresses of structs, each under a symbol of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from fathom.diagnostics import LOWERING, Diagnostic, Note
from fathom.dialects.dlti.queries import query
from fathom.dialects.llvm.attributes import linkage
from fathom.dialects.llvm.types import PTR, LLVMStructType
from fathom.ir.attributes import Attribute, StringAttr, SymbolRefAttr, TypeAttr, i32_attr, i64_attr
from fathom.ir.operation import Operation, Region, is_module
from fathom.ir.traversal import ancestors
from fathom.ir.types import F32, F64, I32, I64, IntegerType, Type
from fathom.irdl.declared import Problem
from fathom.ops.llvm import MlirGlobalOp
from fathom.passes.to_llvm import emit
from fathom.passes.to_llvm.declarations import in_front_of
from fathom.records import record

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.rewriting.conversion_rewriter import ConversionRewriter


@record
class Handle:
    """Something of MPI: its number, and the symbol and the struct that it is instead."""

    number: int
    symbol: str
    struct: str


WORLD: Final = Handle(0x44000000, "ompi_mpi_comm_world", "ompi_communicator_t")


def _datatype(number: int, name: str) -> Handle:
    return Handle(number, f"ompi_mpi_{name}", "ompi_predefined_datatype_t")


_FLOATS: Final[dict[Type, Handle]] = {F32: _datatype(0x4C00040A, "float"), F64: _datatype(0x4C00080B, "double")}
_INTEGERS: Final = {
    8: (_datatype(0x4C000137, "int8_t"), _datatype(0x4C00013B, "uint8_t")),
    16: (_datatype(0x4C000238, "int16_t"), _datatype(0x4C00023C, "uint16_t")),
    32: (_datatype(0x4C000439, "int32_t"), _datatype(0x4C00043D, "uint32_t")),
    64: (_datatype(0x4C00083A, "int64_t"), _datatype(0x4C00083E, "uint64_t")),
}


def datatype_of(type: Type) -> Handle | None:
    """The datatype of elements, if MPI has one; a number that says nothing of its sign has one."""
    match type:
        case IntegerType(width, signedness) if width in _INTEGERS:
            return _INTEGERS[width][signedness == "u"]
        case _:
            return _FLOATS.get(type)


_REDUCTIONS: Final = "no_op max min sum prod land band lor bor lxor bxor minloc maxloc replace".split()
"""In the order of the dialect's enumeration."""


def reduction_of(number: int) -> Handle:
    """The operation of a reduction, by its number in the dialect; none at all comes last in MPICH."""
    return Handle(0x58000000 + (number or len(_REDUCTIONS)), f"ompi_mpi_{_REDUCTIONS[number]}", "ompi_predefined_op_t")


class Implementation(Protocol):
    """What the functions of an implementation of MPI take."""

    status_ignore: int
    in_place: int

    def world(self, rewriter: ConversionRewriter, op: Operation) -> Value:
        """The communicator of all, as an `i64`, which stands for communicators wherever they go."""
        ...

    def native(self, rewriter: ConversionRewriter, comm: Value) -> Value:
        """A communicator as functions take it."""
        ...

    def handle(self, rewriter: ConversionRewriter, op: Operation, handle: Handle) -> Value:
        """A datatype, or the operation of a reduction."""
        ...


class _MPICH:
    status_ignore = 1
    in_place = -1

    def world(self, rewriter: ConversionRewriter, op: Operation) -> Value:
        return emit.i64(rewriter, WORLD.number)

    def native(self, rewriter: ConversionRewriter, comm: Value) -> Value:
        return emit.cast(rewriter, "llvm.trunc", comm, I32)

    def handle(self, rewriter: ConversionRewriter, op: Operation, handle: Handle) -> Value:
        return emit.i32(rewriter, handle.number)


class _OpenMPI:
    status_ignore = 0
    in_place = 1

    def world(self, rewriter: ConversionRewriter, op: Operation) -> Value:
        return emit.cast(rewriter, "llvm.ptrtoint", self.handle(rewriter, op, WORLD), I64)

    def native(self, rewriter: ConversionRewriter, comm: Value) -> Value:
        return emit.cast(rewriter, "llvm.inttoptr", comm, PTR)

    def handle(self, rewriter: ConversionRewriter, op: Operation, handle: Handle) -> Value:
        """The address of an external struct, which the module around declares at its front."""
        module = module_around(op)
        if not isinstance(rewriter.symbols_in(module).get(handle.symbol), MlirGlobalOp):
            properties: dict[str, Attribute] = {
                "addr_space": i32_attr(0),
                "global_type": TypeAttr(LLVMStructType(None, name=handle.struct, opaque=True)),
                "linkage": linkage("external"),
                "sym_name": StringAttr(handle.symbol),
                "visibility_": i64_attr(0),
            }
            with in_front_of(rewriter, module):
                rewriter.create("llvm.mlir.global", (), (), properties, regions=[Region()])
        name = {"global_name": SymbolRefAttr(handle.symbol)}
        return rewriter.create("llvm.mlir.addressof", (), [PTR], name).result


MPICH: Final[Implementation] = _MPICH()
OPEN_MPI: Final[Implementation] = _OpenMPI()
_KEY: Final = "MPI:Implementation"


def module_around(op: Operation) -> Operation:
    """The module in which functions and structs are declared."""
    return next(around for around in ancestors(op) if is_module(around))


def implementation(rewriter: ConversionRewriter, op: Operation) -> Implementation:
    """The one that the module around an operation asks for; MPICH, and something is said, where it asks for none."""
    module = module_around(op)
    named = query(module, [_KEY], rewriter.context)
    match named:
        case StringAttr("OpenMPI"):
            return OPEN_MPI
        case StringAttr("MPICH"):
            return MPICH
        case Problem():
            notes = tuple(Note(text, around.span) for text, around in named.notes if isinstance(around, Operation))
            said = Diagnostic(named.message, module.span, code=LOWERING, notes=notes, op=module, fatal=False)
        case _:
            name = named.value if isinstance(named, StringAttr) else "<NULL>"
            text = f'Unknown "{_KEY}" value in DLTI ({name}), defaulting to MPICH'
            said = Diagnostic(text, module.span, "warning", LOWERING, op=module)
    if said not in rewriter.said:
        rewriter.said.append(said)
    return MPICH
