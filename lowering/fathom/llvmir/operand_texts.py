"""Types, values and metadata as texts, as instructions and initialisers name them.

Texts are kept by the identity of what they are texts of, since a model has most of it many times over; nothing of a
module may change while it is written. Nothing calls itself for what is nested: it may be nested as deep as memory
allows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeAlias, TypeVar

from fathom.llvmir.budget import Budget
from fathom.llvmir.metadata import (
    DIArgList,
    DIExpression,
    MDNode,
    MDString,
    Metadata,
    ValueAsMetadata,
)
from fathom.llvmir.module import Function, GlobalValue, Module
from fathom.llvmir.numbering import Numbering, local_names
from fathom.llvmir.spelling import spell_float, spell_floats, spell_name
from fathom.llvmir.type_finder import structs
from fathom.llvmir.types import (
    I8,
    ArrayType,
    FunctionType,
    IdentifiedStructType,
    IntegerType,
    PointerType,
    PrimitiveType,
    StructType,
    TargetExtType,
    Type,
    VectorType,
    scalar,
    subtypes,
)
from fathom.llvmir.values import (
    BlockAddress,
    ConstantAggregate,
    ConstantAggregateZero,
    ConstantDataSequential,
    ConstantExpr,
    ConstantFP,
    ConstantInt,
    ConstantPointerNull,
    ConstantPtrAuth,
    ConstantString,
    ConstantTokenNone,
    DSOLocalEquivalent,
    InlineAsm,
    MetadataAsValue,
    NoCFIValue,
    PoisonValue,
    Repeated,
    UndefValue,
    Value,
    distinct,
)
from fathom.llvmir.words import CASTS, FAST_MATH
from fathom.text.digits import MOST_DECIMAL
from fathom.text.escapes import escape, escape_bytes

_T = TypeVar("_T")
Parts: TypeAlias = "Callable[[_T], Sequence[_T]]"

_WORDS: Final[dict[type[Value], str]] = {
    ConstantAggregateZero: "zeroinitializer",
    ConstantPointerNull: "null",
    ConstantTokenNone: "none",
    UndefValue: "undef",
    PoisonValue: "poison",
}


_LEAVES: Final = frozenset({ConstantInt, ConstantFP, *_WORDS})
"""What has no parts that are values."""


class OperandTexts:
    """Texts of what a module has. Locals get theirs when their function is named (`name_locals`)."""

    def __init__(self, module: Module, numbering: Numbering, budget: Budget) -> None:
        self.numbering = numbering
        self.budget = budget
        self.structs = structs(module)
        """Those with a name or a number, in the order in which they are written."""
        self.types: dict[int, str] = {}
        self.values: dict[int, str] = {}
        self._typed: dict[int, str] = {}
        self._named: set[int] = set()
        self._flags: dict[tuple[str, ...], str] = {(): ""}
        self._joined = budget.joined
        self._kept: list[object] = []
        """What has a text but is no part of the module, so that its identity is not another's."""
        numbered = [struct for struct in self.structs if not struct.name]
        self._struct_numbers = {id(struct): number for number, struct in enumerate(numbered)}
        for value in module.global_values():
            number = numbering.globals.get(value)
            self.values[id(value)] = f"@{spell_name(value.name)}" if number is None else f"@{number}"

    # ---- types

    def type(self, of: Type) -> str:
        """A type, as it is named everywhere."""
        known = self.types.get(id(of))
        return known if known is not None else self._made(of, self.types, _named_by, self._type)

    def body(self, of: IdentifiedStructType) -> str:
        """What a struct is that has a name or a number."""
        return self.type(of.body) if of.body is not None else "opaque"

    def _type(self, of: Type) -> str:
        text = self.types
        match of:
            case PrimitiveType(name):
                return name
            case IntegerType(bits):
                return f"i{bits}"
            case PointerType(space):
                return f"ptr addrspace({space})" if space else "ptr"
            case FunctionType(result, parameters, is_vararg):
                parts = [text[id(parameter)] for parameter in parameters]
                return f"{text[id(result)]} ({self._joined([*parts, '...'] if is_vararg else parts)})"
            case ArrayType(element, count):
                return f"[{count} x {text[id(element)]}]"
            case VectorType(element, count, is_scalable):
                return f"<{'vscale x ' * is_scalable}{count} x {text[id(element)]}>"
            case StructType(elements, is_packed):
                inner = f"{{ {self._joined([text[id(part)] for part in elements])} }}" if elements else "{}"
                return f"<{inner}>" if is_packed else inner
            case IdentifiedStructType(name):
                return f"%{spell_name(name)}" if name else f"%{self._struct_numbers.get(id(of), 0)}"
            case TargetExtType(name, types, numbers):
                parts = [f'"{escape(name)}"', *(text[id(type_)] for type_ in types), *map(str, numbers)]
                return f"target({self._joined(parts)})"
            case _:
                raise ValueError(f"no type: {of!r}")

    # ---- values

    def name_locals(self, function: Function) -> None:
        """Names the values of a function, unless that is done."""
        if id(function) not in self._named:
            self._named.add(id(function))
            self.values.update(local_names(function))

    def value(self, of: Value) -> str:
        """A value without its type."""
        known = self.values.get(id(of))
        if known is None and of.__class__ in _LEAVES:
            self._kept.append(of)
            known = self.values[id(of)] = self._value(of)
        return known if known is not None else self._made(of, self.values, _operands, self._value)

    def typed(self, of: Value) -> str:
        """A value behind its type."""
        known = self._typed.get(id(of))
        if known is None:
            type = of.type
            known = self.types.get(id(type)) or self.type(type)
            known = self._typed[id(of)] = f"{known} {self.values.get(id(of)) or self.value(of)}"
        return known

    def _value(self, of: Value) -> str:
        match of:
            case ConstantInt(type, value):
                return self._splat(type, _integer(scalar(type), value))
            case ConstantFP(type, bits):
                return self._splat(type, spell_float(scalar(type), bits))
            case ConstantDataSequential(type, values):
                return self.budget.kept(self._sequence(type, values))
            case ConstantString(_, data):
                return self.budget.kept(f'c"{escape_bytes(data[: self.budget.wanted(data, 1)])}"')
            case ConstantAggregate(type, operands):
                return self.budget.kept(self._aggregate(type, operands))
            case ConstantExpr():
                return self._expression(of)
            case BlockAddress(_, function, block):
                self.name_locals(function)
                return f"blockaddress({self.value(function)}, {self.values.get(id(block), '<badref>')})"
            case DSOLocalEquivalent(_, value):
                return f"dso_local_equivalent {self.value(value)}"
            case NoCFIValue(_, value):
                return f"no_cfi {self.value(value)}"
            case ConstantPtrAuth(_, operands):
                last = max(2, *(number for number, operand in enumerate(operands, 1) if not _is_null(operand)))
                return f"ptrauth ({self._joined([*map(self.typed, operands[:last])])})"
            case InlineAsm():
                return _inline_asm(of)
            case MetadataAsValue(_, metadata):
                return self.metadata(metadata)
            case GlobalValue(name=name) if name:
                # It is of another module, which has it by this name.
                return f"@{spell_name(name)}"
            case _:
                return _WORDS.get(of.__class__, "<badref>")

    def _splat(self, of: Type, text: str) -> str:
        return f"splat ({self.type(of.element)} {text})" if isinstance(of, VectorType) else text

    def _sequence(self, of: Type, values: Sequence[int]) -> str:
        assert isinstance(of, ArrayType | VectorType)
        element, before = of.element, f"{self.type(of.element)} "
        if isinstance(of, VectorType) and len(set(distinct(values))) == 1:
            return self._splat(of, _numbers(element, values[:1])[0])
        if isinstance(of, ArrayType) and element == I8:
            return f'c"{self._bytes(values)}"'
        if isinstance(values, Repeated):
            inner = self._again(before + _numbers(element, distinct(values))[0], values)
        else:
            values = values[: self.budget.wanted(values, 1)]
            inner = before + self._joined(_numbers(element, values), f", {before}")
        return f"[{inner}]" if isinstance(of, ArrayType) else f"<{inner}>"

    def _bytes(self, values: Sequence[int]) -> str:
        """Bytes, as between quotes."""
        if isinstance(values, Repeated):
            return self._again(escape_bytes(bytes((values[0] & 0xFF,))), values, "")
        return escape_bytes(bytes([value & 0xFF for value in values[: self.budget.wanted(values, 1)]]))

    def _again(self, text: str, of: Sequence[object], separator: str = ", ") -> str:
        """The text of one thing for as many as there are."""
        count = self.budget.wanted(of, len(text))
        self.budget.repeated(count * len(text))
        return separator.join(Repeated(text, count))

    def _aggregate(self, of: Type, operands: Sequence[Value]) -> str:
        inner = self._elements(operands)
        if isinstance(of, ArrayType):
            return f"[{inner}]"
        if isinstance(of, VectorType):
            first = operands[0] if operands else None
            if isinstance(first, ConstantInt | ConstantFP) and all(operand == first for operand in distinct(operands)):
                return f"splat ({self.typed(first)})"
            return f"<{inner}>"
        inner = f"{{ {inner} }}" if operands else "{}"
        body = of.body if isinstance(of, IdentifiedStructType) else of
        return f"<{inner}>" if isinstance(body, StructType) and body.is_packed else inner

    def _expression(self, of: ConstantExpr) -> str:
        inner = self._joined([*map(self.typed, of.operands)])
        if of.source_type is not None:
            inner = f"{self.type(of.source_type)}, {inner}"
        if of.opcode in CASTS:
            inner = f"{inner} to {self.type(of.type)}"
        if of.opcode == "shufflevector":
            first = _splat_of(of)
            if first is not None:
                return f"splat ({self.typed(first)})"
            inner += mask_text(of.mask, of.type)
        bounds = f" inrange({of.in_range[0]}, {of.in_range[1]})" if of.in_range else ""
        return f"{of.opcode}{self.flags(of.flags)}{bounds} ({inner})"

    def flags(self, words: tuple[str, ...]) -> str:
        """The flags of an operation, each behind a blank, in LLVM's order."""
        text = self._flags.get(words)
        if text is None:
            text = self._flags[words] = _flags(words)
        return text

    def _elements(self, of: Sequence[Value]) -> str:
        """Elements of an aggregate, so many as are to be seen."""
        if isinstance(of, Repeated):
            return self._again(self.typed(of[0]), of)
        shown = self.budget.shown
        if shown is None:
            return self._joined([*map(self.typed, of)])
        texts: list[str] = []
        length = 0
        for text in map(self.typed, of):
            texts.append(text)
            length += len(text)
            if length > shown:
                break
        return ", ".join(texts)

    # ---- metadata

    def metadata(self, of: Metadata | None) -> str:
        """Metadata, as others refer to it."""
        match of:
            case None:
                return "null"
            case MDNode():
                number = self.numbering.nodes.get(of)
                return f"!{number}" if number is not None else "<badref>"
            case MDString(text):
                return f'!"{escape(text)}"'
            case ValueAsMetadata(value):
                return self.typed(value)
            case DIExpression(elements):
                return f"!DIExpression({', '.join(map(str, elements))})"
            case DIArgList(arguments):
                return f"!DIArgList({', '.join(map(self.metadata, arguments))})"
            case _:
                return "<badref>"

    # ---- what is nested

    def _made(self, of: _T, known: dict[int, str], parts: Parts[_T], spell: Callable[[_T], str]) -> str:
        """The text of something, for which those of its parts are made first."""
        # Only texts of the module's own parts are kept for longer than this, so none of these identities passes on.
        self._kept.append(of)
        stack: list[tuple[_T, Iterator[_T]]] = [(of, iter(parts(of)))]
        while stack:
            top, rest = stack[-1]
            for part in rest:
                if id(part) not in known:
                    stack.append((part, iter(parts(part))))
                    break
            else:
                known[id(top)] = spell(top)
                stack.pop()
        return known[id(of)]


