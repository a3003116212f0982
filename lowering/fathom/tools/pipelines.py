"""The pipeline of a tool as steps, at each of which the tool can end: so far nothing is known of its passes but their
names.

    --canonicalize --iree-x=y=1            --canonicalize | --canonicalize --iree-x=y=1
    builtin.module(func.func(a,b),c)       builtin.module(func.func(a)) | builtin.module(func.func(a,b)) | …
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from typing import Final

from fathom.pipeline.elements import Element, Malformed, elements
from fathom.records import record

MOST_STEPS: Final = 500
"""A pipeline of more passes than this is not divided."""
LONGEST: Final = 64_000
"""Characters that the text of a pipeline may have."""
_ANCHORED: Final = re.compile(r"\s*([\w.-]+)\s*\((.*)\)\s*\Z", re.DOTALL)
_FLAG: Final = re.compile(r"--?(?=[A-Za-z])")
GENERAL: Final = re.compile(r"--?(?:mlir-|allow-unregistered-dialect|no-implicit-module|split-input-file|verify-each)")
"""How flags begin that are no passes, but say how a tool reads, runs or prints."""
_NOT_HANDED_ON: Final = re.compile(r"--?(?:mlir-(?:print|pretty|timing|disable-threading)|split-input-file|o\b)")
"""Those of them that would get in the way."""


class NoPipeline(Exception):
    """A text that is no pipeline; what is wrong with it."""


@record
class Step:
    """The tool after one more of its passes: the name of that, and the flags that bring the tool there."""

    name: str
    flags: tuple[str, ...]


def steps_of(pipeline: str) -> tuple[Step, ...]:
    """The steps of a pipeline, in its order: flags, or a text in MLIR's language. Raises NoPipeline."""
    if len(pipeline) > LONGEST:
        raise NoPipeline(f"a pipeline has at most {LONGEST:,} characters")
    anchored = _ANCHORED.fullmatch(pipeline)
    if anchored is not None:
        return _anchored(anchored[1], anchored[2])
    try:
        words = shlex.split(pipeline)
    except ValueError as problem:
        raise NoPipeline(str(problem)) from None
    whole = [word.partition("=")[2] for word in words if _name(word) in ("pass-pipeline", "p") and "=" in word]
    if len(whole) > 1:
        raise NoPipeline("it names two pipelines")
    general = tuple(word for word in words if GENERAL.match(word) and not _NOT_HANDED_ON.match(word))
    if whole:
        return tuple(Step(step.name, (*general, *step.flags)) for step in steps_of(whole[0]))
    return _numbered(tuple(_flags([word for word in words if not GENERAL.match(word)], general)))


def _flags(words: Sequence[str], general: tuple[str, ...]) -> Iterator[Step]:
    given: list[str] = []
    names: list[str] = []
    for number, word in enumerate(words):
        if _FLAG.match(word) is None:
            if not given:
                raise NoPipeline(f"'{word}' is no flag; write flags, or builtin.module(…)")
            given.append(word)
            continue
        if given:
            yield Step(names[-1], (*general, *words[:number]))
        given.append(word)
        names.append(_name(word))
    if given:
        yield Step(names[-1], (*general, *words))


def _name(word: str) -> str:
    return _FLAG.sub("", word, count=1).partition("=")[0]


def _anchored(anchor: str, inner: str) -> tuple[Step, ...]:
    try:
        listed = elements(inner) if inner.strip() else []
    except Malformed as malformed:
        raise NoPipeline(malformed.message) from None
    count = sum(1 for _ in _leaves(listed))
    names = [leaf.name for leaf in _leaves(listed)]
    if count > MOST_STEPS:
        return (Step(names[-1], (f"--pass-pipeline={anchor}({inner})",)),)
    return _numbered(
        tuple(
            Step(names[most - 1], (f"--pass-pipeline={anchor}({_first(listed, most)[0]})",))
            for most in range(1, count + 1)
        )
    )


def _leaves(listed: Sequence[Element]) -> Iterator[Element]:
    for element in listed:
        if element.inner:
            yield from _leaves(element.inner)
        else:
            yield element


def _first(listed: Sequence[Element], most: int) -> tuple[str, int]:
    """The text of the first passes, and how many these are."""
    texts: list[str] = []
    taken = 0
    for element in listed:
        if taken >= most:
            break
        if element.inner:
            inner, count = _first(element.inner, most - taken)
            texts.append(f"{element.name}({inner})")
            taken += count
        else:
            texts.append(f"{element.name}{{{element.options}}}" if element.options else element.name)
            taken += 1
    return ",".join(texts), taken


def _numbered(steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """The second pass of a name is called `name#2`."""
    if len(steps) > MOST_STEPS:
        return steps[-1:]
    seen: dict[str, int] = {}
    numbered: list[Step] = []
    for step in steps:
        seen[step.name] = count = seen.get(step.name, 0) + 1
        numbered.append(Step(f"{step.name}#{count}" if count > 1 else step.name, step.flags))
    return tuple(numbered)
