"""Fathom's reader of TableGen against `llvm-tblgen --dump-json`: the records value for value, and the first mistake.

`python -m tests.tablegen.compare [--only TEXT] [--show N] [--list]`: all `.td` files of MLIR 22 where it is installed,
and of MLIR's and LLVM's own tests. A file is read as its RUN lines have it read, with their folders and macros; one
without any, with MLIR's folders. `--only` takes the files whose path contains the text, `--show` prints the first N
differences, `--list` the path of each file that differs.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from fathom.tablegen.json import Json, as_json
from fathom.tablegen.reading import Reader, Reading
from fathom.tablegen.sources import Texts
from tests.oracles import find_tool
from tests.suite.source import NoSource, mlir_source

INSTALLED = Path("/usr/lib/llvm-22/include")
"""Where Debian's libmlir-22-dev puts MLIR's `.td` files."""
TIMEOUT = 600.0


@dataclass(frozen=True)
class Run:
    """A file with what it is to be read with. `negative`: a RUN line says that it is to be refused."""

    corpus: str
    path: Path
    folders: tuple[str, ...]
    macros: tuple[str, ...] = ()
    negative: bool = False


@dataclass(frozen=True)
class Outcome:
    """`kind`: `records` or `refused`, by what llvm-tblgen does; `agrees` if Fathom gives the same records, or the same
    line; `words`, also the same message. `shown` is how they differ."""

    run: Run
    kind: str
    agrees: bool
    words: bool
    shown: str
    seconds: float


# ---- what there is to read


def runs() -> Iterator[Run]:
    """All runs that there are files for."""
    if INSTALLED.exists():
        for path in sorted(INSTALLED.rglob("*.td")):
            yield Run("MLIR's files", path, (str(INSTALLED),))
    try:
        mlir = mlir_source(fetch=False)
    except NoSource:
        return
    include = INSTALLED if INSTALLED.exists() else mlir / "include"
    ours = (str(include), str(mlir / "include"), str(mlir / "test"), str(mlir / "test" / "lib" / "Dialect" / "Test"))
    for path in sorted([*(mlir / "test").rglob("*.td"), *(mlir / "examples").rglob("*.td")]):
        yield Run("MLIR's tests", path, (*ours, str(path.parent), *_example_folders(path)))
    tests = mlir.parent / "llvm" / "test" / "TableGen"
    for path in sorted(tests.rglob("*.td")):
        yield from _as_its_run_lines_say(path)


def _example_folders(path: Path) -> tuple[str, ...]:
    return tuple(str(parent) for parent in path.parents if parent.name == "include")


def _as_its_run_lines_say(path: Path) -> Iterator[Run]:
    text = path.read_text(encoding="utf-8", errors="surrogateescape")
    text = re.sub(r"\\\n\s*(//|#)\s*RUN:", "", text)
    kept = set[Run]()
    for line in re.findall(r"RUN:(.*)", text):
        words = line.split("|")[0].split()
        if "llvm-tblgen" not in words or "%s" not in words:
            continue
        folders: list[str] = []
        macros: list[str] = []
        rest = iter(words)
        for word in rest:
            if word == "-I":
                folders.append(_folder(path, next(rest, "")))
            elif word.startswith("-I"):
                folders.append(_folder(path, word[2:]))
            elif word.startswith("-D"):
                macros.append(word[2:] or next(rest, ""))
        run = Run("LLVM's tests", path, tuple(folders), tuple(macros), "not" in words)
        if run not in kept:
            kept.add(run)
            yield run


def _folder(path: Path, text: str) -> str:
    """LLVM's own `.td` files are where the tests look for them only if they were brought."""
    folder = text.replace("%p", str(path.parent)).replace("%S", str(path.parent))
    return str(Path(folder).resolve())


# ---- both readers


