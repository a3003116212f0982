"""What MLIR says where a type, an attribute or a location goes wrong.

`expectation` words it from what the grammar would have taken and from what stands on the parser's stack: the symbols
read so far, of which those of an open bracket tell in what it stands. Source of the words: observed behaviour of
mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final, TypeAlias

from fathom.syntax.events import Showing
from fathom.syntax.lexer import Token
from fathom.syntax.nodes import Leaf, Node

_WHAT: Final = {
    "type": "expected non-function type",
    "plain_type": "expected non-function type",
    "type_parens": "expected '(' to begin a type list",
    "function_type": "expected function type",
    "attribute": "expected attribute value",
    "literal": "expected attribute value",
    "number": "expected integer value",
    "string": "expected string",
    "attr_dict": "expected '{' in attribute dictionary",
    "properties": "expected '<'",
    "symbol_ref": "expected symbol reference",
    "location": "expected location",
    "file_metadata": "expected '{-#'",
}
"""Where nothing of a fragment was read."""

_METADATA: Final = {
    "metadata_part": "expected identifier key in file metadata dictionary",
    "metadata_section": "expected identifier key for 'resource' entry",
    "metadata_entry": "expected identifier key for 'resource' entry",
    "FLOAT": "expected string value",
    "FILE_CLOSE": "expected ',' or '#-}'",
    "COMMA": "expected ',' or '}'",
}
"""Where one of these was possible in a file's metadata."""

_OPENERS: Final = {
    ("ARROW", "LPAR"): "expected '(' in affine map range",
    ("AFFINE_MAP", "LESS"): "expected '<' in affine map",
    ("AFFINE_SET", "LESS"): "expected '<' in integer set",
    ("LOC", "LPAR"): "expected '(' in location",
    ("CALLSITE", "LPAR"): "expected '(' in callsite location",
    ("FUSED", "LSQB"): "expected '[' in fused location",
    ("GREATER", "LSQB"): "expected '[' in fused location",
    **{(kind, "LESS"): f"expected '<' in {kind.lower()} type" for kind in ("MEMREF", "TENSOR", "TUPLE", "VECTOR")},
    ("COMPLEX", "LESS"): "expected '<' in complex type",
    ("STRIDED", "LESS"): "expected '<' after 'strided'",
    ("DENSE_RESOURCE", "LESS"): "expected '<' after 'dense_resource'",
    ("ARRAY", "LESS"): "expected '<' after 'array'",
    ("DISTINCT", "LSQB"): "expected '[' after 'distinct'",
}
"""Where a bracket had to open, by what stands before it."""

_CLOSERS: Final = {
    ("ARROW", "LPAR"): "expected ')' in affine map range",
    ("COLON", "LPAR"): "expected ')' in integer set constraint list",
    ("AFFINE_MAP", "LESS"): "expected '>' in affine map",
    ("AFFINE_SET", "LESS"): "expected '>' in integer set",
    ("LESS", "LPAR"): "expected ')' in dimensional identifier list",
    ("LOC", "LPAR"): "expected ')' in location",
    ("STRING", "LPAR"): "expected ')' after child location of NameLoc",
    ("CALLSITE", "LPAR"): "expected ')' in callsite location",
    ("FUSED", "LESS"): "expected '>' after fused location metadata",
    ("FUSED", "LSQB"): "expected ']' in fused location",
    ("GREATER", "LSQB"): "expected ']' in fused location",
    ("TUPLE", "LESS"): "expected '>' in tuple type",
    ("COMPLEX", "LESS"): "expected '>' in complex type",
    ("ARRAY", "LESS"): "expected '>' to close an array attribute",
    ("DISTINCT", "LSQB"): "expected ']' to close distinct ID",
    ("RSQB", "LESS"): "expected '>' to close distinct attribute",
    ("affine_dims", "LSQB"): "expected ']' in symbol list",
}
"""Where a bracket had to close, by what stands before it, and the bracket."""

_NUMBERS: Final = {
    ("TO",): "expected either integer or `:` post `to` in FileLineColRange",
    ("STRING", "COLON"): "expected integer line number in FileLineColRange",
    ("INTEGER", "COLON"): "expected integer column number in FileLineColRange",
    ("HEX", "COLON"): "expected integer column number in FileLineColRange",
    ("DISTINCT", "LSQB"): "expected distinct ID",
}
"""Where a number had to stand, by what stands before it."""

