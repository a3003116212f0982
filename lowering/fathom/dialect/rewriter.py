"""What a pattern changes a program with."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, cast

from fathom.dialect.making import Named, Operandish, Operands, Types, counted, made_of, type_of, value_in, values_in
from fathom.dialect.operation import Op
from fathom.dialect.values import Plain, attribute_of, constant_of
from fathom.ir.attributes import Attribute, StringAttr, TypeAttr
from fathom.ir.operation import Block, Operation, Region, Value
from fathom.ir.types import FunctionType, Type
from fathom.irdl.faults import CodeFault, place_of_caller
from fathom.irdl.interfaces import SymbolTable
from fathom.irdl.symbols import symbol_in
from fathom.rewriting.conversion_rewriter import ConversionRewriter
from fathom.rewriting.pattern import Failure
from fathom.spelling import nearest

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.ir.locations import FileLineColLoc
    from fathom.irdl.definition import OpDefinition
    from fathom.rewriting.rewriter import Rewriter as Inner
    from fathom.rewriting.type_converter import TypeConverter


class Rewriter:
    """Makes, replaces and erases operations; new ones stand before the operation that is rewritten, unless a `with`
    says where.

        sum = rewriter.create("arith.addi", op.left, op.right)
        rewriter.replace(op, sum)

    What is wrong with a call raises an exception, which ends the pattern and is shown at its line.
    """

    def __init__(self, inner: Inner, op: Operation, into: Sequence[str] | None = None) -> None:
        self._inner = inner
        self._op = op
        self._into = into
        self.context: Context = cast("Context", inner.context)
        """The dialects that are known."""
        self.has_changed = False
        """Whether anything was made, replaced, erased or modified."""
        self.is_settled = False
        """Whether the operation that is rewritten was replaced, erased or modified."""

    # ---- types and constants

    def type(self, text: Type | str) -> Type:
        """The type that is written so: `rewriter.type("memref<2x3xf64>")`."""
        return type_of(text, self.context)

    def convert(self, type: Type | str) -> Type:
        """What a type becomes in this lowering; itself if it stays."""
        type_, converter = type_of(type, self.context), self._types
        converted = converter.convert(type_) if converter is not None else type_
        if converted is None:
            raise ValueError(f"'{type_}' is not converted to one type")
        return converted

    def constant(self, value: Plain, type: Type | str) -> Value:
        """A number, or for a vector or tensor a list of numbers, as a value: `rewriter.constant(0, "index")`."""
        type_ = type_of(type, self.context)
        return self.create("arith.constant", value=constant_of(value, type_), results=type_).result

    # ---- making

    def create(
        self,
        name: str,
        *operands: Operands,
        results: Types | None = None,
        attributes: dict[str, Plain] | None = None,
        **named: Named,
    ) -> Op:
        """Makes an operation.

        `operands` are in the order of the description, a list where it says that there may be any number. By its name
        can be given an operand, an attribute (as a plain value), a region or a successor. `results` are the types of
        the results, which can be left out where they follow from the operands. `attributes` are others, of any name.

        The region of an operation that is rewritten moves into the new one. A region that is not given is made, with an
        empty block where one must be.
        """
        definition = self._definition(name)
        made = made_of(
            definition, self.context, operands, named, results, lambda type: self._converted(type, definition)
        )
        properties = {name: self._retyped(attribute, definition) for name, attribute in made.properties.items()}
        others = {
            key: attribute_of(attribute, None, None, self.context) for key, attribute in (attributes or {}).items()
        }
        op = self._inner.create(
            definition,
            made.operands,
            made.types,
            properties,
            {key: attribute for key, attribute in others.items() if attribute is not None},
            made.successors,
            [Region() for _ in made.regions],
        )
        self.has_changed = True
        for index, (region, source) in enumerate(zip(op.regions, made.regions, strict=True)):
            group = definition.regions[min(index, len(definition.regions) - 1)]
            self._fill(region, source, empty=not group.demand[0])
        return Op(op)

    def _fill(self, region: Region, source: object, *, empty: bool) -> None:
        """Gives a region the blocks of another one; or one empty block, if it may not be `empty`."""
        with self._inner.elsewhere():
            if source is None and not empty:
                self._inner.create_block(region)
            elif isinstance(source, Region):
                self._inner.inline_region_before(source, region, None)
                if isinstance(self._inner, ConversionRewriter) and self._types is not None:
                    failure = self._inner.convert_region_types(region)
                    if failure is not None:
                        raise ValueError(failure.reason)
            elif source is not None:
                raise ValueError("a region is given as a region: `op.body`, or is left out for an empty one")

    def _definition(self, name: str) -> OpDefinition:
        dialect = name.partition(".")[0]
        definition = self.context.lookup(name)
        if definition is None:
            known = self.context.dialect(dialect)
            near = nearest(name, list(known.by_name)) if known is not None else None
            raise ValueError(f"nothing describes '{name}'" + (f"; did you mean '{near}'?" if near else ""))
        if self._into is not None and dialect not in (*self._into, self._op.dialect, "builtin"):
            raise ValueError(f"'{name}' is of the dialect '{dialect}', which `into` does not name")
        return definition

    @property
    def _types(self) -> TypeConverter | None:
        return self._inner.types if isinstance(self._inner, ConversionRewriter) else None

    def _converted(self, type: Type, definition: OpDefinition) -> Type:
        """A type as it is when the dialect is lowered, for what is made of other dialects."""
        if self._types is None or definition.dialect == self._op.dialect:
            return type
        return self._types.convert(type) or type

    def _retyped(self, attribute: Attribute, definition: OpDefinition) -> Attribute:
        if not isinstance(attribute, TypeAttr) or definition.dialect == "llvm":
            return attribute
        return TypeAttr(self._converted(attribute.type, definition))

    def declare(self, name: str, type: Type | str) -> None:
        """Sees to it that the module has a function of this name, such as one of a library: `(f64) -> i32` for a
        `func.call`, or `!llvm.func<i32 (ptr, ...)>` for an `llvm.call`. One that it has stays as it is."""
        type_, table = type_of(type, self.context), _table_around(self._op)
        if isinstance(self._inner, ConversionRewriter):
            known = self._inner.symbols_in(table).get(name)
            is_there = known is not None and known.parent is not None and known not in self._inner.replaced
        else:
            is_there = symbol_in(table, name) is not None
        if is_there:
            return
        with self._inner.elsewhere():
            self._inner.set_insertion_to_start(self._block(table.regions[0]))
            properties: dict[str, Attribute] = {"sym_name": StringAttr(name), "function_type": TypeAttr(type_)}
            if isinstance(type_, FunctionType):
                properties["sym_visibility"] = StringAttr("private")
            self._inner.create(
                "func.func" if isinstance(type_, FunctionType) else "llvm.func", (), (), properties, regions=[Region()]
            )
        self.has_changed = True

    # ---- where

    @contextmanager
    def inside(self, where: Region | Block | Op, *arguments: Type | str) -> Generator[list[Value], None, None]:
        """What is made stands at the end of a block, of the last block of a region, or of the first region of an
        operation; of a region that has none, a block is made. It gets arguments of these types besides, and what `with`
        gives are all its arguments. If the description says how such a block ends, and nothing ends it yet, that is
        made at last.

            loop = rewriter.create("scf.for", zero, size, one)
            with rewriter.inside(loop, "index") as [i]:
                rewriter.create("memref.store", value, memory, [i])
        """
        with self._inner.elsewhere():
            block = self._block(where)
            self.has_changed = True
            self._inner.add_arguments(block, [self.convert(argument) for argument in arguments])
            self._inner.set_insertion_to_end(block)
            yield list(block.arguments)
            around = block.parent.parent if block.parent is not None else None
            implied = around.definition.implicit_terminator if around is not None and around.definition else ""
            definition = self.context.lookup(implied) if implied else None
            last = block.last
            if definition is not None and (last is None or last.definition is None or not _is_terminator(last)):
                self._inner.set_insertion_to_end(block)
                self._inner.create(definition)

    @contextmanager
    def before(self, op: Op | Operation) -> Generator[None, None, None]:
        """What is made stands before an operation."""
        with self._inner.elsewhere():
            self._inner.set_insertion_before(_raw(op))
            yield

    @contextmanager
    def after(self, op: Op | Operation) -> Generator[None, None, None]:
        """What is made stands behind an operation."""
        with self._inner.elsewhere():
            raw = _raw(op)
            self._inner.block, self._inner.anchor = raw.parent, raw.next
            yield

    def _block(self, where: Region | Block | Op) -> Block:
        if isinstance(where, Block):
            return where
        regions = [where] if isinstance(where, Region) else where.operation.regions[:1]
        if not regions:
            raise ValueError("the operation has no region to make anything in")
        last = regions[0].last
        return last if last is not None else self._inner.create_block(regions[0])

    # ---- changing

    def replace(self, op: Op | Operation, by: Operandish | Sequence[Operandish]) -> None:
        """Puts values in the place of the results of an operation, which goes: one for each; or the results of another
        operation."""
        raw, values = _raw(op), values_in(by)
        if len(values) != len(raw.results):
            results, given = counted(len(raw.results), "result"), counted(len(values), "value")
            raise ValueError(f"'{raw.name}' has {results}, and is to be replaced by {given}")
        for result, value in zip(raw.results, values, strict=True):
            if value.type != result.type and value.type != self.convert(result.type):
                wanted = self.convert(result.type)
                also = f", which becomes '{wanted}'" if wanted != result.type else ""
                of = f"a result of '{raw.name}' that is '{result.type}'{also}"
                raise ValueError(f"a value of type '{value.type}' is given for {of}")
        self._note(raw)
        self._inner.replace(raw, values)

    def erase(self, op: Op | Operation) -> None:
        """Takes an operation away, whose results nothing uses; in a lowering, nothing that stays."""
        raw, inner = _raw(op), self._inner
        if not any(result.uses for result in raw.results):
            pass
        elif isinstance(inner, ConversionRewriter):
            inner.look_at_the_end(self._erasure(inner, raw, place_of_caller()))
        else:
            raise ValueError(_still_used(raw, next(user for result in raw.results for user in result.uses)))
        self._note(raw)
        inner.erase(raw)

    def _erasure(self, inner: ConversionRewriter, erased: Operation, place: FileLineColLoc) -> Callable[[], None]:
        """Raises CodeFault if anything stays that uses the results of an operation that was erased."""
        about = self._op

        def look() -> None:
            user = next((user for result in erased.results if (user := inner.live_user(result)) is not None), None)
            if user is not None:
                raise CodeFault(_still_used(erased, user), place, f"while '{about.name}' was lowered", about)

        return look

    def set(self, op: Op | Operation, name: str, value: Operands | Plain) -> None:
        """Changes an attribute, or an operand, of an operation that stays."""
        raw = _raw(op)
        definition = raw.definition
        prop = definition.property_map.get(name) if definition is not None else None
        if definition is not None and name in {operand.name for operand in definition.operands}:
            place = definition.operand_places.place(raw, len(raw.operands), name)
            if len(place) != 1:
                raise ValueError(f"'{name}' of '{raw.name}' is not one operand")
            operand = value_in(value)
            self._inner.modify(raw, lambda: raw.set_operand(place.start, operand))
        else:
            attribute = attribute_of(cast("Plain", value), prop, None, self.context)
            table = raw.properties if prop is not None else raw.attributes
            self._inner.modify(raw, lambda: _put(table, name, attribute))
        self._note(raw)

    def inline(self, body: Region | Block, *arguments: Operandish) -> list[Value]:
        """Moves the operations of a block, or of a region that has one block, to where new ones are made. These values
        stand for its arguments. What its terminator, which goes, has as operands is given back, with the types that it
        has in this lowering.

            with rewriter.inside(loop, "index") as [i]:
                [value] = rewriter.inline(op.body, i)
                rewriter.create("memref.store", value, memory, [i])
        """
        block, values = _only_block(body), [value_in(argument) for argument in arguments]
        if len(values) != len(block.arguments):
            wanted, given = counted(len(block.arguments), "argument"), counted(len(values), "value")
            raise ValueError(f"the block has {wanted}, and is given {given}")
        for argument, value in zip(block.arguments, values, strict=True):
            if value.type not in (argument.type, self.convert(argument.type)):
                of = f"an argument that is '{argument.type}'"
                raise ValueError(f"a value of type '{value.type}' is given for {of}")
        end, target = block.last, self._inner.block
        yielded: list[Value] = []
        if end is not None and _is_terminator(end):
            yielded = end.operands
            self._inner.erase(end)
        if target is not None:
            self._inner.inline_block_before(block, target, self._inner.anchor, values)
        self.has_changed = True
        return self._remapped(yielded)

    def _remapped(self, values: Sequence[Value]) -> list[Value]:
        """Values as they are in this lowering."""
        if not isinstance(self._inner, ConversionRewriter):
            return list(values)
        lists = self._inner.remap(values)
        if isinstance(lists, Failure):
            raise ValueError(lists.reason)
        return [value for of_operand in lists for value in of_operand]

    def move(self, op: Op | Operation) -> None:
        """Moves an operation to where new ones are made."""
        self._note(raw := _raw(op))
        if self._inner.block is not None:
            self._inner.move_before(raw, self._inner.block, self._inner.anchor)

    def _note(self, op: Operation) -> None:
        self.has_changed = True
        self.is_settled |= op is self._op


def _still_used(erased: Operation, user: Operation) -> str:
    return f"'{erased.name}' is to be erased, and '{user.name}' uses its result: replace it"


def _only_block(body: object) -> Block:
    if isinstance(body, Block):
        return body
    if not isinstance(body, Region):
        raise ValueError(f"a region, or a block, is moved to where others stand, not {body!r}")
    first = body.first
    if first is None or first is not body.last:
        raise ValueError(f"a region of one block is moved to where others stand, not one of {len(list(body.blocks))}")
    return first


def _table_around(op: Operation) -> Operation:
    """The closest operation around that holds symbols."""
    around = op.parent_op
    while around is not None and around.interface(SymbolTable) is None:
        around = around.parent_op
    if around is None:
        raise ValueError(f"'{op.name}' is in no module")
    return around


def _raw(op: Op | Operation) -> Operation:
    return op.operation if isinstance(op, Op) else op


def _put(table: dict[str, Attribute], name: str, attribute: Attribute | None) -> None:
    if attribute is not None:
        table[name] = attribute
    else:
        table.pop(name, None)


def _is_terminator(op: Operation) -> bool:
    from fathom.irdl.traits import TERMINATOR

    return op.has(TERMINATOR)
