"""What comments claim: text in, claims out, and what is said of those that cannot be read."""

from __future__ import annotations

import pytest

from fathom.checking.comments import Claim, Unclear, claims_in


def claims(text: str) -> list[Claim | Unclear]:
    return list(claims_in(f"{line}\n" for line in text.split("\n")))


def check_claim(comment: str, told: str) -> None:
    """Holds what a claim expects against a text, with one part for each expectation."""
    (claim,) = claims(f"// FATHOM: {comment}")
    assert isinstance(claim, Claim), claim
    parts = [claim.function, *map(str, claim.arguments), *map(str, claim.expected)]
    assert " | ".join(parts) == told


@pytest.mark.parametrize(
    ("comment", "told"),
    [
        ("run @f()", "@f"),
        ("run @gcd(1071, 462) == 21", "@gcd | 1071 | 462 | Values(values=(21,), argument=None, tolerance=None)"),
        ("run @f([1, 2]) == 1, [2, 3]", "@f | [1, 2] | Values(values=(1, [2, 3]), argument=None, tolerance=None)"),
        ("run @f(1.) ~= 0.1 within 1e-3", "@f | 1.0 | Values(values=(0.1,), argument=None, tolerance=0.001)"),
        ("run @f(nan) ~= nan", "@f | nan | Values(values=('nan',), argument=None, tolerance=1e-05)"),
        ("run @f([1]); #0 == [2]", "@f | [1] | Values(values=([2],), argument=0, tolerance=None)"),
        ('run @"a; (b"::@c() fails "of \\"it\\""', "@\"a; (b\"::@c | Text(kind='fails', text='of \"it\"')"),
        ('run @f#2() prints "a;b\\n"', "@f#2 | Text(kind='prints', text='a;b\\n')"),
    ],
)
def test_claims(comment: str, told: str) -> None:
    check_claim(comment, told)


@pytest.mark.parametrize(
    ("comment", "reason"),
    [
        ("f(1)", "it does not begin with a call: run @f(1, [2, 3])"),
        ("run @f", "it does not begin with a call: run @f(1, [2, 3])"),
        ("run @f(1", "the brackets of the call are not closed"),
        ('run @f("1)', "the brackets of the call are not closed"),
        ("run @f(1) = 3", "what is expected begins with ==, ~=, #0, fails or prints: '= 3'"),
        ("run @f(1) ==", "behind == stands no value"),
        ("run @f(1 2)", "values are such as 1, 2.5, [[1, 2], [3, 4]]: '1 2'"),
        ("run @f(1) ~= 2 within x", "\"within\" is to be followed by a number: 'x'"),
        ("run @f(1) ~= 2 within nan", "\"within\" is to be followed by a number: 'nan'"),
        ("run @f(1) #0 == 2, 3", "#0 holds one value"),
        ("run @f(1) fails it", '"fails" is to be followed by a text in double quotes'),
        ('run @f(1) fails "a"; == 2', "a call that fails gives nothing else"),
        ('run @f(1) prints "\\x"', "a text is written as in JSON: '\"\\x\"'"),
    ],
)
def test_what_is_no_claim(comment: str, reason: str) -> None:
    (claim,) = claims(f"// FATHOM: {comment}")
    assert isinstance(claim, Unclear)
    assert claim.reason == reason


def test_where_claims_stand() -> None:
    text = "// FATHOM: run @f(1, \\\n  // FATHOM:   2) == 3\nfunc\n\t//FATHOM:run @g() \r\n// FATHOM: run @h( \\\n"
    found = claims(text)
    assert [(claim.line, text[claim.start : claim.end]) for claim in found] == [
        (0, "run @f(1, \\\n  // FATHOM:   2) == 3"),
        (3, "run @g()"),
        (4, "run @h("),
    ]
    assert [claim.text for claim in found] == ["run @f(1, 2) == 3", "run @g()", "run @h("]


def test_what_is_in_no_comment_of_its_own_is_no_claim() -> None:
    assert claims('func.func @f() // FATHOM: run @f()\n"FATHOM: run @f()"\n/ / FATHOM: run @f()') == []


@pytest.mark.parametrize(
    "text",
    [
        'run @"' + '"' * 200_000,
        "run @f(" + '"\\' * 200_000,
        "run @f(" + "[" * 200_000,
        "run @f(" + "[" * 200_000 + "]" * 200_000 + ")",
        "run @f() ~= " + "within " * 100_000,
        "run @f() ==" + " " * 500_000 + ";",
        "run @f() " + "; " * 300_000,
        "run" + " " * 500_000 + "@f(",
    ],
)
def test_hostile_comments_take_no_time_to_speak_of(text: str) -> None:
    # A reader that goes over the text again for each of its characters would not come to an end.
    assert isinstance(claims(f"// FATHOM: {text}")[0], Unclear)
