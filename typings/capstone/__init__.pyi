from collections.abc import Iterator
from typing import Final

CS_ARCH_ARM64: Final[int]
CS_ARCH_RISCV: Final[int]
CS_ARCH_X86: Final[int]
CS_MODE_32: Final[int]
CS_MODE_64: Final[int]
CS_MODE_ARM: Final[int]
CS_MODE_RISCV32: Final[int]
CS_MODE_RISCV64: Final[int]
CS_MODE_RISCVC: Final[int]
CS_OPT_SYNTAX_ATT: Final[int]

class Cs:
    skipdata: bool
    syntax: int

    def __init__(self, arch: int, mode: int) -> None: ...
    def disasm_lite(self, code: bytes, offset: int, count: int = 0) -> Iterator[tuple[int, int, str, str]]: ...
