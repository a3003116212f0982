"""ODS's standard constraints on attributes, by name, as terms, each with the form in which a format shows it.

The summaries are what messages print: "attribute 'x' failed to satisfy constraint: {summary}". Source of names,
summaries and meanings: `mlir/IR/CommonAttrConstraints.td` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from fathom.ir import types as t
from fathom.irdl.constraint import AttributeConstraint, AttributeForm
from fathom.irdl.kinds import Kind
from fathom.irdl.measures import Among, Numbers, PowerOfTwo, Shape, Within
from fathom.irdl.parts import Each, Part
from fathom.irdl.scope import Arguments, Names
from fathom.irdl.terms import AllOf, AnyOf, Anything, Exactly, Not, Term
from fathom.records import replace

AttributeClass: TypeAlias = Callable[[Arguments], AttributeConstraint]
"""Makes a constraint of the arguments that follow its name."""


def kind(name: str, summary: str, form: AttributeForm = AttributeForm.ANY) -> AttributeConstraint:
    """Any attribute of a kind of `terms.KINDS`."""
    return AttributeConstraint(summary, Kind(name), form)


def number_of(type: t.Type, summary: str) -> AttributeConstraint:
    """An integer or float attribute of exactly this type, whose text is the number alone."""
    is_float = isinstance(type, t.FloatType)
    test = AllOf((Kind("float attribute" if is_float else "integer attribute"), Part("TypeOf", Exactly(type))))
    return AttributeConstraint(summary, test, AttributeForm.TYPED_LITERAL, type)


def dense_array(element: t.Type) -> AttributeConstraint:
    """`[1, 2]`, stored as `array<i64: 1, 2>`."""
    test = AllOf((Kind("dense array attribute"), Part("Element", Exactly(element))))
    return AttributeConstraint(f"{element} dense array attribute", test, AttributeForm.ARRAY, element)


def array_of(element: AttributeConstraint, summary: str) -> AttributeConstraint:
    """An array attribute whose elements all satisfy a constraint."""
    return AttributeConstraint(summary, AllOf((Kind("array attribute"), Each(element.term))))


def type_attribute(summary: str, type: Term | None = None) -> AttributeConstraint:
    """A type in the place of an attribute; the type satisfies a term, if one is given."""
    term: Term = Kind("type attribute")
    return AttributeConstraint(summary, AllOf((term, Part("TypeOf", type))) if type else term, AttributeForm.TYPE)


def elements_of(element: Term, summary: str, what: str = "dense integer elements attribute") -> AttributeConstraint:
    """Dense elements whose type satisfies a term."""
    return AttributeConstraint(summary, AllOf((Kind(what), Part("TypeOf", Part("Element", element)))))


def confined(base: AttributeConstraint, extra: Sequence[AttributeConstraint], summary: str = "") -> AttributeConstraint:
    """A constraint with further demands, whose summaries follow its own where none is given."""
    return replace(
        base,
        summary=summary or " ".join((base.summary, *(constraint.summary for constraint in extra))),
        test=AllOf((base.term, *(constraint.term for constraint in extra))),
        name="",
    )


def any_of(allowed: Sequence[AttributeConstraint], summary: str = "") -> AttributeConstraint:
    """One of several constraints; they are joined by "or" where no summary is given."""
    test = AnyOf(tuple(constraint.term for constraint in allowed))
    return AttributeConstraint(summary or " or ".join(constraint.summary for constraint in allowed), test)


def _demand(summary: str, test: Term) -> AttributeConstraint:
    """What `ConfinedAttr` adds to a constraint."""
    return AttributeConstraint(summary, test)


_SIGNS: Final = {"": "signless ", "s": "signed ", "u": "unsigned "}
_INTEGER: Final = Kind("integer attribute")


def _named() -> dict[str, AttributeConstraint]:
    bare = AttributeForm
    constraints = {
        "AnyAttr": AttributeConstraint("any attribute", Anything()),
        "BoolAttr": AttributeConstraint("bool attribute", Kind("bool attribute"), AttributeForm.TYPED_LITERAL, t.I1),
        "IndexAttr": number_of(t.INDEX, "index attribute"),
        "APIntAttr": kind("integer attribute", "arbitrary integer attribute"),
        "FloatAttr": kind("float attribute", "float attribute"),
        "F32Attr": number_of(t.F32, "32-bit float attribute"),
        "F64Attr": number_of(t.F64, "64-bit float attribute"),
        "StrAttr": AttributeConstraint(
            "string attribute", Kind("string attribute"), AttributeForm.TYPED_LITERAL, t.NONE
        ),
        "SymbolNameAttr": kind("string attribute", "string attribute", bare.SYMBOL_NAME),
        "TypeAttr": type_attribute("any type attribute"),
        "TypedAttrInterface": kind("typed attribute", "TypedAttr instance"),
        "UnitAttr": kind("unit attribute", "unit attribute", bare.UNIT),
        "DictionaryAttr": kind("dictionary attribute", "dictionary of named attribute values"),
        "ElementsAttr": kind("elements attribute", "constant vector/tensor attribute"),
        "DenseBoolArrayAttr": dense_array(t.I1),
        "DenseI8ArrayAttr": dense_array(t.I8),
        "DenseI16ArrayAttr": dense_array(t.I16),
        "DenseI32ArrayAttr": dense_array(t.I32),
        "DenseI64ArrayAttr": dense_array(t.I64),
        "DenseF32ArrayAttr": dense_array(t.F32),
        "DenseF64ArrayAttr": dense_array(t.F64),
        "IndexElementsAttr": elements_of(Kind("index"), "index elements attribute"),
        "AnyIntElementsAttr": kind("dense integer elements attribute", "integer elements attribute"),
        "StringElementsAttr": kind("dense string elements attribute", "string elements attribute"),
        "AffineMapAttr": kind("affine map attribute", "AffineMap attribute"),
        "IntegerSetAttr": kind("integer set attribute", "IntegerSet attribute"),
        "ArrayAttr": kind("array attribute", "array attribute"),
        "SymbolRefAttr": kind("symbol reference attribute", "symbol reference attribute"),
        "FlatSymbolRefAttr": kind("flat symbol reference attribute", "flat symbol reference attribute"),
        "IntNonNegative": _demand("whose value is non-negative", Within("value", 0)),
        "IntPositive": _demand("whose value is positive", Within("value", 1)),
        "IntPowerOf2": _demand("whose value is a power of two > 0", PowerOfTwo()),
        "IntPositivePowerOf2": _demand("whose value is positive and whose value is a power of two > 0", PowerOfTwo()),
    }
    for width in (1, 8, 16, 32, 64):
        within = AllOf((_INTEGER, Part("TypeOf", Within("bit width", width, width))))
        of_width = AttributeConstraint(f"{width}-bit integer attribute", within)
        constraints[f"AnyI{width}Attr"] = of_width
        for sign, word in _SIGNS.items():
            type = t.IntegerType(width, sign)
            constraints[f"{sign.upper()}I{width}Attr"] = number_of(type, f"{width}-bit {word}integer attribute")
    for width in (32, 64):
        any_width = Within("bit width", width, width)
        constraints[f"AnyI{width}ElementsAttr"] = elements_of(any_width, f"{width}-bit integer elements attribute")
        constraints[f"I{width}ElementsAttr"] = _signless_elements(width)
    constraints["F64ElementsAttr"] = _float_elements(64)
    arrays = {
        "AffineMap": ("AffineMapAttr", "AffineMap array attribute"),
        "Bool": ("BoolAttr", "1-bit boolean array attribute"),
        "I32": ("I32Attr", "32-bit integer array attribute"),
        "I64": ("I64Attr", "64-bit integer array attribute"),
        "I64SmallVector": ("I64Attr", "64-bit integer array attribute"),
        "F32": ("F32Attr", "32-bit float array attribute"),
        "F64": ("F64Attr", "64-bit float array attribute"),
        "Str": ("StrAttr", "string array attribute"),
        "Type": ("TypeAttr", "type array attribute"),
        "Dict": ("DictionaryAttr", "Array of dictionary attributes"),
        "SymbolRef": ("SymbolRefAttr", "symbol ref array attribute"),
        "FlatSymbolRef": ("FlatSymbolRefAttr", "flat symbol ref array attribute"),
    }
    for name, (element, summary) in arrays.items():
        constraints[f"{name}ArrayAttr"] = array_of(constraints[element], summary)
    constraints["IndexListArrayAttr"] = array_of(
        constraints["I64ArrayAttr"], "Array of 64-bit integer array attributes"
    )
    return {name: replace(constraint, name=name) for name, constraint in constraints.items()}


def _signless_elements(width: int) -> AttributeConstraint:
    return elements_of(Exactly(t.IntegerType(width)), f"{width}-bit signless integer elements attribute")


def _float_elements(width: int) -> AttributeConstraint:
    what = "dense float elements attribute"
    return elements_of(Exactly(t.FloatType(f"f{width}")), f"{width}-bit float elements attribute", what)


def _ranked(make: Callable[[int], AttributeConstraint], width: int, word: str) -> AttributeClass:
    """`RankedI32ElementsAttr<[2, 2]>` and the like."""

    def constraint(r: Arguments) -> AttributeConstraint:
        shape = r.integers(0)
        summary = f"{width}-bit {word} elements attribute of shape [{', '.join(map(str, shape))}]"
        return AttributeConstraint(summary, AllOf((make(width).term, Part("TypeOf", Shape(shape)))))

    return constraint


def _type_of(r: Arguments) -> AttributeConstraint:
    return type_attribute(f"type attribute of {r.type(0).summary}", r.type(0).term)


def _typed_string(r: Arguments) -> AttributeConstraint:
    test = AllOf((Kind("string attribute"), Part("TypeOf", r.type(0).term)))
    return AttributeConstraint(f"string attribute of {r.type(0).summary}", test)


def _one_of(r: Arguments) -> AttributeConstraint:
    numbers = r.integers(0)
    return _demand(f"whose value is one of {{{', '.join(map(str, numbers))}}}", Among("value", numbers))


def _count(summary: str, low: bool, high: bool) -> AttributeClass:
    def make(r: Arguments) -> AttributeConstraint:
        n = r.integer(0)
        return _demand(summary.format(n), Within("count", n if low else None, n if high else None))

    return make


def _nth(summary: str, low: int | None, high: int | None) -> AttributeClass:
    """`IntArrayNthElemInRange<0, 1, 8>` and the like: `low` and `high` say which arguments are the bounds."""

    def make(r: Arguments) -> AttributeConstraint:
        bounds = [None if at is None else r.integer(at) for at in (low, high)]
        text = summary.format(r.integer(0), *(r.integer(at) for at in range(1, 3) if r.has(at)))
        return _demand(text, Within("value", bounds[0], bounds[1], r.integer(0)))

    return make


def _all(r: Arguments) -> AttributeConstraint:
    required = r.attributes(0)
    return _demand(" and ".join(c.summary for c in required), AllOf(tuple(c.term for c in required)))


ATTRIBUTES: Final[Mapping[str, AttributeConstraint]] = _named()
"""The constraints that ODS defines without arguments."""

CLASSES: Final[Mapping[str, AttributeClass]] = {
    "Attr": lambda r: AttributeConstraint(r.text(1, ""), r.predicate(0)),
    "AttrConstraint": lambda r: AttributeConstraint(r.text(1, ""), r.predicate(0)),
    "AnyAttrOf": lambda r: any_of(r.attributes(0), r.text(1, "")),
    "AllAttrOf": _all,
    "ConfinedAttr": lambda r: confined(r.attribute(0), r.attributes(1), r.text(2, "")),
    "IntValidAlignment": lambda r: confined(r.attribute(0), [ATTRIBUTES["IntPositivePowerOf2"]]),
    "TypedArrayAttrBase": lambda r: array_of(r.attribute(0), r.text(1)),
    "TypeAttrOf": _type_of,
    "TypedStrAttr": _typed_string,
    "SignlessIntElementsAttr": lambda r: _signless_elements(r.integer(0)),
    "IntElementsAttrOf": lambda r: elements_of(
        Within("bit width", r.integer(0), r.integer(0)), f"{r.integer(0)}-bit integer elements attribute"
    ),
    "FloatElementsAttr": lambda r: _float_elements(r.integer(0)),
    "RankedI32ElementsAttr": _ranked(_signless_elements, 32, "signless int"),
    "RankedI64ElementsAttr": _ranked(_signless_elements, 64, "signless int"),
    "RankedF32ElementsAttr": _ranked(_float_elements, 32, "float"),
    "RankedF64ElementsAttr": _ranked(_float_elements, 64, "float"),
    "IntNEQValue": lambda r: _demand(f"whose value is not {r.integer(0)}", Not(Among("value", (r.integer(0),)))),
    "IntMinValue": lambda r: _demand(f"whose minimum value is {r.integer(0)}", Within("value", r.integer(0))),
    "IntMaxValue": lambda r: _demand(f"whose maximum value is {r.integer(0)}", Within("value", None, r.integer(0))),
    "IntIsOneOf": _one_of,
    "ArrayMaxCount": _count("with at most {} elements", low=False, high=True),
    "ArrayMinCount": _count("with at least {} elements", low=True, high=False),
    "ArrayCount": _count("with exactly {} elements", low=True, high=True),
    "DenseArrayCount": _count("with exactly {} elements", low=True, high=True),
    "DenseArrayMaxCt": _count("with at most {} elements", low=False, high=True),
    "DenseArrayMinCt": _count("with at least {} elements", low=True, high=False),
    "DenseArrayStrictlyPositive": lambda _: _demand("whose value is positive", Numbers(1)),
    "DenseArrayNonNegative": lambda _: _demand("whose value is non-negative", Numbers(0)),
    "DenseArraySorted": lambda _: _demand("should be in non-decreasing order", Numbers(None, True)),
    "DenseArrayStrictlySorted": lambda _: _demand("should be in increasing order", Numbers(None, True, True)),
    "IntArrayNthElemEq": _nth("whose {}-th element must be {}", 1, 1),
    "IntArrayNthElemMinValue": _nth("whose {}-th element must be at least {}", 1, None),
    "IntArrayNthElemMaxValue": _nth("whose {}-th element must be at most {}", None, 1),
    "IntArrayNthElemInRange": _nth("whose {}-th element must be at least {} and at most {}", 1, 2),
}
"""The constraints that ODS makes of arguments."""

STANDARD_ATTRIBUTES: Final = Names(attributes=ATTRIBUTES, attribute_classes=CLASSES)
