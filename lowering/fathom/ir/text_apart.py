"""Operations of a module printed apart from the others, so that the texts put together are that of the whole.

module {                  head
  func.func @f …          the text of some operations
  func.func @g …          that of others
}                         END
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.ir.printer import print_module
from fathom.ir.printing_flags import DEFAULT_FLAGS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Operation
    from fathom.ir.operation_printer import Locator

END: Final = "}\n\n"
_NAMED: Final = 'struct<"'
"""How a type begins that has a name. What is converted of it gets another, which nothing else in the whole has."""


def text_apart(module: Operation, ops: Sequence[Operation], locate: Locator | None = None) -> tuple[str, str] | None:
    """How a module begins as text that consists of these of its operations, and they; None where anything stands around
    it, such as aliases. All others are taken out of it."""
    block = module.regions[0].entry
    for op in list(block):
        op.unlink()
    for op in ops:
        block.append(op)
    text = print_module(module, DEFAULT_FLAGS, locate=locate)
    head, line_end, rest = text.partition("\n")
    if not (head.startswith("module") and head.endswith("{") and rest.endswith(END)) or _NAMED in text:
        return None
    return head + line_end, rest.removesuffix(END)
