"""What is said of variables between instructions, as operations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from fathom.importing.body import BodyImport
    from fathom.llvmir.instructions import Instruction


class Records:
    """The records of one function. What is said of variables is placed when all values are there."""

    def __init__(self, body: BodyImport) -> None:
        self._body: Final = body

    def meet(self, instruction: Instruction) -> None:
        """Takes the records before an instruction, which is imported next: labels are operations at once."""
        del instruction

    def place(self) -> None:
        """Puts operations for what is said of variables where the values are defined."""
