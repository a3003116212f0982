"""Who looks on in a test: what the drivers tell of patterns, as lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from fathom.context import default_context
from fathom.elaborate import load
from fathom.ir.operation import Operation
from fathom.passes.definition import Pass
from fathom.pipeline.language import parse_pipeline
from fathom.pipeline.lowering import run
from fathom.pipeline.observer import Observer
from fathom.rewriting.observers import Effect, PatternObserver
from fathom.rewriting.pattern import Pattern
from tests.oracles import run_tool

_ACTION: Final = re.compile(r"begins \(no breakpoint\) Action `apply-pattern pattern: (.*)`$")
_OPERATION: Final = re.compile(r'(?:%\S+(?:, %\S+)* = )?"?([\w.$]+)')
_PLAIN: Final = re.compile(r"(?:.*::)?(\w*)")


class Events(Observer, PatternObserver):
    """All that it is told, in order, each as a line."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def before_pass(self, use: Pass, op: Operation) -> None:
        self.lines.append(f"{use.name} on {op.name}")

    def after_pass(self, use: Pass, op: Operation, *, failed: bool) -> None:
        self.lines.append("failed" if failed else "done")

    def tried(self, pattern: Pattern, op: Operation) -> None:
        self.lines.append(f"try {pattern.name} on {op.name}")

    def refused(self, pattern: Pattern, op: Operation, reason: str) -> None:
        self.lines.append(f"  no: {reason}")

    def applied(self, pattern: Pattern, op: Operation, effect: Effect) -> None:
        self.lines.append(f"  {_effect(effect)}")

    def undone(self, pattern: Pattern, op: Operation, reason: str) -> None:
        self.lines.append(f"undo {pattern.name} on {op.name}: {reason}")

    def folded(self, op: Operation, effect: Effect) -> None:
        self.lines.append(f"fold {op.name}")
        self.lines.append(f"  {_effect(effect)}")

    def dropped(self, op: Operation) -> None:
        self.lines.append(f"drop {op.name}")

    def simplified(self, effect: Effect) -> None:
        self.lines.append(f"simplify: {_effect(effect)}")

    def settled(self, effect: Effect) -> None:
        self.lines.append(f"settle: {_effect(effect)}")


def _effect(effect: Effect) -> str:
    parts = {"makes": effect.made, "changes": effect.changed, "takes": effect.gone}
    return "; ".join(f"{what} {_names(ops)}" for what, ops in parts.items() if ops)


def _names(ops: Iterable[Operation]) -> str:
    return ", ".join(op.name for op in ops)


class Tried(PatternObserver, Observer):
    """The names of operations that patterns were tried on, with those of the patterns."""

    def __init__(self) -> None:
        self.found: list[tuple[str, str]] = []

    def tried(self, pattern: Pattern, op: Operation) -> None:
        self.found.append((op.name, pattern.name))


def events(text: str, flags: Sequence[str]) -> list[str]:
    """All that is told of passes on a text."""
    observer, context = Events(), default_context()
    run(parse_pipeline(flags), load(text, context).module, context, observers=[observer])
    return observer.lines


def tried(text: str, flags: Sequence[str]) -> list[tuple[str, str]]:
    """Which patterns are tried, and on what."""
    observer, context = Tried(), default_context()
    run(parse_pipeline(flags), load(text, context).module, context, observers=[observer])
    return observer.found


def tried_by_mlir(text: str, flags: Sequence[str]) -> list[tuple[str, str]]:
    """Which patterns mlir-opt tries, and on what, without namespaces and the arguments of templates. Those that are
    functions it has no names for."""
    logged = run_tool("mlir-opt", [*flags, "--log-actions-to=-", "--mlir-disable-threading"], text).stdout
    attempts: list[tuple[str, str]] = []
    for action in filter(None, map(_ACTION.search, logged.splitlines())):
        name, operation = _parted(action[1])
        op = _OPERATION.match(operation)
        assert op is not None, action[0]
        attempts.append((op[1], plain(name)))
    return attempts


def plain(name: str) -> str:
    """The name of a pattern, without namespaces and the arguments of a template."""
    match = _PLAIN.match(name.partition("<")[0])
    assert match is not None, name
    return match[1]


def _parted(action: str) -> tuple[str, str]:
    """The name of a pattern, which may have types in angle brackets, and the operation in parentheses behind it."""
    depth = 0
    for place, character in enumerate(action):
        depth += (character == "<") - (character == ">")
        if not depth and action.startswith(" (", place):
            return action[:place], action[place + 2 :]
    return action, ""
