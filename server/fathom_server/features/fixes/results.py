"""The results of an operation: as many names as there are, and of the types that the callee gives.

%r = call @g(%a) : (i64) -> i32   ->   %r_i64 = call @g(%a) : (i64) -> i64
                                       %r = arith.trunci %r_i64 : i64 to i32
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from fathom.irdl.interfaces import Call
from fathom_server.features.edits import Fix
from fathom_server.features.fixes.casts import fitting
from fathom_server.features.fixes.mistake import Mistake
from fathom_server.features.fixes.names import is_defined_before
from fathom_server.features.fixes.passing import callee_type
from fathom_server.features.fixes.trials import mending
from fathom_server.features.written_types import types_in

MOST: Final = 4
"""So many results are tried."""
_COUNTED: Final = re.compile(r"(%[\w$.-]+)(?:\s*:\s*\d+)?\s*=\s*")


def given(mistake: Mistake) -> Iterator[Fix]:
    """The type of a callee's result in the place of the one that is written, with a cast where the other is needed."""
    op = mistake.op()
    type = callee_type(mistake, op) if op is not None and op.interface(Call) is not None else None
    sites = mistake.known.sites_of(op) if op is not None else ()
    if op is None or type is None or len(sites) != 1 or not len(op.results) == len(type.results) == 1:
        return
    wanted, written = type.results[0], op.results[0].type
    stated, name = types_in(sites[0].piece), mistake.name(op.results[0])
    if wanted == written or not stated or stated[-1].text != str(written) or not name:
        return
    base = mistake.start_of(sites[0].piece)
    retyped = mistake.replaced(base + stated[-1].start, base + stated[-1].end, str(wanted))
    changes = [Fix(f"Change the type to `{wanted}`", (retyped,))]
    start, end = mistake.statement(op).start, mistake.extent(op).end
    fresh = mistake.fresh(f"{name}_{wanted}" if len(str(wanted)) <= 8 else f"{name}_cast")
    for cast in fitting(wanted, written, op.dialect):
        line = f"{mistake.line_break}{mistake.indent(start)}{name} = {cast} {fresh} : {wanted} to {written}"
        edit = (mistake.replaced(start, start + len(name), fresh), retyped, mistake.inserted(end, line))
        changes.append(Fix(f"Insert `{cast}` to `{written}`", edit))
    yield from mending(mistake, changes)


def counted(mistake: Mistake) -> Iterator[Fix]:
    """The number of results that an operation has, behind the only name that they are given, or no name."""
    match = _COUNTED.match(mistake.text, mistake.span.start)
    if match is None or is_defined_before(mistake, match[1]):
        return
    start, end = match.start(), match.end()
    changes = [Fix(f"Change to `{match[1]}`", (mistake.replaced(start, end, f"{match[1]} = "),))]
    for count in range(2, MOST + 1):
        shown = f"{match[1]}:{count}"
        changes.append(Fix(f"Change to `{shown}`", (mistake.replaced(start, end, f"{shown} = "),)))
    changes.append(Fix(f"Remove `{match[1]}`", (mistake.replaced(start, end, ""),)))
    yield from islice(mending(mistake, changes), 1)
