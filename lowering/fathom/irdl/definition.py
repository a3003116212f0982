"""The vocabulary in which an operation is defined, once, for its parser, printer, verifier, completion and hover.

A definition reads like the operation's specification:

    ADDI = OpDefinition(
        "arith.addi",
        operands=(Operand("lhs", SIGNLESS_INTEGER_LIKE), Operand("rhs", SIGNLESS_INTEGER_LIKE)),
        results=(Result("result", SIGNLESS_INTEGER_LIKE),),
        properties=(Property("overflowFlags", OVERFLOW_FLAGS, default=NO_OVERFLOW),),
        traits=(PURE, COMMUTATIVE, SAME_OPERANDS_AND_RESULT_TYPE),
        assembly="$lhs `,` $rhs (`overflow` `` $overflowFlags^)? attr-dict `:` type($result)",
        summary="integer addition operation",
    )

Source of the names: *Operation Definition Specification (ODS)*, and *Defining Dialects*, "Declarative Assembly Format".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from fathom.cached import cached_property
from fathom.ir.operation import name_parts
from fathom.irdl.aspects import NOTHING_SAID, Aspect, Said, said_of
from fathom.irdl.constraint import AttributeForm
from fathom.irdl.declared import (
    CustomDirective,
    CustomSyntax,
    Operand,
    Problem,
    Property,
    RegionDefinition,
    Result,
    SuccessorDefinition,
    Trait,
    TypeRule,
)
from fathom.irdl.groups import SEGMENTS, Arity, Groups, group_sizes, split_groups
from fathom.irdl.named_parts import part_names, readers
from fathom.records import field, record

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Block, Operation, Value
    from fathom.ir.types import Type
    from fathom.irdl.directives import Directive
    from fathom.irdl.folding import Fold
    from fathom.irdl.interfaces import ConstantLike
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp, Resolver
    from fathom.irdl.verifying import Check, SymbolCheck

T = TypeVar("T")

__all__ = [
    "CustomDirective",
    "CustomSyntax",
    "OpDefinition",
    "Operand",
    "Problem",
    "Property",
    "RegionDefinition",
    "Result",
    "SuccessorDefinition",
    "Trait",
    "TypeRule",
]


@record(eq=False, slots=False)
class OpDefinition:
    """One operation. Definitions are compared by identity and can be made at run time.

    `custom` takes the place of `assembly` for an irregular syntax; `directives` is the code behind `custom<Name>` in
    it. An operation with neither has the generic form only, unless it is `opaque`: code that is not here reads its
    custom form, which is kept as it is written. `resolve` supplies, beside an assembly format, what the generic
    resolution of types cannot. `result_names(op)` suggests names for the results (`c0_i32`), as MLIR's OpAsmOpInterface
    does; `region_argument_names(op)` the names of the arguments of each region's entry block.
    `implicit_terminator` names the operation that ends a block of its regions whose text leaves it out;
    `terminator_operands(block)` are what it then takes.

    `checked` says how much a verifier checks: all that MLIR's does ("complete"), or what is declared here ("declared");
    `unknown` are the constraints among those that nothing defines, and which are therefore not checked. `said` is what
    its dialect says of aspects (`fathom.irdl.aspects`).
    """

    name: str
    operands: tuple[Operand, ...] = ()
    results: tuple[Result, ...] = ()
    properties: tuple[Property, ...] = ()
    regions: tuple[RegionDefinition, ...] = ()
    successors: tuple[SuccessorDefinition, ...] = ()
    traits: tuple[Trait, ...] = ()
    interfaces: tuple[object, ...] = ()
    rules: tuple[TypeRule, ...] = ()
    assembly: str | None = None
    custom: CustomSyntax[Any] | None = None
    opaque: bool = False
    directives: Mapping[str, CustomDirective] = field(default_factory=dict[str, CustomDirective])
    resolve: Callable[[Resolver, ParsedOp], None] | None = None
    result_names: Callable[[Any], Sequence[str | None]] | None = None
    region_argument_names: Callable[[Any], Sequence[Sequence[str]]] | None = None
    terminator_operands: Callable[[Block], Sequence[Value]] | None = None
    default_dialect: str = ""
    implicit_terminator: str = ""
    summary: str = ""
    description: str = ""
    own_properties: bool = False
    """Whether C++ of its own reads `prop-dict`, so that any key may stand there, and any be missing."""
    deprecated: str = ""
    """What to do instead of using it, where it should not be used any more."""
    checked: str = "complete"
    unknown: tuple[str, ...] = ()
    said: Said = NOTHING_SAID

    def __post_init__(self) -> None:
        name_parts(part_names(self))

    @property
    def dialect(self) -> str:
        return self.name.partition(".")[0]

    @property
    def is_generic(self) -> bool:
        """Whether it has the generic form only."""
        return self.custom is None and self.assembly is None and not self.opaque

    @property
    def form(self) -> str | None:
        """The assembly format, or what stands in its place in code; None for an operation without one."""
        return self.assembly if self.custom is None else self.custom.form or None

    @cached_property
    def format(self) -> tuple[Directive, ...]:
        """Its form, resolved; empty for an operation without one. A mistake raises DescriptionError."""
        from fathom.irdl.op_format import resolve_format

        return resolve_format(self)

    @property
    def read(self) -> Callable[[OpParser, ParsedOp], object]:
        """Reads what follows the name in the custom form."""
        own = self.custom.parse if self.custom is not None else None
        return own if own is not None else self.parse

    def parse(self, parser: OpParser, parsed: ParsedOp) -> None:
        """Reads what follows the name, as the form says."""
        for directive in self.format:
            directive.parse(parser, parsed)

    @cached_property
    def write(self) -> Callable[[Any, OpPrinter], None] | None:
        """Writes what follows the name in the custom form, `write(op, printer)`; None when there is only the generic
        form."""
        if self.custom is not None and self.custom.print is not None:
            return self.custom.print
        if self.form is None:
            return None
        from fathom.irdl.directives import all_pieces
        from fathom.irdl.pieces import together, writing

        return writing(together(all_pieces(self.format)))

    def completes(self, region: int) -> bool:
        """Whether the text of a region may leave out the terminator that the definition implies."""
        if self.custom is not None:
            return self.custom.completes
        group = self.regions[min(region, len(self.regions) - 1)] if self.regions else None
        return group is None or group.name not in self._as_written

    @cached_property
    def _as_written(self) -> frozenset[str]:
        """The regions that directives `custom<…>` read, which complete nothing."""
        from fathom.irdl.format_names import names_of_code

        return names_of_code(self.assembly) if self.assembly is not None else frozenset()

    @cached_property
    def stored_types(self) -> dict[str, tuple[Callable[[Type], bool], str]]:
        """The classes of the types that stand by themselves in the assembly format, by group."""
        from fathom.irdl.value_directives import TypeDirective

        stated = [
            directive.group
            for directive in self.format
            if isinstance(directive, TypeDirective) and directive.group is not None and not directive.qualified
        ]
        stored_by_name = {group.name: group.constraint.stored for group in stated if group.arity is Arity.ONE}
        return {name: stored for name, stored in stored_by_name.items() if stored is not None}

    @cached_property
    def transformed(self) -> tuple[Operand | Result, ...]:
        """The groups whose types stand in the assembly format, and of which the types of others are made."""
        from fathom.irdl.value_directives import TypeDirective

        stated = {
            directive.group.name
            for directive in self.format
            if isinstance(directive, TypeDirective) and directive.group is not None
        }
        sources = {
            rule.sources[0] for rule in self.rules if rule.message and not rule.equal and rule.target not in stated
        }
        return tuple(g for g in (*self.operands, *self.results) if g.name in sources & stated)

    @cached_property
    def trait_names(self) -> frozenset[str]:
        """The names of its traits, by which they are told apart."""
        return frozenset(trait.name for trait in self.traits)

    @cached_property
    def property_map(self) -> dict[str, Property]:
        return {p.name: p for p in self.properties}

    @cached_property
    def defaults(self) -> tuple[tuple[str, Attribute], ...]:
        """What properties are that the text does not state and that must be there, by name."""
        values = ((p.name, p.default if p.default is not None else p.unset) for p in self.properties if not p.optional)
        return tuple([(name, value) for name, value in values if value is not None])

    @cached_property
    def classed(self) -> tuple[Property, ...]:
        """The properties in whose place MLIR keeps attributes of one class only."""
        return tuple([p for p in self.properties if not p.native and p.constraint.is_stored is not None])

    @cached_property
    def unit_properties(self) -> tuple[str, ...]:
        """The properties that are there or not; the generic form shows one that is not as `false`."""
        return tuple(p.name for p in self.properties if p.native and p.constraint.form is AttributeForm.UNIT)

    @cached_property
    def has_segments(self) -> bool:
        """Whether the operands' groups need the property `operandSegmentSizes`."""
        several = sum(operand.arity is not Arity.ONE for operand in self.operands) > 1
        return several and not any(trait.name == "SameVariadicOperandSize" for trait in self.traits)

    @cached_property
    def has_result_segments(self) -> bool:
        """Whether the results' groups need the property `resultSegmentSizes`."""
        several = sum(result.arity is not Arity.ONE for result in self.results) > 1
        return several and not any(trait.name == "SameVariadicResultSize" for trait in self.traits)

    @cached_property
    def parents(self) -> tuple[str, ...]:
        """The operations in which alone it stands; none if it may stand in any."""
        return next((trait.parents for trait in self.traits if trait.parents), ())

    def has(self, trait: Trait) -> bool:
        return trait.name in self.trait_names

    @cached_property
    def _interfaces(self) -> dict[type, object]:
        """Those that were given, and those that follow from the traits."""
        from fathom.irdl.interfaces import STANDARD

        named = [STANDARD[trait.name] for trait in self.traits if trait.name in STANDARD]
        return {type(model): model for model in (*named, *self.interfaces)}

    def interface(self, kind: type[T]) -> T | None:
        """Its interface of this kind (`fathom.irdl.interfaces`), or None."""
        model = self._interfaces.get(kind)
        return model if isinstance(model, kind) else None

    @cached_property
    def constant(self) -> ConstantLike | None:
        """What its operations are as constants, if they are such."""
        from fathom.irdl.interfaces import ConstantLike

        return self.interface(ConstantLike)

    def told(self, aspect: Aspect[Mapping[str, T]]) -> T | None:
        """What is said of its operations in an aspect that goes by their names, or None."""
        return said_of(aspect, self.said).get(self.name)

    @cached_property
    def verify(self) -> Check | None:
        """What is wrong with its operations beyond constraints and traits, if its dialect says that. A check that asks
        for nothing but properties, attributes and types is made once for all operations that agree in them
        (`fathom.verify.alone`)."""
        from fathom.irdl.verifying import VERIFY

        return self.told(VERIFY)

    @cached_property
    def verify_regions(self) -> Check | None:
        """The same, once their regions are known to be well-formed."""
        from fathom.irdl.verifying import VERIFY_REGIONS

        return self.told(VERIFY_REGIONS)

    @cached_property
    def verify_symbols(self) -> SymbolCheck | None:
        """What is wrong with the symbols that they use."""
        from fathom.irdl.verifying import VERIFY_SYMBOLS

        return self.told(VERIFY_SYMBOLS)

    @cached_property
    def fold(self) -> Fold | None:
        """What its operations fold to, if its dialect says that."""
        from fathom.irdl.folding import FOLDS

        return self.told(FOLDS)

    @cached_property
    def folding_traits(self) -> frozenset[str]:
        """The names of those of its traits by which an operation folds that has no fold of its own, or one that finds
        nothing."""
        from fathom.irdl.traits import FOLDING

        return self.trait_names & FOLDING

    @cached_property
    def can_fold(self) -> bool:
        """Whether there are operations of it that fold. A constant does not."""
        from fathom.irdl.traits import CONSTANT_LIKE

        return not self.has(CONSTANT_LIKE) and (bool(self.folding_traits) or self.fold is not None)

    @cached_property
    def is_harmless(self) -> bool | None:
        """Whether its operations do no more to memory than read, or make such as they return; None where that depends
        on the operation. Nothing is said of what is nested in them."""
        from fathom.irdl.interfaces import MemoryEffects
        from fathom.irdl.traits import NO_MEMORY_EFFECT, PURE, RECURSIVE_MEMORY_EFFECTS

        if self.has(RECURSIVE_MEMORY_EFFECTS):
            return None
        effects = self.interface(MemoryEffects)
        return self.has(PURE) or self.has(NO_MEMORY_EFFECT) if effects is None else effects.are_harmless(self)

    @cached_property
    def may_go_unused(self) -> bool | None:
        """Whether an operation that nothing uses could go; None where that depends on the operation."""
        from fathom.irdl.traits import SYMBOL, TERMINATOR

        return False if self.has(TERMINATOR) or self.has(SYMBOL) else self.is_harmless

    @cached_property
    def readers(self) -> Mapping[str, Callable[[Operation], object]]:
        """What reads the parts of its operations, by their names (`fathom.irdl.named_parts`)."""
        return readers(self)

    @cached_property
    def operand_places(self) -> Groups:
        """Where the operands of each group stand."""
        return Groups([o.name for o in self.operands], [o.arity for o in self.operands], SEGMENTS["operands"])

    @cached_property
    def destination_group(self) -> str:
        """What the operands are called that are written (`fathom.irdl.destinations`); empty if that is not said."""
        from fathom.irdl.destinations import DESTINATION_STYLE

        begin = f"{DESTINATION_STYLE.name}<"
        names = (trait.name for trait in self.traits if trait.name.startswith(begin))
        return next(names, "").removeprefix(begin).removesuffix(">")

    def operand_groups(self, op: Operation) -> dict[str, list[Value]]:
        """The operands of `op` by the names of their definitions."""
        sizes = group_sizes([o.arity for o in self.operands], len(op.operands), op, SEGMENTS["operands"])
        return split_groups([o.name for o in self.operands], sizes, op.operands)

    def result_groups(self, op: Operation) -> dict[str, list[Value]]:
        sizes = group_sizes([r.arity for r in self.results], len(op.results), op, SEGMENTS["results"])
        return split_groups([r.name for r in self.results], sizes, list(op.results))
