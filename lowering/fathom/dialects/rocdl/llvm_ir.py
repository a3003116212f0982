"""What of the rocdl dialect is in LLVM IR beside calls of intrinsics: barriers, sizes of the grid, and attributes.

Source of the rules: *'rocdl' Dialect*, and observed behaviour of mlir-translate 22.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.attributes import cases
from fathom.dialects.llvm.calling import Maker, replaces
from fathom.ir.attributes import DenseArrayAttr, IntegerAttr, StringAttr, i64_attr
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.types import I1, I64
from fathom.records import replace
from fathom.rewriting.lowerings import Amended, Amendment

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation, Value

_LIBRARY: Final = {"rocdl.workgroup": "__ockl_get_local_size", "rocdl.grid": "__ockl_get_num_groups"}
"""The functions of a library that know sizes, each of the dimension that is its argument."""


@replaces(*(f"{of}.dim.{axis}" for of in _LIBRARY for axis in "xyz"))
def _size(op: Operation, make: Maker) -> Value:
    of, _, axis = op.name.rsplit(".", 2)
    between = op.properties.get("range")
    if isinstance(between, DialectAttr):
        # The bounds of the dialect have 32 bits, and what the library gives has 64.
        bounds = [number % 2**32 for number in between.parameters if isinstance(number, int)]
        between = replace(between, parameters=(I64, *bounds))
    return make.call(_LIBRARY[of], [make.number("xyz".index(axis))], op.result.type, between).result


@replaces("rocdl.barrier")
def _barrier(op: Operation, make: Maker) -> None:
    """What threads of a group wrote is seen by the others behind it."""
    del op
    for kind in ("release", "acquire"):
        properties = {"ordering": i64_attr(cases("AtomicOrdering")[kind]), "syncscope": StringAttr("workgroup")}
        if kind == "acquire":
            make.call("llvm.amdgcn.s.barrier", [])
        make.rewriter.create("llvm.fence", (), (), properties)


# ---- attributes of functions and instructions


def _kernel(_op: Operation, _value: Attribute, amended: Amended) -> None:
    amended.convention = "amdgpu_kernelcc"
    amended.attributes.setdefault("amdgpu-flat-work-group-size", "1,256")
    amended.attributes.setdefault("uniform-work-group-size", "true")


def _says(name: str, spell: Callable[[Attribute], str | None]) -> Amendment:
    """An attribute of a function that has a name in LLVM."""

    def amend(_op: Operation, value: Attribute, amended: Amended) -> None:
        text = spell(value)
        if text is not None:
            amended.attributes[name] = text

    return amend


def _flag(value: Attribute) -> str | None:
    if not isinstance(value, IntegerAttr) or value.type != I1:
        return None
    return "true" if value.value else "false"


def _number(value: Attribute) -> str | None:
    return str(value.value) if isinstance(value, IntegerAttr) else None


def _up_to(value: Attribute) -> str | None:
    return f"1,{value.value}" if isinstance(value, IntegerAttr) else None


def _text(value: Attribute) -> str | None:
    return value.value if isinstance(value, StringAttr) else None


def _required(_op: Operation, value: Attribute, amended: Amended) -> None:
    if isinstance(value, DenseArrayAttr):
        amended.metadata["reqd_work_group_size"] = list(value.values)


def _marks(kind: str) -> Amendment:
    """An attribute of an access to memory that is metadata without operands."""

    def amend(_op: Operation, _value: Attribute, amended: Amended) -> None:
        amended.metadata[kind] = []

    return amend


AMENDMENTS: Final[Mapping[str, Amendment]] = {
    "rocdl.kernel": _kernel,
    "rocdl.max_flat_work_group_size": _says("amdgpu-flat-work-group-size", _up_to),
    "rocdl.flat_work_group_size": _says("amdgpu-flat-work-group-size", _text),
    "rocdl.waves_per_eu": _says("amdgpu-waves-per-eu", _number),
    "rocdl.uniform_work_group_size": _says("uniform-work-group-size", _flag),
    "rocdl.unsafe_fp_atomics": _says("amdgpu-unsafe-fp-atomics", _flag),
    "rocdl.reqd_work_group_size": _required,
    "rocdl.last_use": _marks("amdgpu.last.use"),
    "rocdl.no_remote_memory": _marks("amdgpu.no.remote.memory"),
    "rocdl.no_fine_grained_memory": _marks("amdgpu.no.fine.grained.memory"),
    "rocdl.ignore_denormal_mode": _marks("amdgpu.ignore.denormal.mode"),
}
