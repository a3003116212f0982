"""What a written assembly format names: the variables in it, those whose types it writes, those that code takes."""

from __future__ import annotations

from collections.abc import Iterable

from fathom.irdl import format as syntax


def flat(directives: Iterable[syntax.Directive]) -> list[syntax.Directive]:
    """The directives with those inside groups and arguments."""
    nested: list[syntax.Directive] = []
    for directive in directives:
        nested.append(directive)
        match directive:
            case syntax.Optional(then, otherwise):
                nested += flat((*then, *otherwise))
            case syntax.OneOf(clauses, _):
                nested += [inner for clause in clauses for inner in flat(clause)]
            case syntax.Custom(_, arguments):
                nested += flat(arguments)
            case syntax.Reference(argument):
                nested += flat([argument])
            case syntax.Listed(element):
                nested += flat(element)
            case _:
                pass
    return nested


def names_in(directives: Iterable[syntax.Directive]) -> set[str]:
    """The variables that stand in a format, which `attr-dict` therefore leaves out."""
    return names_of(flat(directives))


def names_of(directives: Iterable[syntax.Directive]) -> set[str]:
    """The variables among directives, without those inside of them."""
    named = (syntax.Variable, syntax.CaseOf, syntax.TypeOf)
    return {directive.name for directive in directives if isinstance(directive, named)}


def types_in(assembly: str) -> frozenset[str]:
    """The groups whose types a format writes; `operands` and `results` for all of them."""
    names: set[str] = set()
    for directive in flat(syntax.compile_format(assembly)):
        if isinstance(directive, syntax.TypeOf):
            names.add(directive.name)
        elif isinstance(directive, syntax.FunctionalType):
            names |= {directive.inputs, directive.results}
    return frozenset(names)


def names_of_code(assembly: str) -> frozenset[str]:
    """The variables that directives `custom<…>` of a format take."""
    uses = [directive for directive in flat(syntax.compile_format(assembly)) if isinstance(directive, syntax.Custom)]
    return frozenset(name for use in uses for name in names_in(use.arguments))
