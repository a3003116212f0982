"""`transform-preload-library`: sequences from files, for schedules in the transform dialect."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.passes.options import STRING, list_of, option
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class PreloadLibraryPass(Pass):
    """What schedules only declare, `transform-interpreter` takes from there from then on."""

    name = "transform-preload-library"
    summary = "reads schedules that others include"

    transform_library_paths: tuple[str, ...] = option((), "the files, and folders of such", list_of(STRING))

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.transform_dialect.library import preload

        return preload(self.transform_library_paths, context)
