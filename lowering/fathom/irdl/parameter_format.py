"""The format of a type or attribute, resolved once into directives; a wrong name in it is found then.

Source of the rules: *Defining Dialects*, "Declarative Assembly Format" of attributes and types.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.irdl import format as syntax
from fathom.irdl.expressions import DescriptionError, NotUnderstood
from fathom.irdl.parameter_directives import (
    Custom,
    Group,
    One,
    ParameterDefinition,
    ParameterDirective,
    Several,
    WhiteSpace,
    Word,
)

if TYPE_CHECKING:
    from fathom.irdl.parametric import Parametric


class _FormatResolver:
    """Binds the directives of a format to parameters, and decides where white space goes: in the order of the text,
    for branches of a group as for all else."""

    def __init__(self, owner: Parametric) -> None:
        self.owner = owner
        self.by_name: Final = {parameter.name: parameter for parameter in owner.parameters}
        self.seen: set[str] = set()
        self.emit_space = True
        self.after_punctuation = False

    def resolve(self) -> tuple[ParameterDirective, ...]:
        text = self.owner.assembly or ""
        directives = self.run(syntax.compile_format(text))
        for parameter in self.owner.parameters:
            if not parameter.may_be_absent and not parameter.own_type and parameter.name not in self.seen:
                raise DescriptionError(f"format is missing reference to parameter: {parameter.name}", len(text))
        return directives

    def run(self, directives: Sequence[syntax.Directive]) -> tuple[ParameterDirective, ...]:
        return tuple(self.element(directive) for directive in directives)

    def element(self, directive: syntax.Directive) -> ParameterDirective:
        match directive:
            case syntax.Literal(text):
                return self.literal(text)
            case syntax.Space(text):
                return self.space(text)
            case syntax.Variable():
                return self.one(directive, self.lead())
            case syntax.Reference(syntax.Variable() as variable):
                return self.one(variable, self.lead(), qualified=True)
            case syntax.Params():
                lead = self.lead()
                self.emit_space, self.after_punctuation = False, True
                return Several(lead, tuple(self.all()), False)
            case syntax.Struct(arguments):
                lead = self.lead()
                self.emit_space, self.after_punctuation = False, True
                return Several(lead, tuple(self.struct(arguments)), True)
            case syntax.Custom():
                return self.custom(directive, self.lead())
            case syntax.Optional():
                return self.optional(directive)
            case _:
                raise DescriptionError("this directive stands in the formats of operations only", directive.column)

    def lead(self) -> str:
        lead = " " if self.emit_space or not self.after_punctuation else ""
        self.emit_space, self.after_punctuation = True, False
        return lead

    def literal(self, text: str) -> ParameterDirective:
        space = " " if self.emit_space and syntax.needs_space(text, self.after_punctuation) else ""
        self.emit_space = len(text) != 1 or text not in "<({["
        self.after_punctuation = not (text[0] == "_" or text[0].isalpha())
        return Word(space, text)

    def space(self, text: str) -> ParameterDirective:
        if not text:
            self.after_punctuation = True
        self.emit_space = False
        return WhiteSpace("\n" if text == "\\n" else text)

    def parameter(self, variable: syntax.Variable) -> ParameterDefinition:
        definition = self.by_name.get(variable.name)
        if definition is None:
            message = f"{self.owner.class_name} has no parameter named '{variable.name}'"
            raise DescriptionError(message, variable.column)
        if definition.name in self.seen:
            raise DescriptionError(f"duplicate parameter '{definition.name}'", variable.column)
        self.seen.add(definition.name)
        return definition

    def one(self, variable: syntax.Variable, lead: str, *, qualified: bool = False) -> One:
        return One(lead, self.parameter(variable), self.owner.definition_name, qualified)

    def all(self) -> list[One]:
        rest = [parameter for parameter in self.owner.parameters if not parameter.own_type]
        return [self.one(syntax.Variable(definition.name), "") for definition in rest]

    def struct(self, arguments: Sequence[syntax.Directive]) -> list[One | Custom]:
        directives: list[One | Custom] = []
        for argument in arguments:
            match argument:
                case syntax.Params():
                    directives += self.all()
                case syntax.Variable():
                    directives.append(self.one(argument, ""))
                case syntax.Reference(syntax.Variable() as variable):
                    directives.append(self.one(variable, "", qualified=True))
                case syntax.Custom():
                    directives.append(self.custom(argument, ""))
                case _:
                    message = "expected a parameter, custom directive or params directive in `struct` arguments list"
                    raise DescriptionError(message, argument.column)
        return directives

    def custom(self, directive: syntax.Custom, lead: str) -> Custom:
        code = self.owner.customs.get(directive.name)
        if code is None:
            raise NotUnderstood(f"no code is given for custom<{directive.name}>", directive.column)
        variables = [argument for argument in directive.arguments if isinstance(argument, syntax.Variable)]
        if not variables:
            raise DescriptionError("`custom` directive with no bound parameters", directive.column)
        return Custom(lead, code, tuple(map(self.parameter, variables)), self.owner.definition_name)

    def optional(self, directive: syntax.Optional) -> Group:
        state = self.emit_space, self.after_punctuation
        then = self.run(directive.then)
        self.emit_space, self.after_punctuation = state
        otherwise = self.run(directive.otherwise)
        for one in (*then, *otherwise):
            if isinstance(one, One) and not one.definition.may_be_absent:
                raise DescriptionError("parameters in an optional group must be optional", directive.column)
        anchor = (otherwise if directive.inverted else then)[directive.anchor]
        if isinstance(anchor, (Word, WhiteSpace, Group)):
            raise DescriptionError("optional group anchor must be a parameter or directive", directive.column)
        if all(isinstance(one, WhiteSpace) for one in then):
            raise DescriptionError("an optional group must begin with something to read", directive.column)
        return Group("", then, otherwise, anchor, directive.inverted)


def resolve_parameter_format(owner: Parametric) -> tuple[ParameterDirective, ...]:
    """The directives of the format of a type or attribute; a mistake in it raises DescriptionError."""
    return _FormatResolver(owner).resolve()
