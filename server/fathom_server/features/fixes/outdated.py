"""What an older release of MLIR called otherwise, or had written otherwise, as it is today. It is told by a table, and
no guess.

%0 = arith.maxf %a, %b : f32                     ->   %0 = arith.maximumf %a, %b : f32
%1 = bufferization.to_memref %t : memref<4xf32>  ->   %1 = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
"""

from __future__ import annotations

from collections.abc import Iterator

from fathom.editions.outdated import Change, outdated_at
from fathom_server.features.edits import Fix, Trust
from fathom_server.features.fixes.mistake import Mistake
from fathom_server.features.fixes.trials import mending


def modernised(mistake: Mistake) -> Iterator[Fix]:
    """What stands there as it is written today. A new name with nothing else to it is offered as it is; of several ways
    to write it, or of another text, those that are read without this mistake."""
    for outdated in outdated_at(mistake.item, mistake.span.start):
        fixes = [_fix(mistake, change) for change in outdated.changes]
        yield from fixes if outdated.is_plain else mending(mistake, fixes)


def _fix(mistake: Mistake, change: Change) -> Fix:
    start, end = change.start, change.end
    edit = mistake.replaced(start, end, change.text) if change.text else mistake.removed(start, end)
    return Fix(change.title, (edit,), trust=Trust.KNOWN if change.exact else Trust.GUESSED)
