"""Comments that say who uses a value: `// user: %3`, `// %arg0 is used by %1, %2`, `// unused`.

An operation without results is called by a number of its own. Source of the rules: observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fathom.ir.operation import BlockArgument, Operation, Value

    Values = Mapping[Value, str]
    Operations = Mapping[Operation, str]


def users_of_operation(op: Operation, values: Values, operations: Operations) -> str:
    """What follows an operation; empty for one without results and operands."""
    if not op.results:
        return f" // id: {operations.get(op, '<<UNKNOWN OPERATION>>')}" if op.operands else ""
    users = {user for result in op.results for user in result.uses}
    if not users:
        return " // unused"
    is_one = len(op.results) == 1 and len(users) == 1 and sum(len(user.results) for user in users) <= 1
    shown = [_users(result, values, operations) for result in op.results]
    if len(shown) > 1:
        shown = [f"({use})" for use in shown]
    return f" // {'user' if is_one else 'users'}: {', '.join(shown)}"


def users_of_argument(argument: BlockArgument, values: Values, operations: Operations) -> str:
    """The comment before a block."""
    name = values.get(argument, "")
    if not argument.uses:
        return f"// {name} is unused"
    return f"// {name} is used by {_users(argument, values, operations)}"


def _users(value: Value, values: Values, operations: Operations) -> str:
    """The users, last one first."""
    if not value.uses:
        return "unused"
    names: list[str] = []
    for user in reversed(value.uses):
        names += [values[result] for result in user.results] or [operations.get(user, "<<UNKNOWN OPERATION>>")]
    return ", ".join(names)
