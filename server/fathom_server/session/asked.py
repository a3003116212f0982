"""What somebody asked to become LLVM IR, of an open document: of that all is shown that its lowering finds."""

from __future__ import annotations

from collections.abc import Callable

from fathom.records import field, record
from fathom.syntax.tree import Item
from fathom_server.model.document import Document
from fathom_server.model.pipelines import in_force
from fathom_server.model.scoping import name_of, symbols_of


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

    def about(self, document: Document) -> Callable[[Item], bool]:
        """Tells whether somebody said that an item should become LLVM IR: the settings or the project, by naming a
        pipeline, the document by a command, or who ran, previewed or lowered a function of it."""
        settings, snapshot = document.settings, document.snapshot()
        if settings.lowering_diagnostics != "asked":
            is_wanted = settings.lowering_diagnostics == "always"
        else:
            is_wanted = self.whole or settings.project is not None or bool(settings.pipeline_text)
            is_wanted = is_wanted or in_force(document.tree, settings, document.context).written is not None
            if not is_wanted and self.functions:
                return lambda item: any(name_of(snapshot, symbol) in self.functions for symbol in symbols_of(item))
        return lambda _item: is_wanted
