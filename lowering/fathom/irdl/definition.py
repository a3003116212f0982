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
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from fathom.cached import cached_property
from fathom.irdl.aspects import NOTHING_SAID, Aspect, Said, said_of
from fathom.irdl.constraint import AttributeConstraint, AttributeForm, TypeConstraint
from fathom.irdl.groups import SEGMENTS, Arity, Groups, group_sizes, split_groups
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


@record
class Operand:
    """A group of operands: how many it takes, and what their types must satisfy."""

    name: str
    constraint: TypeConstraint
    arity: Arity = Arity.ONE
    segments: str = ""
    """For a group of groups, the property that holds their sizes."""


@record
class Result:
    """A group of results, like `Operand`."""

    name: str
    constraint: TypeConstraint
    arity: Arity = Arity.ONE


@record
class Property:
    """An inherent attribute. One that is not optional and has no default must be given. A default is not printed in
    `attr-dict`; the generic form shows it. One that is optional and has a default may be left out even there. A
    `native` one is no attribute at heart: an entry of its name in `attr-dict` is a discardable attribute."""

    name: str
    constraint: AttributeConstraint
    optional: bool = False
    default: Attribute | None = None
    native: bool = False
    unset: Attribute | None = None
    """What C++ keeps a native one as that has no default and is not given."""


@record
class RegionDefinition:
    """A group of regions; `single_block` ones hold one block, others between `least` and `most` blocks."""

    name: str
    arity: Arity = Arity.ONE
    single_block: bool = False
    least: int = 0
    most: int | None = None

    @property
    def demand(self) -> tuple[int, int | None, str]:
        """The fewest and the most blocks that it holds, and how messages say so."""
        if self.single_block or (self.least and self.least == self.most):
            count = self.least or 1
            return count, count, f"region with {count} blocks"
        if self.least:
            return self.least, None, f"region with at least {self.least} blocks"
        return 0, self.most, f"region with at most {self.most} blocks" if self.most is not None else "any region"


@record
class SuccessorDefinition:
    """A group of successors."""

    name: str
    arity: Arity = Arity.ONE


@record
class Trait:
    """A named fact about an operation. `verify` returns what is wrong, worded as MLIR words it, or None. A `predicate`
    is looked at with the rules between types, before all other traits. `parents` are the operations in which alone it
    stands; its `verify` says nothing of one that is taken out of what it stood in."""

    name: str
    verify: Callable[[Operation], str | None] | None = None
    predicate: bool = False
    parents: tuple[str, ...] = ()

    def __hash__(self) -> int:
        return hash(self.name)


@record
class TypeRule:
    """The types of the group `target` follow from those of the groups `sources`: `infer(*lists) -> list`, or None where
    they do not fit. It gives the parser the types that the text leaves out, and `create` the types of results.

    `message` is the verifier's text when they do not agree: "failed to verify that {message}"; empty where a trait or
    the definition's own `verify` says it. An `optional` rule says nothing of a target that is not there. With `equal`,
    the types of the target are those of the source as they are.
    """

    target: str
    sources: tuple[str, ...]
    infer: Callable[..., list[Type] | None]
    message: str
    optional: bool = False
    equal: bool = False


@record
class Problem:
    """What a verifier found: the message, without "'dialect.op' op " (which a `bare` one does not get in front).
    `at` is the operand, else the operation itself. `notes` are MLIR's own, `hints` are Fathom's. With `placed`, it is
    about the place of `at` alone, and the operation is not shown with it. `further` is what MLIR says of the operation
    besides, behind the message. `code` is the kind of finding, where it has one of its own. `types` are one that is
    wrong and the one that is wanted in its place, where that is certain."""

    message: str
    at: Operation | Value | None = None
    notes: tuple[tuple[str, Operation | Value], ...] = ()
    bare: bool = False
    hints: tuple[tuple[str, Operation | Value], ...] = ()
    placed: bool = False
    further: str = ""
    code: str = ""
    types: tuple[Type, ...] = ()


