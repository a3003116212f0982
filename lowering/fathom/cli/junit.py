"""What came of claims as JUnit's XML, which continuous integration reads: a test suite for each file, a test case for
each claim.

Source of the rules: the schema of JUnit's reports as Jenkins and GitLab read them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final
from xml.etree.ElementTree import Element, SubElement, indent, tostring

if TYPE_CHECKING:
    from fathom.checking.running import Verdict
    from fathom.cli.check import Tested

_NOT_IN_XML: Final = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def report(tested: Iterable[Tested]) -> str:
    """The text of a report."""
    root = Element("testsuites", name="fathom check")
    for each in tested:
        failed = sum(not verdict.holds for verdict in each.verdicts)
        suite = SubElement(
            root,
            "testsuite",
            name=_written(each.source.name),
            tests=str(len(each.verdicts)),
            failures=str(failed),
            errors="0",
            time=f"{each.seconds:.3f}",
        )
        for verdict in each.verdicts:
            _add(suite, verdict, each.source.name)
    indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + tostring(root, encoding="unicode") + "\n"


def _add(suite: Element, verdict: Verdict, file: str) -> None:
    case = SubElement(
        suite,
        "testcase",
        name=_written(verdict.claim.text),
        classname=_written(file),
        file=_written(file),
        line=str(verdict.claim.line + 1),
        time=f"{verdict.seconds:.3f}",
    )
    if not verdict.holds:
        failure = SubElement(case, "failure", message=_written(verdict.message), type="claim")
        failure.text = _written("\n".join([verdict.message, *(reason.message for reason in verdict.reasons)]))
    if verdict.notes:
        SubElement(case, "system-out").text = _written("\n".join(verdict.notes))


def _written(text: str) -> str:
    """A text without what XML cannot hold."""
    return _NOT_IN_XML.sub("\ufffd", text)
