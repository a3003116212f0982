"""What can be done about a selection besides mending mistakes: one module for each assist, and a table of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from fathom_server.features.assists import (
    alias_order,
    aliases,
    checks,
    expected,
    extract_function,
    fix_all,
    forms,
    inline_call,
    llvm_ir,
    lower_here,
    modernise,
    parts,
    readable_names,
    tool_checks,
    unused,
)
from fathom_server.features.assists.assist import EXTRACT, INLINE, QUICK_FIX, REWRITE, Argument, Assist, Made, Offer
from fathom_server.features.assists.selection import Selection
from fathom_server.features.edits import Refusal
from fathom_server.model.snapshot import Snapshot

ASSISTS: Final = (
    Assist("importLlvmIr", QUICK_FIX, llvm_ir.offered, llvm_ir.made),
    Assist("removeUnused", QUICK_FIX, unused.offered, unused.removed, (int,)),
    Assist("extractAlias", EXTRACT, aliases.offered_to_extract, aliases.extract, (int, int)),
    Assist("inlineAlias", INLINE, aliases.offered_to_inline, aliases.inline, (str, int)),
    Assist("extractFunction", EXTRACT, extract_function.offered, extract_function.extracted, (int, int)),
    Assist("inlineCall", INLINE, inline_call.offered, inline_call.inlined, (int,)),
    Assist("readableNames", REWRITE, readable_names.offered, readable_names.named, (str,)),
    Assist("genericForm", REWRITE, forms.offered_generic, forms.generic, (int, int)),
    Assist("ownForm", REWRITE, forms.offered_own, forms.own, (int, int)),
    Assist("lowerHere", REWRITE, lower_here.offered, lower_here.lowered, (int, str, int)),
    Assist("modernise", REWRITE, modernise.offered, modernise.modernised, (int, int)),
    Assist("splitDocument", REWRITE, parts.offered_to_split, parts.split, (int,)),
    Assist("joinParts", REWRITE, parts.offered_to_join, parts.join, (int,)),
    Assist("fixAll", "source.fixAll", fix_all.offered, fix_all.fixed, may_refuse=False),
    Assist("organizeAliases", "source.organizeAliases", alias_order.offered, alias_order.organized),
    Assist("expectedChecks", "source.expectedChecks", expected.offered, expected.added),
    Assist("writeChecks", "source.writeChecks", checks.offered, checks.written),
    Assist("writeToolChecks", "source.writeChecks", tool_checks.offered, tool_checks.written, (str,)),
)
_BY_NAME: Final = {assist.name: assist for assist in ASSISTS}


def offers(selection: Selection, kinds: frozenset[str]) -> Iterator[tuple[Assist, Offer]]:
    """What the assists of some kinds offer."""
    for assist in ASSISTS:
        if assist.kind in kinds:
            yield from ((assist, offer) for offer in assist.offered(selection))


def is_sensible_for(name: str, arguments: tuple[object, ...]) -> bool:
    """Whether there is an assist of this name that may be told these arguments."""
    assist = _BY_NAME.get(name)
    if assist is None or len(arguments) != len(assist.arguments):
        return False
    return all(type(argument) is kind for argument, kind in zip(arguments, assist.arguments, strict=True))


def may_refuse(name: str) -> bool:
    """Whether the assist of this name can find out when it is made that it is not possible."""
    return _BY_NAME[name].may_refuse


def make(snapshot: Snapshot, name: str, arguments: tuple[Argument, ...]) -> Made:
    """The edit of an assist that was offered for this version."""
    assist, tree = _BY_NAME.get(name), snapshot.tree
    if assist is None or not tree.items:
        return Refusal("there is nothing to be done")
    if any(isinstance(argument, int) and not 0 <= argument <= tree.length for argument in arguments):
        return Refusal("the document has no such place")
    return assist.make(snapshot, *arguments)
