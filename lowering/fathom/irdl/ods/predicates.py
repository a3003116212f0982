"""What the predicates of constraints say, as expressions of a description: `And<[…]>`, `AnyInteger`, `Element<…>`.

A predicate is a tree of records with C++ in its leaves. It is put together to the one expression that MLIR generates
of it, and that is interpreted: of what is said about a type or an attribute, and about the parts of one, what a
description has a word for. What is not understood is `Unchecked`, which is satisfied by all, and so is what denies it.
Source of the rules: *Operation Definition Specification (ODS)*, "Constraints".
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Final

from fathom.irdl.expressions import Call, List, Text
from fathom.irdl.expressions import Number as Integer
from fathom.irdl.ods import cpp
from fathom.irdl.ods.classes import ATTRIBUTE_CLASSES, MEMBER_TESTS, TYPE_CLASSES, WIDTH_TESTS
from fathom.irdl.standard_predicates import PREDICATES
from fathom.records import record, replace
from fathom.tablegen.records import Record, Records

UNCHECKED: Final = Call("Unchecked")
"""The name that no description defines, for what is not understood."""
ANYTHING: Final = Call("TruePred")
_KNOWN: Final = "fathom_known"
"""The function that stands for a predicate of MLIR with a name of its own."""
_DEEPEST: Final = 30
"""How many predicates may be in each other."""
_LONGEST: Final = 20_000
"""How many characters of C++ a predicate may be."""

_MEASURES: Final[Mapping[str, str]] = {
    "getRank": "rank",
    "getNumElements": "number of elements",
    "getInt": "value",
    "getSExtValue": "value",
    "getZExtValue": "value",
    "getWidth": "bit width",
    "getIntOrFloatBitWidth": "bit width",
    "size": "count",
    "getDimSize": "extent",
}
"""The getters that give a number."""

_QUANTITIES: Final[Mapping[str, str]] = {"getNumElements": "ElementCount", "getRank": "Rank", "getShape": "Shape"}
"""The getters that give what values of an operation are compared by."""

_ELEMENTS: Final = (("ElementOrSelf",), ("Element",))
_PARTS: Final[Mapping[str, str]] = {"getElementType": "Element", "getType": "TypeOf"}
"""The getters that give a part."""


@record
class Subject:
    """What is spoken of: the type or attribute itself, or a part of it, the innermost last. `kind` is the class that it
    was last cast to. Where an operation is spoken of, `value` is one of its values: the value itself where `is_value`
    says so, and else its type."""

    parts: tuple[str, ...] = ()
    kind: str = ""
    value: Call | None = None
    is_value: bool = False

    def is_so(self, term: Call) -> Call:
        """That a term holds of it."""
        if self.is_value:
            return UNCHECKED
        for part in reversed(self.parts):
            term = Call(part, (term,)) if term != UNCHECKED else term
        return Call("TypeIs", (self.value, term)) if self.value is not None and term != UNCHECKED else term


@record
class Measured:
    """A number of a subject; `index` is which of several."""

    subject: Subject
    measure: str
    index: int | None = None


def all_of(terms: Sequence[Call]) -> Call:
    """That all of these hold."""
    kept = list(dict.fromkeys(term for term in terms if term != ANYTHING))
    return kept[0] if len(kept) == 1 else Call("And", (List(tuple(kept)),)) if kept else ANYTHING


def any_of(terms: Sequence[Call]) -> Call:
    """That one of these holds."""
    kept = list(dict.fromkeys(terms))
    if UNCHECKED in kept:
        return UNCHECKED
    return kept[0] if len(kept) == 1 else Call("Or", (List(tuple(kept)),))


def none_of(term: Call) -> Call:
    """That this does not hold."""
    return UNCHECKED if UNCHECKED in _names_in(term) else Call("Neg", (term,))


def _names_in(term: Call) -> Iterator[Call]:
    yield term
    for argument in term.arguments:
        elements = argument.elements if isinstance(argument, List) else (argument,)
        for element in elements:
            if isinstance(element, Call):
                yield from _names_in(element)


# ---- from records to C++


def text_of(predicate: Record, records: Records, depth: int = 0) -> str | None:
    """The C++ expression that MLIR makes of a predicate; None for one that is no predicate, or too long."""
    if predicate.name in PREDICATES and not predicate.is_anonymous:
        return f'{_KNOWN}("{predicate.name}", $_self)'
    if predicate.is_a("CPred"):
        return predicate.string("predExpr")
    if not predicate.is_a("CombinedPred") or depth > _DEEPEST:
        return None
    children: list[str] = []
    for part in predicate.list("children"):
        child = records.resolve(part)
        text = text_of(child, records, depth + 1) if child is not None else None
        if text is None or len(text) > _LONGEST:
            return None
        children.append(text)
    match predicate.ref("kind"):
        case "PredCombinerAnd":
            return " && ".join(f"({child})" for child in children) or "true"
        case "PredCombinerOr":
            return " || ".join(f"({child})" for child in children) or "false"
        case "PredCombinerNot" if children:
            return f"!({children[0]})"
        case "PredCombinerSubstLeaves" if children:
            pattern = predicate.string("pattern") or ""
            return children[0].replace(pattern, predicate.string("replacement") or "") if pattern else children[0]
        case "PredCombinerConcat" if children:
            return f"{predicate.string('prefix') or ''}{children[0]}{predicate.string('suffix') or ''}"
        case _:
            return None


# ---- from C++ to terms


def _is_count_of_values(tree: cpp.Cpp) -> bool:
    match tree:
        case cpp.CallOf(cpp.Member(cpp.Name("$_op"), cpp.Name("getNumOperands" | "getNumResults")), ()):
            return True
        case _:
            return False


class Predicates:
    """The predicates of a set of records as terms. `defined` gives the name of the type or attribute that a class in
    C++ is generated for, by the full name of the class."""

    def __init__(self, records: Records, defined: Callable[[str], Call | None]) -> None:
        self.records = records
        self.defined = defined
        self._terms: dict[str, Call] = {}
        self._depth = 0

    def term(self, predicate: Record | None) -> Call:
        """What a predicate demands of `$_self`."""
        if predicate is None:
            return UNCHECKED
        call = self._terms.get(predicate.name)
        if call is None:
            text = text_of(predicate, self.records)
            call = UNCHECKED if text is None else self.read(text)
            if call == UNCHECKED and predicate.ref("kind") == "PredCombinerAnd" and self._depth < _DEEPEST:
                # Of what is demanded at once, each part that is understood.
                self._depth += 1
                call = all_of([self.term(self.records.resolve(child)) for child in predicate.list("children")])
                self._depth -= 1
            self._terms[predicate.name] = call
        return call

    def of_operation(self, predicate: Record, values: Collection[str]) -> Call:
        """What a predicate demands of an operation with operands and results of these names."""
        text = text_of(predicate, self.records)
        tree = cpp.parse_cpp(text) if text is not None else None
        if tree is None:
            return UNCHECKED
        return self._test(tree, {f"${name}": Subject(value=Call(name), is_value=True) for name in values})

    def read(self, text: str) -> Call:
        """What C++ demands of `$_self`."""
        tree = cpp.parse_cpp(text)
        return UNCHECKED if tree is None else self._test(tree, {"$_self": Subject()})

    # ---- what is true or false

    def _test(self, tree: cpp.Cpp, names: Mapping[str, Subject]) -> Call:
        match tree:
            case cpp.Name("true"):
                return ANYTHING
            case cpp.Name("false"):
                return Call("Neg", (ANYTHING,))
            case cpp.Name(text) if text in names:
                # Whether it is there at all: an attribute, or one of several, may not be.
                return UNCHECKED if names[text].is_value else ANYTHING
            case cpp.Operation("&&", operands):
                return all_of([self._test(operand, names) for operand in operands])
            case cpp.Operation("||", operands):
                return any_of([self._test(operand, names) for operand in operands])
            case cpp.Operation("!", (operand,)):
                return none_of(self._test(operand, names))
            case cpp.Operation(operator, (left, right)):
                compared = self._equality(operator, left, right, names)
                return self._comparison(operator, self._number(left, names), right) if compared is None else compared
            case cpp.CallOf(cpp.Lambda(parameter, body), (argument,)):
                subject = self._subject(argument, names)
                return self._test(body, {**names, parameter: subject}) if subject is not None else UNCHECKED
            case cpp.CallOf(cpp.Name() as callee, arguments):
                return self._call(callee, arguments, names)
            case cpp.CallOf(cpp.Member(object, callee), arguments):
                subject = self._subject(object, names)
                return subject.is_so(self._member(callee, arguments)) if subject is not None else UNCHECKED
            case _:
                return UNCHECKED

    def _call(self, callee: cpp.Name, arguments: tuple[cpp.Cpp, ...], names: Mapping[str, Subject]) -> Call:
        match callee.last, arguments:
            case "isa" | "isa_and_nonnull" | "isa_and_present" | "isa_or_null", (argument,):
                subject = self._subject(argument, names)
                if subject is None:
                    return UNCHECKED
                return subject.is_so(any_of([self._class(argument) for argument in callee.arguments]))
            case "fathom_known", (cpp.Text(name), argument):
                subject = self._subject(argument, names)
                return subject.is_so(Call(name)) if subject is not None else UNCHECKED
            case "is_contained", (cpp.Braces(elements), argument):
                return self._membership(self._number(argument, names), elements)
            case "all_of", (argument, cpp.Lambda(parameter, body)):
                subject = self._subject(argument, names)
                inner = self._test(body, {**names, parameter: Subject()})
                return (
                    subject.is_so(Call("Each", (inner,))) if subject is not None and inner != UNCHECKED else UNCHECKED
                )
            case _:
                return UNCHECKED

    def _class(self, name: str) -> Call:
        """That something is of a class in C++."""
        defined = self.defined(name)
        if defined is not None:
            return defined
        last = name.rpartition("::")[2]
        of_mlir = name in (last, f"mlir::{last}", f"::mlir::{last}")
        known = (TYPE_CLASSES.get(last) or ATTRIBUTE_CLASSES.get(last)) if of_mlir else None
        return Call(known) if known else UNCHECKED

    def _member(self, callee: cpp.Name, arguments: tuple[cpp.Cpp, ...]) -> Call:
        match callee.last, arguments:
            case "hasTrait", () if callee.arguments and callee.arguments[0].endswith("ValueSemantics"):
                return Call("HasValueSemanticsPred")
            case "isa", () if callee.arguments:
                return any_of([self._class(argument) for argument in callee.arguments])
            case "empty", ():
                return Call("Among", (Text("count"), List((Integer(0),))))
            case name, () if name in MEMBER_TESTS:
                return Call(MEMBER_TESTS[name])
            case name, (cpp.Number(width),) if name in WIDTH_TESTS and width.isdecimal():
                stem = WIDTH_TESTS[name]
                known = int(width) in (1, 8, 16, 32, 64)
                return Call(f"{stem}{width}") if known else Call(stem, (Integer(int(width)),))
            case _:
                return UNCHECKED

    def _comparison(self, operator: str, left: Measured | None, right: cpp.Cpp) -> Call:
        if left is None or not isinstance(right, cpp.Number):
            return UNCHECKED
        try:
            number = int(right.text, 0)
        except ValueError:
            return UNCHECKED
        which = () if left.index is None else (Integer(left.index),)
        measure = Text(left.measure)
        match operator:
            case "==" | "!=":
                call = Call("Among", (measure, List((Integer(number),)), *which))
                call = none_of(call) if operator == "!=" else call
            case ">" | ">=":
                call = Call("AtLeast", (measure, Integer(number + (operator == ">")), *which))
            case _:
                call = Call("AtMost", (measure, Integer(number - (operator == "<")), *which))
        return left.subject.is_so(call)

    def _membership(self, left: Measured | None, elements: tuple[cpp.Cpp, ...]) -> Call:
        """That something is one of these numbers."""
        texts = [element.text for element in elements if isinstance(element, cpp.Number)]
        numbers = tuple(Integer(int(text)) for text in texts if text.removeprefix("-").isdecimal())
        if left is None or left.index is not None or len(numbers) < len(elements):
            return UNCHECKED
        return left.subject.is_so(Call("Among", (Text(left.measure), List(numbers))))

    def _equality(self, operator: str, left: cpp.Cpp, right: cpp.Cpp, names: Mapping[str, Subject]) -> Call | None:
        """That two things of an operation are equal; None where it is no such comparison."""
        if _is_count_of_values(left):
            return ANYTHING  # The definition says how many there are.
        first, second = self._quantity(left, names), self._quantity(right, names)
        if operator not in ("==", "!=") or first is None or second is None:
            return None
        call = Call("Equal", (first, second))
        return none_of(call) if operator == "!=" else call

    def _quantity(self, tree: cpp.Cpp, names: Mapping[str, Subject]) -> Call | Integer | None:
        """What of an operation's values is compared."""
        if isinstance(tree, cpp.Number):
            return Integer(int(tree.text)) if tree.text.lstrip("-").isdecimal() else None
        subject = self._subject(tree, names)
        if subject is not None and subject.value is not None and not subject.is_value:
            if not subject.parts:
                return Call("TypeOf", (subject.value,))
            return Call("ElementType", (subject.value,)) if subject.parts in _ELEMENTS else None
        match tree:
            case cpp.CallOf(cpp.Member(object, callee), ()) if callee.last in _QUANTITIES:
                subject = self._subject(object, names)
            case _:
                return None
        if subject is None or subject.value is None or subject.parts or subject.is_value:
            return None
        return Call(_QUANTITIES[callee.last], (subject.value,))

    # ---- what is spoken of

    def _subject(self, tree: cpp.Cpp, names: Mapping[str, Subject]) -> Subject | None:
        match tree:
            case cpp.Name(text):
                return names.get(text)
            case cpp.CallOf(cpp.Name() as callee, (argument,)) if callee.last in ("cast", "dyn_cast"):
                subject = self._subject(argument, names)
                return replace(subject, kind=callee.arguments[0]) if subject is not None and callee.arguments else None
            case cpp.CallOf(cpp.Name() as callee, (argument,)) if callee.last == "getElementTypeOrSelf":
                subject = self._subject(argument, names)
                if subject is None:
                    return None
                return replace(subject, parts=(*subject.parts, "ElementOrSelf"), kind="", is_value=False)
            case cpp.CallOf(cpp.Member(cpp.Name("$_op"), cpp.Name("getOperand" | "getResult" as getter)), (index,)):
                if not isinstance(index, cpp.Number) or not index.text.isdecimal():
                    return None
                place = Call(getter.removeprefix("get"), (Integer(int(index.text)),))
                return Subject(value=place, is_value=True)
            case cpp.CallOf(cpp.Member(object, callee), ()):
                return self._part(object, callee, names)
            case _:
                return None

    def _part(self, object: cpp.Cpp, callee: cpp.Name, names: Mapping[str, Subject]) -> Subject | None:
        subject = self._subject(object, names)
        if subject is None:
            return None
        if subject.is_value:
            return replace(subject, is_value=False) if callee.last == "getType" else None
        kind = subject.kind.rpartition("::")[2]
        if callee.last == "cast" and callee.arguments:
            return replace(subject, kind=callee.arguments[0])
        if callee.last == "getValue":
            # Of a type, the type; of an integer or an array, what is counted and measured as itself.
            return replace(subject, parts=(*subject.parts, "TypeOf"), kind="") if kind == "TypeAttr" else subject
        if kind and kind not in TYPE_CLASSES and kind not in ATTRIBUTE_CLASSES:
            return None
        part = _PARTS.get(callee.last)
        return replace(subject, parts=(*subject.parts, part), kind="") if part is not None else None

    def _number(self, tree: cpp.Cpp, names: Mapping[str, Subject]) -> Measured | None:
        match tree:
            case cpp.Name(text) if text in names and names[text] == Subject():
                return Measured(names[text], "value")
            case cpp.CallOf(cpp.Member(object, callee), arguments) if callee.last in _MEASURES and len(arguments) < 2:
                subject = self._subject(object, names)
            case _:
                return None
        if subject is None:
            return None
        kind = subject.kind.rpartition("::")[2]
        if kind and kind not in TYPE_CLASSES and kind not in ATTRIBUTE_CLASSES:
            return None
        measure = _MEASURES[callee.last]
        if (measure == "extent") != bool(arguments):
            return None
        index = arguments[0] if arguments else None
        if index is None:
            return Measured(subject, measure)
        if isinstance(index, cpp.Number) and index.text.isdecimal():
            return Measured(subject, measure, int(index.text))
        return None
