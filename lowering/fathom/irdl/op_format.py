"""The assembly format of an operation, resolved: each directive bound to what it means, and the whole looked over.

What a name does not mean, a group that has no anchor, a value whose type nothing says: all that is found here, once,
when the format is resolved, with its column. Source of the rules and messages: the generator of formats of MLIR 22
(`mlir-tblgen`), and *Defining Dialects*, "Declarative Assembly Format".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from fathom.irdl import format as syntax
from fathom.irdl.attribute_directives import AttrDict, CaseDirective, PropDict, PropertyDirective
from fathom.irdl.clauses import CLAUSES
from fathom.irdl.composed_directives import Clauses, CustomDirectiveUse, Elements, Group
from fathom.irdl.constraint import AttributeForm
from fathom.irdl.declared import CustomDirective, Operand, Property, Result
from fathom.irdl.directives import Directive, RegionDirective, SuccessorDirective, WhiteSpace, Word
from fathom.irdl.expressions import DescriptionError, NotUnderstood
from fathom.irdl.format_names import flat, names_in, names_of
from fathom.irdl.groups import SEGMENTS, Arity
from fathom.irdl.index_lists import DIMENSION_LIST, DYNAMIC_INDEX_LIST
from fathom.irdl.infer import inferable_groups
from fathom.irdl.value_directives import AllOperands, FunctionalType, OperandDirective, TypeDirective, Values
from fathom.records import replace

if TYPE_CHECKING:
    from fathom.irdl.definition import OpDefinition
    from fathom.irdl.parametric import Parametric

STANDARD_DIRECTIVES: Final = {"DynamicIndexList": DYNAMIC_INDEX_LIST, "DimensionList": DIMENSION_LIST}
"""The directives `custom<Name>` that formats of all dialects may use."""


def resolve_format(definition: OpDefinition) -> tuple[Directive, ...]:
    """The directives of the definition's form. A mistake in it raises DescriptionError with its column."""
    if definition.form is None:
        return ()
    written = syntax.compile_format(definition.form)
    return _Resolver(definition, written, of_code=definition.custom is not None).resolve()


