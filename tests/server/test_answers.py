"""What a process that runs code of a workspace may tell the server: answers, and nothing else."""

from __future__ import annotations

import pickle
from array import array
from pathlib import Path

import pytest
from lsprotocol import types

from fathom.bufferization.told import Form, Freed, Held, Made, Operand, Reason, Rule, Where, Which
from fathom.descriptions.files import DialectFile, dialects_in
from fathom.descriptions.places import Place
from fathom.diagnostics import Diagnostic, Note
from fathom.dialect.values import parse_type
from fathom.execution.outcome import Check, RunRequest
from fathom.ir.locations import FileLineColLoc
from fathom.ir.operation import Span
from fathom.ir.types import Type
from fathom_server.features.edits import Refusal, Replacement
from fathom_server.features.run import NotRunnable, Runnable
from fathom_server.lsp.encoded import Encoded
from fathom_server.model.became import LoweredLines
from fathom_server.model.gist import Gist
from fathom_server.model.in_memory import InMemory
from fathom_server.model.learned import Found
from fathom_server.model.own_code import standing_in
from fathom_server.session.beside.answers import answer_of
from fathom_server.session.beside.messages import Answer, Described, Failure, Question, Work
from tests.dialect.shop import SHOP

CONTEXT = standing_in(dialects_in([DialectFile("shop.toml", SHOP)]), {})


def of(text: str) -> Type:
    return parse_type(text, CONTEXT)


PLACE = FileLineColLoc("shop.py", 3, 1)
TYPES = tuple(
    map(
        of,
        (
            "index",
            "!shop.price<i32>",
            "memref<2x?xf32, strided<[1, 2]>>",
            "memref<2xi32, affine_map<(d0) -> (d0 + 1)>>",
            "!llvm.struct<(ptr, array<2 x i8>)>",
            "!quant.uniform<i8:f32, 2.0>",
        ),
    )
)
WRONG = Diagnostic("is wrong", Span(1, 2), notes=(Note("here", Span(3, 4)),), types=TYPES, place=PLACE)
LINES = LoweredLines("a", array("L", [1]), array("L", [2]), array("L", [0]))
RANGE = types.Range(types.Position(1, 2), types.Position(3, 4))
GIST = Gist((WRONG,), (("shop", WRONG),), frozenset({"shop"}))
OP = Where(1, 2, "shop.fill")
REASON = Reason(Rule.READ_AFTER_WRITE, OP, Which(OP, 0), OP, Which(OP, 1, is_argument=True))
OPERAND = Operand(OP, 0, Which(OP, 0), False, True, True, (REASON,))
TENSORS = InMemory(
    (OPERAND,), (Held(Which(OP, 0), Form.COPY, copied=OPERAND),), (Made(OP, True, False),), (Freed(OP, OP, OP),)
)
ANSWERS: list[object] = [
    None,
    "text",
    Failure("why", "trace"),
    Found(
        (WRONG,),
        Gist((WRONG,), (("shop", WRONG),), frozenset({"shop"})),
        LINES,
        frozenset({1}),
        (("f", WRONG),),
        in_memory=TENSORS,
    ),
    Encoded("{}"),
    (Replacement(1, 2, "x"),),
    Refusal("why"),
    NotRunnable("kind", "why"),
    Runnable(RunRequest("define", "f", TYPES, checks=(Check("no", span=Span(1, 2)),)), ("a",)),
    types.WorkspaceEdit({"file:///a": [types.TextEdit(RANGE, "x")]}),
    types.Diagnostic(RANGE, "x", types.DiagnosticSeverity.Error),
]


@pytest.mark.parametrize("value", ANSWERS, ids=lambda value: type(value).__name__)
def test_answers_come_as_they_are(value: object) -> None:
    answer = Answer(3, value)
    assert answer_of(pickle.dumps(answer)) == answer


class Calls:
    """What pickle makes by calling something."""

    def __init__(self, *call: object) -> None:
        self._call = call

    def __reduce__(self) -> tuple[object, object]:
        function, *arguments = self._call
        return function, tuple(arguments)


@pytest.mark.parametrize(
    "value",
    [
        Calls(print, "x"),
        Calls(Path, "x"),
        Calls(getattr, Encoded, "json"),
        Calls(types.Range.__init__, "x"),
        Described(()),
        Question(1, "file:///a", Work(len)),
        Place("a", 1, 2, 3, "x"),
        len,
        of,
        Path,
    ],
    ids=lambda value: type(value).__name__,
)
def test_nothing_else_does(value: object) -> None:
    with pytest.raises(pickle.UnpicklingError, match="is in no answer"):
        answer_of(pickle.dumps(Answer(3, value)))
