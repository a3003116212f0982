"""The options that say which passes run and who looks on, and the observers they make."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from fathom.cli.commands import Group, Parsed
from fathom.cli.options import choice, flag, passes, text, written
from fathom.cli.printing_options import printing_flags
from fathom.cli.times import TIMES

if TYPE_CHECKING:
    from fathom.ir.operation_printer import Locator
    from fathom.pipeline.observer import Observer

PIPELINE: Final = text("pass-pipeline", "a pipeline as text, instead of flags for passes", "TEXT", alias="p")
VERIFY_EACH: Final = flag("verify-each", "verify after each pass", default=True)
DISABLE_VERIFIER_ON_PARSING: Final = flag(
    "mlir-very-unsafe-disable-verifier-on-parsing", "do not verify what was parsed"
)
VERIFY_ROUNDTRIP: Final = flag("verify-roundtrip", "print what was parsed, parse that, and compare")
DUMP_PIPELINE: Final = flag("dump-pass-pipeline", "print the pipeline, to standard error, before it runs")
DISABLE_THREADING: Final = flag(
    "mlir-disable-threading", "do all in one process: the functions of a long module are else divided among several"
)

PASSES_AND_CHECKS: Final = Group(
    "running and verifying",
    (PIPELINE, VERIFY_EACH, VERIFY_ROUNDTRIP, DISABLE_VERIFIER_ON_PARSING, DUMP_PIPELINE, DISABLE_THREADING),
)

BEFORE: Final = passes("mlir-print-ir-before", "print the IR before these passes")
AFTER: Final = passes("mlir-print-ir-after", "print the IR after these passes")
BEFORE_ALL: Final = flag("mlir-print-ir-before-all", "print the IR before each pass, to standard error")
AFTER_ALL: Final = flag("mlir-print-ir-after-all", "print the IR after each pass, to standard error")
AFTER_CHANGE: Final = flag("mlir-print-ir-after-change", "after a pass print only where it changed something")
AFTER_FAILURE: Final = flag("mlir-print-ir-after-failure", "print the IR after a pass that failed")
MODULE_SCOPE: Final = flag("mlir-print-ir-module-scope", "print the whole module, whatever a pass runs on")
TREE: Final = written("mlir-print-ir-tree-dir", "print each IR to a file of its own below this folder", "FOLDER")
STATISTICS: Final = flag("mlir-pass-statistics", "say what passes counted, on standard error")
STATISTICS_DISPLAY: Final = choice(
    "mlir-pass-statistics-display", "how to show that", ("list", "pipeline"), default="pipeline"
)

TIMELINE: Final = flag("timeline", "say what each pass changed, as a table on standard error")
RECORD: Final = written(
    "record", "write what each pass and each pattern did to this file, as JSON, or to FILE.html as a page to look at"
)
SOURCE_NAMES: Final = flag("record-source-names", "in that, keep the names that values have in the source")

CRASH_REPRODUCER: Final = written(
    "mlir-pass-pipeline-crash-reproducer", "where a pass fails, write the module and the pipeline to this file", "FILE"
)
LOCAL_REPRODUCER: Final = flag(
    "mlir-pass-pipeline-local-reproducer", "write there the module before the pass that failed, and that alone"
)
GENERATE_REPRODUCER: Final = written(
    "mlir-generate-reproducer", "write the module, after the passes, and the pipeline to this file", "FILE"
)
RUN_REPRODUCER: Final = flag("run-reproducer", "run the pipeline that such a file says")

REPRODUCERS: Final = Group("reproducers", (CRASH_REPRODUCER, LOCAL_REPRODUCER, GENERATE_REPRODUCER, RUN_REPRODUCER))

LOOKING_ON: Final = Group(
    "looking on",
    (
        BEFORE,
        AFTER,
        BEFORE_ALL,
        AFTER_ALL,
        AFTER_CHANGE,
        AFTER_FAILURE,
        MODULE_SCOPE,
        TREE,
        STATISTICS,
        STATISTICS_DISPLAY,
        TIMELINE,
        RECORD,
        SOURCE_NAMES,
        *TIMES,
    ),
)


def ir_printing(parsed: Parsed, write: Callable[[str], object], locate: Locator | None) -> list[Observer]:
    """What prints the IR between passes, if anything was asked for."""
    before = None if parsed[BEFORE_ALL] else parsed[BEFORE]
    after = None if parsed[AFTER_ALL] or parsed[AFTER_FAILURE] else parsed[AFTER]
    if before == () and after == ():
        return []
    from pathlib import Path

    from fathom.pipeline.ir_printing import IRPrinting

    return [
        IRPrinting(
            write,
            before,
            after,
            only_on_change=parsed[AFTER_CHANGE],
            only_on_failure=parsed[AFTER_FAILURE],
            module_scope=parsed[MODULE_SCOPE],
            tree=Path(parsed[TREE]) if parsed[TREE] else None,
            flags=printing_flags(parsed),
            locate=locate,
        )
    ]
