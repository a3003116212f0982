"""How to print: what mlir-opt's options for printing say, as one immutable value that is handed to the printer.

Source of the rules: observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import Final

from fathom.ir.language import TODAY, Language
from fathom.records import record
from fathom.text.beginnings import LONGEST_MESSAGE, MOST_IN_EDITOR, MOST_OUTPUT

HEX_ABOVE: Final = 100
"""MLIR prints more elements than this as one hexadecimal string, unless they are a splat."""

ELIDED_IN_MESSAGES: Final = 16
"""Messages that show an operation leave out more elements than this."""


@record
class PrintingFlags:
    """`generic` prints each operation in the generic form, `debug_info` adds locations, for people rather than parsers
    if `pretty_debug_info`. `local_scope` uses no aliases and prints no resources. `skip_regions` prints `{...}` for
    each region, `value_users` says in comments who uses a value, `unique_ssa_ids` uses no number twice, and
    `nameloc_as_prefix` names values after their locations. With `source_names` values have the names that they had in
    the source, or that what they came of had there, as far as these are no numbers.

    Elements beyond `elide_elements_above` are left out (None: never); beyond `hex_elements_above` they are hexadecimal
    (None: never). Resources of more than `elide_resources_above` characters are left out (None: never). Types and
    attributes of more than `most` characters are not written. `language` is that of an edition of MLIR. Without
    `states_defaults` the generic form leaves out properties that are what they are if nothing states them: a text and a
    pass do not state the same of these.
    """

    generic: bool = False
    debug_info: bool = False
    pretty_debug_info: bool = False
    local_scope: bool = False
    skip_regions: bool = False
    value_users: bool = False
    unique_ssa_ids: bool = False
    nameloc_as_prefix: bool = False
    source_names: bool = False
    elide_elements_above: int | None = None
    hex_elements_above: int | None = HEX_ABOVE
    elide_resources_above: int | None = None
    most: int = MOST_OUTPUT
    language: Language = TODAY
    states_defaults: bool = True

    @property
    def numbers_are_unique(self) -> bool:
        return self.unique_ssa_ids or self.generic


DEFAULT_FLAGS: Final = PrintingFlags()
SHOWN_FLAGS: Final = PrintingFlags(elide_elements_above=1000, elide_resources_above=8000, most=MOST_IN_EDITOR)
"""For a text that people look at beside the source: weights are left out as MLIR leaves them out."""
WRITTEN_FLAGS: Final = PrintingFlags(most=MOST_IN_EDITOR)
"""For a text that takes the place of what stands in a document."""
COMPARED_FLAGS: Final = PrintingFlags(generic=True, local_scope=True, most=MOST_IN_EDITOR, states_defaults=False)
"""For texts that are compared to find out whether operations are the same."""
MESSAGE_FLAGS: Final = PrintingFlags(
    local_scope=True, elide_elements_above=ELIDED_IN_MESSAGES, most=100 * LONGEST_MESSAGE
)
"""For an operation in a warning or a remark; in an error it is in the generic form as well."""