Stack: TypeAlias = Sequence[Leaf | Node | list[Leaf | Node]]

_BRACKETS: Final = {"LPAR": "RPAR", "LSQB": "RSQB", "LESS": "GREATER", "LBRACE": "RBRACE"}
_TEXTS: Final = {"LPAR": "(", "LSQB": "[", "LESS": "<", "LBRACE": "{"}
_OPAQUE: Final = frozenset({"EXCLAIM", "HASH", "DIALECT_HASH"})
_ENDS: Final = frozenset(_BRACKETS.values())
_AFFINE: Final = frozenset({"AFFINE_MAP", "AFFINE_SET", "affine_dims", "affine_parameters"})
_BINARY: Final = frozenset({"PLUS", "STAR", "FLOORDIV", "CEILDIV", "MOD"})
_BEFORE_UNARY: Final = _BINARY | {"LPAR", "COMMA", "MINUS", "GE", "EQ", "EQUAL"}
"""What stands before a minus that negates."""
_ELEMENTS: Final = frozenset({"DENSE", "SPARSE"})
_LISTS: Final = frozenset({"FUSED", "GREATER", "DISTINCT", "affine_dims"})
"""What stands before a list that is none of attributes."""
_SHAPED: Final = frozenset({"TENSOR", "MEMREF", "VECTOR"})
_WITHIN: Final = {"ARROW": _AFFINE, "GREATER": frozenset({"FUSED"})}
"""What has to be around some of those that stand before a bracket that had to open."""
_LOCATIONS: Final = frozenset({"CALLSITE", "FUSED", "UNKNOWN"})


_BEHIND: Final = ("expected ", "unexpected ssa identifier", "use of undeclared identifier")
_AT: Final = (
    "expected affine expression",
    "expected element literal",
    "expected identifier key",
    "expected three",
    "expected a 64-bit",
    "expected '== affine-expr'",
)


_PAST: Final = ("@ identifier expected to start with letter or '_'", "expected three consecutive dots for an ellipsis")
"""What MLIR says of the place behind the token itself."""


def showing(message: str) -> Showing:
    """Where MLIR shows a message: at the token that does not fit, behind the one before, or where that token ends."""
    if message in _PAST:
        return "past"
    return "behind" if message.startswith(_BEHIND) and not message.startswith(_AT) else "at"


NO_NEGATED_OPERAND: Final = "missing operand of negation"
"""What MLIR says besides of a mistake in the operand of a negation in an affine expression, for each one around it."""


def mistake(
    start: str, expected: Collection[str], stack: Stack, token: Token, spellings: Mapping[str, str]
) -> tuple[str, int | None, tuple[str, ...]]:
    """What MLIR says, the token that it blames if that is not the one at which the grammar could not go on, and what it
    says besides.

    `stack` is what was read, from the parser's stack; the rest is as for `expectation`.
    """
    symbols = [_symbol(value) for value in stack]
    if (undeclared := _undeclared(stack)) is not None:
        place, name = undeclared
        return "use of undeclared identifier", name.ref, _of_negations(stack[: place + 1], symbols[:place], name)
    if (number := _too_large(stack, symbols)) is not None:
        return "expected an unsigned 64-bit integer", number.ref + 1, ()
    if (element := _element_of_array(stack, symbols, expected)) is not None:
        is_float = element.kind == "type" and str(next(element.all_leaves())).startswith(("f", "b", "t"))
        return f"expected {'floating point' if is_float else 'integer'} literal", None, ()
    if symbols[-1:] == ["DIALECT_HASH"]:
        # It may end there: what lacks something is the list around it.
        symbols[-1] = "hash_attr"
        around = _innermost(symbols)
        expected = ["COMMA", _BRACKETS[symbols[around]]] if around is not None and symbols[around] in _BRACKETS else ()
    message = expectation(start, expected, symbols, token, spellings)
    if not message.startswith("unbalanced "):
        return message, None, _of_negations(stack, symbols)
    body = next(index for index in range(1, len(symbols)) if _opens_body(symbols, index))
    bracket = stack[body]
    return message, bracket.ref if isinstance(bracket, Leaf) else None, ()