def mask_text(mask: Sequence[int], of: Type) -> str:
    """The mask of `shufflevector`, behind a comma; `of` is the type of the result."""
    is_scalable = isinstance(of, VectorType) and of.is_scalable
    if not any(mask):
        text = "zeroinitializer"
    elif set(mask) == {-1}:
        text = "poison"
    else:
        text = f"<{', '.join('i32 poison' if index < 0 else f'i32 {index}' for index in mask)}>"
    return f", <{'vscale x ' * is_scalable}{len(mask)} x i32> {text}"


def _named_by(of: Type) -> Sequence[Type]:
    """The types that stand in the text of a type."""
    return () if isinstance(of, IdentifiedStructType) else subtypes(of)


def _operands(of: Value) -> Sequence[Value]:
    """The constants that stand in the text of a constant."""
    return distinct(of.operands) if isinstance(of, ConstantAggregate | ConstantExpr | ConstantPtrAuth) else ()


def _integer(of: Type, value: int) -> str:
    if isinstance(of, IntegerType):
        if of.bits == 1:
            return "true" if value else "false"
        if value.bit_length() > MOST_DECIMAL:
            return f"u0x{value & ((1 << of.bits) - 1):X}"
    return str(value)


def _numbers(of: Type, values: Sequence[int]) -> list[str]:
    """Numbers of a type, without it."""
    if not isinstance(of, IntegerType):
        return spell_floats(of, values)
    if of.bits == 1:
        return ["true" if value else "false" for value in values]
    return [*map(str, values)] if of.bits <= MOST_DECIMAL else [_integer(of, value) for value in values]


