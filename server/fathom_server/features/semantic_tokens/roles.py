"""What the tokens of a statement are, as far as its shape says: names of operations, types, keywords; and what the
statement does to the names of values, for `scopes.py`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Enum, auto
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from fathom.context import Context
from fathom.irdl.interfaces import SymbolTable
from fathom.irdl.traits import ISOLATED_FROM_ABOVE
from fathom.records import NamedTuple, record
from fathom.slices import paced
from fathom.syntax.events import AliasEvent, Event, LabelEvent
from fathom.syntax.grammar import is_simple_type
from fathom.syntax.nodes import Argument, Leaf, Node, ParsedOp, Ref, SymbolToken
from fathom.syntax.shapes import Shape
from fathom_server.features.semantic_tokens.legend import Kind, Modifier
from fathom_server.model.nesting import Move, Turn, turns_of
from fathom_server.model.trees import arguments_of, stretch_of, trees_in

if TYPE_CHECKING:
    from fathom_server.features.semantic_tokens.segments import Segment

Role = tuple[Kind, Modifier]


class Act(Enum):
    """What a token does to the names of values."""

    USE = auto()
    RESULT = auto()
    ARGUMENT = auto()
    """Of the region that opens next."""
    LABEL_ARGUMENT = auto()
    OPEN = auto()
    OPEN_ISOLATED = auto()
    CLOSE = auto()


class Action(NamedTuple):
    """What the token at an index of its statement does."""

    act: Act
    token: int


@record
class Roles:
    """What a shape says of its tokens: the role of each, None for punctuation; what they do to names, in the order of
    the text; and which of them are names of values. `known` holds what was made of statements of the shape."""

    roles: tuple[Role | None, ...]
    actions: tuple[Action, ...]
    values: tuple[int, ...]
    known: dict[object, Segment]


_OF_KIND: Final[dict[str, Kind]] = {
    "VALUE": Kind.VARIABLE,
    "BLOCK": Kind.LABEL,
    "SYMBOL": Kind.FUNCTION,
    "STRING": Kind.STRING,
    "DIMS": Kind.NUMBER,
    "HEX": Kind.NUMBER,
    "FLOAT": Kind.NUMBER,
    "INTEGER": Kind.NUMBER,
    "EXCLAIM": Kind.TYPE,
    "ALIAS": Kind.DECORATOR,
    "HASH": Kind.DECORATOR,
}
_SHAPED: Final = frozenset(("memref", "tensor", "vector", "complex", "tuple"))
_OF_NODE: Final[dict[str, Role]] = {
    "metadata_part": (Kind.PROPERTY, Modifier.NONE),
    "metadata_section": (Kind.PROPERTY, Modifier.NONE),
    "affine_dims": (Kind.PARAMETER, Modifier.DEFINITION),
    "affine_symbols": (Kind.PARAMETER, Modifier.DEFINITION),
    "affine_name": (Kind.PARAMETER, Modifier.NONE),
}
"""What the words directly in a tree are."""
_BODIES: Final = frozenset(("body", "body_parens", "body_square", "body_braces"))


@lru_cache(maxsize=4)
def roles_in(context: Context) -> Callable[[Shape], Roles]:
    """The function that gives the roles of a shape where a context is known; one for each context, so that a shape can
    remember what it gives."""
    return lambda shape: _Reader(context, shape).read()


class _Reader:
    """Finds the roles of one shape."""

    def __init__(self, context: Context, shape: Shape) -> None:
        self._context = context
        self._shape = shape
        self._roles: list[Role | None] = [_role_alone(token.kind, token.text) for token in paced(shape.tokens)]
        self._acts: dict[int, Act] = {
            index: Act.USE for index, token in enumerate(paced(shape.tokens)) if token.kind == "VALUE"
        }
        self._moves: dict[int, list[Act]] = {}
        for token, (before, following) in enumerate(pairwise(paced(shape.tokens))):
            if before.kind == "SYMBOL" and following.text == "::":
                self._set(token, Kind.NAMESPACE)

    def read(self) -> Roles:
        """The roles of the shape."""
        values = tuple(self._acts)
        for event in paced(self._shape.events):
            self._event(event)
        for turn in self._shape.known(turns_of):
            if (act := self._act(turn)) is not None:
                self._moves.setdefault(turn.token, []).append(act)
        for tree, shift in trees_in(self._shape):
            self._tree(tree, shift)
        actions = tuple(
            Action(act, token)
            for token in sorted({*self._acts, *self._moves})
            for act in (*self._moves.get(token, ()), *([self._acts[token]] if token in self._acts else ()))
        )
        return Roles(tuple(self._roles), actions, values, {})

    def _act(self, turn: Turn) -> Act | None:
        """What it does to names that a region opens or closes."""
        if turn.move is Move.CLOSE:
            return Act.CLOSE
        if turn.move is not Move.OPEN:
            return None
        definition = self._context.lookup(turn.parsed.name) if turn.parsed is not None else None
        return Act.OPEN_ISOLATED if definition is not None and definition.has(ISOLATED_FROM_ABOVE) else Act.OPEN

    def _event(self, event: Event) -> None:
        match event:
            case LabelEvent(label, base):
                self._set(base + label.block, Kind.LABEL, Modifier.DEFINITION)
                for argument in label.arguments:
                    self._argument(argument, base, 0, Act.LABEL_ARGUMENT)
            case AliasEvent(alias, base):
                kind = Kind.TYPE if self._shape.tokens[base + alias.name].kind == "EXCLAIM" else Kind.DECORATOR
                self._set(base + alias.name, kind, Modifier.DEFINITION)
            case _:
                if (stretch := stretch_of(event)) is not None:
                    self._operation(*stretch)

    def _operation(self, parsed: ParsedOp, shift: int, first: Ref) -> None:
        """An operation, whose references from `first` on are tokens, moved by `shift`."""
        definition = self._context.lookup(parsed.name)
        if not first:
            modifier = Modifier.NONE if definition is not None else Modifier.UNKNOWN
            self._set(shift + parsed.name_token, Kind.OPERATION, modifier)
            for group in parsed.result_groups:
                self._set(shift + group.token, Kind.VARIABLE, Modifier.DEFINITION)
                if self._is_value(shift + group.token):
                    self._acts[shift + group.token] = Act.RESULT
        name = parsed.attributes.get("sym_name")
        if isinstance(name, SymbolToken) and name.token >= first:
            is_table = definition is not None and definition.interface(SymbolTable) is not None
            self._set(shift + name.token, Kind.NAMESPACE if is_table else Kind.FUNCTION, Modifier.DEFINITION)
        for argument in arguments_of(parsed, first):
            self._argument(argument, shift, first, Act.ARGUMENT)

    def _argument(self, argument: Argument, shift: int, first: Ref, act: Act) -> None:
        if argument.token >= first and self._is_value(shift + argument.token):
            self._set(shift + argument.token, Kind.PARAMETER, Modifier.DEFINITION)
            self._acts[shift + argument.token] = act

    def _is_value(self, token: int) -> bool:
        return token in self._acts

    def _tree(self, tree: Node, shift: int) -> None:
        """The words in a tree."""
        pending: list[tuple[Node, Kind]] = [(tree, Kind.KEYWORD)]
        for node, inside in paced(_taken(pending)):
            within = inside if node.kind in _BODIES else Kind.ENUM_MEMBER if node.kind == "hash_attr" else Kind.KEYWORD
            if node.kind == "dialect_type":
                within = Kind.ENUM_MEMBER
            pending += [(child, within) for child in node.nodes]
            self._leaves(node, inside, shift)

    def _leaves(self, node: Node, inside: Kind, shift: int) -> None:
        leaves = node.leaves
        role = _OF_NODE.get(node.kind)
        if node.kind in ("entry", "metadata_entry") and leaves:
            self._set(shift + leaves[0].ref, Kind.PROPERTY)
            self._name_of_symbol(node, leaves[0], shift)
        elif node.kind in _BODIES:
            for leaf in leaves:
                if leaf.type == "BARE" and _role_alone("BARE", leaf) == (Kind.KEYWORD, Modifier.NONE):
                    self._set(shift + leaf.ref, inside)
        elif role is not None:
            for leaf in leaves:
                if leaf.type == "BARE":
                    self._set(shift + leaf.ref, *role)

    def _name_of_symbol(self, entry: Node, name: Leaf, shift: int) -> None:
        """In the generic form a symbol has its name as a string."""
        if name.strip('"') == "sym_name":
            for leaf in entry.all_leaves():
                if leaf.type == "STRING" and leaf.ref != name.ref:
                    self._set(shift + leaf.ref, Kind.FUNCTION, Modifier.DEFINITION)

    def _set(self, token: int, kind: Kind, modifier: Modifier = Modifier.NONE) -> None:
        if 0 <= token < len(self._roles):
            self._roles[token] = (kind, modifier)


def _taken(pending: list[tuple[Node, Kind]]) -> Iterator[tuple[Node, Kind]]:
    while pending:
        yield pending.pop()


@lru_cache(maxsize=4096)
def _role_of_word(word: str) -> Role:
    is_type = word in _SHAPED or is_simple_type(word)
    return (Kind.TYPE if is_type else Kind.KEYWORD, Modifier.NONE)


def _role_alone(kind: str, text: str) -> Role | None:
    """What a token is where nothing says more."""
    if kind == "BARE":
        return _role_of_word(str(text))
    role = _OF_KIND.get(kind)
    return (role, Modifier.NONE) if role is not None else None