def _of_negations(stack: Stack, symbols: Sequence[str], name: Leaf | None = None) -> tuple[str, ...]:
    """What is said besides of a mistake behind what was read, `symbols`, or in the `name` at the end of the stack."""
    if "affine_parameters" not in symbols:
        return ()
    count, closed = 0, 0
    for index in range(len(symbols) - 1, 0, -1):
        if symbols[index] == "RPAR":
            closed += 1
        elif symbols[index] == "LPAR":
            closed -= closed > 0
        following = symbols[index + 1 : index + 2]
        is_unary = symbols[index] == "MINUS" and symbols[index - 1] in _BEFORE_UNARY
        if is_unary and not closed and following in ([], ["LPAR"], ["MINUS"]):
            count += 1
    if name is not None:
        tree = stack[-1]
        count += sum(
            node.kind == "affine_negation" and node.start <= name.ref < node.end
            for root in (tree if isinstance(tree, list) else [tree])
            if isinstance(root, Node)
            for node in root.walk()
        )
    return (NO_NEGATED_OPERAND,) * count


def _too_large(stack: Stack, symbols: Sequence[str]) -> Leaf | None:
    """The number of a distinct attribute, if it has more than 64 bits: MLIR looks at it before it reads on."""
    for index in range(2, len(symbols)):
        number = stack[index]
        if symbols[index - 2 : index] == ["DISTINCT", "LSQB"] and isinstance(number, Leaf):
            return number if number.type in ("INTEGER", "HEX") and exceeds_64_bits(number) else None
    return None


def exceeds_64_bits(number: str) -> bool:
    """Whether an integer literal is one of more than 64 bits."""
    digits = number.removeprefix("0x").lstrip("0")
    # So many digits are more than 64 bits hold, whatever their value.
    return len(digits) > (16 if number.startswith("0x") else 20) or integer_of(number) >= 2**64


def integer_of(number: str) -> int:
    """The value of an integer literal, which does not exceed 64 bits by much."""
    digits = number.removeprefix("0x").lstrip("0") or "0"
    return int(digits, 16 if number.startswith("0x") else 10)


def _symbol(value: Leaf | Node | list[Leaf | Node]) -> str:
    """The name of something on the parser's stack; a list of what an inlined rule read has none."""
    return value.type if isinstance(value, Leaf) else value.kind if isinstance(value, Node) else ""


def _element_of_array(stack: Stack, symbols: Sequence[str], expected: Collection[str]) -> Node | None:
    """The type of the elements of a dense array, where the last thing on the stack wants a number after it."""
    if "INTEGER" not in expected or "ARRAY" not in symbols or symbols[-1] not in ("COLON", "COMMA", "MINUS"):
        return None
    start = len(symbols) - 1 - symbols[::-1].index("ARRAY")
    type = stack[start + 2] if len(stack) > start + 3 else None
    return type if isinstance(type, Node) and symbols[start + 3] == "COLON" else None


def _opens_body(symbols: Sequence[str], index: int) -> bool:
    """Whether the text of a dialect's own type or attribute begins here."""
    return symbols[index] == "LESS" and symbols[index - 1] in _OPAQUE


def _undeclared(stack: Stack) -> tuple[int, Leaf] | None:
    """The first identifier of an affine expression on the stack that its map or set does not declare, and where on the
    stack it is: MLIR looks each up as it reads it."""
    declared: set[str] | None = None
    for index, symbol in enumerate(stack):
        if isinstance(symbol, Node) and symbol.kind == "affine_parameters":
            declared = {str(leaf) for leaf in symbol.all_leaves() if leaf.type == "BARE"}
        elif declared is not None:
            for value in symbol if isinstance(symbol, list) else [symbol]:
                for leaf in [value] if isinstance(value, Leaf) else value.all_leaves():
                    if leaf.type == "BARE" and leaf not in declared:
                        return index, leaf
    return None


