"""`make suite`: MLIR's own tests with Fathom's tools.

    python -m tests.suite.run [PART...] [--work-list FILE] [--workers N]

PART is a part (`language`), a folder (`Dialect/Arith`), a file, or `passing`: the tests on `passing.txt`. A run of
everything writes `docs/suite.md`; every run adds what newly passes to `passing.txt`, and reports (with status 1) what
is on it and passes no longer. A run of one file prints what lit printed.

`passing` is what continuous integration runs: it prints only losses, and where the source is not to be had, it
says so loudly and succeeds. `--real` runs MLIR's own tools instead, over every test that the source has, and
keeps the lists of what counts.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tests.suite import execute, parts, report
from tests.suite.exceptions import EXCEPTIONS, exceptions
from tests.suite.source import NoSource, mlir_source

PAGE = execute.ROOT / "docs" / "suite.md"


def main() -> int:
    parser = argparse.ArgumentParser(description="MLIR's own tests with Fathom's tools")
    parser.add_argument("part", nargs="*", help="a part, a folder, a file, or `passing`; everything by default")
    parser.add_argument("--work-list", type=Path, metavar="FILE", help="write each reason with all its tests")
    parser.add_argument("--workers", type=int, default=execute.WORKERS, help="how many tests run at a time")
    parser.add_argument(
        "--real", action="store_true", help="run MLIR's own tools, and rewrite the lists of what counts"
    )
    options = parser.parse_args()
    wanted = " ".join(options.part)
    try:
        if options.real:
            return count(mlir_source(), options.workers)
        tests = parts.select(wanted)
        started = time.monotonic()
        results = execute.run(mlir_source(), tests, workers=options.workers)
    except KeyError as unknown:
        print(f"no test is called {unknown}: give a part ({', '.join(parts.PARTS)}), a folder or a file")
        return 2
    except (NoSource, execute.NoTools) as problem:
        print(f"\n*** MLIR'S OWN TESTS WERE NOT RUN: {problem} ***\n", file=sys.stderr)
        # An archive that no longer has the source is nobody's fault here.
        return 0 if wanted == "passing" and isinstance(problem, NoSource) else 2
    return _tell(wanted, tests, results, time.monotonic() - started, options.work_list)


def _tell(
    wanted: str, tests: Sequence[str], results: Sequence[execute.Result], seconds: float, work_list: Path | None
) -> int:
    outcome = report.Outcome(results, parts.parts())
    if len(tests) == 1 and results:
        print(results[0].output)
    elif wanted != "passing":
        print(report.terminal(outcome))
    if work_list is not None:
        work_list.write_text(report.work_list(outcome), encoding="utf-8")
    if not wanted:
        PAGE.write_text(report.page(outcome), encoding="utf-8")
    known = parts.read_list(parts.PASSING)
    lost = sorted(set(known) & set(tests) - set(outcome.passed))
    new = sorted(set(outcome.passed) - set(known))
    parts.write_list(parts.PASSING, [*known, *new])
    print(f"{len(outcome.passed)} of {len(tests)} tests pass ({seconds:.0f} s)")
    if new:
        print(f"{len(new)} of them are new on {parts.PASSING.relative_to(execute.ROOT)}")
    for test in lost:
        print(f"LOST: {test} no longer passes: {outcome.reasons.get(test, 'lit does not find it')}")
    met = sorted(test for unmet in exceptions() for test in unmet.tests if test in outcome.passed)
    for test in met:
        print(f"{test} passes: take it from {EXCEPTIONS.relative_to(execute.ROOT)}")
    return 1 if lost or met else 0


def count(mlir: Path, workers: int) -> int:
    """Run everything with MLIR's own tools, and keep what they pass; what no list has goes to the part `other`."""
    every = sorted(str(path.relative_to(mlir / "test")) for path in (mlir / "test").rglob("*.*") if _may_be_test(path))
    results = execute.run(mlir, every, real=True, workers=workers)
    passed = {result.test for result in results if result.passed}
    listed = {test for tests in parts.parts().values() for test in tests}
    for part, tests in parts.parts().items():
        added = passed - listed if part == "other" else set[str]()
        parts.write_list(parts.part_file(part), (set(tests) & passed) | added)
    print(f"MLIR's own tools pass {len(passed)} of {len(results)} tests")
    for test in sorted(listed - passed):
        print(f"no longer counts: {test}")
    for test in sorted(passed - listed):
        print(f"counts now: {test}")
    return 0


def _may_be_test(path: Path) -> bool:
    """Whether a file has RUN lines, and they call none of MLIR's tools but those that Fathom stands in for."""
    if path.suffix not in (".mlir", ".ll", ".test") or "Inputs" in path.parts:
        return False
    lines = re.findall(rb"(?:RUN|DEFINE):(.*)", path.read_bytes())
    called = re.findall(rb"(?<![\w/.-])((?:mlir|tblgen)-[a-z-]+)(?= )", b"\n".join(lines))
    return bool(lines) and {tool.decode() for tool in called} <= set(execute.STAND_INS)


if __name__ == "__main__":
    sys.exit(main())
