"""What an operation is declared with: operands, results, properties, regions, successors, traits, rules of types, and
syntax that code gives; and what is found wrong with one.

Source of the names: *Operation Definition Specification (ODS)*.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from fathom.irdl.constraint import AttributeConstraint, TypeConstraint
from fathom.irdl.groups import Arity
from fathom.records import field, record

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation, Value
    from fathom.ir.types import Type
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp, Resolver

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
    print: Callable[[Any, OpPrinter], None] | None = None
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
    What has no region may give its text, `spell`, in the place of printing it, which is faster. `stands_next` says
    whether the text goes on with it, where the first tokens of its arguments do not tell. One that is `spaced` writes
    white space in front of it by itself, if it writes anything.
    """

    parse: Callable[[OpParser, ParsedOp, Sequence[str]], None] | None = None
    print: Callable[[Any, OpPrinter, Sequence[str]], None] | None = None
    stands_next: Callable[[OpParser], bool] | None = None
    spaced: bool = False
    form: str = ""
    spell: Callable[[Any, OpPrinter, Sequence[str]], str] | None = None
