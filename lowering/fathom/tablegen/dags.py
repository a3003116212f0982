"""The rules of operations on dags."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from fathom.tablegen.mistakes import Refused
from fathom.tablegen.references import DefTerm
from fathom.tablegen.sequences import DagTerm, List
from fathom.tablegen.terms import UNSET, Int, String, Term, changed, shown
from fathom.tablegen.types import UNKNOWN

if TYPE_CHECKING:
    from fathom.tablegen.operations import Operation, Rule
    from fathom.tablegen.resolvers import Resolver


def foreach_in_dag(dag: DagTerm, apply: Callable[[Term], Term]) -> DagTerm:
    """A dag with something else in the place of its operator and of each argument, also in the dags in it."""
    operator = apply(dag.operator)
    new = tuple(
        foreach_in_dag(argument, apply) if isinstance(argument, DagTerm) else apply(argument)
        for argument in dag.arguments
    )
    if operator is dag.operator and not changed(new, dag.arguments):
        return dag
    return DagTerm(operator, new, dag.names, dag.operator_name)


def _con(of: Operation, at: Resolver) -> Term | None:
    left, right = of.operands
    if not isinstance(left, DagTerm) or not isinstance(right, DagTerm):
        return None
    operators = [dag.operator for dag in (left, right)]
    if any(not isinstance(operator, DefTerm) and operator is not UNSET for operator in operators):
        return None
    known = [operator for operator in operators if isinstance(operator, DefTerm)]
    if len(known) > 1 and known[0].definition is not known[1].definition:
        raise Refused(f"Concatenated Dag operators do not match: '{shown(left)}' vs. '{shown(right)}'")
    at.keeper.work_on_list(len(left.arguments) + len(right.arguments))
    return DagTerm(
        known[0] if known else UNSET,
        left.arguments + right.arguments,
        left.names + right.names,
        left.operator_name or right.operator_name,
    )


def _dag(of: Operation, at: Resolver) -> Term | None:
    operator, children, names = of.operands
    if children is UNSET and names is UNSET:
        return None
    if not (isinstance(children, List) or children is UNSET) or not (isinstance(names, List) or names is UNSET):
        return None
    sizes = [len(listed.elements) for listed in (children, names) if isinstance(listed, List)]
    if len(set(sizes)) > 1:
        return None
    nodes = children.elements if isinstance(children, List) else (UNSET,) * sizes[0]
    known: list[String | None] = []
    for name in names.elements if isinstance(names, List) else (UNSET,) * sizes[0]:
        if isinstance(name, String):
            known.append(name)
        elif name is UNSET:
            known.append(None)
        else:
            return None
    at.keeper.work_on_list(len(nodes))
    return DagTerm(operator, tuple(nodes), tuple(known))


def _getdagop(of: Operation, at: Resolver) -> Term | None:
    dag = of.operands[0]
    if not isinstance(dag, DagTerm):
        return None
    own = dag.operator.type
    if own is not UNKNOWN and not own.is_a(of.type):
        raise Refused(
            f"Expected type '{of.type.text}', got '{own.text}' in: {shown(of)}",
            *(at.record.places if at.record else ()),
        )
    return dag.operator


def _getdagopname(of: Operation, at: Resolver) -> Term | None:
    dag = of.operands[0]
    return (dag.operator_name or UNSET) if isinstance(dag, DagTerm) else None


def _setdagop(of: Operation, at: Resolver) -> Term | None:
    dag, operator = of.operands
    if not isinstance(dag, DagTerm) or not isinstance(operator, DefTerm):
        return None
    return DagTerm(operator, dag.arguments, dag.names)


def _setdagopname(of: Operation, at: Resolver) -> Term | None:
    dag, name = of.operands
    if not isinstance(dag, DagTerm) or not isinstance(name, String):
        return None
    return DagTerm(dag.operator, dag.arguments, dag.names, name)


def _position(dag: DagTerm, key: Term, of: Operation, at: Resolver) -> int | None:
    """Which argument has this number or name. Raises Refused where there is none."""
    count = len(dag.arguments)
    if isinstance(key, Int):
        if 0 <= key.value < count:
            return key.value
        problem = "is negative" if key.value < 0 else f"is out of range (dag has {count} arguments)"
        problem = f"index {key.value} {problem}"
    elif isinstance(key, String):
        for index, name in enumerate(dag.names):
            if name is not None and name.value == key.value:
                return index
        problem = f"key '{key.value}' is not found"
    else:
        return None
    raise Refused(f"!{of.code} {problem}", *(at.record.places if at.record else ()))


def _argument(of: Operation, at: Resolver) -> tuple[DagTerm, int] | None:
    """The dag of an operation, and which of its arguments it is about; None while either is not known. Raises Refused
    where the dag has no such argument."""
    dag, key = of.operands[:2]
    index = _position(dag, key, of, at) if isinstance(dag, DagTerm) else None
    return (dag, index) if isinstance(dag, DagTerm) and index is not None else None


def _getdagarg(of: Operation, at: Resolver) -> Term | None:
    known = _argument(of, at)
    if known is None:
        return None
    dag, index = known
    term = dag.arguments[index]
    return UNSET if term.type is not UNKNOWN and not term.type.converts_to(of.type) else term


def _getdagname(of: Operation, at: Resolver) -> Term | None:
    dag, key = of.operands
    if not isinstance(dag, DagTerm) or not isinstance(key, Int):
        return None
    if not 0 <= key.value < len(dag.names):
        message = f"!getdagname index is out of range 0...{len(dag.names) - 1}: {key.value}"
        at.keeper.report(message, at.record)
        return UNSET
    return dag.names[key.value] or UNSET


def _setdagarg(of: Operation, at: Resolver) -> Term | None:
    known = _argument(of, at)
    if known is None:
        return None
    dag, index = known
    arguments = (*dag.arguments[:index], of.operands[2], *dag.arguments[index + 1 :])
    return DagTerm(dag.operator, arguments, dag.names, dag.operator_name)


def _setdagname(of: Operation, at: Resolver) -> Term | None:
    known = _argument(of, at)
    if known is None:
        return None
    (dag, index), name = known, of.operands[2]
    names = (*dag.names[:index], name if isinstance(name, String) else None, *dag.names[index + 1 :])
    return DagTerm(dag.operator, dag.arguments, names, dag.operator_name)


RULES: Final[Mapping[str, Rule]] = {
    "con": _con,
    "dag": _dag,
    "getdagop": _getdagop,
    "getdagopname": _getdagopname,
    "setdagop": _setdagop,
    "setdagopname": _setdagopname,
    "getdagarg": _getdagarg,
    "getdagname": _getdagname,
    "setdagarg": _setdagarg,
    "setdagname": _setdagname,
}
