"""`make conformance`: the corpus through Fathom and mlir-opt 22, and the figures into `docs/conformance.md`.

`python -m tests.conformance.run [--mode MODE] [--list]`: with `--mode` only one row, printed and not written; `--list`
adds the name of each piece that is not identical.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter

from fathom import __version__
from tests.conformance.compare import MODES, Finding, Outcome, compare, concerns
from tests.conformance.corpus import ROOT, VERSION, Piece, pieces
from tests.conformance.page import cell, paragraph, share
from tests.conformance.workers import run
from tests.oracles import tool_version

REASONS = 15
"""How many reasons are shown for each mode."""

REPORT = ROOT / "docs" / "conformance.md"

Task = tuple[Piece, str]


def _compare(task: Task) -> Finding:
    return compare(*task)


def _ended(task: Task) -> Finding:
    piece, mode = task
    return Finding(piece.name, mode, Outcome.CRASHED, "the process ended")


def version() -> str:
    known = tool_version("mlir-opt")
    if known is None:
        sys.exit("make conformance needs mlir-opt 22 (Debian's mlir-22-tools)")
    return known


def row(mode: str, findings: list[Finding]) -> str:
    """A line of the table of figures."""
    counts = Counter(finding.outcome for finding in findings)
    judged = sum(finding.judged for finding in findings)
    accepted = counts[Outcome.IDENTICAL] + counts[Outcome.DIFFERENT]
    identical, crashed = counts[Outcome.IDENTICAL], counts[Outcome.CRASHED]
    return f"| {mode} | {judged} | {accepted} | {identical} | {share(identical, judged)} | {crashed} |"


def reasons(mode: str, findings: list[Finding]) -> list[str]:
    """The commonest reasons why pieces that mlir-opt accepts are not identical."""
    failed = [f for f in findings if f.outcome in (Outcome.REFUSED, Outcome.DIFFERENT, Outcome.CRASHED)]
    if not failed:
        return []
    groups = Counter((finding.outcome.value, finding.reason) for finding in failed)
    common = sorted(groups.items(), key=lambda item: (-item[1], item[0]))
    lines = [f"### {mode[0].upper()}{mode[1:]}", "", "| pieces | outcome | reason |", "|---:|---|---|"]
    lines += [f"| {count} | {outcome} | {cell(reason)} |" for (outcome, reason), count in common[:REASONS]]
    if len(common) > REASONS:
        rest = sum(count for _, count in common[REASONS:])
        lines.append(f"| {rest} | | {len(common) - REASONS} further reasons |")
    return [*lines, ""]


def report(files: int, corpus: list[Piece], by_mode: dict[str, list[Finding]]) -> str:
    """The text of `docs/conformance.md`."""
    accepted = sum(finding.judged for finding in by_mode["round trip"])
    refused = Counter(finding.outcome for finding in by_mode["round trip"])
    lines = [
        "# Conformance",
        "",
        *paragraph(f"""
            Fathom {__version__} held against `mlir-opt` {version()} on a corpus that nobody here wrote: the
            MLIR files of xDSL {VERSION}'s source archive. `make conformance` writes this page."""),
        *paragraph(f"""
            The archive has {files} files, which are {len(corpus)} pieces between lines `// -----`. `mlir-opt` accepts
            {accepted} of them with `--allow-unregistered-dialect`; most others use dialects of xDSL's own in their
            pretty form, or are wrong on purpose. Of those that `mlir-opt` refuses, Fathom refuses
            {refused[Outcome.BOTH_REFUSE]} as well and keeps {refused[Outcome.REFUSED_BY_MLIR]}: an operation that it
            does not know is no error to Fathom."""),
        *paragraph("""
            *Pieces* are those that `mlir-opt` accepts in that row; a pass is tried on the pieces that contain
            operations of the dialect it converts. *Accepted*: Fathom printed a text. *Identical*: byte for byte the
            text of `mlir-opt`."""),
        "| | pieces | accepted | identical | share | crashed |",
        "|---|---:|---:|---:|---:|---:|",
        *(row(mode, findings) for mode, findings in by_mode.items()),
        "",
        *paragraph("""
            The same, for the pieces with no operations but those that Fathom defines and those that `mlir-opt` does not
            know either. The others have operations that Fathom keeps as they were written, and `mlir-opt` prints
            anew."""),
        "| | pieces | accepted | identical | share | crashed |",
        "|---|---:|---:|---:|---:|---:|",
        *(row(mode, [f for f in findings if f.defined and f.judged]) for mode, findings in by_mode.items()),
        "",
        "## The commonest reasons for a difference",
        "",
        *paragraph("""
            One reason for each piece: the first error, or the operation of the first line that differs. In messages,
            `…` and `N` stand for what differs from piece to piece."""),
    ]
    for mode, findings in by_mode.items():
        lines += reasons(mode, findings)
    return "\n".join(lines).rstrip() + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description="Fathom against mlir-opt 22 on xDSL's MLIR files")
    parser.add_argument("--mode", choices=list(MODES), help="only this one; nothing is written")
    parser.add_argument("--list", action="store_true", help="name each piece that is not identical")
    options = parser.parse_args()
    version()

    files, corpus = pieces()
    modes = [options.mode] if options.mode else list(MODES)
    tasks = [(piece, mode) for mode in modes for piece in corpus if concerns(mode, piece)]
    by_mode: dict[str, list[Finding]] = {mode: [] for mode in modes}
    for done, finding in enumerate(run(_compare, tasks, _ended), 1):
        by_mode[finding.mode].append(finding)
        if sys.stderr.isatty() and done % 50 == 0:
            print(f"\r{done}/{len(tasks)}", end="", file=sys.stderr)

    for mode, findings in by_mode.items():
        findings.sort(key=lambda finding: finding.piece)
        print(row(mode, findings))
        if options.mode:
            print("\n".join(reasons(mode, findings)))
        for finding in findings if options.list else []:
            if finding.reason:
                known = "" if finding.defined else " (has operations without definitions)"
                print(f"{finding.piece}: {finding.outcome.value}: {finding.reason}{known}")
    if not options.mode:
        REPORT.write_text(report(files, corpus, by_mode), encoding="utf-8")
        print(f"wrote {REPORT.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
