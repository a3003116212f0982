"""How often completion offers what stood there: Fathom beside mlir-lsp-server 22, in one run.

`python -m benchmarks.completion [--files 300] [--tokens 20] [--kinds]`

In files of MLIR's tests, at random tokens, what follows on the token's line is deleted, and the token but for its first
character, or its first three. Both servers are asked what may stand there. It counts that the token is offered, and
that it is among the first ten of those that begin with what is written, in the server's order.

Tokens are names and words, outside of comments and strings. A name with a sign, such as `%0`, counts where it is left
elsewhere in the text: elsewhere it is about to be given. `--kinds` shows what is not offered, by kind.
"""

from __future__ import annotations

import argparse
import random
import statistics
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, cast

from benchmarks.client import FATHOM, PEER, Client, ServerEnded
from fathom.syntax.lexer import tokens_of
from tests.suite.source import mlir_source

TYPED: Final = (1, 3)
SIGNS: Final = ("%", "@", "^", "!", "#")
LONGEST: Final = 100_000


@dataclass(frozen=True, slots=True)
class Place:
    """A token in a text: its line, its column in it, and what it is."""

    line: int
    column: int
    token: str


@dataclass(slots=True)
class Score:
    """What a server offered, for each number of characters typed; and the seconds that it took."""

    offered: Counter[int] = field(default_factory=Counter[int])
    in_ten: Counter[int] = field(default_factory=Counter[int])
    asked: Counter[int] = field(default_factory=Counter[int])
    seconds: list[float] = field(default_factory=list[float])
    missed: Counter[str] = field(default_factory=Counter[str])
    ended: int = 0


def places_in(text: str) -> Iterator[Place]:
    """The tokens of a text that count."""
    lines = text.split("\n")
    for number, line in enumerate(lines):
        for token in tokens_of(line, number):
            name = token.text
            if not (name[:1].isalpha() or (name[:1] in SIGNS and len(name) > 1)) or len(line) > 1000:
                continue
            rest = "\n".join((*lines[:number], line[: token.column], *lines[number + 1 :]))
            if name[0].isalpha() or name in rest:
                yield Place(number, token.column, name)


def chosen(files: int, tokens: int) -> Iterator[tuple[str, list[Place]]]:
    """Files of MLIR's tests with places in them, always the same."""
    chance = random.Random(22)
    root = mlir_source() / "test"
    paths = sorted(root.rglob("*.mlir"))
    chance.shuffle(paths)
    for path in paths:
        text = path.read_text(encoding="utf-8", errors="replace")
        places = list(places_in(text)) if len(text) < LONGEST and text.isascii() else []
        if len(places) >= tokens:
            yield text, chance.sample(places, tokens)
            files -= 1
        if not files:
            return


def labels_of(answer: Any, typed: str) -> list[str]:
    """What a client shows of an answer, in the server's order: what begins with what is written."""
    items: Sequence[dict[str, Any]] = (cast("Any", answer)["items"] if isinstance(answer, dict) else answer) or ()
    listed = sorted(items, key=lambda item: item.get("sortText", item["label"]))
    return [item["label"] for item in listed if item.get("filterText", item["label"]).startswith(typed)]


def measured(client: Client, number: int, text: str, places: Sequence[Place], score: Score) -> None:
    """Asks a server at the places of a text."""
    document = client.open(f"file:///completion{number}.mlir", text)
    lines = text.split("\n")
    for place in places:
        rest = lines[place.line][place.column :]
        for count in TYPED:
            typed = place.token[:count]
            client.edit(document, place.line, place.column, len(rest), typed)
            position = {"line": place.line, "character": place.column + len(typed)}
            params = {"textDocument": {"uri": document.uri}, "position": position}
            answer, sent, answered = client.request("textDocument/completion", params)
            labels = labels_of(answer, typed)
            score.asked[count] += 1
            score.offered[count] += place.token in labels
            score.in_ten[count] += place.token in labels[:10]
            score.seconds.append(answered - sent)
            if count == TYPED[-1] and place.token not in labels:
                score.missed[place.token[0] if place.token[0] in SIGNS else place.token] += 1
            client.edit(document, place.line, place.column, len(typed), rest)
    client.notify("textDocument/didClose", {"textDocument": {"uri": document.uri}})


def main() -> None:
    parser = argparse.ArgumentParser(description="how often completion offers what stood there")
    parser.add_argument("--files", type=int, default=300)
    parser.add_argument("--tokens", type=int, default=20)
    parser.add_argument("--kinds", action="store_true", help="show what is not offered")
    options = parser.parse_args()
    servers = {"Fathom": FATHOM, "mlir-lsp-server": (str(PEER),)}
    texts = list(chosen(options.files, options.tokens))
    print(f"{len(texts)} files, {options.tokens} tokens each")
    print("| server | typed | offered | among ten | median ms |\n|---|---|---|---|---|")
    for name, command in servers.items():
        score = Score()
        waiting = list(enumerate(texts))
        while waiting:
            try:
                with Client(command) as client:
                    client.initialize()
                    while waiting:
                        number, (text, places) = waiting.pop(0)
                        measured(client, number, text, places, score)
            except ServerEnded:
                score.ended += 1
        for count in TYPED:
            offered, in_ten = (counts[count] / score.asked[count] for counts in (score.offered, score.in_ten))
            median = statistics.median(score.seconds) * 1000
            print(f"| {name} | {count} | {offered:.1%} | {in_ten:.1%} | {median:.1f} |", flush=True)
        if score.ended:
            print(f"{name} ended {score.ended} times: the rest of the file was not asked then")
        if options.kinds:
            print(*(f"{count:5} {kind}" for kind, count in score.missed.most_common(30)), sep="\n")


if __name__ == "__main__":
    main()
