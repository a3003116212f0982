"""The flags of debug-information nodes: sets of bits as numbers, and as the words that are written.

Source of the rules: *LLVM Language Reference*, "Specialized Metadata Nodes"; what LLVM 22 prints.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fathom.records import record


@record
class FlagSet:
    """Flags by their words, in the order in which they are written. Each number of the bits of a group is a flag of its
    own; groups come first, and then other flags of several bits."""

    flags: Mapping[str, int]
    groups: tuple[int, ...]

    def words(self, number: int) -> tuple[str | int, ...]:
        """The flags that a number is; bits of no flag are a number behind them."""
        words: list[str | int] = []
        for group in self.groups:
            if bits := number & group:
                words += (word for word, flag in self.flags.items() if flag == bits)
                number &= ~bits
        for word, flag in sorted(self.flags.items(), key=lambda item: -item[1].bit_count()):
            if number & flag == flag:
                words.append(word)
                number &= ~flag
        return (*words, number) if number else tuple(words)

    def number(self, words: tuple[str | int, ...]) -> int:
        """The number that flags are."""
        number = 0
        for word in words:
            number |= word if isinstance(word, int) else self.flags.get(word, 0)
        return number


DI_FLAGS: Final = FlagSet(
    {
        "DIFlagPrivate": 1,
        "DIFlagProtected": 2,
        "DIFlagPublic": 3,
        "DIFlagFwdDecl": 1 << 2,
        "DIFlagAppleBlock": 1 << 3,
        "DIFlagReservedBit4": 1 << 4,
        "DIFlagVirtual": 1 << 5,
        "DIFlagArtificial": 1 << 6,
        "DIFlagExplicit": 1 << 7,
        "DIFlagPrototyped": 1 << 8,
        "DIFlagObjcClassComplete": 1 << 9,
        "DIFlagObjectPointer": 1 << 10,
        "DIFlagVector": 1 << 11,
        "DIFlagStaticMember": 1 << 12,
        "DIFlagLValueReference": 1 << 13,
        "DIFlagRValueReference": 1 << 14,
        "DIFlagExportSymbols": 1 << 15,
        "DIFlagSingleInheritance": 1 << 16,
        "DIFlagMultipleInheritance": 2 << 16,
        "DIFlagVirtualInheritance": 3 << 16,
        "DIFlagIntroducedVirtual": 1 << 18,
        "DIFlagBitField": 1 << 19,
        "DIFlagNoReturn": 1 << 20,
        "DIFlagTypePassByValue": 1 << 22,
        "DIFlagTypePassByReference": 1 << 23,
        "DIFlagEnumClass": 1 << 24,
        "DIFlagThunk": 1 << 25,
        "DIFlagNonTrivial": 1 << 26,
        "DIFlagBigEndian": 1 << 27,
        "DIFlagLittleEndian": 1 << 28,
        "DIFlagAllCallsDescribed": 1 << 29,
        "DIFlagNameIsSimplified": 1 << 30,
        "DIFlagIndirectVirtualBase": (1 << 2) | (1 << 5),
    },
    (3, 3 << 16),
)
"""Flags of types, variables and functions, by their words."""

DISP_FLAGS: Final = FlagSet(
    {
        "DISPFlagVirtual": 1,
        "DISPFlagPureVirtual": 2,
        "DISPFlagLocalToUnit": 1 << 2,
        "DISPFlagDefinition": 1 << 3,
        "DISPFlagOptimized": 1 << 4,
        "DISPFlagPure": 1 << 5,
        "DISPFlagElemental": 1 << 6,
        "DISPFlagRecursive": 1 << 7,
        "DISPFlagMainSubprogram": 1 << 8,
        "DISPFlagDeleted": 1 << 9,
        "DISPFlagObjCDirect": 1 << 11,
    },
    (),
)
"""Flags of functions alone."""
