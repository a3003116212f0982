"""One version of an open `.ll` file, from which requests are answered."""

from __future__ import annotations

from collections.abc import Iterator, Set

from fathom.records import field, record
from fathom.slices import paced
from fathom.syntax.sequence import Chunk, ChunkedSequence
from fathom_server.model.llvm_ir.imported import Imported
from fathom_server.model.llvm_ir.text import LlvmText
from fathom_server.model.llvm_ir.units import Unit


@record(eq=False)
class LlvmSnapshot:
    """A version of a `.ll` file. Offsets count characters from its beginning."""

    uri: str
    version: int
    tree: LlvmText
    imported: Imported | None = None
    """What it is in the LLVM dialect, if that is known yet."""
    told: dict[str, ChunkedSequence[Unit]] = field(default_factory=dict[str, ChunkedSequence[Unit]])
    """The units of the versions of which the client was told the tokens, by the name that each has for it; it is told
    next what has changed since. They are those of the file, whatever its version is."""

    def index_of(self, key: str) -> int | None:
        """The index of the unit that defines a name for the whole module, the first one if there are several."""
        units = self.tree.units
        for first, known in zip(units.starts, units.known(_defined_in), strict=False):
            if key in known:
                return first + known[key]
        return None

    def indices_of(self, keys: Set[str]) -> list[int]:
        """The indices of the units that define some names for the whole module, of each name the first one."""
        units = self.tree.units
        left = set(keys)
        indices: list[int] = []
        for first, known in zip(units.starts, units.known(_defined_in), strict=False):
            here = known.keys() & left
            indices += sorted(first + known[key] for key in here)
            left -= here
            if not left:
                break
        return indices

    def unit_of(self, key: str) -> Unit | None:
        """The unit that defines a name for the whole module."""
        index = self.index_of(key)
        return self.tree.units[index] if index is not None else None

    def units_with(self, key: str) -> Iterator[tuple[Unit, int]]:
        """The units in which a name stands that the whole module knows, each with where it begins."""
        # However it is written, these characters are in it.
        plain = key if key[1:].isidentifier() else key[1:2]
        for unit, start in paced(self.tree.with_offsets()):
            if plain in unit.text and key in unit.names.mentions:
                yield unit, start


def _defined_in(chunk: Chunk[Unit]) -> dict[str, int]:
    """The names that units of a chunk define for the whole module, with their indices in it."""
    return {unit.key: index for index, unit in reversed(list(enumerate(chunk.elements))) if unit.key}
