"""The exception by which elaboration of one operation is left; it never leaves `fathom.elaborate`."""

from __future__ import annotations


class ElaborationFailure(Exception):
    """`place` is the reference of the token to blame, among those of the operation, and `part` the characters of it
    that are to blame, if not all of them. `further` is what MLIR says besides, each with the token that it is shown
    at. What is `told` is said where an alias is defined that it comes from. What is wrong with each use of an alias,
    and not where it is defined, is `of_uses`. A `hint` is Fathom's own note."""

    def __init__(
        self,
        message: str,
        place: int,
        notes: tuple[str, ...] = (),
        part: tuple[int, int] | None = None,
        further: tuple[tuple[str, int], ...] = (),
        *,
        told: bool = False,
        of_uses: bool = False,
        hint: str = "",
    ) -> None:
        super().__init__(message)
        self.message = message
        self.place = place
        self.notes = notes
        self.part = part
        self.further = further
        self.told = told
        self.of_uses = of_uses
        self.hint = hint

    def at(self, place: int, further: tuple[tuple[str, int], ...]) -> ElaborationFailure:
        """The same at another place."""
        told, of_uses = self.told, self.of_uses
        return ElaborationFailure(self.message, place, self.notes, self.part, further, told=told, of_uses=of_uses)
