"""The options that say how a module is printed, and the flags they make."""

from __future__ import annotations

from typing import Final

from fathom.cli.commands import Group, Parsed
from fathom.cli.options import flag, number
from fathom.ir.language import TODAY, Language
from fathom.ir.printing_flags import HEX_ABOVE, PrintingFlags

GENERIC: Final = flag("mlir-print-op-generic", "print the generic form")
DEBUG_INFO: Final = flag("mlir-print-debuginfo", "print locations")
PRETTY_DEBUG_INFO: Final = flag("mlir-pretty-debuginfo", "print locations for people; they cannot be parsed")
LOCAL_SCOPE: Final = flag("mlir-print-local-scope", "print without aliases and resources")
SKIP_REGIONS: Final = flag("mlir-print-skip-regions", "print `{...}` for each region")
VALUE_USERS: Final = flag("mlir-print-value-users", "say in comments who uses each value")
UNIQUE_SSA_IDS: Final = flag("mlir-print-unique-ssa-ids", "number values so that no number comes twice")
NAMELOC_AS_PREFIX: Final = flag("mlir-use-nameloc-as-prefix", "name values after their locations")
ASSUME_VERIFIED: Final = flag("mlir-print-assume-verified", "print without verifying first: what is done anyway")
ELIDE_ELEMENTS: Final = number(
    "mlir-elide-elementsattrs-if-larger", "leave out the elements of attributes that have more than so many"
)
HEX_ELEMENTS: Final = number(
    "mlir-print-elementsattrs-with-hex-if-larger",
    f"print more elements than so many as hexadecimal digits; -1 never does, {HEX_ABOVE} is the default",
    default=HEX_ABOVE,
    signed=True,
)
ELIDE_RESOURCES: Final = number(
    "mlir-elide-resource-strings-if-larger", "leave out resources that have more than so many characters"
)

PRINTING: Final = Group(
    "printing",
    (
        GENERIC,
        DEBUG_INFO,
        PRETTY_DEBUG_INFO,
        LOCAL_SCOPE,
        SKIP_REGIONS,
        VALUE_USERS,
        UNIQUE_SSA_IDS,
        NAMELOC_AS_PREFIX,
        ASSUME_VERIFIED,
        ELIDE_ELEMENTS,
        HEX_ELEMENTS,
        ELIDE_RESOURCES,
    ),
)


def printing_flags(parsed: Parsed, language: Language = TODAY) -> PrintingFlags:
    """What a command line says of printing, in the language of an edition."""
    hex_above = parsed[HEX_ELEMENTS]
    return PrintingFlags(
        generic=parsed[GENERIC],
        debug_info=parsed[DEBUG_INFO],
        pretty_debug_info=parsed[PRETTY_DEBUG_INFO],
        local_scope=parsed[LOCAL_SCOPE],
        skip_regions=parsed[SKIP_REGIONS],
        value_users=parsed[VALUE_USERS],
        unique_ssa_ids=parsed[UNIQUE_SSA_IDS],
        nameloc_as_prefix=parsed[NAMELOC_AS_PREFIX],
        elide_elements_above=parsed[ELIDE_ELEMENTS],
        hex_elements_above=None if hex_above == -1 else hex_above,
        elide_resources_above=parsed[ELIDE_RESOURCES],
        language=language,
    )
