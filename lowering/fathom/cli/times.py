"""The options that say where the time of a run went."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.cli.commands import Parsed
from fathom.cli.options import choice, flag

if TYPE_CHECKING:
    from fathom.pipeline.timing import Timing

TIMING: Final = flag("mlir-timing", "say where the time went, on standard error")
TIMING_DISPLAY: Final = choice("mlir-timing-display", "how to show the times", ("tree", "list"), default="tree")
TIMING_FORMAT: Final = choice("mlir-output-format", "the form of the times", ("text", "json"), default="text")
TIMES: Final = (TIMING, TIMING_DISPLAY, TIMING_FORMAT)


def timing_of(parsed: Parsed) -> Timing | None:
    """What measures from now on, if that is asked for."""
    if not parsed[TIMING]:
        return None
    from fathom.pipeline.timing import Timing

    return Timing()


def report(timing: Timing, parsed: Parsed) -> str:
    """The times, in the form that is asked for."""
    return timing.report(as_list=parsed[TIMING_DISPLAY] == "list", as_json=parsed[TIMING_FORMAT] == "json")
