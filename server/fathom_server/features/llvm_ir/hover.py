"""Hover in a `.ll` file: what a name, a word or a number is."""

from __future__ import annotations

import struct
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Final

from fathom.llvmir.spelling import unescape_bytes
from fathom.text.beginnings import beginning, shortened
from fathom_server.features.hover import LONGEST_LINE, MOST_LINES, Hover
from fathom_server.features.hover.texts import Said
from fathom_server.features.llvm_ir.attribute_words import ACCESS, ATTRIBUTES, CAPTURES, FLOATS, MEMORY
from fathom_server.features.llvm_ir.attributes import attribute_lines
from fathom_server.features.llvm_ir.words import FLAGS, FLOAT_PREDICATES, MEANINGS, OPERATIONS, PREDICATES
from fathom_server.model.llvm_ir.debug_info import meaning_of
from fathom_server.model.llvm_ir.meaning import Meant, Spot, meant_at, spot_at
from fathom_server.model.llvm_ir.names import Argument
from fathom_server.model.llvm_ir.snapshot import LlvmSnapshot
from fathom_server.model.llvm_ir.tokens import Kind, Token, tokens_in
from fathom_server.model.llvm_ir.types import matching, type_end, type_of
from fathom_server.model.llvm_ir.units import Unit, UnitKind

LONGEST: Final = 600
"""So many characters of a definition are shown."""
MOST_TOKENS: Final = 2_000
MOST_SHOWN: Final = 32
"""So many blocks are named."""


def hover(snapshot: LlvmSnapshot, offset: int) -> Hover | None:
    """What to say about an offset; None where there is nothing to say."""
    spot = spot_at(snapshot, offset)
    if spot is None:
        return None
    meant = meant_at(snapshot, spot)
    said = _of_name(snapshot, meant) if meant is not None else _of_token(snapshot, spot)
    return Hover(shortened(said.text, LONGEST_LINE, MOST_LINES), spot.start, spot.end) if said is not None else None


def _fence(text: str) -> str:
    return f"```llvm\n{beginning(text, LONGEST)}\n```"


# ---- names


def _of_name(snapshot: LlvmSnapshot, meant: Meant) -> Said | None:
    if meant.function is not None:
        return _of_local(snapshot, meant.function, meant.key)
    unit = snapshot.unit_of(meant.key)
    if unit is None:
        return Said([_fence(meant.key), "nothing in this file defines it"]) if meant.key[0] != "!" else None
    return _UNITS[unit.kind](snapshot, unit)


def _of_local(snapshot: LlvmSnapshot, unit: Unit, key: str) -> Said | None:
    """An argument, a block, or the result of an instruction."""
    names = unit.names
    argument = next((argument for argument in names.arguments if argument.key == key), None)
    if argument is not None:
        return _of_argument(snapshot, unit, argument)
    number = next((number for number, (name, _) in enumerate(names.labels) if name == key), None)
    if number is not None:
        return _of_block(unit, number)
    definition = names.definition(key)
    if definition is None:
        return Said([_fence(key), f"nothing in `{unit.key}` defines it"])
    tokens = list(islice(tokens_in(unit.text, definition.start), MOST_TOKENS))
    type_, line = type_of(snapshot, unit, key), unit.line(unit.line_number(definition.start)).strip()
    shown = _fence(f"{key} : {type_}" if type_ else key)
    return Said([shown, *_operation(tokens[2:]), _in_dialect(snapshot, unit, definition.start)], [_fence(line)])


def _in_dialect(snapshot: LlvmSnapshot, unit: Unit, offset: int) -> str:
    """What became of an instruction in the LLVM dialect, if that is known."""
    line = snapshot.imported.line_of(unit, offset) if snapshot.imported is not None else ""
    return f"LLVM dialect:\n\n```mlir\n{beginning(line, LONGEST)}\n```" if line else ""


