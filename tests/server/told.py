"""A client that is told the tokens of a text, and then what changes in them."""

from __future__ import annotations

from fathom_server.features.semantic_tokens.delta import Changes, Tokens


def split(numbers: str) -> list[str]:
    return numbers.split(",") if numbers else []


class Told:
    """What the client has: the numbers of all tokens, and the name of the version that they are of."""

    def __init__(self, whole: Tokens) -> None:
        self.version, self.numbers = whole.version, split(whole.numbers)

    def take(self, news: Changes | Tokens) -> int:
        """Takes in what has changed; so many numbers came."""
        self.version = news.version
        if isinstance(news, Tokens):
            self.numbers = split(news.numbers)
            return len(self.numbers)
        for replaced in news.replaced:
            self.numbers[replaced.start : replaced.start + replaced.removed] = split(replaced.numbers)
        return sum(len(split(replaced.numbers)) for replaced in news.replaced)
