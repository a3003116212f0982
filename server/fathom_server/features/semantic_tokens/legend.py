"""The kinds of tokens that are told apart, and what is said of one besides. `lsp/semantic_tokens.py` has the protocol's
names of them."""

from __future__ import annotations

from enum import IntEnum, IntFlag


class Kind(IntEnum):
    """What a token is. The numbers are those of the legend."""

    OPERATION = 0
    VARIABLE = 1
    PARAMETER = 2
    FUNCTION = 3
    NAMESPACE = 4
    LABEL = 5
    TYPE = 6
    DECORATOR = 7
    PROPERTY = 8
    ENUM_MEMBER = 9
    KEYWORD = 10
    STRING = 11
    NUMBER = 12
    COMMENT = 13


class Modifier(IntFlag):
    """What is said of a token besides its kind. The bits are those of the legend."""

    NONE = 0
    DEFINITION = 1
    UNUSED = 2
    UNKNOWN = 4
