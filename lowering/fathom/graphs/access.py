"""Access patterns: for each nest of loops, which elements of memory its iterations read and write, and in which order.

A loop is a group with the loops and accesses in it, in the order of the text. An access says the map from the variables
of its loops to the place, by how much that moves with each loop, and what is used again; small spaces of iterations are
gone through, of large ones a window is.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Final

from fathom.graphs.graph import Drawing, Graph, Limits, Node
from fathom.graphs.iterations import Nest, Space, coefficients, count_of, evaluator, space_of
from fathom.graphs.patterns import Pattern, Touched, touched
from fathom.ir.affine import AffineDim, AffineExpr, AffineSymbol, leaves, spell_expr
from fathom.ir.strides import row_major_strides, strides_and_offset
from fathom.ir.types import DYNAMIC, MemRefType, TensorType
from fathom.irdl.accesses import Access
from fathom.records import field, record
from fathom.slices import paced
from fathom.text.beginnings import beginning

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.graphs.printed import Printed
    from fathom.ir.operation import Operation
    from fathom.ir.types import Type
    from fathom.irdl.dialect import Definitions

KIND: Final = "access"
MOST_POINTS: Final = 4_096
"""A space of more iterations is large."""
MOST_PATTERNS: Final = 48
"""So many patterns are made of a function; other accesses are described by their maps alone."""
_MOST_TITLE: Final = 100


@record(frozen=False)
class _Picture:
    printed: Printed
    drawing: Drawing
    patterns: int = 0
    spaces: dict[Nest, Space] = field(default_factory=dict[Nest, Space])

    def space(self, nest: Nest) -> Space:
        """The iterations of a nest."""
        if nest not in self.spaces:
            self.spaces[nest] = space_of(nest, MOST_POINTS)
        return self.spaces[nest]

    def node(self, op: Operation, kind: str, title: str, lines: Sequence[str], parent: int | None) -> int | None:
        source, target = op.span, self.printed.head(op)
        return self.drawing.node(Node(kind, beginning(title, _MOST_TITLE), tuple(lines), target, source, parent))


def accesses(function: Operation, printed: Printed, name: str, limits: Limits, context: Definitions) -> Graph:
    """The access patterns of all nests of loops of a function."""
    picture = _Picture(printed, Drawing(limits))
    nests: dict[Operation, tuple[Nest, int | None]] = {}
    """Of each loop the nest that ends with it, and its node."""
    for op in paced(function.walk()):
        around = op.parent_op
        while around is not None and around not in nests:
            around = around.parent_op
        nest, parent = nests[around] if around is not None else (Nest(context), None)
        said = nest.says(op)
        loops = said.loops(op) if op is not function else ()
        if loops:
            nest = nest.inside(op, loops)
            parent = picture.node(op, "loop", printed.line(op), [_iterations(nest, printed)], parent)
            nests[op] = nest, parent
        if nest.loops:
            for access in said.accesses(op):
                _draw(picture, op, access, nest, len(nest.loops) - len(loops), parent)
    return picture.drawing.graph(KIND, name)


def _iterations(nest: Nest, printed: Printed) -> str:
    """How many iterations there are: `(%i, %j): 4 × 5 = 20 iterations`."""
    counts = [count_of(bounds) for bounds in nest.bounds]
    known = [count for count in counts if count is not None]
    names = ", ".join(_variable(nest, number, printed) for number in range(len(nest.loops)))
    said = " × ".join("?" if count is None else f"{count:,}" for count in counts)
    total = f" = {prod(known):,}" if len(known) == len(counts) and len(counts) > 1 else ""
    return f"({beginning(names, 60)}): {beginning(said, 60)}{total} iterations"


def _variable(nest: Nest, number: int, printed: Printed) -> str:
    variable = nest.loops[number][1].variable
    return printed.names.values[variable] if variable is not None else f"d{number}"


def _draw(picture: _Picture, op: Operation, access: Access, nest: Nest, first: int, parent: int | None) -> None:
    printed = picture.printed
    array = printed.names.values[access.array]
    title = printed.line(op) if not op.regions else f"{array} of {op.name}"
    does = " and ".join([*(["reads"] if access.reads else []), *(["writes"] if access.writes else [])])
    exprs = nest.resolved(access.place, first)
    if exprs is None:
        picture.node(op, KIND, title, [f"{does} {array}, at places that are not affine in the loops"], parent)
        return
    shape = _shape(access.array.type)

    def called(leaf: AffineDim | AffineSymbol) -> str:
        if isinstance(leaf, AffineDim):
            return _variable(nest, leaf.position, printed)
        return printed.names.values[nest.shared[leaf.position]]

    place = ", ".join(beginning(spell_expr(expr, called), 60) for expr in exprs)
    lines = [f"{does} {array}[{place}]{_along(access.extent)}"]
    grows = [coefficients(expr, len(nest.loops), len(nest.shared)) for expr in exprs]
    lines += _strides(nest, [each[0] if each is not None else None for each in grows], access.array.type, printed)
    pattern: Pattern | None = None
    if shape is not None and len(shape) == len(exprs) and picture.patterns < MOST_PATTERNS:
        picture.patterns += 1
        indices = [evaluator(expr, len(nest.loops), len(nest.shared)) for expr in exprs]
        found = touched(picture.space(nest), indices, shape, access.extent)
        pattern = found.pattern
        lines += _lines_of_touched(found, shape, exprs, nest, printed)
    source, target = op.span, printed.head(op)
    node = Node(KIND, beginning(title, _MOST_TITLE), tuple(lines), target, source, parent, pattern=pattern)
    picture.drawing.node(node)


def _shape(type: Type) -> tuple[int, ...] | None:
    return type.shape if isinstance(type, (MemRefType, TensorType)) else None


def _along(extent: Sequence[int]) -> str:
    return f", {' × '.join(map(str, extent))} elements from there on" if extent else ""


def _strides(nest: Nest, grows: Sequence[list[int] | None], type: Type, printed: Printed) -> list[str]:
    """By how much an access moves with each loop, in elements of memory where that is known; and what is used again."""
    if any(each is None for each in grows):
        return ["its strides are not constant"]
    known = [each for each in grows if each is not None]
    steps = _steps_in_memory(type)
    moves: list[str] = []
    again: list[str] = []
    innermost = len(nest.loops) - 1
    for number in range(len(nest.loops)):
        step = nest.bounds[number].step
        name = _variable(nest, number, printed)
        by = [each[number] * (step or 1) for each in known]
        if not any(by):
            again.append(name)
            if number == innermost:
                moves.append(f"{name}: none")
            continue
        elements = _elements(by, steps)
        moves.append(f"{name}: {'?' if step is None else elements if elements is not None else by}")
    lines = [f"strides: {', '.join(moves)} (elements)"] if moves else []
    if again:
        lines.append(f"the same for all {', '.join(again)}")
    last = [each[innermost] * (nest.bounds[innermost].step or 0) for each in known] if known else []
    if last and any(last):
        elements = _elements(last, steps)
        if elements in (1, -1):
            lines.append(f"consecutive in {_variable(nest, innermost, printed)}")
    return lines


def _steps_in_memory(type: Type) -> tuple[int, ...] | None:
    if isinstance(type, MemRefType) and type.shape is not None:
        strided = strides_and_offset(type)
        return strided[0] if strided is not None else None
    shape = _shape(type)
    return row_major_strides(shape) if shape is not None else None


def _elements(by: Sequence[int], steps: tuple[int, ...] | None) -> int | None:
    """How many elements lie between places that differ so, where the strides that matter are known."""
    if (
        steps is None
        or len(steps) != len(by)
        or any(each and step == DYNAMIC for each, step in zip(by, steps, strict=True))
    ):
        return None
    return sum(each * step for each, step in zip(by, steps, strict=True) if each)


def _lines_of_touched(
    found: Touched, shape: Sequence[int], exprs: Sequence[AffineExpr], nest: Nest, printed: Printed
) -> list[str]:
    of = f" of {prod(shape):,}" if DYNAMIC not in shape else ""
    often = f"{found.least:,}" if found.least == found.most else f"{found.least:,} to {found.most:,}"
    window = "" if found.is_whole else f"in a window of {found.iterations:,} iterations "
    count = f"{found.elements:,}{of} element{'' if found.elements == 1 else 's'}"
    lines = [f"{window}{count}, {'once' if often == '1' else f'{often} times'} each"] if found.elements else []
    if found.outside:
        lines.append(f"outside of the array {'once' if found.outside == 1 else f'{found.outside:,} times'}")
    shared = {leaf.position for expr in exprs for leaf in leaves(expr) if isinstance(leaf, AffineSymbol)}
    if shared:
        names = ", ".join(printed.names.values[nest.shared[position]] for position in sorted(shared))
        lines.append(f"drawn as if {names} were 0")
    return lines
