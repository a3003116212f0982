"""Programs run as they stand, operation by operation, at any stage of a lowering: what no pass has part in.

machine = Machine(module, context)
machine.call(function, [1, 2])

What an operation computes is an aspect of its dialect (`interpretation.py` in its folder). A value is a number, an
array, a memref or an address in a memory of bytes (`memory.py`), in which the memrefs of the source and the pointers of
the LLVM dialect are the same, so that a module that is half converted runs too.
"""

from __future__ import annotations

from fathom.interpreting.machine import INTERPRETATION, Frame, Jump, Machine
from fathom.interpreting.values import NotUnderstood, Trap

__all__ = ["INTERPRETATION", "Frame", "Jump", "Machine", "NotUnderstood", "Trap"]
