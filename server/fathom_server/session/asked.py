"""What somebody asked to become LLVM IR, of an open document: of that all is shown that its lowering finds."""

from __future__ import annotations

from fathom.records import field, record
from fathom.syntax.tree import Item
from fathom_server.model.document import Document
from fathom_server.model.paths import name_of
from fathom_server.model.pipelines import InForce
from fathom_server.model.symbols import symbols_of


@record(frozen=False)
class Asked:
    """What was run, previewed or lowered in this session: `functions` by their names, or the `whole` document."""

    functions: set[str] = field(default_factory=set[str])
    whole: bool = False

    def note(self, function: str | None) -> bool:
        """Notes that somebody asked for a function, or for the whole document. Whether nobody had before."""
        if function is None:
            is_new, self.whole = not self.whole, True
        else:
            is_new = function not in self.functions
            self.functions.add(function)
        return is_new

    def is_about(self, item: Item, document: Document, force: InForce) -> bool:
        """Whether somebody said that an item should become LLVM IR: the settings or the project, by naming a pipeline,
        the document by a command, or who ran, previewed or lowered a function of it."""
        settings = document.settings
        if settings.lowering_diagnostics != "asked":
            return settings.lowering_diagnostics == "always"
        if self.whole or force.written is not None:
            return True
        if settings.project is not None or settings.pipeline_text:
            return True
        snapshot = document.snapshot() if self.functions else None
        return snapshot is not None and any(name_of(snapshot, each) in self.functions for each in symbols_of(item))
