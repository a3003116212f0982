"""Rules for linalg, and for transform: operations that became cases of others, and bodies that have more arguments.

Source of the rules: *'linalg' Dialect* of the releases, and the definitions of operations.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fathom.ir.attributes import UNIT, ArrayAttr, Attribute, StringAttr
from fathom.ir.operation import Operation
from fathom.ir.types import ShapedType, element_type
from fathom.modernising.reading import attribute_of, give_region
from fathom.modernising.rewriting import CannotSay, OpRule, Rewriting


def _transposed(batch: str, lhs: str, rhs: str) -> OpRule:
    """linalg.matmul_transpose_a   ->   linalg.matmul indexing_maps = […]."""
    dims = ", ".join([*batch, "m", "n", "k"])

    def rule(op: Operation, rewriting: Rewriting) -> None:
        results = [", ".join([*batch, *operand]) for operand in (lhs, rhs, "mn")]
        text = "[" + ", ".join(f"affine_map<({dims}) -> ({result})>" for result in results) + "]"
        op.properties["indexing_maps"] = _read(text, rewriting)
        op.name = "linalg.batch_matmul" if batch else "linalg.matmul"

    return rule


def _read(text: str, rewriting: Rewriting) -> Attribute:
    attribute = attribute_of(text, rewriting.context)
    if attribute is None:
        raise CannotSay(f"there is no '{text}' today")
    return attribute


def _elementwise(default: str) -> OpRule:
    """`linalg.elemwise_unary {fun = #linalg.unary_fn<log>}` became `linalg.elementwise kind=…<log>`."""

    def rule(op: Operation, rewriting: Rewriting) -> None:
        function = op.properties.pop("fun", op.attributes.pop("fun", None))
        word = str(function).partition("<")[2].rstrip(">") or (
            function.value if isinstance(function, StringAttr) else ""
        )
        op.properties.pop("cast", None)
        op.attributes.pop("cast", None)
        kind = _read(f"#linalg.elementwise_kind<{word or default}>", rewriting)
        types = [value.type for value in op.operands]
        if len({element_type(type) for type in types}) > 1:
            raise CannotSay("'linalg.elementwise' computes with one type")
        if not all(isinstance(type, ShapedType) and len(type.ranked_shape) == len(_shape(types[-1])) for type in types):
            raise CannotSay("'linalg.elementwise' has operands of one rank")
        rank = len(_shape(types[-1]))
        dims = ", ".join(f"d{number}" for number in range(rank))
        maps = ", ".join([f"affine_map<({dims}) -> ({dims})>"] * len(types))
        given = op.properties.get("operandSegmentSizes")
        op.name = "linalg.elementwise"
        op.properties.clear()
        if given is not None:
            op.properties["operandSegmentSizes"] = given
        op.properties["kind"] = kind
        op.properties["indexing_maps"] = _read(f"[{maps}]", rewriting)
        _renew_region(op, f"kind=#linalg.elementwise_kind<{word or default}>", rewriting)

    return rule


def _shape(type: object) -> tuple[int, ...]:
    return type.ranked_shape if isinstance(type, ShapedType) else ()


def _renew_region(op: Operation, head: str, rewriting: Rewriting) -> None:
    """Gives a named operation the body that it has today."""
    *inputs, output = [f"%{number}" for number in range(len(op.operands))]
    types = [str(value.type) for value in op.operands]
    result = f" -> {op.result.type}" if op.results else ""
    text = f"{op.name} {head} ins({', '.join(inputs)} : {', '.join(types[:-1])}) outs({output} : {types[-1]}){result}"
    for region in op.regions:
        for block in region.blocks:
            for inner in list(block):
                inner.drop_all_references()
                rewriting.erased.add(inner)
    op.regions.clear()
    if not give_region(op, text, rewriting.context):
        raise CannotSay(f"'{op.name}' computes nothing of these types")


def _pooling(op: Operation, rewriting: Rewriting) -> None:
    """What compared and selected is the operation for the greatest or the least today."""
    _renew_region(op, "", rewriting)


def _unsigned(op: Operation, rewriting: Rewriting) -> None:
    """linalg.matmul_unsigned   ->   linalg.matmul {cast = #linalg.type_fn<cast_unsigned>}."""
    _product(op, rewriting)
    op.properties["cast"] = _read("#linalg.type_fn<cast_unsigned>", rewriting)


def _product(op: Operation, rewriting: Rewriting) -> None:
    """linalg.matmul_i8_i8_i32   ->   linalg.matmul, which says how it goes through its operands."""
    _transposed("", "mk", "kn")(op, rewriting)


def _map(op: Operation, rewriting: Rewriting) -> None:
    """The body of `linalg.map` gets what is in the output, too."""
    block = op.regions[0].first if op.regions else None
    if block is None or len(block.arguments) == len(op.operands):
        return
    rewriting.arguments.append(block.add_argument(element_type(op.operands[-1].type)))


def _winograd(op: Operation, rewriting: Rewriting) -> None:
    """m(4) r(3)   ->   fmr(F_4_3)."""
    m, r = (getattr(op.properties.pop(name, op.attributes.pop(name, None)), "value", None) for name in ("m", "r"))
    if m is not None and r is not None:
        op.properties["fmr"] = StringAttr(f"F_{m}_{r}")


def _iterators(dialect: str) -> OpRule:
    """`"parallel"` became `#linalg.iterator_type<parallel>`."""

    def rule(op: Operation, rewriting: Rewriting) -> None:
        given = op.properties.get("iterator_types", op.attributes.get("iterator_types"))
        if not isinstance(given, ArrayAttr):
            return
        words = [one.value for one in given.elements if isinstance(one, StringAttr)]
        if len(words) == len(given.elements):
            op.attributes.pop("iterator_types", None)
            read = [_read(f"#{dialect}.iterator_type<{word}>", rewriting) for word in words]
            op.properties["iterator_types"] = ArrayAttr(tuple(read))

    return rule


def _isolated_parent(op: Operation, rewriting: Rewriting) -> None:
    """transform.get_closest_isolated_parent %0   ->   transform.get_parent_op %0 {isolated_from_above}."""
    rewriting.become(op, "transform.get_parent_op", properties={"isolated_from_above": UNIT})


_POOLING: Final = (
    "nchw_max",
    "ndhwc_max",
    "ndhwc_min",
    "nhwc_max",
    "nhwc_max_unsigned",
    "nhwc_min",
    "nhwc_min_unsigned",
)
RULES: Final[Mapping[tuple[int, str], OpRule]] = {
    (16, "linalg.generic"): _iterators("linalg"),
    (16, "vector.contract"): _iterators("vector"),
    (18, "transform.get_closest_isolated_parent"): _isolated_parent,
    (21, "linalg.elemwise_unary"): _elementwise("exp"),
    (21, "linalg.elemwise_binary"): _elementwise("add"),
    (21, "linalg.matmul_unsigned"): _unsigned,
    **{(14, f"linalg.pooling_{of}"): _pooling for of in _POOLING},
    **{(14, f"linalg.matmul_{types}"): _product for types in ("i16_i16_i32", "i32_i32_i32", "i8_i8_i32")},
    (21, "linalg.winograd_filter_transform"): _winograd,
    (21, "linalg.winograd_input_transform"): _winograd,
    (21, "linalg.winograd_output_transform"): _winograd,
    (22, "linalg.map"): _map,
    (22, "linalg.matmul_transpose_a"): _transposed("", "km", "kn"),
    (22, "linalg.matmul_transpose_b"): _transposed("", "mk", "nk"),
    (22, "linalg.batch_matmul_transpose_a"): _transposed("b", "km", "kn"),
    (22, "linalg.batch_matmul_transpose_b"): _transposed("b", "mk", "nk"),
}