def expectation(
    start: str,
    expected: Collection[str],
    stack: list[str],
    token: Token,
    spellings: Mapping[str, str],
) -> str:
    """What MLIR says of `token`, where a fragment of kind `start` goes wrong.

    `expected` are the terminals that were possible, `stack` the terminals and nodes that were read, and `spellings` has
    the text of those terminals that have one.
    """
    if not stack:
        return _WHAT.get(start, f"expected {start.replace('_', ' ')}")
    words = set(expected)
    if start == "file_metadata":
        of_word = next((message for word, message in _METADATA.items() if word in words), None)
        if of_word is not None:
            return of_word
    if token.text == "[" and stack[-1] in ("LESS", "DIMS") and "VECTOR" in stack[-3:]:
        return "missing ']' closing scalable dimension"
    if start == "properties" and "GREATER" in words and _innermost(stack) == 0:
        return "expected '>' to close properties"
    is_extent = token.kind == "INTEGER" or (token.text == "?" and "VECTOR" not in stack[-3:])
    if is_extent and stack[-1] in ("LESS", "DIMS") and not _SHAPED.isdisjoint(stack[-3:]) and "SIMPLE_TYPE" in words:
        return "expected 'x' in dimension list"
    if token.text == ">" and stack[-1] == "COMMA" and "MEMREF" in stack and "SIMPLE_TYPE" in words:
        return "expected list element"
    return (
        _of_elements(start, stack, words)
        or _of_affine(stack, words, token)
        or _of_location(stack, words)
        or _of_bracket(stack, words)
        or _of_terminals(start, words, spellings)
    )


def _of_elements(start: str, stack: list[str], words: set[str]) -> str | None:
    """In the elements of an attribute, or in a list of attributes."""
    if words == {"SYMBOL"}:
        return "expected nested symbol reference identifier"
    bracket = _innermost(stack)
    before = stack[bracket - 1] if bracket else ""
    in_elements = not _ELEMENTS.isdisjoint(stack) and "SIMPLE_TYPE" not in words
    if stack[-1] == "MINUS" and words == {"INTEGER", "FLOAT", "HEX"} and before != "ARRAY":
        return f"expected {'integer' if in_elements else 'constant integer'} or floating point " + (
            "literal" if in_elements else "value"
        )
    if bracket is None:
        return None
    if in_elements and stack[bracket] == "LPAR":
        if "COMMA" in words:
            return "expected ',' between complex elements"
        return (
            "expected ')' after complex elements" if "RPAR" in words else "expected element literal of primitive type"
        )
    is_list = stack[bracket] == "LSQB" and not in_elements and before not in _LISTS and start != "array"
    if is_list and {"COMMA", "RSQB"} <= words and stack[bracket - 2 : bracket] != ["STRIDED", "LESS"]:
        return "expected ',' or ']'"
    return None


def _of_affine(stack: list[str], words: set[str], token: Token) -> str | None:
    """In an affine map or integer set, where an operand had to stand, or an identifier."""
    if words == {"RPAR", "BARE"} or words == {"RSQB", "BARE"} or words == {"BARE"}:
        return "expected bare identifier" if "affine_dims" in stack or stack[-1] in ("LPAR", "COMMA") else None
    is_affine = bool(_AFFINE & {*stack})
    if is_affine and {"ARROW", "COLON"} <= words and stack[-1] in ("RPAR", "RSQB", "affine_dims", "affine_parameters"):
        return "expected '->' or ':'"
    if "affine_parameters" not in stack:
        return None
    is_half_read = words == {"EQUAL"} and stack[-1] in ("GREATER", "EQUAL", "LESS")
    if is_half_read or ({"GE", "EQ"} <= words and _is_half_a_constraint(stack)):
        return "expected '== affine-expr' or '>= affine-expr' at end of affine constraint"
    if not {"MINUS", "INTEGER", "LPAR"} <= words or stack[-1] == "affine_parameters":
        return None
    if token.kind == "VALUE":
        return "unexpected ssa identifier"
    if token.text in ("floordiv", "ceildiv", "mod"):
        return "use of undeclared identifier"
    before = next(symbol for symbol in reversed(stack) if symbol != "MINUS")
    has_left = before in _BINARY or (stack[-1] == "MINUS" and before not in _BEFORE_UNARY)
    if stack[-1] == "LPAR" and stack[-2] not in ("ARROW", "COLON") and token.text == ")":
        return "no expression inside parentheses"
    if has_left:
        return "missing right operand of binary operator"
    return "missing left operand of binary operator" if token.text in ("+", "*") else "expected affine expression"


def _is_half_a_constraint(stack: list[str]) -> bool:
    """Whether the left side of a constraint of an integer set was read, and no more."""
    bracket = _innermost(stack)
    if bracket is None or stack[bracket - 1] != "COLON":
        return False
    last = max((index for index, symbol in enumerate(stack) if symbol == "COMMA"), default=bracket)
    return not {"GE", "EQ", "EQUAL"} & {*stack[max(last, bracket) :]}


