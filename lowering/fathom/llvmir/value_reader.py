"""Reads values: constants, globals, and what a function defines.

A constant that is one token is made once for each type.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from fathom.llvmir.attribute_reader import AttributeReader
from fathom.llvmir.instructions import BasicBlock
from fathom.llvmir.module import Comdat, Function, GlobalValue
from fathom.llvmir.spelling import bits_of, unescape, unescape_bytes
from fathom.llvmir.type_reader import name_of
from fathom.llvmir.types import (
    FLOAT_BITS,
    METADATA,
    PTR,
    ArrayType,
    FunctionType,
    IdentifiedStructType,
    IntegerType,
    PointerType,
    PrimitiveType,
    StructType,
    Type,
    VectorType,
)
from fathom.llvmir.values import (
    BlockAddress,
    Constant,
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
    NoCFIValue,
    PoisonValue,
    UndefValue,
    Value,
)
from fathom.llvmir.words import CASTS, FLAGS

_CLASSES: dict[str, Callable[[Type], Constant]] = {
    "null": ConstantPointerNull,
    "zeroinitializer": ConstantAggregateZero,
    "undef": UndefValue,
    "poison": PoisonValue,
    "none": ConstantTokenNone,
}
_EXPRESSIONS = frozenset(
    (*CASTS, "getelementptr", "add", "sub", "mul", "xor", "shl", "extractelement", "insertelement", "shufflevector")
)
FLAG_WORDS = frozenset(word for words in FLAGS.values() for word in words) | {"fast"}


_BEHIND_TYPES = ("addrspace", "(")
"""With what a type may go on behind its first token."""


class Forward(Value):
    """A value that is defined further down."""

    __slots__ = ("at", "token", "type")

    def __init__(self, type: Type, token: str, at: int) -> None:
        self.type = type
        self.token = token
        self.at = at


class ValueReader(AttributeReader):
    """Values. Globals are known before anything is read of them."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.globals: dict[str, GlobalValue] = {}
        self.comdats: dict[str, Comdat] = {}
        self.locals: dict[str, Value] = {}
        """What the function has defined so far, by tokens."""
        self.blocks: dict[str, BasicBlock] = {}
        """Those of the function, by what they are called, also before they come."""
        self.has_forward = False
        """Whether a value was named that is defined further down."""
        self._blocks: dict[Function, dict[str, BasicBlock]] = {}
        self._constants: dict[tuple[int, str], Constant] = {}
        self._simple: dict[str, Callable[[Type], Constant]] = {
            "c": self._string_constant,
            "[": lambda of: self._elements(of, "]"),
            "{": lambda of: self._elements(of, "}"),
            "<": self._vector_or_packed,
            "splat": self._splat,
            "blockaddress": self._block_address,
            "dso_local_equivalent": lambda of: DSOLocalEquivalent(of, self.global_value()),
            "no_cfi": lambda of: NoCFIValue(of, self.global_value()),
            "ptrauth": self._pointer_authentication,
        }

    def blocks_of(self, function: Function) -> dict[str, BasicBlock]:
        """The blocks of a function, by what they are called."""
        return self._blocks.setdefault(function, {})

    def all_blocks(self) -> Iterable[tuple[Function, dict[str, BasicBlock]]]:
        """The functions of which blocks were named, and these."""
        return self._blocks.items()

    # ---- values

    def value(self, of: Type) -> Value:
        """A value of a type, which stands before it."""
        if of is METADATA:
            return self.metadata_value()
        token = self.t[self.p]
        first = token[0]
        if first == "%":
            self.p += 1
            return self.locals.get(token) or self._forward(token, of)
        if first == "@":
            return self.global_value()
        known = self._constants.get((id(of), token))
        if known is not None:
            self.p += 1
            return known
        if token == "asm":
            return self._inline_asm(of)
        return self._constant(of, token)

    def metadata_value(self) -> Value:
        """Metadata where a value stands."""
        raise self.unexpected("a value")

    def typed_value(self) -> Value:
        """A type, and a value of it."""
        t, at = self.t, self.p
        of = self.words.get(t[at])
        if of is None or t[at + 1] in _BEHIND_TYPES:
            return self.value(self.type())
        self.p = at + 1
        return self.value(of)

    def constant(self, of: Type) -> Constant:
        """A constant of a type, which stands before it."""
        at = self.p
        value = self.value(of)
        if not isinstance(value, Constant):
            raise self.mistake("expected a constant", at)
        return value

    def typed_constant(self) -> Constant:
        """A type, and a constant of it."""
        return self.constant(self.type())

    def global_value(self) -> GlobalValue:
        """A global by its name."""
        known = self.globals.get(self.t[self.p])
        if known is None:
            raise self.unexpected("the name of a global")
        self.p += 1
        return known

    def block(self) -> BasicBlock:
        """`label %name`."""
        self.expect("label")
        return self.block_name()

    def block_name(self) -> BasicBlock:
        """A block's name, by its token."""
        token = self.t[self.p]
        if token[0] != "%":
            raise self.unexpected("a block")
        self.p += 1
        return self.blocks.get(token) or self.new_block(self.blocks, token)

    def new_block(self, blocks: dict[str, BasicBlock], token: str) -> BasicBlock:
        """A block, by the first token that names it."""
        block = blocks[token] = BasicBlock(name_of(token))
        return block

    def _forward(self, token: str, of: Type) -> Value:
        self.has_forward = True
        return Forward(of, token, self.p - 1)

    # ---- constants

    def _constant(self, of: Type, token: str) -> Constant:
        made = self._one_token(of, token)
        if made is not None:
            self.p += 1
            self._constants[id(of), token] = made
            return made
        self.p += 1
        if (read := self._simple.get(token)) is not None:
            return read(of)
        if token in _EXPRESSIONS:
            return self._expression(of, token)
        self.p -= 1
        raise self.unexpected("a value")

    def _one_token(self, of: Type, token: str) -> Constant | None:
        if isinstance(of, IntegerType):
            if token in ("true", "false") and of.bits == 1:
                return ConstantInt(of, int(token == "true"))
            if token.removeprefix("-").isdecimal() and len(token) < _MOST_DIGITS:
                return ConstantInt(of, int(token) & 1 if of.bits == 1 else int(token))
        elif isinstance(of, PrimitiveType) and of in FLOAT_BITS and token[0] in "0123456789-":
            bits = bits_of(of, token)
            if bits is not None:
                return ConstantFP(of, bits)
        cls = _CLASSES.get(token)
        return None if cls is None else cls(of)

    def _string_constant(self, of: Type) -> Constant:
        return ConstantString(of, unescape_bytes(self.string()))

    def _elements(self, of: Type, end: str) -> Constant:
        """What stands between brackets."""
        at = self.p - 1
        self.opened()
        if isinstance(of, ArrayType | VectorType) and (values := self._data(of.element, of.count)) is not None:
            self.closed(end)
            return ConstantDataSequential(of, values)
        operands: list[Constant] = []
        if self.t[self.p] != end:
            operands.append(self.typed_constant())
            while self.accept(","):
                operands.append(self.typed_constant())
        self.closed(end)
        body = of.body if isinstance(of, IdentifiedStructType) else of
        count = body.count if isinstance(body, ArrayType | VectorType) else -1
        if isinstance(body, StructType):
            count = len(body.elements)
        if count != len(operands):
            raise self.mistake("the type has another number of elements", at)
        return ConstantAggregate(of, tuple(operands))

    def _data(self, element: Type, count: int) -> tuple[int, ...] | None:
        """The elements of an array or vector that are all plain numbers; None if they are not."""
        t, start = self.t, self.p
        end = start + 3 * count - 1
        word = t[start]
        if count < 1 or end >= len(t) or self.words.get(word) is not element:
            return None
        if not isinstance(element, IntegerType) and element not in FLOAT_BITS:
            return None
        texts = t[start + 1 : end : 3]
        if any(type_word != word for type_word in t[start:end:3]) or any(
            comma != "," for comma in t[start + 2 : end : 3]
        ):
            return None
        known: dict[str, int] = {}
        for text in set(texts):
            made = self._one_token(element, text)
            if isinstance(made, ConstantInt):
                known[text] = made.value
            elif isinstance(made, ConstantFP):
                known[text] = made.bits
            else:
                return None
        self.p = end
        return tuple(map(known.__getitem__, texts))

    def _vector_or_packed(self, of: Type) -> Constant:
        if not self.accept("{"):
            return self._elements(of, ">")
        made = self._elements(of, "}")
        self.expect(">")
        return made

    def _splat(self, of: Type) -> Constant:
        self.expect("(")
        element = self.typed_constant()
        self.expect(")")
        if isinstance(element, ConstantInt):
            return ConstantInt(of, element.value)
        if isinstance(element, ConstantFP):
            return ConstantFP(of, element.bits)
        raise self.mistake("a splat is of a number")

    def _expression(self, of: Type, opcode: str) -> Constant:
        flags = self.flags()
        bounds = self._bounds() if self.accept("inrange") else None
        self.expect("(")
        self.opened()
        source = None
        if opcode == "getelementptr":
            source = self.type()
            self.expect(",")
        first = self.type()
        operands = [self.constant(first)]
        while self.accept(","):
            operands.append(self.typed_constant())
        if opcode in CASTS:
            self.expect("to")
            of = self.type()
        elif source is not None and isinstance(of, PointerType):
            of = first  # What an alias is for is written without its type.
        self.closed(")")
        mask: tuple[int, ...] = ()
        if opcode == "shufflevector":
            mask = mask_of(operands.pop())
        return ConstantExpr(of, opcode, tuple(operands), flags, source, bounds, mask)

    def _bounds(self) -> tuple[int, int]:
        self.expect("(")
        lower = self.number()
        self.expect(",")
        upper = self.number()
        self.expect(")")
        return lower, upper

    def flags(self) -> tuple[str, ...]:
        """The flags that are next."""
        t, start = self.t, self.p
        if t[start] not in FLAG_WORDS:
            return ()
        while t[self.p] in FLAG_WORDS:
            self.p += 1
        return tuple(t[start : self.p])

    def _block_address(self, of: Type) -> Constant:
        self.expect("(")
        function = self.global_value()
        self.expect(",")
        token = self.t[self.p]
        if not isinstance(function, Function) or token[0] != "%":
            raise self.unexpected("a block of a function")
        self.p += 1
        self.expect(")")
        blocks = self.blocks_of(function)
        return BlockAddress(of, function, blocks.get(token) or self.new_block(blocks, token))

    def _pointer_authentication(self, of: Type) -> Constant:
        self.expect("(")
        self.opened()
        operands = [self.typed_constant()]
        while self.accept(","):
            operands.append(self.typed_constant())
        self.closed(")")
        return ConstantPtrAuth(of, tuple(operands))

    # ---- inline assembly

    def _inline_asm(self, of: Type, function_type: FunctionType | None = None) -> InlineAsm:
        self.expect("asm")
        marks = {word: self.accept(word) for word in ("sideeffect", "alignstack", "inteldialect", "unwind")}
        text = unescape(self.string())
        self.expect(",")
        return InlineAsm(
            of,
            function_type or FunctionType(of),
            text,
            unescape(self.string()),
            has_side_effects=marks["sideeffect"],
            is_align_stack=marks["alignstack"],
            is_intel_dialect=marks["inteldialect"],
            can_throw=marks["unwind"],
        )

    def called(self, of: FunctionType, space: int) -> Value:
        """What a call calls: a pointer, or inline assembly."""
        pointer = PTR if not space else self.pointer(space)
        return self._inline_asm(pointer, of) if self.t[self.p] == "asm" else self.value(pointer)


_MOST_ELEMENTS = 1 << 20
"""A vector of more elements has no mask."""
_MOST_DIGITS = 4000
"""A number of as many digits is none that Python reads."""


def mask_of(mask: Value) -> tuple[int, ...]:
    """The mask of `shufflevector`, which is written as a constant."""
    match mask:
        case ConstantDataSequential(_, values):
            return tuple(values)
        case ConstantInt(VectorType(_, count), value) if count <= _MOST_ELEMENTS:
            return (value,) * count
        case ConstantAggregate(_, operands):
            return tuple(operand.value if isinstance(operand, ConstantInt) else -1 for operand in operands)
        case ConstantAggregateZero(VectorType(_, count)) if count <= _MOST_ELEMENTS:
            return (0,) * count
        case PoisonValue(VectorType(_, count)) | UndefValue(VectorType(_, count)) if count <= _MOST_ELEMENTS:
            return (-1,) * count
        case _:
            raise ValueError("no mask")