def _is_null(of: Value) -> bool:
    return isinstance(of, ConstantPointerNull) or (isinstance(of, ConstantInt) and not of.value)


def _splat_of(of: ConstantExpr) -> Value | None:
    """What all elements are of a vector that is made by inserting one and copying it."""
    vector = of.operands[0]
    if any(of.mask) or not (isinstance(vector, ConstantExpr) and vector.opcode == "insertelement"):
        return None
    element = vector.operands[1]
    return element if isinstance(element, ConstantInt | ConstantFP) else None


def _flags(words: tuple[str, ...]) -> str:
    given = set(words)
    if "fast" in given or given.issuperset(FAST_MATH):
        given = {"fast"} | given.difference(FAST_MATH)
    if "inbounds" in given:
        given.discard("nusw")
    return "".join(f" {flag}" for flag in _FLAG_ORDER if flag in given)


_FLAG_ORDER: Final = (
    *("fast", *FAST_MATH),
    *("inbounds", "nusw", "nuw", "nsw", "exact", "disjoint", "nneg", "samesign"),
)


def _inline_asm(of: InlineAsm) -> str:
    marks = (
        (of.has_side_effects, "sideeffect "),
        (of.is_align_stack, "alignstack "),
        (of.is_intel_dialect, "inteldialect "),
        (of.can_throw, "unwind "),
    )
    words = "".join(word for is_so, word in marks if is_so)
    return f'asm {words}"{escape(of.text)}", "{escape(of.constraints)}"'
