"""The processors of LLVM's targets, and their features: tables that `make dialects` makes of LLVM's definitions."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from fathom.records import record
from fathom.text.files import beside, read_text

FOLDER: Final = beside(__file__, "subtargets")


@record
class Subtarget:
    """What a target can be. `features` are all there are, each with those that it implies itself; `processors` have
    features, and some that they are tuned for; `aliases` are other names of processors."""

    features: Mapping[str, tuple[str, ...]]
    processors: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]
    aliases: Mapping[str, str]


@cache
def subtarget(name: str) -> Subtarget:
    """That of a target, by the name of LLVM's folder: `X86`. Raises OSError where there is no table of it."""
    sections: dict[str, dict[str, list[str]]] = {"features": {}, "processors": {}, "aliases": {}}
    section: dict[str, list[str]] = {}
    for line in read_text(f"{FOLDER}/{name}.txt").splitlines():
        key, *words = line.split(" ")
        if line in sections:
            section = sections[line]
        elif key != "#":
            section[key] = words
    processors: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {}
    for processor, words in sections["processors"].items():
        if words and words[0].startswith("="):
            processors[processor] = processors[words[0][1:]]
            continue
        end = words.index("|") if "|" in words else len(words)
        processors[processor] = tuple(words[:end]), tuple(words[end + 1 :])
    features = {feature: tuple(implied) for feature, implied in sections["features"].items()}
    return Subtarget(features, processors, {alias: words[0] for alias, words in sections["aliases"].items()})