@record
class CustomSyntax(Generic[T]):
    """An irregular syntax, where no assembly format can say it (`fathom.irdl.protocols`).

    `parse` reads what follows the operation's name, and returns what `resolve` needs beside the parsed operation.
    `print` writes it. In the place of both may stand a `form`: an assembly format of which less is asked than of one
    in a description, and in which further directives may stand (`fathom.irdl.clauses`). `resolve` finds the values and
    types; where it is None, they follow by the generic rules. Where the text goes wrong behind a region, or breaks off
    in it, neither is asked: the types of the region's arguments are those that they state then.
    `operands_first` says that operands are looked up before the regions are read, so that a region's argument may not
    have the name of an operand that is not defined yet; `completes` that a terminator may be left out which the
    definition implies; `hides_names` that the names around the operation mean nothing in its regions. `strings` are
    those of which it has some in an array, for a property that has attributes of a dialect in their place.
    """

    parse: Callable[[OpParser, ParsedOp], T] | None = None
    print: Callable[[Operation, OpPrinter], None] | None = None
    resolve: Callable[[Resolver, ParsedOp, T], None] | None = None
    operands_first: bool = False
    completes: bool = True
    hides_names: bool = False
    strings: Mapping[str, Sequence[str]] = field(default_factory=dict[str, "Sequence[str]"])
    form: str = ""


@record
class CustomDirective:
    """The code behind `custom<Name>(…)` in the format of an operation.

    Both functions get the arguments: the names of `$x`, `type($x)` and `ref($x)`, and the texts of strings. In the
    place of both may stand a `form`, in which the arguments have numbers: "list($0 `:` type($0))".
    `stands_next` says whether the text goes on with it, where the first tokens of its arguments do not tell. One that
    is `spaced` writes white space in front of it by itself, if it writes anything.
    """

    parse: Callable[[OpParser, ParsedOp, Sequence[str]], None] | None = None
    print: Callable[[Operation, OpPrinter, Sequence[str]], None] | None = None
    stands_next: Callable[[OpParser], bool] | None = None
    spaced: bool = False
    form: str = ""


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
    result_names: Callable[[Operation], Sequence[str | None]] | None = None
    region_argument_names: Callable[[Operation], Sequence[Sequence[str]]] | None = None
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
    def write(self) -> Callable[[Operation, OpPrinter], None] | None:
        """Writes what follows the name in the custom form, `write(op, printer)`; None when there is only the generic
        form."""
        if self.custom is not None and self.custom.print is not None:
            return self.custom.print
        if self.form is None:
            return None
        from fathom.irdl.directives import sequence

        return sequence(self.format)

    def completes(self, region: int) -> bool:
        """Whether the text of a region may leave out the terminator that the definition implies."""
        if self.custom is not None:
            return self.custom.completes
        group = self.regions[min(region, len(self.regions) - 1)] if self.regions else None
        return group is None or group.name not in self._as_written

    @cached_property
    def _as_written(self) -> frozenset[str]:
        """The regions that directives `custom<…>` read, which complete nothing."""
        from fathom.irdl.op_format import names_of_code

        return names_of_code(self.assembly) if self.assembly is not None else frozenset()

    @cached_property
    def stored_types(self) -> dict[str, tuple[Callable[[Type], bool], str]]:
        """The classes of the types that stand by themselves in the assembly format, by group."""
        from fathom.irdl.value_directives import TypeDirective

        stated = [
            each.group
            for each in self.format
            if isinstance(each, TypeDirective) and each.group is not None and not each.qualified
        ]
        found = {group.name: group.constraint.stored for group in stated if group.arity is Arity.ONE}
        return {name: stored for name, stored in found.items() if stored is not None}

    @cached_property
    def transformed(self) -> tuple[Operand | Result, ...]:
        """The groups whose types stand in the assembly format, and of which the types of others are made."""
        from fathom.irdl.value_directives import TypeDirective

        stated = {each.group.name for each in self.format if isinstance(each, TypeDirective) and each.group is not None}
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
        return {type(each): each for each in (*named, *self.interfaces)}

    def interface(self, kind: type[T]) -> T | None:
        """Its interface of this kind (`fathom.irdl.interfaces`), or None."""
        found = self._interfaces.get(kind)
        return found if isinstance(found, kind) else None

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
    def operand_places(self) -> Groups:
        """Where the operands of each group stand."""
        return Groups([o.name for o in self.operands], [o.arity for o in self.operands], SEGMENTS["operands"])

    def operand_groups(self, op: Operation) -> dict[str, list[Value]]:
        """The operands of `op` by the names of their definitions."""
        sizes = group_sizes([o.arity for o in self.operands], len(op.operands), op, SEGMENTS["operands"])
        return split_groups([o.name for o in self.operands], sizes, op.operands)

    def result_groups(self, op: Operation) -> dict[str, list[Value]]:
        sizes = group_sizes([r.arity for r in self.results], len(op.results), op, SEGMENTS["results"])
        return split_groups([r.name for r in self.results], sizes, list(op.results))
