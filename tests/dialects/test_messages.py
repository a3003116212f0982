"""What the verifier and the parser say: the first error, its line and its text, as mlir-opt 22 has them."""

from __future__ import annotations

import pytest

from tests.dialects.messages import Error, agrees_with_oracle, first_error, fixtures, pieces


@pytest.mark.parametrize(
    ("text", "error"),
    [pytest.param(*piece, id=f"{name}-{number}") for name in fixtures() for number, piece in enumerate(pieces(name))],
)
def test_message(text: str, error: Error) -> None:
    assert first_error(text) == error


@pytest.mark.parametrize("name", fixtures())
def test_messages_are_those_of_mlir(name: str) -> None:
    agrees_with_oracle(pieces(name))
