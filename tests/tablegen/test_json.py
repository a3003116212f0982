"""Records to JSON and back: the form of `llvm-tblgen --dump-json`."""

from __future__ import annotations

import json

import pytest

from fathom.tablegen.json import NotRecords, read_json, write_json
from fathom.tablegen.records import Bits, Code, Dag, Location, Record, Records, Ref, Unresolved

FRUIT = Record(
    "apple",
    ("Thing", "Fruit"),
    {
        "colour": "red",
        "none": None,
        "ripe": True,
        "weight": 7,
        "mask": Bits((True, False, None, Unresolved("varbit", "x{3}", "x", 3))),
        "parts": ("core", ("seed",), Ref("pip")),
        "recipe": Dag(Ref("bake"), (Ref("apple"), None, Code("x")), ("a", "b", None), "how"),
        "later": Unresolved("var", "size", "size"),
        "sum": Unresolved("complex", "!add(size, 1)"),
    },
    locations=(Location("/some/folder/fruit.td", 12, 5),),
    non_concrete=("colour",),
)
BASKET = Records({"apple": FRUIT}, ("Fruit", "Thing", "Tool"))

TEXT = (
    '{"!instanceof":{"Fruit":["apple"],"Thing":["apple"],"Tool":[]},"!tablegen_json_version":1,'
    '"apple":{"!anonymous":false,"!fields":["colour"],"!locs":["fruit.td:12"],"!name":"apple",'
    '"!superclasses":["Thing","Fruit"],"colour":"red",'
    '"later":{"kind":"var","printable":"size","var":"size"},'
    '"mask":[1,0,null,{"index":3,"kind":"varbit","printable":"x{3}","var":"x"}],'
    '"none":null,"parts":["core",["seed"],{"def":"pip","kind":"def","printable":"pip"}],'
    '"recipe":{"args":[[{"def":"apple","kind":"def","printable":"apple"},"a"],[null,"b"],["x",null]],"kind":"dag",'
    '"name":"how","operator":{"def":"bake","kind":"def","printable":"bake"},'
    '"printable":"(bake:$how apple:$a, ?:$b, [{x}])"},'
    '"ripe":1,"sum":{"kind":"complex","printable":"!add(size, 1)"},"weight":7}}\n'
)


def test_records_are_written_in_the_form_of_llvm_tblgen() -> None:
    assert write_json(BASKET) == TEXT


def test_what_is_read_is_what_was_written() -> None:
    read = read_json(TEXT)
    assert write_json(read) == TEXT.replace("[{x}]", '\\"x\\"')  # Only its place in a text tells code from a string.
    apple = read["apple"]
    assert apple.location == Location("fruit.td", 12)
    assert apple.is_a("Thing") and not apple.is_a("Tool")
    assert [instance.name for instance in read.instances_of("Fruit")] == ["apple"]
    assert read.instances_of("Tool") == read.instances_of("no class") == ()


def test_accessors_answer_for_a_field_of_another_type_as_for_none() -> None:
    assert FRUIT.string("colour") == "red"
    assert FRUIT.string("weight") is None
    assert FRUIT.string("no field") is None
    assert (FRUIT.integer("weight"), FRUIT.integer("ripe"), FRUIT.integer("mask")) == (7, 1, None)
    assert (FRUIT.bit("ripe"), FRUIT.bit("none"), FRUIT.bit("colour")) == (True, False, False)
    assert FRUIT.strings("parts") == ("core",)
    assert FRUIT.refs("parts") == ("pip",)
    assert FRUIT.list("colour") == ()
    assert FRUIT.dag("weight") is None
    recipe = FRUIT.dag("recipe")
    assert recipe is not None
    assert BASKET.resolve(recipe.arguments[0]) is FRUIT
    assert BASKET.resolve(recipe.operator) is None


def test_bits_are_a_number_if_each_is_known() -> None:
    assert Bits((False, True, True)).number == 6
    assert Bits((False, None)).number is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"!tablegen_json_version": 2, "!instanceof": {}}',
        '{"!tablegen_json_version": 1, "!instanceof": {}, "a": 1}',
        '{"!tablegen_json_version": 1, "!instanceof": {}, "a": {"!name": "a"}}',
        TEXT.replace('"weight":7', '"weight":7.5'),
        TEXT.replace('"kind":"dag"', '"kind":"bag"'),
        "[" * 100_000,
    ],
)
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(NotRecords):
        read_json(text)


def test_an_empty_file_has_no_records() -> None:
    empty = read_json('{"!instanceof":{},"!tablegen_json_version":1}')
    assert len(empty) == 0
    assert json.loads(write_json(empty)) == {"!instanceof": {}, "!tablegen_json_version": 1}
