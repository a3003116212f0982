"""What is kept of a program: its machine code, and what it takes to link it."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

from fathom.execution.protocol import Damaged, frame, read_frame
from fathom.kept.folder import name_of
from fathom.kept.stamp import stamp
from fathom.records import record

if TYPE_CHECKING:
    from fathom.execution.protocol import Header


@record
class Code:
    """An object file that LLVM made of a program, for a `target`; the symbols that it defines; which of the runtimes
    are linked to it that not every program needs; and what LLVM said meanwhile, which is told whenever it runs."""

    image: bytes
    target: str
    defined: tuple[str, ...] = ()
    runtimes: tuple[str, ...] = ()
    said: str = ""

    def to_bytes(self) -> bytes:
        return frame(
            {"target": self.target, "defined": self.defined, "runtimes": self.runtimes, "said": self.said}, self.image
        )

    @staticmethod
    def from_bytes(data: bytes) -> Code | None:
        """The code in some bytes; None if there is none."""
        try:
            read = read_frame(BytesIO(data).read)
            if read is None:
                return None
            header, image = read
            defined, runtimes = tuple(map(str, header["defined"])), tuple(map(str, header["runtimes"]))
            return Code(image, str(header["target"]), defined, runtimes, str(header["said"]))
        except (Damaged, LookupError, TypeError):
            return None


def name_of_code(program: Header) -> str:
    """The name of the code of a program, by what it follows from."""
    return name_of("code", stamp(), *(f"{name}={value}" for name, value in program.items()))
