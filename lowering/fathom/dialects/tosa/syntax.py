"""The custom syntax that most operations of tosa with an enumeration share: its case stands bare among the attributes.

    tosa.clamp %x {max_val = 1.0 : f32, min_val = 0.0 : f32, nan_mode = IGNORE} : (tensor<4xf32>) -> tensor<4xf32>

Source of the rules: *Tensor Operator Set Architecture (TOSA) Dialect*, and observed behaviour of MLIR 22's parser.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from fathom.ir.dialect_values import DialectAttr
from fathom.ir.operation import Operation, types_of
from fathom.irdl.definition import CustomSyntax
from fathom.irdl.keywords import bracketed, comma_separated
from fathom.irdl.listed import any_word
from fathom.irdl.parameters import EnumerationKind
from fathom.records import record

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.irdl.parametric import Parametric
    from fathom.irdl.protocols import Node, OpParser, OpPrinter, ParsedOp, Ref, Resolver

NAN_MODE: Final = "nan_mode"
ENUMERATIONS: Final = {
    NAN_MODE: ("NanPropagationModeAttr", "nan_mode"),
    "mode": ("ResizeModeAttr", "resize mode"),
    "rounding_mode": ("RoundingModeAttr", "rounding_mode"),
    "block_size": ("BlockSizeAttr", "block_size"),
}
"""By the name of the attribute whose case may stand bare, its class and what messages call it."""

BARE: Final[Mapping[str, str]] = {
    **dict.fromkeys(("rescale", "apply_scale"), "rounding_mode"),
    "resize": "mode",
    **dict.fromkeys(("matmul_t_block_scaled", "cast_from_block_scaled", "cast_to_block_scaled"), "block_size"),
    **dict.fromkeys(("argmax", "max_pool2d", "clamp", "maximum", "minimum", "reduce_max", "reduce_min"), NAN_MODE),
}
"""The attribute whose case stands bare, by operation."""


@record
class Signature:
    """The operands, the types behind them, and the token behind those."""

    operands: list[Ref]
    inputs: list[Node]
    results: list[Node]
    end: Ref


def syntaxes(attribute: Callable[[str], Parametric]) -> dict[str, CustomSyntax[Signature]]:
    """The syntax of each operation; `attribute` finds the definition of an attribute of the dialect by its class."""
    return {name: _syntax(bare, attribute) for name, bare in BARE.items()}


def _syntax(bare: str, attribute: Callable[[str], Parametric]) -> CustomSyntax[Signature]:
    """`%a, %b {name = value, mode = CASE} : (types) -> types`."""

    def parse(parser: OpParser, parsed: ParsedOp) -> Signature:
        operands = comma_separated(parser, parser.value_use)
        if parser.at("{"):
            bracketed(parser, "{}", lambda: parse_entry(parser, parsed))
        parser.expect(":")
        inputs, results = parser.functional_type()
        return Signature(operands, inputs, results, parser.here())

    def parse_entry(parser: OpParser, parsed: ParsedOp) -> None:
        parser.suggest((bare,))
        name = any_word(parser, parsed)
        parser.expect("=")
        if name != bare or not parser.at_kind("bare"):
            parsed.attributes[name] = parser.attribute()
            return
        class_name, noun = ENUMERATIONS[bare]
        definition = attribute(class_name)
        parser.suggest(_cases(definition))
        case = parser.optional_word() or ""
        number = _cases(definition).get(case)
        if number is None:
            parser.fail(f"custom op '{parsed.name}' invalid {noun} value: {case}")
        found = definition.make(value=number)
        assert isinstance(found, DialectAttr), "the definition is one of an attribute"
        parsed.attributes[name] = found

    return CustomSyntax(parse, _print, _resolve)


def _cases(definition: Parametric) -> Mapping[str, int]:
    kind = definition.parameters[0].kind
    assert isinstance(kind, EnumerationKind), "the definition is one of an enumeration"
    return kind.enumeration.cases


def _resolve(resolver: Resolver, parsed: ParsedOp, found: Signature) -> None:
    resolver.operands = resolver.operand_list(found.operands, resolver.types(found.inputs), found.end)
    resolver.result_types = resolver.types(found.results)


def _print(op: Operation, p: OpPrinter) -> None:
    p.write(" ")
    p.values(op.operands)
    entries = sorted({**op.properties, **op.attributes}.items())
    texts = [f"{name} = {_spell(value, p)}" for name, value in entries if not _is_default(op, value)]
    if texts:
        p.write(f" {{{', '.join(texts)}}}")
    p.write(" : ")
    p.functional_type(types_of(op.operands), types_of(op.results))


def _is_default(op: Operation, value: Attribute) -> bool:
    """Whether a mode of propagating NaN goes without saying."""
    prop = op.definition.property_map.get(NAN_MODE) if op.definition is not None else None
    return prop is not None and value == prop.default


def _spell(value: Attribute, p: OpPrinter) -> str:
    """A case of one of the enumerations stands bare under whatever name."""
    if isinstance(value, DialectAttr) and value.full_name in _BARE_ATTRIBUTES:
        return value.spell_elided(p.spell).strip("<>")
    return p.spell(value)


_BARE_ATTRIBUTES: Final = frozenset(("tosa.nan_mode", "tosa.resize_mode", "tosa.rounding_mode", "tosa.block_size"))
