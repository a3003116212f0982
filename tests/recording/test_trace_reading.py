"""Traces read again: they tell what the recordings told of which they were written, and whatever else is refused."""

from __future__ import annotations

import json
from copy import deepcopy
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from fathom.recording.differences import differences
from fathom.recording.lives import blame, life
from fathom.recording.reasons import told_reasons
from fathom.recording.stages import stage_text
from fathom.recording.telling import rows
from fathom.recording.trace import part, stages_of, trace
from fathom.recording.trace_reading import Trace, Unreadable, read_trace
from tests.recording.goldens import fixtures
from tests.recording.told import recorded

TEXT = """\
func.func @f(%a: i32, %c: i1) -> i32 {
  %zero = arith.constant 0 : i32
  %same = arith.addi %a, %zero : i32
  %r = scf.if %c -> i32 {
    %twice = arith.divsi %same, %a : i32
    scf.yield %twice : i32
  } else {
    scf.yield %zero : i32
  }
  return %r : i32
}
"""
FLAGS = ("--canonicalize", "--cse", "--convert-scf-to-cf", "--convert-to-llvm")


def flags_of(text: str) -> str | list[str]:
    passes = text.partition("// PASSES: ")[2].partition("\n")[0]
    return passes.removeprefix("--pass-pipeline=") if "(" in passes else passes.split()


def read(data: object) -> Trace:
    made = read_trace(json.dumps(data).encode())
    assert isinstance(made, Trace), made.reason
    return made


@pytest.mark.parametrize("path", fixtures(), ids=lambda path: path.stem)
def test_a_file_tells_what_was_recorded(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    recording = recorded(text, flags_of(text))
    (made,) = read(trace([part(recording, text)], path.name)).parts
    assert [row.name for row in rows(made)] == [row.name for row in rows(recording)]
    assert [row.steps for row in rows(made)] == [row.steps for row in rows(recording)]
    texts = {stage: stage_text(recording, stage) for stage in stages_of(recording)}
    for stage, other in texts.items():
        assert made.stage(stage).text == other.text
        assert [place.around for place in made.stage(stage).places.values()] == [
            place.around for place in other.places.values()
        ]
        assert blame(made, stage, made.stage(stage)) == blame(recording, stage, other)
    first, last = min(texts), max(texts)
    assert differences(made.parents, made.stage(first), made.stage(last)) == differences(
        recording.parents, texts[first], texts[last]
    )
    for number in list(recording.known)[:: max(len(recording.known) // 10, 1)]:
        assert life(made, number) == life(recording, number)
        for run in range(len(recording.runs)):
            assert told_reasons(made, run, number) == told_reasons(recording, run, number)


@cache
def good() -> dict[str, Any]:
    return json.loads(json.dumps(trace([part(recorded(TEXT, FLAGS), TEXT)], "a.mlir")))


def check_refused(change: Any, said: str) -> None:
    """After a change a trace is refused, and this is said."""
    data = deepcopy(good())
    change(data, data["parts"][0])
    made = read_trace(json.dumps(data).encode())
    assert isinstance(made, Unreadable)
    assert said in made.reason
    assert "\n" not in made.reason


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda data, part: data.update(format="other"), "it is no trace: `format` is not 'fathom-trace'"),
        (lambda data, part: data.update(version=2), "it is a trace of version 2; this reads version 1"),
        (lambda data, part: data.update(parts={}), "parts: a list is expected"),
        (lambda data, part: data.update(parts=[7]), "parts[0]: an object is expected"),
        (lambda data, part: part.pop("stages"), "parts[0].stages: it is missing"),
        (lambda data, part: part.update(stages=[]), "parts[0].stages: the first is that of the source"),
        (lambda data, part: part.update(source=None), "parts[0].source: a text is expected"),
        (lambda data, part: part["operations"][3].update(source=[5, 1 << 30]), "it is no place in the source"),
        (lambda data, part: part["operations"][3].update(madeOf=[3]), "operations[3].madeOf: it is made of itself"),
        (
            lambda data, part: (part["operations"][3].update(madeOf=[4]), part["operations"][4].update(madeOf=[3])),
            "it is made of itself",
        ),
        (lambda data, part: part["operations"][3].update(madeOf=[10**9]), "there is no operation 1000000000"),
        (lambda data, part: part["passes"][0].update(on=-1), "passes[0].on: a number from 0 on is expected"),
        (lambda data, part: part["passes"][0].update(index=True), "passes[0].index: a number from 0 on is expected"),
        (lambda data, part: part["passes"][0].update(milliseconds=float("nan")), "milliseconds: a time is expected"),
        (lambda data, part: part["passes"][0]["steps"][0].update(kind="x" * 9999), "there is no kind 'xxxx"),
        (lambda data, part: part["passes"][0]["steps"][0].update(made=["a"]), "a number from 0 on is expected"),
        (lambda data, part: part["stages"][1].update(passes=0), "stages are in the order of the pipeline"),
        (lambda data, part: part["stages"][1]["operations"].reverse(), "its place is not in the text"),
        (lambda data, part: part["stages"][1]["operations"].append([0, 0]), "3 numbers are expected"),
        (lambda data, part: part["stages"][1].update(text=""), "its place is not in the text"),
    ],
)
def test_what_does_not_fit_together_is_said(change: Any, said: str) -> None:
    check_refused(change, said)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "it is no JSON"),
        (b"\xff\xfe\x00", "it is no JSON"),
        (b"[" * 100_000, "it is nested too deep"),
        (b'{"format": "fathom-trace", "version": ' + b"9" * 5000 + b"}", "it is no JSON"),
        (b"[]", "the file: an object is expected"),
        (b"null", "the file: an object is expected"),
    ],
)
def test_what_is_no_trace_is_said(data: bytes, said: str) -> None:
    made = read_trace(data)
    assert isinstance(made, Unreadable)
    assert said in made.reason


WRONG: list[Any] = [None, True, -1, 0, 3, 1 << 70, 1.5, "", "x", [], [0], [[0, 0, 0]], {}, {"name": "x"}]


def spots(value: Any) -> list[tuple[Any, Any]]:
    """All places of a value in which something else may stand."""
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    return [spot for key in keys for spot in ((value, key), *spots(value[key]))]


def test_whatever_stands_somewhere_is_refused_or_told_of() -> None:
    random = Random(7)
    refused = 0
    for _ in range(400):
        data = deepcopy(good())
        holder, key = random.choice(spots(data))
        holder[key] = random.choice(WRONG)
        made = read_trace(json.dumps(data).encode())
        if isinstance(made, Unreadable):
            refused += 1
            continue
        for each in made.parts:
            passes = list(each.stages)
            rows(each)
            differences(each.parents, each.stage(passes[0]), each.stage(passes[-1]))
            blame(each, passes[-1], each.stage(passes[-1]))
            for number in each.known:
                life(each, number)
    assert refused > 200
