"""From the syntax tree to IR. `load` takes a whole text; the server elaborates one item at a time (`elaborator`)."""

from __future__ import annotations

from fathom.context import Context, default_context
from fathom.diagnostics import FURTHER, Diagnostic, order_in_text
from fathom.elaborate.aliases import alias_redefinitions, aliases_of, early_uses
from fathom.elaborate.elaborated import Elaborated
from fathom.elaborate.elaborator import Elaborator
from fathom.elaborate.meaning import Aliases
from fathom.ir.metadata import Metadata
from fathom.ir.operation import MODULE, Block, Operation, Region, Span, is_module
from fathom.records import record, replace
from fathom.slices import paced
from fathom.syntax.mistakes import Mistake
from fathom.syntax.parse import parse
from fathom.syntax.shapes import ShapeMemory
from fathom.syntax.tree import Item, SyntaxTree


@record
class Loaded:
    """A whole text as IR. `module` is the text's only module, or a new one around all that it holds."""

    module: Operation
    diagnostics: list[Diagnostic]
    tree: SyntaxTree
    elaborated: Elaborated
    metadata: Metadata
    aliases: Aliases

    @property
    def has_errors(self) -> bool:
        return any(diagnostic.severity == "error" for diagnostic in self.diagnostics)


def load(text: str, context: Context | None = None, shapes: ShapeMemory | None = None) -> Loaded:
    """Parses and elaborates a text, with the library's dialects if no context is given.
    `shapes` remembers how texts are read, in place of the context's own memory.

    Mistakes are diagnostics, in the order of the text; spans are offsets into it.
    """
    context = context if context is not None else default_context()
    tree = parse(text, shapes if shapes is not None else context.shapes, keeps_holes=True)
    aliases = aliases_of(tree.items)
    elaborated = Elaborator(context, aliases, identities={}).run(tree.items)
    diagnostics = [*syntax_diagnostics(tree), *alias_redefinitions(tree), *elaborated.diagnostics]
    diagnostics += early_uses(tree)
    diagnostics.sort(key=order_in_text)
    return Loaded(module_of(elaborated.operations, context), diagnostics, tree, elaborated, aliases.metadata, aliases)


def syntax_diagnostics(tree: SyntaxTree) -> list[Diagnostic]:
    """The mistakes of syntax of all items, at their offsets in the text."""
    diagnostics: list[Diagnostic] = []
    for item, start in tree.items.with_offsets():
        diagnostics += item_diagnostics(item, start)
    for index, error in tree.unclosed():
        diagnostics.append(syntax_diagnostic(error, tree.start(index)))
    return diagnostics


def item_diagnostics(item: Item, start: int = 0) -> list[Diagnostic]:
    """The mistakes of syntax of an item that begins at `start`."""
    diagnostics: list[Diagnostic] = []
    for error in paced(item.errors):
        cause = diagnostics[-1] if error.code == FURTHER else None
        diagnostics.append(replace(syntax_diagnostic(error, start), follows_from=cause))
    return diagnostics


def syntax_diagnostic(error: Mistake, start: int = 0) -> Diagnostic:
    """What is said of a mistake of an item that begins at `start`."""
    return Diagnostic(error.message, Span(start + error.start, start + error.end), "error", error.code)


def module_of(operations: list[Operation], context: Context) -> Operation:
    """The only module among the operations at the top of a text, or a new one around them."""
    if len(operations) == 1 and is_module(operations[0]):
        module = operations[0]
        module.unlink()
        return module
    block = Block()
    for op in operations:
        op.unlink()
        block.append(op)
    return Operation(MODULE, regions=[Region([block])], definition=context.lookup(MODULE))