def _of_location(stack: list[str], words: set[str]) -> str | None:
    """In a location, where one had to stand."""
    if words >= _LOCATIONS and "SIMPLE_TYPE" not in words:
        return "expected location instance"
    bracket = _innermost(stack)
    if bracket is not None and stack[bracket - 1] == "CALLSITE" and "AT" not in stack[bracket:]:
        return "expected 'at' in callsite location"
    for before, message in _NUMBERS.items():
        if tuple(stack[-len(before) :]) == before and "INTEGER" in words:
            return message
    return None


def _of_bracket(stack: list[str], words: set[str]) -> str | None:
    """Where a bracket of something that has a name had to open or close."""
    if stack[-4:-1] == ["DISTINCT", "LSQB", "INTEGER"] and stack[-1] == "RSQB":
        return "expected '<' after distinct ID"
    if stack[-2:] == ["RSQB", "LESS"] and "SIMPLE_TYPE" in words:
        return "expected attribute value"
    if stack[-3:] == ["ARRAY", "LESS", "type"]:
        return "expected ':' after dense array type"
    for (before, bracket), message in _OPENERS.items():
        if stack[-1] == before and bracket in words and (before not in _WITHIN or _WITHIN[before] & {*stack}):
            return message
    if len(stack) > 1 and stack[-1] == "LESS" and stack[-2] in _AFFINE:
        return "expected '(' in dimensional identifier list"
    if stack[-2:] == ["affine_parameters", "COLON"]:
        return "expected '(' in integer set constraint list"
    if stack[-1] == "COMMA" and "OFFSET" in words:
        return "expected 'offset' after comma"
    if stack[-1] == "OFFSET":
        return "expected ':' after 'offset'"
    if "extent" in words:
        return "expected a 64-bit signed integer or '?'"
    is_open = _innermost(stack)
    if is_open is not None and any(_opens_body(stack, index) for index in range(1, is_open + 1)):
        return f"unbalanced '{_TEXTS[stack[is_open]]}' character in pretty dialect name"
    if is_open is None or is_open < 1 or _BRACKETS[stack[is_open]] not in words:
        return None
    before = stack[is_open - 1]
    if before in _SHAPED and "SIMPLE_TYPE" not in words:
        return _end_of_shaped(before, stack[is_open:])
    return _CLOSERS.get((before, stack[is_open])) if before != "ARROW" or _AFFINE & {*stack} else None


def _end_of_shaped(kind: str, inside: list[str]) -> str:
    """Where the bracket of a tensor, memref or vector had to close. Behind a comma a memref is in a list, which stands
    without a name on the stack when an attribute was read, as the extents do behind the bracket that opens."""
    if kind != "MEMREF":
        return f"expected '>' in {kind.lower()} type"
    return "expected ',' or '>'" + ("" if {"", "COMMA"} & {*inside[2:]} else " in memref type")


def _innermost(stack: list[str]) -> int | None:
    """The place of the innermost bracket that is open."""
    depth = 0
    for index in range(len(stack) - 1, -1, -1):
        if stack[index] in _ENDS:
            depth += 1
        elif stack[index] in _BRACKETS:
            if depth == 0:
                return index
            depth -= 1
    return None


def _of_terminals(start: str, words: set[str], spellings: Mapping[str, str]) -> str:
    """By what was possible alone."""
    if words == {"ARROW"} or (start == "function_type" and "ARROW" in words and not words & _ENDS):
        return "expected '->' in function type"
    if "dense_list" in words:
        return "expected element literal of primitive type"
    if "SIMPLE_TYPE" in words and "STRING" not in words:
        return "expected non-function type"
    if "SIMPLE_TYPE" in words:
        return "expected attribute value"
    if {"BARE", "STRING"} <= words and words <= {"BARE", "STRING", "RBRACE", "entry"}:
        return "expected attribute name"
    if "RBRACE" in words and words <= {"RBRACE", "COMMA", "EQUAL", "COLON", "LESS", "DOUBLE_COLON", "ARROW"}:
        return "expected '}' in attribute dictionary"
    for terminal in ("GREATER", "RPAR", "RSQB", "COLON", "ARROW", "LESS", "LPAR", "LSQB"):
        if terminal in words:
            return f"expected '{spellings[terminal]}'"
    if len(words) == 1:
        (word,) = words
        return f"expected '{spellings[word]}'" if word in spellings else f"expected {word.lower()}"
    return "unexpected text in " + start.replace("_", " ")
