"""Passes that older releases of MLIR had, as pipelines of today's (`fathom.editions.passes`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, ClassVar, cast

from fathom.editions.passes import FormerPass, former_passes
from fathom.passes import find
from fathom.passes.definition import PassPipeline
from fathom.passes.options import BOOL, Option, Refused, Value, arguments
from fathom.records import record

if TYPE_CHECKING:
    from typing import Self


@record
class FormerPipeline(PassPipeline):
    """What stands in the place of a pass. `values` are the options that were given."""

    former: ClassVar[FormerPass]
    known: ClassVar[tuple[Option, ...]]

    values: tuple[tuple[Option, Value], ...] = ()

    @classmethod
    @cache
    def options(cls) -> tuple[Option, ...]:
        return cls.known

    @classmethod
    def read(cls, text: str) -> Self | str:
        if cls.former.gone:
            return f"<unknown>:0: error: {cls.former.said}\n"
        known = {option.name: option for option in cls.known}
        values: list[tuple[Option, Value]] = []
        for name, given in arguments(text):
            if name not in known:
                return f"<unknown>:0: error: <Pass-Options-Parser>: no such option {name}\n"
            try:
                values.append((known[name], known[name].read(given)))
            except Refused as refused:
                return f"fathom: for the --{name} option: {refused}\n<unknown>:0: error: "
        first = [pass_ for option, pass_ in cls.former.given.items() if any(of.name == option for of, _ in values)]
        whole = cast("type[Self]", _class(cls.former.name, tuple(first))) if first else cls
        return whole(values=tuple(values))

    def given(self) -> list[tuple[Option, Value]]:
        return list(self.values)


def find_former(name: str) -> type[FormerPipeline] | None:
    """What stands today in the place of the pass that had this name once; None where there was none."""
    return _class(name) if name in former_passes() else None


def former_in(items: Iterable[object]) -> Iterator[FormerPass]:
    """What is called otherwise today among the items of a pipeline (`fathom.pipeline.language`)."""
    for item in items:
        if isinstance(named := getattr(item, "named", None), FormerPipeline):
            yield named.former
        else:
            yield from former_in(getattr(item, "items", ()))


@cache
def former_pipelines() -> Mapping[str, type[FormerPipeline]]:
    """All of them, by the names that the passes had."""
    return {name: _class(name) for name in former_passes()}


@cache
def _class(name: str, first: tuple[str, ...] = ()) -> type[FormerPipeline]:
    former = former_passes()[name]
    known: dict[str, Option] = {}
    for listed in _listed(former.now):
        pass_ = find(listed.partition("{")[0])
        for option in pass_.options() if pass_ is not None else ():
            known.setdefault(option.name, option)
    for name in former.given:
        known[name] = Option(name, name.replace("-", "_"), BOOL, False, former.given[name])
    passes = (*first, *_listed(former.now))
    namespace = {"name": former.name, "summary": former.said, "passes": passes, "former": former}
    return type(former.name, (FormerPipeline,), {**namespace, "known": tuple(known.values()), "__slots__": ()})


def _listed(text: str) -> tuple[str, ...]:
    """The passes of a pipeline's text, each with its options."""
    passes: list[str] = []
    depth, start = 0, 0
    for place, character in enumerate(f"{text},"):
        depth += (character == "{") - (character == "}")
        if character == "," and not depth:
            passes.append(text[start:place])
            start = place + 1
    return tuple(filter(None, passes))