class _Resolver:
    """Walks the format in the order of the text. `emit_space` and `after_punctuation` are what MLIR's own generator of
    printers keeps: branches of an optional group follow each other, as if both were printed. More may stand in a form
    that is `of_code`, and nothing has to."""

    def __init__(self, definition: OpDefinition, written: Sequence[syntax.Directive], *, of_code: bool = False) -> None:
        self.definition = definition
        self.written = written
        self.of_code: Final = of_code
        self.emit_space = True
        self.after_punctuation = False
        self.operands: Final = {operand.name: operand for operand in definition.operands}
        self.results: Final = {result.name: result for result in definition.results}
        self.regions: Final = {region.name: index for index, region in enumerate(definition.regions)}
        self.successors: Final = {successor.name: index for index, successor in enumerate(definition.successors)}
        self.bound: set[str] = set()
        self.typed: set[str] = set()
        self.flat: Final = flat(written)
        has_prop_dict = any(isinstance(directive, syntax.PropDict) for directive in self.flat)
        self.in_prop_dict: Final = [prop.name for prop in definition.properties] if has_prop_dict else []
        self.named: Final = names_of(self.flat)
        self.used: Final = {*self.named, *SEGMENTS.values()} | {
            operand.segments for operand in definition.operands if operand.segments
        }

    def resolve(self) -> tuple[Directive, ...]:
        directives = self.run(self.written)
        if not self.of_code:
            self.look_over()
        return directives

    def run(self, directives: Iterable[syntax.Directive]) -> tuple[Directive, ...]:
        return tuple(self.element(directive) for directive in directives)

    # ---- elements

    def element(self, directive: syntax.Directive) -> Directive:
        match directive:
            case syntax.Literal(text):
                return self.literal(text)
            case syntax.Space(text):
                return self.space(text)
            case syntax.AttrDict(with_keyword):
                self.once("attr-dict", directive.column)
                self.after_punctuation = False
                return AttrDict(with_keyword, self.used, self.defaults(), self.in_prop_dict)
            case syntax.PropDict():
                self.once("prop-dict", directive.column)
                self.after_punctuation = False
                props = tuple(prop for prop in self.definition.properties if prop.name not in self.used)
                return PropDict(props, not self.definition.own_properties)
            case syntax.Optional():
                return self.optional(directive)
            case syntax.OneOf(clauses, separator):
                return Clauses(tuple(self.clause(clause) for clause in clauses), separator)
            case syntax.Params() | syntax.Struct() | syntax.StringArgument():
                raise DescriptionError("this directive stands in the formats of types and attributes", directive.column)
            case _:
                lead = " " if self.emit_space or not self.after_punctuation else ""
                self.emit_space, self.after_punctuation = True, False
                return self.spaced(directive, lead)

    def defaults(self) -> list[Property]:
        return [p for p in self.definition.properties if p.default is not None]

    def literal(self, text: str) -> Word:
        space = " " if self.emit_space and syntax.needs_space(text, self.after_punctuation) else ""
        self.emit_space = len(text) != 1 or text not in "<({["
        self.after_punctuation = not (text[0] == "_" or text[0].isalpha())
        return Word(space, text)

    def space(self, text: str) -> WhiteSpace:
        if text != "\\n":
            self.emit_space, self.after_punctuation = False, not text
        return WhiteSpace(text)

    def spaced(self, directive: syntax.Directive, lead: str) -> Directive:
        """The elements that stand off from what is before them."""
        match directive:
            case syntax.Variable():
                return self.variable(directive, lead)
            case syntax.CaseOf(name):
                return self.case_of(name, directive.column, lead)
            case syntax.TypeOf(name):
                return self.type_of(directive, name, lead)
            case syntax.FunctionalType(inputs, results):
                self.mark_type(inputs, directive.column)
                self.mark_type(results, directive.column)
                values = self.values(inputs, directive.column), self.values(results, directive.column)
                return FunctionalType(lead, inputs, results, *values)
            case syntax.AllOperands():
                self.bind_all("operands", self.operands, directive.column)
                return AllOperands(lead)
            case syntax.AllRegions():
                self.bind_all("regions", self.regions, directive.column)
                return RegionDirective(lead, 0, False, bool(self.definition.implicit_terminator))
            case syntax.AllSuccessors():
                self.bind_all("successors", self.successors, directive.column)
                return SuccessorDirective(lead, 0, False)
            case syntax.Reference(argument):
                return self.qualified(argument, lead)
            case syntax.Custom():
                return self.custom(directive, lead)
            case syntax.Listed(element) if self.of_code:
                self.emit_space, self.after_punctuation = False, True
                elements = Elements(lead, self.run(element))
                self.emit_space, self.after_punctuation = True, False
                return elements
            case syntax.Listed():
                raise DescriptionError(syntax.NO_ELEMENT, directive.column)
            case _:
                raise DescriptionError("this directive cannot stand here", directive.column)

    def qualified(self, directive: syntax.Directive, lead: str) -> Directive:
        prop = self.definition.property_map.get(directive.name) if isinstance(directive, syntax.Variable) else None
        if prop is not None:
            self.bind("attribute", prop.name, directive.column)
            return PropertyDirective(lead, prop, self.definition.name, qualified=True)
        inner = self.spaced(directive, lead)
        match inner:
            case PropertyDirective(_, prop, owner):
                return PropertyDirective(lead, prop, owner, qualified=True)
            case TypeDirective():
                return replace(inner, lead=lead, qualified=True)
            case _:
                message = "'qualified' directive expects an attribute or a `type` directive"
                raise DescriptionError(message, directive.column)

    # ---- variables

    def variable(self, directive: syntax.Variable, lead: str) -> Directive:
        name, definition = directive.name, self.definition
        prop = definition.property_map.get(name)
        if prop is not None:
            self.bind("attribute", name, directive.column)
            self.understand(prop.constraint.definition, directive.column)
            is_read = prop.constraint.form is not AttributeForm.ENTRY
            if prop.native and (not is_read or prop.constraint.unknown):
                raise NotUnderstood(f"only C++ reads the property '{name}'", directive.column)
            return PropertyDirective(lead, prop, definition.name)
        if name in self.operands:
            self.bind("operand", name, directive.column)
            index = _single(name, definition.operands)
            return OperandDirective(lead, self.operands[name], index, self.values(name, directive.column))
        if name in self.regions:
            self.bind("region", name, directive.column)
            single = definition.regions[self.regions[name]].arity is Arity.ONE
            return RegionDirective(lead, self.regions[name], single, bool(definition.implicit_terminator))
        if name in self.successors:
            self.bind("successor", name, directive.column)
            single = definition.successors[self.successors[name]].arity is Arity.ONE
            return SuccessorDirective(lead, self.successors[name], single)
        if name in self.results:
            message = "result variables can can only be used as a child to a 'type' directive"
            raise DescriptionError(message, directive.column)
        message = "expected variable to refer to an argument, region, result, or successor"
        raise DescriptionError(message, directive.column)

    def case_of(self, name: str, column: int, lead: str) -> Directive:
        prop = self.definition.property_map.get(name)
        if prop is None:
            raise DescriptionError("'enum' directive expects an attribute", column)
        self.bind("attribute", name, column)
        definition = prop.constraint.definition
        self.understand(definition, column)
        if definition is None or len(definition.parameters) != 1:
            return PropertyDirective(lead, prop, self.definition.name)
        return CaseDirective(lead, prop, self.definition.name)

    def once(self, name: str, column: int) -> None:
        if name in self.bound:
            raise DescriptionError(f"'{name}' directive has already been seen", column)
        self.bound.add(name)

    def bind(self, what: str, name: str, column: int) -> None:
        if name in self.bound or f"{what}s" in self.bound:
            raise DescriptionError(f"{what} '{name}' is already bound", column)
        self.bound.add(name)

    def bind_all(self, kind: str, names: Iterable[str], column: int) -> None:
        if kind in self.bound or not self.bound.isdisjoint(names):
            raise DescriptionError(f"'{kind}' directive creates overlap in format", column)
        self.bound.add(kind)

    def type_of(self, directive: syntax.TypeOf, name: str, lead: str) -> TypeDirective:
        self.mark_type(name, directive.column)
        group = self.operands.get(name) or self.results.get(name)
        if group is not None and group.arity is Arity.ONE and not directive.qualified:
            self.understand(group.constraint.definition, directive.column)
        values, definition = self.values(name, directive.column), self.definition
        index = _single(name, definition.operands if name in self.operands else definition.results)
        return TypeDirective(lead, name, group, values, definition.name, index, directive.qualified)

    def understand(self, definition: Parametric | None, column: int) -> None:
        """What stands without its name must be of a syntax that is known."""
        if definition is not None and definition.opaque:
            raise NotUnderstood(f"only C++ reads '{definition.full_name}'", column, is_told=True)

    def mark_type(self, name: str, column: int) -> None:
        all_of = {"operands": self.operands, "results": self.results}
        if name in all_of and (name in self.typed or not self.typed.isdisjoint(all_of[name])):
            raise DescriptionError(f"'{name}' 'type' is already bound", column)
        if name in self.typed or any(kind in self.typed and name in group for kind, group in all_of.items()):
            raise DescriptionError(f"'type' of '{name}' is already bound", column)
        self.typed.add(name)

    def values(self, name: str, column: int) -> Values:
        """The values of a group, or of `operands` and `results`."""
        definition = self.definition
        if name in self.operands:
            index = _single(name, definition.operands)
            if index is not None:
                return lambda op: op.operands[index : index + 1]
            return (
                (lambda op: op.operands) if len(self.operands) == 1 else lambda op: definition.operand_groups(op)[name]
            )
        if name in self.results:
            return (lambda op: op.results) if len(self.results) == 1 else lambda op: definition.result_groups(op)[name]
        if name == "operands":
            return lambda op: op.operands
        if name == "results":
            return lambda op: op.results
        raise DescriptionError("expected variable to refer to an argument, region, result, or successor", column)

    # ---- what is composed

    def custom(self, directive: syntax.Custom, lead: str) -> CustomDirectiveUse:
        code = self.directive_called(directive.name)
        if code is None:
            raise NotUnderstood(f"no code is given for custom<{directive.name}>", directive.column)
        arguments: list[str] = []
        bound: list[Directive] = []
        for argument in directive.arguments:
            match argument:
                case syntax.StringArgument(text):
                    arguments.append(text)
                case syntax.Reference(syntax.Variable(name) | syntax.TypeOf(name)):
                    arguments.append(name)
                case syntax.Variable(name):
                    arguments.append(name)
                    bound.append(self.variable(argument, ""))
                case syntax.TypeOf(name):
                    arguments.append(name)
                    bound.append(self.type_of(argument, name, ""))
                case syntax.AttrDict() | syntax.PropDict():
                    arguments.append("attr-dict")
                case _:
                    message = "only variables and types may be used as parameters to a custom directive"
                    raise DescriptionError(message, argument.column)
        return CustomDirectiveUse(
            "" if code.spaced else lead, code, tuple(arguments), tuple(bound), self.clause_form(code, arguments)
        )

    def clause_form(self, code: CustomDirective, arguments: Sequence[str]) -> tuple[Directive, ...]:
        """The directives of a clause that is given as a form. What it names is bound where the clause is used."""
        written = [syntax.renamed(directive, arguments) for directive in syntax.compile_format(code.form)]
        inside = _Resolver(self.definition, written, of_code=True)
        inside.emit_space, inside.after_punctuation = False, True
        return inside.run(written)

    def directive_called(self, name: str) -> CustomDirective | None:
        """The code behind `custom<name>`; in a form that code gives there are further ones."""
        own = self.definition.directives.get(name) or STANDARD_DIRECTIVES.get(name)
        return CLAUSES.get(name) if own is None and self.of_code else own

    def optional(self, directive: syntax.Optional) -> Group:
        then, otherwise = self.branches(directive)
        anchor = (otherwise if directive.inverted else then)[directive.anchor]
        if isinstance(anchor, (Word, WhiteSpace, Group, Clauses)):
            message = "only variables and types can be used to anchor an optional group"
            raise DescriptionError(message, directive.column)
        if isinstance(anchor, PropertyDirective) and not (anchor.prop.optional or anchor.prop.default is not None):
            message = "only optional or default-valued attributes can be used to anchor an optional group"
            raise DescriptionError(message, directive.column)
        for element in (*then, *otherwise):
            if isinstance(element, OperandDirective) and element.operand.arity is Arity.ONE:
                message = "only variable length operands can be used within an optional group"
                raise DescriptionError(message, directive.column)
        if all(isinstance(element, WhiteSpace) for element in then):
            message = "first parsable element of an optional group must be a literal, variable, or custom directive"
            raise DescriptionError(message, directive.column)
        if isinstance(anchor, PropertyDirective) and anchor.is_unit and anchor not in (then[0], *otherwise[:1]):
            # The words in front of it say all there is to say.
            elided = replace(anchor, elided=True)
            then, otherwise = (
                tuple(elided if element is anchor else element for element in run) for run in (then, otherwise)
            )
            anchor = elided
        if self.of_code and isinstance(then[0], Word):
            wanted = tuple(
                replace(element, required=True) if isinstance(element, OperandDirective) else element
                for element in then
            )
            anchor, then = wanted[then.index(anchor)] if anchor in then else anchor, wanted
        return Group(then, otherwise, anchor, directive.inverted)

    def branches(self, directive: syntax.Optional) -> tuple[tuple[Directive, ...], tuple[Directive, ...]]:
        """Both branches of an optional group. In a form of code the second may have what stands in the first, since
        only one of them is read."""
        bound, typed = {*self.bound}, {*self.typed}
        then = self.run(directive.then)
        if self.of_code:
            (bound, self.bound), (typed, self.typed) = (self.bound, bound), (self.typed, typed)
        otherwise = self.run(directive.otherwise)
        self.bound, self.typed = self.bound | bound, self.typed | typed
        return then, otherwise

    def clause(self, clause: tuple[syntax.Directive, ...]) -> tuple[Word, tuple[Directive, ...]]:
        word, *rest = self.run(clause)
        assert isinstance(word, Word), "a clause begins with a literal"
        is_unit = [isinstance(element, PropertyDirective) and element.is_unit for element in rest]
        return word, tuple(
            replace(element, elided=True) if unit else element for element, unit in zip(rest, is_unit, strict=True)
        )

    # ---- the whole

    def look_over(self) -> None:
        """What the format lacks."""
        definition, end = self.definition, len(self.definition.assembly or "")
        if not any(isinstance(directive, syntax.AttrDict) for directive in self.flat):
            raise DescriptionError("'attr-dict' directive not found in custom assembly format", end)
        kinds = ("operand", definition.operands), ("region", definition.regions), ("successor", definition.successors)
        for kind, parts in kinds:
            for index, part in enumerate(parts):
                if part.name not in self.bound and f"{kind}s" not in self.bound:
                    raise DescriptionError(f"{kind} #{index}, named '{part.name}', not found", end)
        if definition.resolve is None and definition.checked != "declared":
            self.look_over_types(end)

    def look_over_types(self, end: int) -> None:
        """Every type stands in the text, or follows from one that does."""
        known = self.typed | {name for name in self.named if name in self.definition.property_map}
        customs = {
            name for directive in self.flat if isinstance(directive, syntax.Custom) for name in names_in([directive])
        }
        inferable = inferable_groups(self.definition, known | customs)
        for kind, groups in (("operand", self.definition.operands), ("result", self.definition.results)):
            if f"{kind}s" in self.typed:
                continue
            for index, group in enumerate(groups):
                if group.name not in inferable and kind == "result":
                    raise DescriptionError(
                        f"type of {kind} #{index}, named '{group.name}', is not buildable and a buildable type cannot "
                        "be inferred",
                        end,
                    )


def _single(name: str, groups: Iterable[Operand | Result]) -> int | None:
    """The index of an operand or a result that always stands at the same place."""
    for index, group in enumerate(groups):
        if group.arity is not Arity.ONE:
            return None
        if group.name == name:
            return index
    return None