def _operation(tokens: list[Token]) -> Iterator[str]:
    """What the operation is that is the first word, and its flags."""
    for number, token in enumerate(tokens):
        if token.text in OPERATIONS:
            lines = [f"`{token.text}`: {OPERATIONS[token.text]}"]
            for flag in tokens[number + 1 :]:
                if flag.kind is not Kind.WORD:
                    break
                said = (FLOAT_PREDICATES if token.text == "fcmp" else PREDICATES).get(flag.text)
                if token.text in ("fcmp", "icmp") and said:
                    lines.append(f"- `{flag.text}`: {said}")
                elif flag.text in FLAGS:
                    lines.append(f"- `{flag.text}`: {FLAGS[flag.text]}")
            yield "\n".join(lines)
            return
        if token.kind is not Kind.WORD:
            return


def _of_argument(snapshot: LlvmSnapshot, unit: Unit, argument: Argument) -> Said:
    number = unit.names.arguments.index(argument)
    tokens = argument.tokens[type_end(argument.tokens, 0) :]
    return Said(
        [
            _fence(f"{argument.key} : {type_of(snapshot, unit, argument.key)}"),
            f"argument #{number} of `{unit.key}`",
            "\n".join(attribute_lines(tokens)),
        ]
    )


def _of_block(unit: Unit, number: int) -> Said:
    """A block, with those from which control comes and to which it goes."""
    labels = unit.names.labels
    starts = [mention.start for _, mention in labels]
    key, mention = labels[number]
    end = starts[number + 1] if number + 1 < len(labels) else unit.end
    before: dict[str, None] = {}
    for use in unit.names.mentions[key]:
        if not use.is_definition and _is_target(unit.text, use.start):
            before[labels[max(bisect_right(starts, use.start) - 1, 0)][0]] = None
    after: dict[str, None] = {}
    for other, uses in unit.names.mentions.items():
        if any(mention.start < use.start < end and _is_target(unit.text, use.start) for use in uses):
            after[other] = None
    return Said(
        [
            _fence(f"label {key}"),
            f"block of `{unit.key}`" + (", the first one" if number == 0 else ""),
            _listed("predecessors", before),
            _listed("successors", after),
        ]
    )


def _is_target(text: str, start: int) -> bool:
    return text[max(start - 6, 0) : start].rstrip().endswith("label")


def _listed(title: str, keys: Mapping[str, None]) -> str:
    shown = ", ".join(f"`{key}`" for key in islice(keys, MOST_SHOWN))
    return f"{title}: {shown}{' …' if len(keys) > MOST_SHOWN else ''}" if keys else ""


# ---- what the module knows


def _of_function(snapshot: LlvmSnapshot, unit: Unit) -> Said:
    """The header, with the attributes of the function, those of its groups among them."""
    header = unit.text[: unit.names.body].rstrip().removesuffix("{").rstrip()
    if unit.kind is UnitKind.DECLARATION:
        header = unit.text[: unit.end]
    tokens = [token for token in islice(tokens_in(header), MOST_TOKENS) if token.kind is not Kind.COMMENT]
    name = next((number for number, token in enumerate(tokens) if token.kind is Kind.GLOBAL), len(tokens))
    own = tokens[matching(tokens, name + 1) :]
    lines = [*_words(tokens[1:name]), *attribute_lines(own)]
    for token in own:
        group = snapshot.unit_of(token.text) if token.kind is Kind.GROUP else None
        lines += _group_lines(group) if group is not None else ()
    debug = [meaning for token in own if (meaning := meaning_of(snapshot, token.text)) and token.text != "!dbg"]
    return Said([_fence(" ".join(header.split())), "\n".join(dict.fromkeys(lines))], debug)


def _words(tokens: list[Token]) -> Iterator[str]:
    """What the words before a name say."""
    for token in tokens:
        if token.kind is Kind.WORD and token.text not in ATTRIBUTES and (meaning := MEANINGS.get(token.text)):
            yield f"- `{token.text}`: {meaning}"


def _group_lines(unit: Unit) -> Iterator[str]:
    tokens = [token for token in islice(tokens_in(unit.text), MOST_TOKENS) if token.kind is not Kind.COMMENT]
    return attribute_lines(tokens[4:])


def _of_group(_snapshot: LlvmSnapshot, unit: Unit) -> Said:
    return Said([_fence(f"attributes {unit.key}"), "\n".join(_group_lines(unit))])


def _of_unit(_snapshot: LlvmSnapshot, unit: Unit) -> Said:
    """What is shown as it stands, with the words that it has."""
    text = unit.text[: unit.end]
    return Said([_fence(text), "\n".join(dict.fromkeys(_words(list(islice(tokens_in(text), 24)))))])


