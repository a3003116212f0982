"""The custom syntax that most operations of tosa with an enumeration share: its case stands bare among the attributes.

    tosa.clamp %x {max_val = 1.0 : f32, min_val = 0.0 : f32, nan_mode = IGNORE} : (tensor<4xf32>) -> tensor<4xf32>

Source of the rules: *Tensor Operator Set Architecture (TOSA) Dialect*, and observed behaviour of MLIR 22's parser.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from fathom.dialects import own_description
from fathom.ir.attributes import Attribute
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.operation import Operation, types_of
from fathom.irdl.cases import case_of, cases_of
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomSyntax
from fathom.irdl.keywords import bracketed, comma_separated
from fathom.irdl.listed import any_word

if TYPE_CHECKING:
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp, Ref, Resolver

NAN_MODE: Final = "nan_mode"
BARE: Final[Mapping[str, str]] = {
    **dict.fromkeys(("rescale", "apply_scale"), "rounding_mode"),
    "resize": "mode",
    **dict.fromkeys(("matmul_t_block_scaled", "cast_from_block_scaled", "cast_to_block_scaled"), "block_size"),
    **dict.fromkeys(("argmax", "max_pool2d", "clamp", "maximum", "minimum", "reduce_max", "reduce_min"), NAN_MODE),
}
"""The attribute whose case stands bare, by operation."""
_NOUNS: Final = {"mode": "resize mode"}
"""What messages call an attribute, where that is not its name."""


def _parse(parser: OpParser, parsed: ParsedOp) -> Ref:
    """`%a, %b {name = value, mode = CASE} : (types) -> types`; gives what follows."""
    bare = BARE[parsed.name.removeprefix("tosa.")]
    definition = own_description("tosa").operations[parsed.name].property_map[bare].constraint.definition
    assert definition is not None, "it holds an attribute of the dialect"

    def entry() -> None:
        parser.suggest((bare,))
        name = any_word(parser, parsed)
        parser.expect("=")
        if name != bare or not parser.at_kind("bare"):
            parsed.attributes[name] = parser.attribute()
            return
        parser.suggest(cases_of(definition))
        case = parser.optional_word() or ""
        attribute = case_of(definition, case)
        if attribute is None:
            parser.fail(f"custom op '{parsed.name}' invalid {_NOUNS.get(bare, bare)} value: {case}")
        parsed.attributes[name] = attribute

    parsed.operands["operands"] = comma_separated(parser, parser.value_use)
    if parser.at("{"):
        bracketed(parser, "{}", entry)
    parser.expect(":")
    parsed.types["operands"], parsed.types["results"] = parser.functional_type()
    return parser.here()


def _resolve(resolver: Resolver, parsed: ParsedOp, end: Ref) -> None:
    resolver.operands = resolver.operand_list(
        parsed.operands["operands"], resolver.types(parsed.types["operands"]), end
    )
    resolver.result_types = resolver.types(parsed.types["results"])


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
CODE: Final = dict.fromkeys(BARE, OpCode(custom=CustomSyntax(_parse, _print, _resolve)))
