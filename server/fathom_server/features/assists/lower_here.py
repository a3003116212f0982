"""An operation, what is in its regions, or the body of a function, lowered by one pass of the pipeline or by all of
them; what stands around it keeps its text.

%r = scf.if %c -> i32 {              cf.cond_br %c, ^bb1, ^bb2
  scf.yield %a : i32               ^bb1:
} else {                     ->      cf.br ^bb3(%a : i32)
  scf.yield %b : i32               ^bb2:
}                                    cf.br ^bb3(%b : i32)
return %r : i32                    ^bb3(%0: i32):
                                     cf.br ^bb4
                                   ^bb4:
                                     return %0 : i32
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from typing import Final

from fathom.ir.dismantle import dismantling
from fathom.ir.operation import Operation
from fathom.ir.printer import print_op
from fathom.ir.printing_flags import COMPARED_FLAGS
from fathom.irdl.definition import OpDefinition
from fathom.irdl.interfaces import FunctionLike, symbol_name
from fathom.passes.definition import Pass
from fathom.pipeline.language import Item, Nest, Pipeline
from fathom.pipeline.lowering import run
from fathom.records import replace
from fathom_server.features.assists.assist import Made, Offer
from fathom_server.features.assists.becoming import origin_of, rewritten
from fathom_server.features.assists.sameness import after
from fathom_server.features.assists.selection import Selection
from fathom_server.features.edits import Refusal, Replacement
from fathom_server.features.item_text import ItemText
from fathom_server.model.ages import modernised_first
from fathom_server.model.elaboration import elaborated
from fathom_server.model.mistakes import first_error
from fathom_server.model.modules import Module, in_one_line, module_for, moved
from fathom_server.model.pipelines import pipeline
from fathom_server.model.snapshot import Snapshot

MOST: Final = 4
"""So many passes are offered."""
MOST_OPERATIONS: Final = 2000
"""Of an operation with more inside it no passes are looked for."""
ALL: Final = ""
"""In the place of the name of a pass: all that there are but those that change signatures."""
KEPT: Final = "fathom.kept"
"""What operations are called meanwhile that are to stay."""


def offered(selection: Selection) -> Iterator[Offer]:
    """On an operation, for the passes of the pipeline that lower it, and those that lower what is in it."""
    item, op = selection.sound, selection.operation
    if item is None or op is None or _function_around(op) is None or selection.start != selection.end:
        return
    inside: dict[str, list[Operation]] = {}
    walked = (inner for region in op.regions for block in region.blocks for root in block for inner in root.walk())
    for number, inner in enumerate(walked):
        if number > MOST_OPERATIONS:
            return
        # What a statement only implies, as those of linalg do, stands where it does; what it becomes cannot be written.
        if inner.parent_op is None or inner.span != inner.parent_op.span:
            inside.setdefault(inner.name, []).append(inner)
    passes = [use for use in pipeline(selection.snapshot).passes if "func" not in use.removes]
    place = selection.start
    is_function = op.interface(FunctionLike) is not None
    names = dict.fromkeys(use.name for use in passes if not is_function and use.is_for({op.name: [op]}))
    for name in list(names)[:MOST]:
        yield Offer(f"Lower `{op.name}` by `{name}`", (place, name, 0))
    if names and not is_function:
        yield Offer(f"Lower `{op.name}` by all passes", (place, ALL, 0))
    what = f"the body of `@{symbol_name(op)}`" if is_function else f"what is in `{op.name}`"
    further = dict.fromkeys(use.name for use in passes if inside and use.name not in names and use.is_for(inside))
    for name in list(further)[:MOST]:
        yield Offer(f"Lower {what} by `{name}`", (place, name, 1))


def lowered(snapshot: Snapshot, place: int, name: str, inside: int) -> Made:
    """The edit of the lines of the function around that are others after the passes."""
    selection = Selection(snapshot, place, place)
    item, op = selection.sound, selection.operation
    function = _function_around(op) if op is not None else None
    if item is None or op is None or function is None:
        return Refusal("there is a mistake in it")
    passes = _only(pipeline(snapshot), name)
    module = module_for(snapshot, (item.item,), False)
    if module.problem is not None:
        return Refusal(in_one_line(moved(module.problem, item.base), snapshot))
    with dismantling(module.op):
        return _lowered(snapshot, item, op, function, module, passes, name, inside)


def _lowered(
    snapshot: Snapshot,
    item: ItemText,
    op: Operation,
    function: Operation,
    module: Module,
    passes: Pipeline,
    name: str,
    inside: int,
) -> Made:
    """The edit, or why there is none. The module is nobody else's."""
    sources, copies = list(_walked(item.known.operations)), list(_walked_from(module.inner, item))
    if [source.name for source in sources] != [copy.name for copy in copies]:
        return Refusal("what it uses stands in the same lines")
    origin = origin_of(copies, sources)
    of = {source: copy for copy, source in origin.operations.items()}
    chosen = {of[inner] for inner in op.walk() if inner is not op or not inside}
    hidden = _hide(copy for copy in copies if copy not in chosen and copy is not of[function])
    before = print_op(of[function], COMPARED_FLAGS)
    # With the names that some have meanwhile nothing is valid; the document with the edit in it is looked at.
    result = run(passes, module.op, snapshot.context, verifying="never")
    if not result.failed and print_op(of[function], COMPARED_FLAGS) == before:
        return Refusal(f"`{name}` leaves it as it is" if name else "all passes leave it as it is")
    for shadowed, (kept_name, definition) in hidden.items():
        shadowed.name, shadowed.definition = kept_name, definition
    if result.failed:
        return Refusal(f"the pass fails: {result.diagnostics[0].message}")
    text = rewritten(item, function, of[function], origin)
    extent = item.extent(function)
    edit = _changed_lines(item, extent.start, item.text[extent.start : extent.end], text)
    with after(snapshot, edit) as now:
        problem = _problem(now, of[function], item)
    return edit if problem is None else Refusal(problem + modernised_first(snapshot))