def compare(run: Run, texts: Texts) -> Outcome:
    tool = find_tool("llvm-tblgen")
    assert tool is not None
    arguments = [*(f"-I{folder}" for folder in run.folders), *(f"-D{macro}" for macro in run.macros)]
    done = subprocess.run(
        [tool, "--dump-json", *arguments, str(run.path)],
        capture_output=True,
        encoding="utf-8",
        errors="surrogateescape",
        timeout=TIMEOUT,
        check=False,
    )
    start = time.process_time()
    reading = Reader(texts).read(str(run.path), run.folders, macros=run.macros)
    seconds = time.process_time() - start
    if done.returncode == 0:
        shown = _difference(json.loads(done.stdout), reading)
        return Outcome(run, "records", not shown, not shown, shown, seconds)
    first = _first_error(done.stderr)
    ours = _error_of(reading)
    shown = "" if first == ours else f"llvm-tblgen: {':'.join(first)}\n     Fathom: {':'.join(ours)}"
    return Outcome(run, "refused", first[:2] == ours[:2] and bool(ours[2]), first == ours, shown, seconds)


def _first_error(text: str) -> tuple[str, str, str]:
    """File, line and words of the first error; file and line empty where it has none."""
    for line in text.splitlines():
        match = re.match(r"(.+?):(\d+):\d+: error: (.*)", line)
        if match:
            return match[1], match[2], match[3].strip()
        if line.startswith("error: "):
            return "", "", line.removeprefix("error: ").strip()
    return "", "", text.strip()[:200]


def _error_of(reading: Reading) -> tuple[str, str, str]:
    if not reading.errors:
        return "", "", ""
    first = reading.errors[0]
    file, line = (first.location.file, str(first.location.line)) if first.location else ("", "")
    return file, line, first.message.partition("\n")[0].strip()


def _difference(theirs: dict[str, Json], reading: Reading) -> str:
    if reading.errors:
        return f"refused: {':'.join(_error_of(reading))}"
    ours = as_json(reading.records)
    for name in sorted({*theirs, *ours}):
        if theirs.get(name) == ours.get(name):
            continue
        left, right = theirs.get(name), ours.get(name)
        if not isinstance(left, dict) or not isinstance(right, dict):
            return f"{name}: {json.dumps(left)[:300]}\n     Fathom: {json.dumps(right)[:300]}"
        for field in sorted({*left, *right}):
            if left.get(field, "missing") != right.get(field, "missing"):
                shown = [json.dumps(side.get(field, "missing"))[:300] for side in (left, right)]
                return f"{name}.{field}: {shown[0]}\n     Fathom: {shown[1]}"
    return ""


# ---- the figures


def main() -> None:
    parser = argparse.ArgumentParser(description="Fathom's reader of TableGen against llvm-tblgen")
    parser.add_argument("--only", default="", help="files whose path contains this")
    parser.add_argument("--show", type=int, default=0, help="differences to print")
    parser.add_argument("--list", action="store_true", help="print the path of each file that differs")
    options = parser.parse_args()
    if find_tool("llvm-tblgen") is None:
        sys.exit("llvm-tblgen 22 is not installed (Debian's llvm-22)")
    texts = Texts()
    outcomes = [compare(run, texts) for run in runs() if options.only in str(run.path)]
    left = options.show
    for outcome in outcomes:
        if outcome.agrees and (outcome.words or not options.list):
            continue
        if left > 0:
            left -= 1
            words = " (words)" * outcome.agrees
            print(f"{outcome.run.path} {' '.join(outcome.run.macros)}\n  {outcome.kind}{words}: {outcome.shown}")
        elif options.list:
            print(outcome.run.path)
    _print_figures(outcomes)


def _print_figures(outcomes: list[Outcome]) -> None:
    total = Counter((outcome.run.corpus, outcome.kind) for outcome in outcomes)
    same = Counter((outcome.run.corpus, outcome.kind) for outcome in outcomes if outcome.agrees)
    words = Counter((outcome.run.corpus, outcome.kind) for outcome in outcomes if outcome.words)
    print(f"{'':<16}{'llvm-tblgen':<14}{'runs':>6}{'the same':>10}{'':>8}{'words too':>11}")
    for corpus, kind in total:
        count, agree = total[corpus, kind], same[corpus, kind]
        says = "gives records" if kind == "records" else "refuses"
        print(f"{corpus:<16}{says:<14}{count:>6}{agree:>10}{agree / count:>8.1%}{words[corpus, kind]:>11}")
    longest = max(outcomes, key=lambda outcome: outcome.seconds, default=None)
    if longest is not None:
        print(f"longest: {longest.seconds:.2f} s CPU, {longest.run.path}")


if __name__ == "__main__":
    main()
