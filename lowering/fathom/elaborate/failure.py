"""The exception by which elaboration of one operation is left; it never leaves `fathom.elaborate`."""

from __future__ import annotations


class ElaborationFailure(Exception):
    """`place` is the reference of the token to blame, among those of the operation, and `part` the characters of it
    that are to blame, if not all of them. `further` is what MLIR says besides, each with the token that it is shown
    at."""

    def __init__(
        self,
        message: str,
        place: int,
        notes: tuple[str, ...] = (),
        part: tuple[int, int] | None = None,
        further: tuple[tuple[str, int], ...] = (),
    ) -> None:
        super().__init__(message)
        self.message = message
        self.place = place
        self.notes = notes
        self.part = part
        self.further = further
