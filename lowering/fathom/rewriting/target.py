"""Which operations a dialect conversion must remove, may leave, and has no opinion on.

Source of the rules: *Dialect Conversion*, "Conversion Target".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from fathom.ir.operation import Operation

Legality: TypeAlias = "bool | Callable[[Any], bool | None]"
"""Legal or illegal always, or as a function says; None is "unknown"."""


class ConversionTarget:
    """The legality of operations, by name, else by dialect, else by the rule for all others (none: unknown)."""

    def __init__(self) -> None:
        self._ops: dict[str, Legality] = {}
        self._dialects: dict[str, Legality] = {}
        self._others: Legality | None = None
        self._recursive: dict[str, Legality] = {}
        self._actions: dict[str, Legality | None] = {}
        """What was found out of single operations."""

    def legal(self, *names: str) -> ConversionTarget:
        """These operations (`arith.addi`) and dialects (`arith`) may stay."""
        return self.dynamically_legal(True, *names)

    def illegal(self, *names: str) -> ConversionTarget:
        """These operations and dialects must go."""
        return self.dynamically_legal(False, *names)

    def dynamically_legal(self, legality: Legality, *names: str) -> ConversionTarget:
        self._actions.clear()
        for name in names:
            (self._ops if "." in name else self._dialects)[name] = legality
        return self

    def recursively_legal(self, *names: str, when: Legality = True) -> ConversionTarget:
        """Where these operations are legal, so is all that is nested in them."""
        for name in names:
            self._recursive[name] = when
        return self

    def others(self, legality: Legality) -> ConversionTarget:
        """The rule for operations of which nothing else was said."""
        self._actions.clear()
        self._others = legality
        return self

    def action(self, name: str) -> Legality | None:
        try:
            return self._actions[name]
        except KeyError:
            legality = self._ops.get(name)
            if legality is None:
                legality = self._dialects.get(name.partition(".")[0], self._others)
            self._actions[name] = legality
            return legality

    def is_legal(self, op: Operation) -> bool | None:
        """True, False, or None if nothing was said."""
        action = self.action(op.name)
        return action if action is None or action is True or action is False else action(op)

    def is_recursively_legal(self, op: Operation) -> bool:
        """Whether an operation is legal together with all that is nested in it."""
        rule = self._recursive.get(op.name)
        if rule is None or not self.is_legal(op):
            return False
        return bool(rule(op)) if callable(rule) else rule
