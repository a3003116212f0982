"""A first description of a dialect that nobody has described, from how its operations are used.

What is certain of all uses goes into it: how many operands, results, regions and successors there are, the inherent
attributes, and a syntax where all uses are written alike. A person makes it stricter; until then it calls nothing a
mistake that was none. An operation that no definition could fit is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import chain, count
from typing import Final

from fathom.ir.attributes import Attribute, IntegerAttr, StringAttr, SymbolRefAttr, UnitAttr
from fathom.ir.custom_text import CUSTOM_TEXT, CustomText, Word
from fathom.ir.operation import Operation
from fathom.ir.types import I64, POISON
from fathom.irdl.needed_traits import needed_traits
from fathom.irdl.sections import Table, Value
from fathom.irdl.toml_text import toml_text
from fathom.records import field, record

PUNCTUATION: Final = frozenset((":", ",", "=", "<", ">", "(", ")", "[", "]", "->", "?", "+", "*"))
"""What may be a literal in a format besides words."""
BETWEEN: Final = frozenset(("->", "to", "into"))
"""What stands between the types of operands and those of results."""
OPENING: Final = frozenset("([{<")
CLOSING: Final = frozenset(")]}>")

_OF_GROUPS: Final = frozenset((CUSTOM_TEXT, "operandSegmentSizes", "resultSegmentSizes"))
"""Properties that are no attributes of an operation."""
_NAME: Final = re.compile(r"[A-Za-z_]\w*")
_WORD: Final = re.compile(r"[A-Za-z_][\w$]*")
_NUMBER: Final = re.compile(r"-?\d+")


@record
class _Operands:
    """Operands with commas between them: so many, from the `first` on."""

    first: int
    count: int


@record
class _Attribute:
    """An attribute, its name and constraint."""

    name: str
    constraint: str


@record(frozen=False)
class _Written:
    """How an operation is written: its parts in order, literals as they are; where among them a dictionary of
    attributes stands, if one does; and what a format says of the types behind, `same` if one type is that of all."""

    parts: list[str | _Operands | _Attribute] = field(default_factory=list["str | _Operands | _Attribute"])
    dictionary: int | None = None
    types: str = ""


def drafted(dialect: str, uses: Iterable[Operation], without_syntax: frozenset[str] = frozenset()) -> str:
    """The description of a dialect of which these are uses: the text of a file. `without_syntax` are the names of
    operations whose text is to be kept as it is written."""
    by_name: dict[str, list[Operation]] = {}
    for op in uses:
        by_name.setdefault(op.name.partition(".")[2], []).append(op)
    tables: dict[str, Table] = {}
    for name, ops in sorted(by_name.items()):
        traits = needed_traits(ops)
        if traits is not None:
            tables[name] = _table(ops, traits, has_syntax=name not in without_syntax)
    top: Table = {"dialect": dialect, "checked": "declared", "allow_unknown_operations": True}
    return toml_text(top, {"op": tables})


def _table(uses: Sequence[Operation], traits: Sequence[str], *, has_syntax: bool) -> Table:
    operands = _names("operand", {len(op.operands) for op in uses})
    results = _names("result", {len(op.results) for op in uses})
    regions = _names("region", {len(op.regions) for op in uses})
    successors = _names("successor", {len(op.successors) for op in uses})
    written = _common(uses, operands) if has_syntax and not regions and not successors else None
    if written is not None and written.types == "same" and (operands == ["operands"] or results == ["results"]):
        written = None  # Of none there is no type.
    attributes = [part for part in written.parts if isinstance(part, _Attribute)] if written is not None else []
    taken = {*operands, *results, *regions, *successors, *(attribute.name for attribute in attributes)}
    attributes += [attribute for attribute in _inherent(uses) if attribute.name not in taken]
    table: Table = {
        "operands": _entries(operands, "AnyType", "Variadic"),
        "results": _entries(results, "AnyType", "Variadic"),
        "attributes": [f"{attribute.name}: {attribute.constraint}" for attribute in attributes],
        "regions": _entries(regions, "AnyRegion", "VariadicRegion"),
        "successors": _entries(successors, "AnySuccessor", "VariadicSuccessor"),
    }
    if written is not None and written.types == "same":
        traits = [*traits, "SameOperandsAndResultType" if results else "SameTypeOperands"]
    table["traits"] = [*traits]
    if written is not None:
        table["syntax"] = _syntax(written, operands, results)
    else:
        table["opaque"] = True
    return {key: value for key, value in table.items() if value != []}


def _names(kind: str, counts: set[int]) -> list[str]:
    """The names of so many of a kind; one in the plural where there are not always as many."""
    if len(counts) > 1:
        return [f"{kind}s"]
    (number,) = counts
    return [kind] if number == 1 else [f"{kind}{index}" for index in range(number)]


def _entries(names: Sequence[str], constraint: str, variadic: str) -> list[Value]:
    return [f"{name}: {f'{variadic}<{constraint}>' if name.endswith('s') else constraint}" for name in names]


# ---- inherent attributes


def _inherent(uses: Sequence[Operation]) -> list[_Attribute]:
    """The attributes that uses in generic form have among their properties."""
    values_by_name: dict[str, list[Attribute]] = {}
    for op in uses:
        for name in op.properties:
            if name not in _OF_GROUPS and _NAME.fullmatch(name):
                values_by_name[name] = []
    for name, values in values_by_name.items():
        values += (value for op in uses if (value := _stated(op, name)) is not None)
    return [_Attribute(name, _constraint(values, len(uses))) for name, values in values_by_name.items()]


def _stated(op: Operation, name: str) -> Attribute | None:
    """What a use in generic form says of an attribute, in either place."""
    return op.properties.get(name) or op.attributes.get(name)


def _constraint(values: Sequence[Attribute], uses: int) -> str:
    """What the values of an attribute have in common, which not all uses need have."""
    kinds = {_kind(value) for value in values}
    (kind,) = kinds if len(kinds) == 1 else ("AnyAttr",)
    return kind if len(values) == uses or kind == "UnitAttr" else f"OptionalAttr<{kind}>"


def _kind(value: Attribute) -> str:
    """The constraint of a value, of those that a draft knows."""
    match value:
        case StringAttr():
            return "StrAttr"
        case SymbolRefAttr() if len(value.path) == 1:
            return "FlatSymbolRefAttr"
        case IntegerAttr() if value.type == I64:
            return "I64Attr"
        case UnitAttr():
            return "UnitAttr"
        case _:
            return "AnyAttr"


# ---- the syntax


def _common(uses: Sequence[Operation], operands: Sequence[str]) -> _Written | None:
    """How all uses are written that are not in the generic form; None where they differ, where it cannot be told, and
    where uses in the generic form would not fit."""
    common: _Written | None = None
    is_variadic = operands == ["operands"]
    for op in uses:
        text = op.properties.get(CUSTOM_TEXT)
        if not isinstance(text, CustomText):
            continue
        written = _written([word for _, word in text.words], op, is_variadic=is_variadic)
        if written is None:
            return None
        if common is None:
            common = written
        elif (common.parts, common.types) != (written.parts, written.types):
            return None
        elif common.dictionary is None:
            common.dictionary = written.dictionary
        elif written.dictionary not in (None, common.dictionary):
            return None
    return common if common is not None and all(_fits(common, op) for op in uses) else None


def _fits(written: _Written, op: Operation) -> bool:
    """Whether a use has all that goes with a way to write it, however it is written itself."""
    if written.types == "same":
        types = {value.type for value in (*op.operands, *op.results)} - {POISON}
        if len(types) > 1:
            return False
    if CUSTOM_TEXT in op.properties:
        return True
    attributes = ((part, _stated(op, part.name)) for part in written.parts if isinstance(part, _Attribute))
    return all(value is not None and _kind(value) == declared.constraint for declared, value in attributes)


def _written(words: Sequence[Word], op: Operation, *, is_variadic: bool) -> _Written | None:
    """How a use is written; None where a format may not say it."""
    made, index, depth = _Written(), 0, 0
    while index < len(words):
        word = words[index]
        if isinstance(word, tuple):
            after = _end_of_operands(words, index)
            number = (after - index + 1) // 2
            made.parts.append(_Operands(0, 0) if is_variadic else _Operands(word[1], number))
            index = after
            continue
        if not isinstance(word, str):
            return None  # what an alias stands for
        if word == ":" and not depth:
            types = _types(words[index + 1 :], op)
            if types is None:
                return None
            made.types = types
            break
        if word == "{":
            if made.dictionary is not None or depth:
                return None
            made.dictionary = len(made.parts)
            index = _closing(words, index) + 1
            continue
        part = _part(word, made.parts)
        if part is None:
            return None
        depth += (word in OPENING) - (word in CLOSING)
        made.parts.append(part)
        index += 1
    shown = [part for part in made.parts if isinstance(part, _Operands)]
    complete = len(shown) == 1 if is_variadic else sum(part.count for part in shown) == len(op.operands)
    has_types = bool(made.types) or not (op.operands or op.results)
    return made if complete and has_types else None


def _end_of_operands(words: Sequence[Word], first: int) -> int:
    """The index behind operands with commas between them."""
    index = first + 1
    while index + 1 < len(words) and words[index] == "," and isinstance(words[index + 1], tuple):
        index += 2
    return index


def _closing(words: Sequence[Word], first: int) -> int:
    """The index of the bracket that closes the one at `first`; of the last word if none does."""
    depth = 0
    for index in range(first, len(words)):
        depth += (words[index] in OPENING) - (words[index] in CLOSING)
        if not depth:
            return index
    return len(words) - 1


def _part(word: str, before: Sequence[object]) -> str | _Attribute | None:
    """What a word is in a format: a literal, or an attribute, which is called as the word before it."""
    if _WORD.fullmatch(word) or word in PUNCTUATION:
        return word
    if word.startswith('"'):
        constraint = "StrAttr"
    elif word.startswith("@"):
        constraint = "FlatSymbolRefAttr"
    elif _NUMBER.fullmatch(word):
        constraint = "I64Attr"
    else:
        return None
    taken = {part.name for part in before if isinstance(part, _Attribute)}
    last = before[-1] if before else None
    stem = last if isinstance(last, str) and _WORD.fullmatch(last) else "attribute"
    numbered = (f"{stem}{number}" for number in count(1))
    name = next(name for name in chain((stem,), numbered) if name not in taken)
    return _Attribute(name, constraint)


def _types(words: Sequence[Word], op: Operation) -> str | None:
    """What a format says of the types behind the colon; None where it may not say it."""
    if words and words[0] == "(":
        end = _closing(words, 0)
        is_functional = end + 1 < len(words) and words[end + 1] == "->"
        return "functional-type(operands, results)" if is_functional else None
    counts, between, depth = [1], "", 0
    for word in words:
        if word == "{" and not depth:
            return None
        depth += (word in OPENING) - (word in CLOSING)
        if depth or not isinstance(word, str):
            continue
        if word == ",":
            counts[-1] += 1
        elif word in BETWEEN:
            counts.append(1)
            between = word
    operands, results = len(op.operands), len(op.results)
    if not words:
        return None
    if counts == [operands, results]:
        return between
    if counts == [operands] and not results:
        return "operands"
    if counts == [results] and not operands:
        return "results"
    return "same" if counts == [1] else None


def _syntax(written: _Written, operands: Sequence[str], results: Sequence[str]) -> str:
    """The text of the format."""
    shown: list[str] = []
    for index, part in enumerate((*written.parts, None)):
        if index == (written.dictionary if written.dictionary is not None else len(written.parts)):
            shown.append("attr-dict")
        match part:
            case _Operands(first, number):
                names = operands if operands == ["operands"] else operands[first : first + number]
                shown.append(" `,` ".join(f"${name}" for name in names))
            case _Attribute(name):
                shown.append(f"${name}")
            case str():
                shown.append(f"`{part}`")
            case None:
                pass
    of_operands, of_results = (" `,` ".join(f"type(${name})" for name in names) for names in (operands, results))
    types = {
        "": "",
        "same": f"type(${(*results, *operands, '')[0]})",
        "operands": of_operands,
        "results": of_results,
        **{word: f"{of_operands} `{word}` {of_results}" for word in BETWEEN},
    }.get(written.types, written.types)
    return " ".join((*shown, *(("`:`", types) if types else ())))
