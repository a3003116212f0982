"""Why an operation was left by a lowering to the LLVM dialect, and what would clear it: one function for each cause,
asked in the order of the table. The code of each has a page in `docs/errors`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.diagnostics import (
    LAYOUT,
    LINALG_BODY,
    LOWERING,
    MADE_BY_PASS,
    MISSING_PASS,
    NO_TRANSLATION,
    NOT_BUFFERIZED,
    PASS_ORDER,
    SIGNATURE,
    SILENT_LEFTOVER,
)
from fathom.ir.traversal import unreachable_blocks
from fathom.ir.types import TensorType
from fathom.irdl.interfaces import Call
from fathom.passes import find
from fathom.passes.definition import FUNCTION
from fathom.passes.foreign import of_mlir
from fathom.passes.history import History
from fathom.passes.leftovers.removers import Step, does, last_of, place_for, removers, rewriters, spelled
from fathom.passes.leftovers.types import default_types, obstacle
from fathom.passes.mlir import BUFFERIZED, TRANSLATED, passes_of_mlir
from fathom.records import record, replace
from fathom.rewriting.lowerings import is_lowered, pass_name
from fathom.rewriting.pattern import Operations

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.ir.types import Type


@record
class Cause:
    """Why an operation was left: the kind of finding, what kept it, and what would clear it.

    `steps` say that as changes of the pipeline, each made in the pipeline after those before it, and `types` are those
    that it is about. The remedy is empty where nothing is known to help. One that `follows` goes when another operation
    is lowered.
    """

    code: str
    reason: str
    remedy: str = ""
    steps: tuple[Step, ...] = ()
    types: tuple[Type, ...] = ()
    follows: bool = False


Find: TypeAlias = "Callable[[Operation, History], Cause | None]"

BUFFERIZE: Final = Step("one-shot-bufferize", 0, options="bufferize-function-boundaries")
"""What makes memrefs of tensors."""
ELEMENTWISE: Final = ("arith", "math")
"""The dialects whose operations compute tensors element by element, and have no form with memrefs."""
BUFFERIZABLE: Final = Operations("arith.constant", "arith.select", "arith.index_cast")
"""The operations on tensors among them that `one-shot-bufferize` takes."""
GIVES_MEMORY: Final = "memory-for-tensors"
"""The step of `lower-to-llvm` that does so."""
TO_LINALG: Final = "convert-elementwise-to-linalg"
"""What makes structured operations of these."""
CANONICALIZE: Final = "canonicalize"
"""What erases blocks that nothing leads to."""


def cause_of(op: Operation, history: History) -> Cause:
    """The first cause that there is."""
    return next(cause for find in CAUSES if (cause := find(op, history)) is not None)


def _without_form(op: Operation, history: History) -> Cause | None:
    """It has no form with memrefs, or it calls what has none, where all else on tensors is given memory."""
    if history.last(GIVES_MEMORY) is None:
        return None
    from fathom.passes.on_tensors import has_no_form, is_call_on_tensors

    if not (has_no_form(op) or is_call_on_tensors(op)):
        return None
    if (call := op.interface(Call)) is not None:
        return Cause(NOT_BUFFERIZED, f"'{call.callee(op)}' stays on tensors")
    names = passes_of_mlir(op.name)
    tried = [f"--{use.name}" for use in history.passes if op.name in use.handles or use.name in names]
    if tried:
        remedy = f"{' and '.join(tried)}, for such operations, left it"
    else:
        remedy = of_mlir(*names) if names and names != (BUFFERIZE.name,) else ""
    return Cause(NOT_BUFFERIZED, f"'{op.name}' has no form with memrefs", remedy)


def _type(op: Operation, history: History) -> Cause | None:
    """A type in its signature, an operand or a result that LLVM does not have."""
    in_way = obstacle(op, default_types())
    if in_way is None or (in_way.code == SILENT_LEFTOVER and _pass_for(op, history) is None):
        return None
    remedy, steps = _REMEDIES[in_way.code](op, history)
    return Cause(in_way.code, in_way.reason, remedy, steps, (in_way.type,))


def _layout(_op: Operation, history: History) -> tuple[str, tuple[Step, ...]]:
    names = [name for name in ("normalize-memrefs", "lower-affine") if last_of((name,), history) is None]
    steps = tuple(Step(name, index) for index, name in enumerate(names))
    return f"give memrefs the layout of their shape: add {' and '.join(map(str, steps))} at the beginning", steps


def is_on_tensors(op: Operation) -> bool:
    """Whether a type that keeps an operation from being lowered is a tensor."""
    in_way = obstacle(op, default_types())
    return in_way is not None and isinstance(in_way.type, TensorType)


def on_tensors(op: Operation) -> Cause | None:
    """Why an operation is left that is on tensors, whatever the pipeline is."""
    in_way = obstacle(op, default_types())
    if in_way is None or not isinstance(in_way.type, TensorType):
        return None
    return Cause(in_way.code, in_way.reason, _of_tensors(op), types=(in_way.type,))


def _of_tensors(op: Operation) -> str:
    """What `mlir-opt` has for an operation on tensors."""
    if op.dialect in ELEMENTWISE and op not in BUFFERIZABLE:
        return of_mlir(TO_LINALG, str(BUFFERIZE).removeprefix("--"), what="give tensors memory")
    if op.dialect in BUFFERIZED:
        return of_mlir(str(BUFFERIZE).removeprefix("--"), what="gives tensors memory")
    names = passes_of_mlir(op.name)
    return of_mlir(*names) if names else ""


def _bufferization(op: Operation, history: History) -> tuple[str, tuple[Step, ...]]:
    present, loops = history.last(BUFFERIZE.name), rewriters("linalg.generic")[0]
    place = present or 0
    steps: list[Step] = []
    if op.dialect in ELEMENTWISE and history.last(TO_LINALG) is None:
        steps.append(Step(TO_LINALG, place))
    if present is None:
        steps.append(replace(BUFFERIZE, place=place + len(steps)))
    if op.dialect in ELEMENTWISE and history.last(loops) is None:
        steps.append(Step(loops, place + len(steps) + (present is not None)))
    if present is not None and op.dialect in ELEMENTWISE:
        return f"run --{TO_LINALG} before it, which makes of it what has a form with memrefs", tuple(steps)
    return _of_tensors(op), tuple(steps)


def _signature(op: Operation, history: History) -> tuple[str, tuple[Step, ...]]:
    if not is_on_tensors(op):
        return "pass what the type holds one by one, or in memory, as a memref", ()
    return _of_tensors(op), () if last_of((BUFFERIZE.name,), history) is not None else (BUFFERIZE,)


def _no_way(_op: Operation, _history: History) -> tuple[str, tuple[Step, ...]]:
    return "compute it with a type that LLVM has, and cast before and behind", ()


_REMEDIES: Final = {
    LAYOUT: _layout,
    NOT_BUFFERIZED: _bufferization,
    SIGNATURE: _signature,
    SILENT_LEFTOVER: _no_way,
    LOWERING: _no_way,
}


def _unknown(op: Operation, history: History) -> Cause | None:
    """Nothing defines it, so nothing lowers it."""
    if op.definition is not None:
        return None
    maker = history.maker(op)
    origin = f"; --{history.passes[maker].name} made it" if maker is not None else ""
    return Cause(
        NO_TRANSLATION,
        f"no pass of Fathom knows the dialect '{op.dialect}'{origin}",
        "lower it with the tool that knows it, or call a function in its place",
    )


def _converted_inside(op: Operation, history: History) -> Cause | None:
    """A structured operation whose body was converted, by which it is known what it computes."""
    inside = any(inner.dialect == "llvm" for region in op.regions for block in region.blocks for inner in block)
    if op.dialect != "linalg" or not inside or is_on_tensors(op):
        return None
    names = rewriters(op.name)
    who = next((pass_.name for pass_ in history.passes if does(pass_, "convert-arith-to-llvm")), "a pass")
    steps = tuple(Step(name, place_for(name, history, None), last_of((name,), history)) for name in names[:1])
    reason = f"--{who} converted the operations in its body, which say what it computes"
    return Cause(LINALG_BODY, reason, f"run {' or '.join(f'--{name}' for name in names)} before --{who}", steps)


def _made_late(op: Operation, history: History) -> Cause | None:
    """A pass made it when those that lower such had run, or none is there that does."""
    maker, names = history.maker(op), rewriters(op.name)
    if maker is None or not names:
        return None
    who, last = history.passes[maker].name, last_of(names, history)
    if last is None:
        step = Step(names[0], place_for(names[0], history, maker))
        reason = f"it was made by --{who}, and no pass behind that lowers the '{op.dialect}' dialect"
        return Cause(MADE_BY_PASS, reason, _added(op, step, history), (step,))
    if last >= maker:
        return None
    name = history.passes[last].name
    step = Step(name, place_for(name, history, maker), last)
    reason = f"it was made by --{who}, when --{name} had run"
    return Cause(PASS_ORDER, reason, f"run --{name} after --{who}", (step,))


def _never_asked(op: Operation, history: History) -> Cause | None:
    """No pass of the pipeline lowers it."""
    names = rewriters(op.name)
    if not names or last_of(names, history) is not None:
        return None
    before = place_for(names[0], history, None)
    step = Step(names[0], before)
    remover = removers().get(op.dialect)
    other = remover is not None and op.name in remover.elsewhere and last_of((remover.name,), history)
    if remover is not None and other is not None and other is not False:
        reason = f"--{history.passes[other].name} has no rule for '{op.name}'"
        return Cause(SILENT_LEFTOVER, reason, _added(op, step, history), (step,))
    reason = f"the pipeline does not run the pass {names[0]}"
    if find(names[0]) is None:
        reason = f"no pass of Fathom lowers '{op.name}'"
    return Cause(MISSING_PASS, reason, _added(op, step, history), (step,))


def _added(op: Operation, step: Step, history: History) -> str:
    """Where a pass is to be put, or that only `mlir-opt` has it."""
    return spelled(step, history) if find(step.name) is not None else of_mlir(*passes_of_mlir(op.name))


def _not_reached(op: Operation, history: History) -> Cause | None:
    """The passes for it ran on operations that it does not stand in."""
    names = rewriters(op.name)
    places = [index for index, use in enumerate(history.passes) if any(does(use, name) for name in names)]
    if not places or any(history.reaches(index, op) for index in places):
        return None
    last = places[-1]
    use, nest = history.passes[last], history.nests[last]
    reason = f"--{use.name} runs on '{nest[0]}' that stands directly in the module, in which this '{op.name}' does not"
    if use.anchor == FUNCTION:
        return Cause(SILENT_LEFTOVER, reason, "nest it in what stands around the function too")
    step = Step(use.name, last, last, out=True)
    return Cause(SILENT_LEFTOVER, reason, f"run --{use.name} on the whole module", (step,))


def _in_unreachable_block(op: Operation, history: History) -> Cause | None:
    """Nothing leads to the block that it, or an operation around it, stands in."""
    block, last = op.parent, last_of(rewriters(op.name), history)
    while block is not None and block.parent is not None and block not in unreachable_blocks(block.parent):
        around = block.parent.parent
        block = around.parent if around is not None else None
    if block is None or last is None:
        return None
    step = Step(CANONICALIZE, last)
    reason = f"--{history.passes[last].name} does not come to its block, as nothing does"
    return Cause(SILENT_LEFTOVER, reason, f"have the block erased: {spelled(step, history)}", (step,))


def _left_alone(op: Operation, history: History) -> Cause | None:
    """The pass for it ran, and left it."""
    name = _pass_for(op, history)
    if name is None:
        return None
    return Cause(SILENT_LEFTOVER, f"--{name} has no rule that fits this '{op.name}'")


def _pass_for(op: Operation, history: History) -> str | None:
    """The pass of the pipeline that lowers such operations."""
    last = last_of(rewriters(op.name), history)
    return history.passes[last].name if last is not None else None


def _translated(op: Operation, _history: History) -> Cause | None:
    if op.dialect not in TRANSLATED:
        return None
    return Cause(LOWERING, f"mlir-translate has a translation of the '{op.dialect}' dialect to LLVM IR; Fathom has not")


def _of_own(op: Operation, history: History) -> Cause | None:
    """It is of a dialect of one's own, whose pass does not run, or whose patterns do not apply to it."""
    if not is_lowered(op):
        return None
    name = pass_name(op.dialect)
    if all(pass_.name != name for pass_ in history.passes):
        step = Step(name, 0)
        return Cause(MISSING_PASS, f"the pipeline does not run the pass {name}", spelled(step, history), (step,))
    return Cause(SILENT_LEFTOVER, f"no pattern of --{name} applies to it")


def _other(op: Operation, _history: History) -> Cause | None:
    names = passes_of_mlir(op.name)
    reason = f"no pass of Fathom lowers '{op.name}'"
    return Cause(LOWERING, reason, of_mlir(*names) if names else "")


CAUSES: Final[tuple[Find, ...]] = (
    _unknown,
    _without_form,
    _converted_inside,
    _type,
    _made_late,
    _never_asked,
    _not_reached,
    _in_unreachable_block,
    _left_alone,
    _translated,
    _of_own,
    _other,
)