def _of_metadata(snapshot: LlvmSnapshot, unit: Unit) -> Said:
    return Said([meaning_of(snapshot, unit.key), _fence(unit.text[: unit.end])])


_UNITS: Final[Mapping[UnitKind, Callable[[LlvmSnapshot, Unit], Said]]] = {
    UnitKind.FUNCTION: _of_function,
    UnitKind.DECLARATION: _of_function,
    UnitKind.GLOBAL: _of_unit,
    UnitKind.TYPE: _of_unit,
    UnitKind.COMDAT: _of_unit,
    UnitKind.METADATA: _of_metadata,
    UnitKind.GROUP: _of_group,
    UnitKind.SUMMARY: _of_unit,
    UnitKind.OTHER: _of_unit,
}


# ---- words and literals

_FLOATS: Final = {"": (16, ">d"), "H": (4, ">e")}
"""The floats that are written by their bits: how many digits, and what they are."""
_RECORDS: Final = {
    "#dbg_value": "from here on the variable has this value",
    "#dbg_declare": "the variable lies at this address",
    "#dbg_declare_value": "the variable has this value wherever it is known",
    "#dbg_assign": "an assignment to the variable, and the store that does it",
    "#dbg_label": "a label of the source stands here",
}


def _of_token(snapshot: LlvmSnapshot, spot: Spot) -> Said | None:
    token = spot.token
    match token.kind:
        case Kind.WORD | Kind.LABEL:
            meaning = _of_word(snapshot, spot, token.text.removesuffix(":"))
            return Said([meaning]) if meaning else None
        case Kind.RECORD:
            return Said([f"`{token.text}`: {_RECORDS[token.text]}"]) if token.text in _RECORDS else None
        case Kind.NUMBER:
            return _of_number(token.text)
        case Kind.STRING if token.text.startswith("c"):
            count = len(unescape_bytes(token.text[2:].removesuffix('"')))
            return Said([f"{count} bytes"])
        case _:
            return None


def _of_word(snapshot: LlvmSnapshot, spot: Spot, word: str) -> str:
    """What a word means where it stands; empty if that is not known."""
    words = [token.text for token in spot.tokens]
    before = words[: spot.index]
    if spot.after() == ":" or spot.token.kind is Kind.LABEL:
        return f"`{word}`: {MEMORY[word]}" if word in MEMORY else ""
    if spot.before() == "(" or spot.before().endswith(":") or spot.before() == ",":
        opener = next((words[number - 1] for number in range(spot.index, 0, -1) if words[number] == "("), "")
        inside = {"memory": ACCESS, "captures": CAPTURES, "nofpclass": FLOATS}.get(opener, {})
        if word in inside:
            return f"`{word}`: {inside[word]}"
    for operation, predicates in (("icmp", PREDICATES), ("fcmp", FLOAT_PREDICATES)):
        if operation in before and word in predicates and spot.before() != ",":
            return f"`{word}`: {predicates[word]}"
    if word in OPERATIONS and spot.unit.kind is not UnitKind.GROUP:
        became = _in_dialect(snapshot, spot.unit, spot.token.start)
        return "\n\n".join(filter(None, [*_operation(list(spot.tokens[spot.index :])), became]))
    if word in ATTRIBUTES and not (word == "align" and _is_in_instruction(before)):
        return "\n".join(islice(attribute_lines(spot.tokens[spot.index :]), 1)).removeprefix("- ")
    meaning = MEANINGS.get(word)
    return f"`{word}`: {meaning}" if meaning else ""


def _is_in_instruction(before: list[str]) -> bool:
    """Whether what comes behind is about the memory of an instruction."""
    return before[-1:] == [","]


def _of_number(text: str) -> Said | None:
    """A float that is written by its bits."""
    if not text.startswith("0x"):
        return None
    digits = text[2:].lstrip("HKLMR")
    count, form = _FLOATS.get(text[2 : len(text) - len(digits)], (0, ""))
    if len(digits) > count or not form:
        return None
    (value,) = struct.unpack(form, bytes.fromhex(digits.zfill(count)))
    return Said([f"`{text}` = {value}"])
