"""Words that stand inside of an operation: those that the parser asks for, and, where it takes any, those around."""

from __future__ import annotations

from collections.abc import Iterator

from fathom_server.features.completion.inquiry import Inquiry
from fathom_server.features.completion.suggestion import Suggestion


def asked_words(inquiry: Inquiry) -> Iterator[Suggestion]:
    """The keywords that the parser would take, in its order, and the names that an affine map declares, or the one that
    it would."""
    asked, definition = inquiry.asked, inquiry.definition
    detail = f"keyword of `{definition.name}`" if definition is not None else ""
    if (parameter := asked.parameter) is not None:
        yield Suggestion(parameter, "value")
    elif "BARE" in asked.kinds:
        yield from (Suggestion(name, "value") for name in dict.fromkeys(asked.declared()))
    of_grammar = asked.unfinished.words if asked.unfinished is not None else ()
    for word in asked.words:
        # On a new line, the location of what stands before comes to nobody's mind.
        is_far = word == "loc" and inquiry.position.begins_line and not inquiry.position.word
        if word[0].isalpha() and word not in of_grammar and not is_far:
            yield Suggestion(word, "keyword", detail)
    if asked.is_open and definition is not None:
        for prop in definition.properties:
            yield from (Suggestion(case, "keyword", prop.name) for case in prop.constraint.cases)


def near_words(inquiry: Inquiry) -> Iterator[Suggestion]:
    """The words around, where any word may stand; as names of attributes none that are operations."""
    asked, context = inquiry.asked, inquiry.snapshot.context
    if asked.takes("bare", "BARE"):
        own = dict.fromkeys(token.text for token in reversed(inquiry.position.before) if token.kind == "BARE")
        # A name that a map gives is none that it has given.
        for word in inquiry.near.ordered if asked.parameter is not None else (*inquiry.near.ordered, *own):
            if asked.parameter is not None and word in own:
                continue
            is_word = word[0].isalpha() or word[0] == "_"
            if is_word and not (asked.is_key and "." in word and context.lookup(word) is not None):
                yield Suggestion(word, "word")
