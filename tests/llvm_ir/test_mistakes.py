"""A text that is not LLVM's own has a mistake with a place, whatever it is."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from fathom.llvmir.reader import read
from fathom.llvmir.tokens import Mistake
from fathom.llvmir.writer import write

MODULES = sorted((Path(__file__).parent / "modules").glob("*.ll"))
MANY = 100_000


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("define void @f() {\n  ret void\n", "3:1: expected an instruction, got the end"),
        ("define void @f() {\n  %x = add i32 %y, 1\n  ret void\n}\n", "2:16: %y is not defined"),
        ("define void @f() {\n  br label %x\n}\n", "2:12: no block %x in the function"),
        ("@x = global i32 @y\n", "1:17: expected the name of a global, got @y"),
        ("@x = global i32 1\n@x = global i32 2\n", "2:1: defined twice"),
        ("!0 = !DIFile(name: 1)\n", "1:14: expected a field of DIFile, got name:"),
        ("!0 = !DINothing()\n", "1:6: expected a node, got !DINothing"),
        ("@x = global [2 x ptr] [ptr null]\n", "1:23: the type has another number of elements"),
        ("@x = global [2 x i8> undef\n", "1:13: expected ']', got >"),
        ("@x = global { i8, [2 x i8 } undef\n", "1:13: expected ']', got }"),
        ("what", "1:1: expected something of a module, got what"),
        ("@x = global " + "[1 x " * MANY, "1:494: more than 96 brackets are open"),
        ("@x = global i8 " + "add (i8 " * MANY, "1:789: more than 96 brackets are open"),
        ("@x = global i32 " + "9" * MANY, f"1:17: expected a value, got {'9' * 40}"),
        ("declare " * MANY, f"1:{8 * MANY + 1}: expected what LLVM prints, got the end"),
        ("/*" * MANY + " " * MANY, "1:6: expected something of a module, got *"),
    ],
    ids=lambda each: each[:20],
)
def test_mistakes(text: str, message: str) -> None:
    with pytest.raises(Mistake) as raised:
        read(text)
    assert str(raised.value) == message


def test_what_is_long_is_read() -> None:
    nodes = "".join(f"!{each} = !{{!{each + 1}}}\n" for each in range(MANY))
    for text in (
        f"\n!x = !{{!0}}\n\n{nodes}!{MANY} = !{{!0}}\n",
        f"\n@x = global [{MANY} x i32] [{', '.join(['i32 7'] * MANY)}]\n",
    ):
        assert write(read(text)) == text
    assert write(read(" " * MANY * 50)) == ""


@pytest.mark.parametrize("seed", range(4))
def test_changed_texts(seed: int) -> None:
    """Pieces of a text are taken out, doubled and mixed: it is read, or has a mistake."""
    random = Random(seed)
    for _ in range(150):
        text = random.choice(MODULES).read_text(encoding="utf-8")
        for _ in range(random.randint(1, 3)):
            first, last = sorted(random.randrange(len(text)) for _ in range(2))
            piece = text[first : min(last, first + random.choice((1, 4, 40)))]
            text = text[:first] + random.choice(("", piece * 2, '"', "%9", "\0", "{", "@", "i32")) + text[first + 1 :]
        try:
            module = read(text)
        except Mistake:
            continue
        write(module)
