"""What the meaning of one kind of tree asks about the trees inside it; `fathom.elaborate.meaning.Meanings` answers.

So the modules that know a kind each (types, attributes, affine maps, locations) do not know the one that brings them
together.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute, Blob
    from fathom.ir.types import Type
    from fathom.syntax.nodes import Leaf, Node, Ref

TextOf: TypeAlias = "Callable[[Ref], str]"
"""The text of a token of the operation at hand, by its reference."""


class Parts(Protocol):
    """Gives trees their meaning. Fails with ElaborationFailure."""

    def type(self, node: Node, text: TextOf | None) -> Type: ...

    def attribute(self, node: Node, text: TextOf | None, implied: Type | None = None) -> Attribute:
        """`implied` is the type of a literal that does not state its own."""
        ...

    def entries(self, node: Node, text: TextOf | None) -> dict[str, Attribute]:
        """The entries of a dictionary."""
        ...

    def function_type(self, node: Node, text: TextOf | None) -> tuple[list[Type], list[Type]]:
        """The types on both sides of a tree of kind `function_type`."""
        ...

    def leaf(self, leaf: Leaf, text: TextOf | None) -> str:
        """The text of a token, the whole of it."""
        ...

    def carried(self, leaf: Leaf, text: TextOf | None) -> str:
        """The same, but of a long literal what stands for it (`fathom.syntax.carried`)."""
        ...

    def source(self, node: Node, text: TextOf | None) -> str:
        """The text of a tree, with the spaces in it."""
        ...

    def alias(self, head: Leaf, name: str) -> Attribute | Type:
        """What an alias stands for; `head` tells one of a type from one of an attribute."""
        ...

    def identify(self, name: Hashable, meaning: object) -> object:
        """What a name stands for that means one thing throughout a text: `meaning`, if the name was not met before."""
        ...

    def blob(self, key: str) -> Blob | None:
        """The resource of a key, as the file writes it; None where it has none."""
        ...
