"""memref's accesses, as pictures of access patterns need them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from fathom.irdl.accesses import Access, Says, at

if TYPE_CHECKING:
    from fathom.ops import memref as ops


def _load(op: ops.LoadOp) -> list[Access]:
    return [Access(op.memref, at(*op.indices), reads=True)]


def _store(op: ops.StoreOp) -> list[Access]:
    return [Access(op.memref, at(*op.indices), writes=True)]


ACCESSES: Final[Mapping[str, Says]] = {
    "memref.load": Says(accesses=_load),
    "memref.store": Says(accesses=_store),
}
