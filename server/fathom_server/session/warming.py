"""What is done ahead, while nobody waits for anything: a small text is looked at as if it were open, and definitions of
operations are made that a text is likely to name.

Each step is short, and whoever takes the steps lets messages be answered between them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pkgutil import iter_modules
from typing import Final, TypeAlias

from fathom.context import Context
from fathom.editions.renames import read_ahead
from fathom.records import initializers
from fathom.verify.constraints import checks_of
from fathom_server.model.document import Document
from fathom_server.model.settings import Settings
from fathom_server.session.opened import OpenDocument

Step: TypeAlias = Callable[[], object]

TEXT: Final = """\
func.func @f(%m: memref<?xf32>, %i: index) -> f32 {
  %x = memref.load %m[%i] : memref<?xf32>
  %s = arith.addf %x, %x : f32
  scf.for %j = %i to %i step %i {
  }
  return %s : f32
}
"""

LIKELY: Final = (
    *("func", "arith", "memref", "scf", "cf", "llvm", "index", "affine", "ub", "math"),
    *("tensor", "linalg", "vector"),
)
"""The dialects whose definitions are made ahead, from the likeliest on."""


def modules(settings: Settings) -> Iterator[str]:
    """The modules of the passes in the pipeline, which the first run would load all at once."""
    for pass_ in settings.pipeline.passes:
        package = sys.modules[type(pass_).__module__]
        for module in iter_modules(getattr(package, "__path__", ())):
            yield f"{package.__name__}.{module.name}"


def small_text(context: Context, settings: Settings) -> Iterator[Step]:
    """Looks at a small text, so that the grammar, the common dialects and the passes are loaded."""
    opened = OpenDocument(Document("", 0, TEXT, context, settings))
    for item in opened.document.tree.items:
        yield lambda item=item: opened.check(item)
        yield lambda item=item: opened.lower(item)


def definitions(context: Context) -> Iterator[Step]:
    """Makes the definitions of the likely dialects, with the formats and checks that otherwise wait for the first
    operation of their names; and what makes records, and what the first mistake waits for."""
    yield from initializers()
    for name in LIKELY:
        dialect = context.dialect(name)
        for operation in dialect.by_name if dialect is not None else ():
            yield lambda operation=operation: _prepare(context, operation)
    yield read_ahead


def _prepare(context: Context, operation: str) -> None:
    context.syntax(operation)
    definition = context.lookup(operation)
    if definition is not None:
        _ = definition.format, definition.verify
        checks_of(definition)
