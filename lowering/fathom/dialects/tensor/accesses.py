"""tensor's accesses to elements, as pictures of access patterns need them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from fathom.irdl.accesses import Access, Says, at

if TYPE_CHECKING:
    from fathom.ops import tensor as ops


def _extract(op: ops.ExtractOp) -> list[Access]:
    return [Access(op.tensor, at(*op.indices), reads=True)]


def _insert(op: ops.InsertOp) -> list[Access]:
    return [Access(op.dest, at(*op.indices), writes=True)]


ACCESSES: Final[Mapping[str, Says]] = {
    "tensor.extract": Says(accesses=_extract),
    "tensor.insert": Says(accesses=_insert),
}