def _problem(now: Snapshot, wanted: Operation, item: ItemText) -> str | None:
    """Why a document has not this function in the place of an item; None if it has it, without a mistake."""
    index = now.tree.item_at_offset(item.base + item.extent(item.known.operations[0]).start)
    changed = now.tree.items[index]
    error = first_error(now, changed)
    if error is not None:
        return f"there would be a mistake: {in_one_line(moved(error, now.tree.start(index)), now)}"
    text = print_op(wanted, COMPARED_FLAGS)
    functions = (op for op in _walked(elaborated(now, changed).operations) if op.regions)
    is_there = any(print_op(function, COMPARED_FLAGS) == text for function in functions)
    return None if is_there else "its text would not be what the pass makes"


def _function_around(op: Operation) -> Operation | None:
    around: Operation | None = op
    while around is not None and around.interface(FunctionLike) is None:
        around = around.parent_op
    return around


def _walked(roots: Iterable[Operation]) -> Iterator[Operation]:
    for root in roots:
        yield from root.walk()


def _walked_from(module: Operation, item: ItemText) -> Iterator[Operation]:
    """The copies in a module of the operations of an item, which may have declarations beside them."""
    names = {symbol_name(op) for op in item.known.operations}
    block = module.regions[0].first
    for op in block if block is not None else ():
        if symbol_name(op) in names:
            yield from op.walk()


def _hide(ops: Iterable[Operation]) -> dict[Operation, tuple[str, OpDefinition | None]]:
    """Makes operations such as no pass knows, and gives what they are."""
    hidden: dict[Operation, tuple[str, OpDefinition | None]] = {}
    for op in ops:
        hidden[op] = op.name, op.definition
        op.name, op.definition = KEPT, None
    return hidden


def _only(whole: Pipeline, name: str) -> Pipeline:
    """The passes of a pipeline that have a name, each once, or all that change no signatures."""
    met: set[str] = set()

    def is_kept(use: Pass) -> bool:
        if "func" in use.removes or (name != ALL and (use.name != name or name in met)):
            return False
        met.add(use.name)
        return True

    def cut(items: tuple[Item, ...]) -> Iterator[Item]:
        for item in items:
            if isinstance(item, Pass):
                if is_kept(item):
                    yield item
            elif inner := tuple(cut(item.items)):
                yield replace(item, items=inner)

    root: Nest = replace(whole.root, items=tuple(cut(whole.root.items)))
    return Pipeline(root, whole.errors)


def _changed_lines(item: ItemText, start: int, old: str, new: str) -> list[Replacement]:
    """The lines of a text that are others in a new one."""
    before, behind = old.splitlines(keepends=True), new.splitlines(keepends=True)
    places = [start]
    for line in before:
        places.append(places[-1] + len(line))
    return [
        item.replaced(places[first], places[last], "".join(behind[begin:end]))
        for kind, first, last, begin, end in SequenceMatcher(None, before, behind, autojunk=False).get_opcodes()
        if kind != "equal"
    ]
