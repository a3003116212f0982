"""What a run of the suite says: lines for the terminal, the page `docs/suite.md`, and the work list with every test."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from fathom import __version__
from tests.conformance.page import cell, paragraph
from tests.suite import lowering
from tests.suite.editor import known_section
from tests.suite.exceptions import PART, exceptions, is_over_own_dialects
from tests.suite.execute import Result
from tests.suite.parts import MISSION, PARTS
from tests.suite.reasons import Reason, of_pass, reason
from tests.suite.source import RELEASE

COMMONEST = 12
"""How many reasons are shown for each part."""


def folder(test: str) -> str:
    """The folder under which a test is counted: two levels, or the first where there is but one."""
    return "/".join(test.split("/")[:-1][:2]) or "."


class Outcome:
    """The results of a run, grouped by part."""

    def __init__(self, results: Sequence[Result], parts: Mapping[str, Sequence[str]]) -> None:
        by_test = {result.test: result for result in results}
        self.results = results
        self.by_part = {
            part: of_part for part in PARTS if (of_part := [by_test[test] for test in parts[part] if test in by_test])
        }
        self.passed = sorted(result.test for result in results if result.passed)
        self.reasons = {result.test: of_pass(reason(result)) for result in results if not result.passed}

    def commonest(self, results: Iterable[Result]) -> list[tuple[Reason, list[str]]]:
        """The reasons of those that failed, with their tests, commonest first."""
        tests: defaultdict[Reason, list[str]] = defaultdict(list)
        for result in results:
            if not result.passed:
                tests[self.reasons[result.test]].append(result.test)
        return sorted(tests.items(), key=lambda item: (-len(item[1]), item[0]))


def _share(results: Sequence[Result]) -> tuple[int, int]:
    return sum(result.passed for result in results), len(results)


def terminal(outcome: Outcome) -> str:
    """What is printed: parts, folders, the commonest reasons for each part."""
    lines = ["part            passed"]
    for part, results in outcome.by_part.items():
        lines.append("{:<12}{:>5} of {}".format(part, *_share(results)))
    lines += ["{:<12}{:>5} of {}".format("all", *_share(outcome.results)), "", "folder                          passed"]
    for name, results in _by_folder(outcome.results).items():
        lines.append("{:<28}{:>5} of {}".format(name, *_share(results)))
    for part, results in outcome.by_part.items():
        common = outcome.commonest(results)
        if common:
            lines += ["", f"why tests of {part} fail:"]
            lines += [f"{len(tests):>5}  {why}" for why, tests in common[:COMMONEST]]
            rest = sum(len(tests) for _, tests in common[COMMONEST:])
            if rest:
                lines.append(f"{rest:>5}  {len(common) - COMMONEST} further reasons")
    return "\n".join(lines) + "\n"


def _by_folder(results: Sequence[Result]) -> dict[str, list[Result]]:
    folders: defaultdict[str, list[Result]] = defaultdict(list)
    for result in results:
        folders[folder(result.test)].append(result)
    return dict(sorted(folders.items()))


def work_list(outcome: Outcome, parts: Sequence[str] = MISSION) -> str:
    """Each reason with all its tests, in Markdown: what there is to do."""
    lines: list[str] = []
    for part in parts:
        if part not in outcome.by_part:
            continue
        results = outcome.by_part[part]
        lines += ["# {}: {} of {} pass".format(part, *_share(results)), ""]
        for why, tests in outcome.commonest(results):
            lines += [f"## {len(tests)} × {why}", "", *(f"- {test}" for test in tests), ""]
    return "\n".join(lines)


PROMISES = {
    "language": "parse, verify, print",
    "lowering": "the conversions to the LLVM dialect, and the passes around them",
    "export": "`--mlir-to-llvmir`",
    "import": "`--import-llvm`",
    "run": "compile and run",
    "testing": "passes that exist only for tests; the transform dialect",
    "other": "SPIR-V, sparse tensors, GPU back ends, emitc, …",
}


def page(outcome: Outcome) -> str:
    """The text of `docs/suite.md`, for a run of all tests."""
    lines = [
        "# MLIR's own tests",
        "",
        *paragraph(f"""
            The tests of MLIR {RELEASE}, run with Fathom {__version__}'s `opt`, `translate` and `run` in the place of
            `mlir-opt`, `mlir-translate` and `mlir-runner`, and checked by the real FileCheck. A test counts if MLIR's
            own tools pass it on the same machine. `make suite` writes this page; [contributing](contributing.md) says
            how to use it."""),
        "| part | what it asks for | tests | passed |",
        "|---|---|---:|---:|",
    ]
    for part, results in outcome.by_part.items():
        passed, total = _share(results)
        lines.append(f"| {part} | {PROMISES[part]} | {total} | {passed} |")
    passed, total = _share(outcome.results)
    lines += [f"| all | | {total} | {passed} |", "", "## Why tests fail", ""]
    lines += paragraph("""
        One reason for each test: what the first command that failed had to say. In messages, `…` and `N` stand for what
        differs from test to test.""")
    for part, results in outcome.by_part.items():
        lines += _reasons(part, outcome.commonest(results))
        if part == PART:
            lines += _exceptions({result.test for result in results if not result.passed})
    lines += [*known_section(), *known_section(lowering.TITLE)]
    lines += ["## By folder", "", "| folder | tests | passed |", "|---|---:|---:|"]
    for name, results in _by_folder(outcome.results).items():
        passed, total = _share(results)
        lines.append(f"| {name} | {total} | {passed} |")
    return "\n".join(lines).rstrip() + "\n"


def _exceptions(failed: set[str]) -> list[str]:
    """The tests over dialects that Fathom defines that do not pass, with the reasons in the words of a person."""
    lines = [
        f"#### What does not pass of `{PART}` in the folders of the dialects that Fathom defines",
        "",
        *paragraph("Every other test there passes."),
        "| why | tests |",
        "|---|---|",
    ]
    known: set[str] = set()
    for unmet in exceptions():
        tests = [test for test in unmet.tests if test in failed]
        known.update(tests)
        if tests:
            lines.append(f"| {cell(unmet.reason)} | {', '.join(f'`{test}`' for test in tests)} |")
    others = sorted(test for test in failed - known if is_over_own_dialects(test))
    if others:
        lines.append(f"| **No reason is known.** | {', '.join(f'`{test}`' for test in others)} |")
    return [*lines, ""]


def _reasons(part: str, common: Sequence[tuple[Reason, list[str]]]) -> list[str]:
    if not common:
        return []
    kinds = Counter({why.kind: 0 for why, _ in common})
    for why, tests in common:
        kinds[why.kind] += len(tests)
    summary = ", ".join(f"{kind} {count}" for kind, count in kinds.most_common())
    lines = [f"### {part[0].upper()}{part[1:]}", "", *paragraph(summary), "| tests | reason | |", "|---:|---|---|"]
    for why, tests in common[:COMMONEST]:
        detail = cell(why.detail)
        lines.append(f"| {len(tests)} | {why.kind} | {f'`{detail}`' if detail and '`' not in detail else detail} |")
    rest = sum(len(tests) for _, tests in common[COMMONEST:])
    if rest:
        lines.append(f"| {rest} | {len(common) - COMMONEST} further reasons | |")
    return [*lines, ""]
