"""The canonicalisation of async: nobody waits for nothing.

Source of the rules: mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.ops.async_ import AwaitAllOp, CreateGroupOp
from fathom.rewriting.pattern import NO_MATCH, Failure, Pattern

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Value
    from fathom.rewriting.rewriter import Rewriter


def drop_empty_group(op: CreateGroupOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """A group that is awaited alone, and that nothing is added to, goes, and so does what awaits it."""
    users = list(reversed(op.result.uses))
    if not all(isinstance(user, AwaitAllOp) for user in users):
        return NO_MATCH
    for user in users:
        rewriter.erase(user)
    rewriter.erase(op)
    return None


CANONICALIZATION: Final = (Pattern("async.create_group", drop_empty_group, name="canonicalize"),)
