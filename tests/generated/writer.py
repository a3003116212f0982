"""A program under construction: what values there are, and the text so far."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import cast

from hypothesis import strategies as st


def drawn_numbers(draw: Callable[..., object]) -> Callable[[int, int], int]:
    """The numbers that a strategy draws."""
    return lambda low, high: cast("int", draw(st.integers(low, high)))


@dataclass
class Writer:
    """A text under construction, and the values in scope by type. `plain` and `nested` write an operation each, those
    with regions with so much depth; `ways` make a value of a type that has no constants. `number` chooses one of two
    bounds or between them."""

    number: Callable[[int, int], int]
    scope: dict[str, list[str]]
    plain: tuple[Callable[[Writer], None], ...]
    nested: tuple[Callable[[Writer, int], None], ...]
    ways: dict[str, Callable[[Writer], None]] = field(default_factory=dict[str, Callable[["Writer"], None]])
    lines: list[str] = field(default_factory=list[str])
    indent: int = 1
    names: int = 0
    total: str = ""

    def choose(self, options: tuple[str, ...] | list[str]) -> str:
        return options[self.number(0, len(options) - 1)]

    def line(self, text: str) -> None:
        self.lines.append("  " * self.indent + text)

    def name(self) -> str:
        self.names += 1
        return f"%v{self.names}"

    def define(self, kind: str, text: str) -> str:
        """A new value of type `kind`, the result of the operation `text`."""
        name = self.name()
        self.line(f"{name} = {text}")
        self.scope.setdefault(kind, []).append(name)
        return name

    def value(self, kind: str) -> str:
        """Some value of a type; a new constant where there is none."""
        known = self.scope.get(kind, [])
        return self.choose(known) if known else self.constant(kind)

    def constant(self, kind: str) -> str:
        if kind == "i1":
            return self.define(kind, f"arith.constant {self.choose(('true', 'false'))}")
        if kind in self.ways:
            self.ways[kind](self)
            return self.scope[kind][-1]
        if kind.startswith("complex"):
            element = kind[len("complex<") : -1]
            return self.define(
                kind, f"complex.constant [{self.number(-3, 3)}.5 : {element}, 0.25 : {element}] : {kind}"
            )
        if kind.startswith("vector"):
            number = "true" if "xi1>" in kind else f"{self.number(-100, 100)}{'.5' if 'xf' in kind else ''}"
            return self.define(kind, f"arith.constant dense<{number}> : {kind}")
        if kind == "i5":
            return self.define(kind, f"arith.constant {self.number(-16, 15)} : {kind}")
        if kind.startswith("f"):
            number = self.choose(("0.0", "1.0", "-1.5", "0.1", "1.0e+10", "3.25"))
            return self.define(kind, f"arith.constant {number} : {kind}")
        return self.define(kind, f"arith.constant {self.number(-100, 100)} : {kind}")

    def snapshot(self) -> dict[str, list[str]]:
        return {kind: list(values) for kind, values in self.scope.items()}

    def index(self, bound: int) -> str:
        """A constant from 0 to below a bound."""
        return self.define("index", f"arith.constant {self.number(0, bound - 1)} : index")

    def add(self, value: str) -> None:
        """Adds an i32 to the result."""
        factor = self.define("", "arith.constant 31 : i32")
        product = self.define("", f"arith.muli {self.total}, {factor} : i32")
        self.total = self.define("", f"arith.xori {product}, {value} : i32")

    @contextmanager
    def inner(self) -> Generator[None, None, None]:
        """A region, whose values are known in it alone."""
        outer = self.snapshot()
        self.indent += 1
        yield
        self.indent -= 1
        self.scope = outer


def block(w: Writer, depth: int) -> None:
    """Some operations; with regions while there is depth left."""
    for _ in range(w.number(1, 5)):
        choice = w.number(0, len(w.plain) - 1 + (len(w.nested) if depth > 0 else 0))
        if choice < len(w.plain):
            w.plain[choice](w)
        else:
            w.nested[choice - len(w.plain)](w, depth)
