"""What inlined operations say: alias scopes of their own for each call, and for arguments that nothing else points to
the memory of; and where loops stand, whose annotations name the call as well.

Source of the rules: mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.described import DESCRIPTION
from fathom.dialects.llvm.types import LLVMPointerType
from fathom.ir.attributes import UNIT, ArrayAttr, Attribute, DistinctAttr, StringAttr
from fathom.ir.dialect_values import DialectAttr, Parameter
from fathom.ir.locations import CallSiteLoc, FusedLoc, LocationAttr, fused
from fathom.ir.operation import Block, BlockArgument, Operation, Value
from fathom.ir.traversal import closest_with
from fathom.irdl.interfaces import Branch, FunctionLike
from fathom.ops import llvm as ops
from fathom.records import replace
from fathom.rewriting.folding import constant_value
from fathom.rewriting.pattern import Operations
from fathom.rewriting.region_branches import inputs_by_source, sources_by_input

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Block, Operation
    from fathom.rewriting.rewriter import Rewriter


# ---- alias scopes


COPY: Final = "llvm.intr.ssa.copy"
"""Marks the value of an argument while a call is inlined."""
DECLARATION: Final = "llvm.intr.experimental.noalias.scope.decl"
SCOPES: Final = ("alias_scopes", "noalias_scopes")
_NUMBERS: Final = count(1 << 32)
"""Those of new attributes, which no text has."""


_CHOICE: Final = Operations("llvm.select", "arith.select")


def _distinct() -> DistinctAttr:
    return DistinctAttr(next(_NUMBERS), UNIT)


def _domain(description: Attribute | None) -> DialectAttr:
    return _made("AliasScopeDomainAttr", id=_distinct(), description=description)


def _made(name: str, **parameters: Attribute | None) -> DialectAttr:
    return DESCRIPTION.attributes[name].make_attribute(**parameters)


def append_to(op: Operation, name: str, more: ArrayAttr) -> None:
    """Adds to one of the lists that an access to memory has."""
    if op.definition is None or name not in op.definition.property_map:
        return
    before = op.properties.get(name)
    elements = before.elements if isinstance(before, ArrayAttr) else ()
    op.properties[name] = ArrayAttr((*elements, *more.elements))


def _accesses(blocks: Iterable[Block]) -> list[Operation]:
    """The operations, nested ones too, that have alias scopes."""
    return [op for op in _inside(blocks) if _has_scopes(op)]


def _inside(blocks: Iterable[Block]) -> Iterator[Operation]:
    """The operations of blocks, nested ones too."""
    return (op for block in blocks for outer in block for op in outer.walk())


def _has_scopes(op: Operation) -> bool:
    return op.definition is not None and SCOPES[0] in op.definition.property_map


def finish_scopes(call: ops.CallOp, blocks: Sequence[Block], rewriter: Rewriter) -> None:
    _renew(blocks)
    _scopes_of_arguments(call, blocks, rewriter)
    for name in SCOPES:
        more = call.properties.get(name)
        if isinstance(more, ArrayAttr):
            for op in _accesses(blocks):
                append_to(op, name, more)


def _renew(blocks: Sequence[Block]) -> None:
    """Each call has scopes of its own, so that what does not alias in one may still alias what another does."""
    known: dict[Attribute, DialectAttr] = {}

    def renewed(scope: Attribute) -> Attribute:
        if not isinstance(scope, DialectAttr) or scope.full_name != "llvm.alias_scope":
            return scope
        if scope not in known:
            _, domain, description = scope.parameters
            if isinstance(domain, DialectAttr) and domain not in known:
                text = domain.parameters[1]
                known[domain] = _domain(text if isinstance(text, StringAttr) else None)
            new = known.get(domain) if isinstance(domain, DialectAttr) else None
            text = description if isinstance(description, StringAttr) else None
            known[scope] = _made("AliasScopeAttr", id=_distinct(), domain=new, description=text)
        return known[scope]

    for op in _inside(blocks):
        if _has_scopes(op):
            for name in SCOPES:
                scopes = op.properties.get(name)
                if isinstance(scopes, ArrayAttr):
                    op.properties[name] = ArrayAttr(tuple(map(renewed, scopes.elements)))
        if isinstance(op, ops.IntrExperimentalNoaliasScopeDeclOp):
            op.properties["scope"] = renewed(op.scope)


# ---- arguments that nothing else points to


def _scopes_of_arguments(call: ops.CallOp, blocks: Sequence[Block], rewriter: Rewriter) -> None:
    """Accesses that are by such an argument, or surely not, say so; then the marks of arguments go."""
    arguments = list(dict.fromkeys(call.callee_operands))
    marks = [user for value in arguments for user in value.uses if user.name == COPY and user.operands[0] is value]
    scopes = _declared(call, [mark for mark in marks if "llvm.noalias" in mark.attributes], rewriter)
    if scopes:
        for op in _accesses(blocks):
            _tell(op, scopes)
    for mark in marks:
        mark.result.replace_all_uses_with(mark.operands[0])
        mark.erase()


def _declared(call: ops.CallOp, marks: Sequence[Operation], rewriter: Rewriter) -> dict[Operation, Attribute]:
    """A scope for each argument, declared before the call."""
    if not marks or call.callee is None:
        return {}
    domain = _domain(StringAttr(call.callee.root))
    scopes: dict[Operation, Attribute] = {}
    rewriter.stand_in(call)
    rewriter.set_insertion_before(call)
    for mark in marks:
        scopes[mark] = _made("AliasScopeAttr", id=_distinct(), domain=domain)
        rewriter.create(DECLARATION, properties={"scope": scopes[mark]})
    return scopes


def _tell(op: Operation, scopes: dict[Operation, Attribute]) -> None:
    based: set[Value] = set()
    for pointer in _pointers(op):
        objects = _objects(pointer)
        if objects is None:
            return
        based |= objects
    knows_others = False
    for value in based:
        if constant_value(value) is not None:
            continue
        definer = value.defining_op
        if definer is not None and definer.name == COPY:
            knows_others |= definer not in scopes
        elif isinstance(definer, ops.AllocaOp):
            knows_others = True
        else:
            return
    others = tuple(scope for mark, scope in scopes.items() if mark.result not in based)
    if others:
        append_to(op, "noalias_scopes", ArrayAttr(others))
    own = tuple(scope for mark, scope in scopes.items() if mark.result in based)
    if own and not knows_others and not isinstance(op, ops.CallOp):
        append_to(op, "alias_scopes", ArrayAttr(own))


def _pointers(op: Operation) -> list[Value]:
    """What an access reads or writes by."""
    if isinstance(op, ops.CallOp):
        return [value for value in op.callee_operands if isinstance(value.type, LLVMPointerType)]
    names = ("addr", "ptr", "dst", "src", "ptrs", "data")
    groups = op.definition.operand_groups(op) if op.definition is not None else {}
    return [value for name in names for value in groups.get(name, ())]


def _objects(pointer: Value) -> set[Value] | None:
    """The values that a pointer is based on; None where that cannot be told."""
    values: set[Value] = set()
    seen: set[Value] = set()
    pending = [pointer]
    while pending:
        value = pending.pop()
        if value in seen:
            continue
        seen.add(value)
        op = value.defining_op
        passed = _handed_on(value)
        if passed is None and op is None:
            passed = _passed(value)
        if passed is not None:
            pending += passed
        elif op is None:
            return None
        elif isinstance(op, (ops.GetelementptrOp, ops.AddrspacecastOp)):
            pending.append(op.operands[0])
        elif op in _CHOICE:
            pending += op.operands[1:]
        else:
            values.add(value)
    return values


def _handed_on(value: Value) -> list[Value] | None:
    """What an operation with regions hands on as one of its results, or to an argument of a region."""
    op = value.defining_op
    if isinstance(value, BlockArgument) and value.block.is_entry and value.block.parent is not None:
        op = value.block.parent.parent
    sources = sources_by_input(inputs_by_source(op)).get(value) if op is not None else None
    return [origin.operands[index] for origin, index in sources] if sources else None


def _passed(value: Value) -> list[Value] | None:
    """What branches pass to an argument of a block."""
    if not isinstance(value, BlockArgument) or value.block.is_entry:
        return None
    values: list[Value] = []
    for before in value.block.predecessors():
        end = before.last
        branch = end.interface(Branch) if end is not None else None
        if end is None or branch is None:
            return None
        for edge in branch.edges(end):
            if edge.target is value.block and value.index < edge.made:
                return None
            if edge.target is value.block:
                values.append(edge.passed[value.index - edge.made])
    return values


# ---- loops


ANNOTATION: Final = "llvm.loop_annotation"


def relocate_loops(call: Operation, blocks: Sequence[Block]) -> None:
    """Annotations of loops get locations in the function that calls, if that is known to a debugger."""
    scope = _subprogram(call)
    caller = call.location
    if scope is None or not isinstance(caller, LocationAttr):
        return

    def relocated(parameter: Parameter, site: LocationAttr) -> Parameter:
        if isinstance(parameter, FusedLoc):
            return fused((CallSiteLoc(parameter, site),), scope)
        if isinstance(parameter, DialectAttr):
            parameters = tuple(relocated(part, site) for part in parameter.parameters)
            return replace(parameter, parameters=parameters) if parameters != parameter.parameters else parameter
        return parameter

    for op in _inside(blocks):
        annotation = op.properties.get("loop_annotation")
        if isinstance(annotation, DialectAttr) and annotation.full_name == ANNOTATION:
            made = relocated(annotation, caller)
            if isinstance(made, DialectAttr):
                op.properties["loop_annotation"] = made


def _subprogram(call: Operation) -> Attribute | None:
    """What a debugger is told of the function around a call."""
    around = closest_with(call, FunctionLike)
    location = around.location if around is not None else None
    scope = location.metadata if isinstance(location, FusedLoc) else None
    return scope if isinstance(scope, DialectAttr) and scope.full_name == "llvm.di_subprogram" else None
