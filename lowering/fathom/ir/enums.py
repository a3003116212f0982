"""Enumeration attributes of dialects: one keyword, or several flags, in angle brackets after the mnemonic."""

from __future__ import annotations

from dataclasses import dataclass

from fathom.ir.attributes import Attribute
from fathom.ir.types import Speller


@dataclass(frozen=True, slots=True)
class EnumAttr(Attribute):
    """`#llvm.linkage<internal>`; flags stand in the order of their numbers: `#llvm.fastmath<nnan, ninf>`.

    `mnemonic` has the dialect in front and no `#`; `separator` stands between flags.
    """

    mnemonic: str
    keywords: tuple[str, ...]
    separator: str = ", "

    @property
    def keyword(self) -> str:
        """The text between the angle brackets."""
        return self.separator.join(self.keywords)

    def spell(self, of: Speller) -> str:
        return f"#{self.mnemonic}<{self.keyword}>"
