"""`make dialects`: which features processors have, and what features imply, from LLVM's own definitions, into
`fathom/llvm/subtargets`.

Of the files of a target those are read that define features and processors. The others, which define instructions and
how long they take, are a hundred times as long: in their place stand the names of the models that processors refer to.
A line of the result is a name, and what it brings:

    features
    avx sse4.2
    processors
    haswell avx2 bmi … | fast-variable-perlane-shuffle …
    core-avx2 =haswell

Behind `|` stands what processors are tuned for, and behind `=` one that is the same. What another word of a line brings
is not said again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from fathom.llvm.subtarget import FOLDER, Subtarget
from fathom.tablegen.reading import Reader
from fathom.tablegen.records import Record, Records
from fathom.tablegen.sources import Texts
from tests.suite.source import mlir_source

TARGETS: Final = {
    "AArch64": "AArch64/AArch64.td",
    "AMDGPU": "AMDGPU/AMDGPU.td",
    "ARM": "ARM/ARM.td",
    "NVPTX": "NVPTX/NVPTX.td",
    "R600": "AMDGPU/R600.td",
    "RISCV": "RISCV/RISCV.td",
    "SPIRV": "SPIRV/SPIRV.td",
    "WebAssembly": "WebAssembly/WebAssembly.td",
    "X86": "X86/X86.td",
}
"""The file that defines each target, below `llvm/lib/Target`."""
NOTICE: Final = """\
# Made by `make dialects` from the definitions of LLVM 22.1.8, of which it holds the facts alone (NOTICE). Do not edit.
"""
_READ: Final = re.compile(r"Features|Processors|Architectures|Profiles|FMV|PredicateControl")
"""What the names of files say that are read."""
_DEFINED: Final = re.compile(r"\b(def|class)\s+(\w+)(?:<[^{;]*?>)?\s*:\s*(\w+)")
_NAMED: Final = re.compile(r"\bdefvar (\w+Model) = \w+;")
_FUSION: Final = re.compile(r'\bdef (\w+)\s*:\s*SimpleFusion<"([^"]+)"')
"""A feature, with the instructions that it is about."""
_MODEL, _ITINERARIES = "SchedMachineModel", "ProcessorItineraries"


def records_of(target: str, texts: Texts) -> Records:
    """The features and processors of a target, among other records. What cannot be read without the files that are
    left out, such as the target itself, is left out too."""
    llvm = mlir_source().parent / "llvm"
    path = llvm / "lib" / "Target" / TARGETS[target]
    assert path.exists(), f"{path} is missing: without {llvm.parent}/done the source is brought anew"
    buffers = {**_stand_ins(path), str(llvm / "include" / "llvm" / "IR" / "Intrinsics.td"): ""}
    reader = Reader(texts)
    while True:
        reading = reader.read(str(path), [str(llvm / "include"), str(path.parent)], buffers)
        place = next((mistake.location for mistake in reading.mistakes if mistake.location is not None), None)
        if place is None:
            return reading.records
        text = buffers.get(place.file) or Path(place.file).read_text(encoding="utf-8")
        buffers[place.file] = _without_statement(text, place.line)


def _without_statement(text: str, number: int) -> str:
    """A file without the statement that a line, counted from 1, is in: each begins in the first column."""
    lines = text.split("\n")
    begins = [at for at, line in enumerate(lines) if line[:1].isalpha()] + [len(lines)]
    start = max((at for at in begins if at < number), default=0)
    end = next(at for at in begins if at > start)
    assert any(line.strip() for line in lines[start:end]), "a mistake is in a statement"
    return "\n".join([*lines[:start], *[""] * (end - start), *lines[end:]])


def _stand_ins(root: Path) -> dict[str, str]:
    """What stands for the files beside a target's own that are not read."""
    others = [file for file in root.parent.rglob("*.td") if file != root and not _READ.search(file.name)]
    sources = {file: file.read_text(encoding="utf-8") for file in others}
    models = {_MODEL}
    for text in sources.values():
        models |= {name for kind, name, base in _DEFINED.findall(text) if kind == "class" and base == _MODEL}
    return {str(file): "\n".join(_models(text, models)) for file, text in sources.items()}


def _models(text: str, models: set[str]) -> Iterator[str]:
    for kind, name, base in _DEFINED.findall(text):
        if kind == "def" and base in models:
            yield f"def {name} : {_MODEL};"
        elif kind == "def" and base == _ITINERARIES:
            yield f"def {name} : {_ITINERARIES}<[], [], []>;"
    yield from (f"def {name} : {_MODEL};" for name in _NAMED.findall(text))
    yield from (f'def {name} : SubtargetFeature<"{word}", "", "", "">;' for name, word in _FUSION.findall(text))


def subtarget_of(records: Records) -> Subtarget:
    """What definitions say, by LLVM's names."""
    features = {feature.name: feature for feature in records.instances_of("SubtargetFeature")}
    names = {name: feature.string("Name") or f"@{name}" for name, feature in features.items()}

    def listed(record: Record, field: str) -> tuple[str, ...]:
        return tuple(names[name] for name in record.refs(field))

    return Subtarget(
        {names[name]: listed(feature, "Implies") for name, feature in features.items()},
        {
            processor.string("Name") or "": (listed(processor, "Features"), listed(processor, "TuneFeatures"))
            for processor in records.instances_of("Processor")
        },
        {alias.string("Name") or "": alias.string("Alias") or "" for alias in records.instances_of("ProcessorAlias")},
    )


def text_of(subtarget: Subtarget) -> str:
    """The table of a target."""
    lines = [NOTICE.rstrip("\n"), "features"]
    lines += (" ".join((name, *implied)) for name, implied in sorted(subtarget.features.items()))
    lines.append("processors")
    same: dict[tuple[str, ...], str] = {}
    for name, (features, tuning) in sorted(subtarget.processors.items()):
        words = (
            *_shortest(features, subtarget.features),
            *(("|", *_shortest(tuning, subtarget.features)) if tuning else ()),
        )
        first = same.setdefault(words, name)
        lines.append(" ".join((name, *words)) if first == name or not words else f"{name} ={first}")
    if subtarget.aliases:
        lines += ("aliases", *(" ".join(alias) for alias in sorted(subtarget.aliases.items())))
    return "\n".join(lines) + "\n"


def _shortest(words: tuple[str, ...], implied: Mapping[str, tuple[str, ...]]) -> list[str]:
    """Those that no other brings."""
    brought: set[str] = set()
    for word in words:
        rest = [*implied[word]]
        while rest:
            name = rest.pop()
            if name not in brought:
                brought.add(name)
                rest += implied[name]
    return sorted(set(words) - brought)


def write(texts: Texts, chosen: list[str]) -> None:
    """Writes the tables, or those of the targets chosen."""
    for target in TARGETS:
        if not chosen or target in chosen:
            text = text_of(subtarget_of(records_of(target, texts)))
            Path(FOLDER, f"{target}.txt").write_text(text, encoding="utf-8")
            print(f"{target}: {len(text) // 1024} KB")
