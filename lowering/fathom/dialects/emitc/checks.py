"""What MLIR's verifiers say of emitc's operations.

Source of the rules: *'emitc' Dialect*; the texts are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fathom.dialects.emitc.syntax import initial_type
from fathom.dialects.emitc.types import (
    extents,
    inner,
    is_float,
    is_fundamental,
    is_integer_index_or_opaque,
    is_named,
    is_pointer_wide,
    is_supported,
)
from fathom.dialects.func import function_type, symbol_name
from fathom.ir.attributes import (
    ArrayAttr,
    DenseArrayAttr,
    DenseElementsAttr,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    TypeAttr,
)
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.types import I1, IndexType, IntegerType
from fathom.irdl.definition import Problem

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation, Region
    from fathom.ir.types import Type
    from fathom.irdl.symbols import Lookup


def _wrong(message: str) -> list[Problem]:
    return [Problem(message)]


def _text(op: Operation, name: str) -> str:
    found = op.properties.get(name)
    return found.value if isinstance(found, StringAttr) else ""


def _stated_type(op: Operation) -> Type | None:
    found = op.properties.get("type")
    return found.type if isinstance(found, TypeAttr) else None


def _is_opaque(value: Attribute | None) -> bool:
    return isinstance(value, DialectAttr) and value.full_name == "emitc.opaque"


# ---- pointers and arithmetic


def refers_to_the_same(op: Operation) -> list[Problem]:
    """A pointer and an lvalue are to the same type."""
    if inner(op.operands[0].type) == inner(op.result.type):
        return []
    return _wrong("failed to verify that input and result reference the same type")


def _is_pointer(type: Type) -> bool:
    return is_named(type, "ptr")


def _is_offset(type: Type) -> bool:
    return isinstance(type, IntegerType) or is_named(type, "opaque")


def add(op: Operation) -> list[Problem]:
    left, right = (operand.type for operand in op.operands)
    if _is_pointer(left) and _is_pointer(right):
        return _wrong("requires that at most one operand is a pointer")
    if (_is_pointer(left) and not _is_offset(right)) or (_is_pointer(right) and not _is_offset(left)):
        return _wrong("requires that one operand is an integer or of opaque type if the other is a pointer")
    return []


def sub(op: Operation) -> list[Problem]:
    (left, right), result = (operand.type for operand in op.operands), op.result.type
    if _is_pointer(right) and not _is_pointer(left):
        return _wrong("rhs can only be a pointer if lhs is a pointer")
    if _is_pointer(left) and not (_is_offset(right) or _is_pointer(right)):
        return _wrong("requires that rhs is an integer, pointer or of opaque type if lhs is a pointer")
    if _is_pointer(left) and _is_pointer(right) and not (_is_offset(result) or is_named(result, "ptrdiff_t")):
        return _wrong("requires that the result is an integer, ptrdiff_t or of opaque type if lhs and rhs are pointers")
    return []


def apply(op: Operation) -> list[Problem]:
    operator, operand = _text(op, "applicableOperator"), op.operands[0].type
    if not operator:
        return _wrong("applicable operator must not be empty")
    if operator not in ("&", "*"):
        return _wrong("applicable operator is illegal")
    if operator == "*":
        return [] if _is_pointer(operand) else _wrong("operand type must be a pointer when applying `*`")
    if not is_named(operand, "lvalue"):
        return _wrong("operand type must be an lvalue when applying `&`")
    return [] if _is_pointer(op.result.type) else _wrong("result type must be a pointer when applying `&`")


def assign(op: Operation) -> list[Problem]:
    variable, value = op.operand("var"), op.operand("value")
    if variable.defining_op is None:
        return _wrong("cannot assign to block argument")
    type = inner(variable.type)
    if type == value.type:
        return []
    return _wrong(f"requires value's type ('{value.type}') to match variable's type ('{type}')")


def cast(op: Operation) -> list[Problem]:
    source, target = op.operands[0].type, op.result.type
    if is_named(source, "array"):
        shape = extents(source)
        fits = _is_pointer(target) and inner(source) == inner(target) and len(shape) == 1 and shape[0] >= 1
    else:
        fits = all(is_integer_index_or_opaque(t) or is_float(t) or _is_pointer(t) for t in (source, target))
    return [] if fits else _wrong(f"operand type '{source}' and result type '{target}' are cast incompatible")


def subscript(op: Operation) -> list[Problem]:
    value, result = op.operands[0].type, inner(op.result.type)
    indices = [each.type for each in op.operands[1:]]
    if is_named(value, "array"):
        rank = len(extents(value))
        if len(indices) != rank:
            match = f"to match the rank of the array type ({rank})"
            return _wrong(f"on array operand requires number of indices ({len(indices)}) {match}")
        for number, type in enumerate(indices):
            if not is_integer_index_or_opaque(type):
                return _wrong(f"on array operand requires index operand {number} to be integer-like, but got '{type}'")
        if inner(value) != result:
            types = f"('{inner(value)}') and result type ('{result}') to match"
            return _wrong(f"on array operand requires element type {types}")
    if _is_pointer(value):
        if len(indices) != 1:
            return _wrong(f"on pointer operand requires one index operand, but got {len(indices)}")
        if not is_integer_index_or_opaque(indices[0]):
            return _wrong(f"on pointer operand requires index operand to be integer-like, but got '{indices[0]}'")
        if inner(value) != result:
            types = f"('{inner(value)}') and result type ('{result}') to match"
            return _wrong(f"on pointer operand requires pointee type {types}")
    return []


# ---- constants and texts


def initial_value(op: Operation) -> list[Problem]:
    """The value of a constant or a variable is of the type that is said."""
    value, result = op.properties.get("value"), op.result.type
    if _is_opaque(value):
        return []
    if isinstance(value, StringAttr):
        return _wrong("string attributes are not supported, use #emitc.opaque instead")
    result = inner(result) if is_named(result, "lvalue") else result
    type: Type | None = getattr(value, "type", None)
    if type is None or type == result or (is_pointer_wide(result) and isinstance(type, IndexType)):
        return []
    types = f"it's type ('{type}') to match the op's result type ('{result}')"
    return _wrong(f"requires attribute to either be an #emitc.opaque attribute or {types}")


def constant(op: Operation) -> list[Problem]:
    value = op.properties.get("value")
    if isinstance(value, DialectAttr) and _is_opaque(value) and value.parameter("value") == "":
        return _wrong("value must not be empty")
    return initial_value(op)


def literal(op: Operation) -> list[Problem]:
    return [] if _text(op, "value") else _wrong("value must not be empty")


def verbatim(op: Operation) -> list[Problem]:
    """Each `{}` has an operand, and the other way round; without operands the text is any."""
    text, places = _text(op, "value"), 0
    while op.operands and (brace := text.find("{")) >= 0:
        text = text[brace:]
        if len(text) < 2:
            return _wrong("expected '}' after unescaped '{' at end of string")
        if text[1] not in "{}":
            return _wrong("expected '}' after unescaped '{'")
        places += text[1] == "}"
        text = text[2:]
    return [] if places == len(op.operands) else _wrong("requires operands for each placeholder in the format string")


def call_opaque(op: Operation) -> list[Problem]:
    if not _text(op, "callee"):
        return _wrong("callee must not be empty")
    arguments, template = op.properties.get("args"), op.properties.get("template_args")
    for each in arguments.elements if isinstance(arguments, ArrayAttr) else ():
        is_index = isinstance(each, IntegerAttr) and isinstance(each.type, IndexType)
        if isinstance(each, IntegerAttr) and is_index and not 0 <= each.value < len(op.operands):
            return _wrong("index argument is out of range")
        if isinstance(each, ArrayAttr):
            return _wrong("array argument has no type")
    for each in template.elements if isinstance(template, ArrayAttr) else ():
        if not (isinstance(each, (TypeAttr, IntegerAttr, FloatAttr)) or _is_opaque(each)):
            return _wrong("template argument has invalid type")
    return _wrong("cannot return array type") if any(is_named(r.type, "array") for r in op.results) else []


def global_(op: Operation) -> list[Problem]:
    type, value = _stated_type(op), op.properties.get("initial_value")
    if type is None or not is_supported(type):
        return _wrong("expected valid emitc type")
    if isinstance(value, DenseElementsAttr):
        if not is_named(type, "array"):
            return _wrong(f"expected array type, but got '{type}'")
        if value.type != initial_type(type):
            return _wrong(f"initial value expected to be of type '{type}', but was of type '{value.type}'")
    elif isinstance(value, (IntegerAttr, FloatAttr)) and value.type != type:
        return _wrong(f"initial value expected to be of type '{type}', but was of type '{value.type}'")
    if {"static_specifier", "extern_specifier"} <= op.properties.keys():
        return _wrong("cannot have both static and extern specifiers")
    return []


def get_global(op: Operation, lookup: Lookup) -> list[Problem]:
    symbol = op.properties.get("name")
    name = symbol.root if isinstance(symbol, SymbolRefAttr) else ""
    found, result = lookup(name), op.result.type
    if found is None or found.name != "emitc.global":
        return _wrong(f"'{name}' does not reference a valid emitc.global")
    type = _stated_type(found)
    if type is None or type == (result if is_named(type, "array") else inner(result)):
        is_lvalue = is_named(type, "array") or is_named(result, "lvalue")
        message = "on non-array type expects result type to be an lvalue type for the global"
        return [] if is_lvalue else _wrong(f"{message} @{name}")
    if is_named(type, "array"):
        return _wrong(f"on array type expects result type '{result}' to match type '{type}' of the global @{name}")
    if not is_named(result, "lvalue"):
        return _wrong(f"on non-array type expects result type to be an lvalue type for the global @{name}")
    types = f"'{inner(result)}' to match type '{type}' of the global @{name}"
    return _wrong(f"on non-array type expects result inner type {types}")


# ---- functions


def func(op: Operation) -> list[Problem]:
    type = function_type(op)
    if any(is_named(each, "lvalue") for each in type.inputs):
        return _wrong("cannot have lvalue type as argument")
    if len(type.results) > 1:
        return _wrong(f"requires zero or exactly one result, but has {len(type.results)}")
    return _wrong("cannot return array type") if type.results and is_named(type.results[0], "array") else []


def return_(op: Operation) -> list[Problem]:
    function = op.parent_op
    if function is None or function.name != "emitc.func":
        return []
    results, name = function_type(function).results, symbol_name(function)
    if len(op.operands) != len(results):
        counts = f"{len(op.operands)} operands, but enclosing function (@{name}) returns {len(results)}"
        return _wrong(f"has {counts}")
    if results and op.operands[0].type != results[0]:
        types = f"('{op.operands[0].type}') doesn't match function result type ('{results[0]}') in function @{name}"
        return [Problem(f"type of the return operand {types}", bare=True)]
    return []


def declare_func(op: Operation, lookup: Lookup) -> list[Problem]:
    symbol = op.properties.get("sym_name")
    name = symbol.root if isinstance(symbol, SymbolRefAttr) else ""
    found = lookup(name)
    if found is not None and found.name == "emitc.func":
        return []
    return _wrong(f"'{name}' does not reference a valid function")


# ---- expressions and control flow


def expression(op: Operation) -> list[Problem]:
    block = op.regions[0].first
    last = block.last if block is not None else None
    if block is None or last is None or last.name != "emitc.yield" or not last.operands:
        return _wrong("must yield a value at termination")
    value = last.operands[0]
    root = value.defining_op
    if root is None:
        return _wrong("yielded value has no defining op")
    if root.parent_op is not op:
        return _wrong("yielded value not defined within expression")
    if op.result.type != value.type:
        return _wrong("requires yielded type to match return type")
    for each in block:
        if each is last:
            continue
        if each.definition is None or not any(t.name == "CExpressionInterface" for t in each.definition.traits):
            return _wrong("contains an unsupported operation")
        if len(each.results) != 1:
            return _wrong("requires exactly one result for each operation")
        if not each.result.uses:
            return _wrong("contains an unused operation")
    if _is_repeated(root):
        return _wrong("requires exactly one use for operations with side effects")
    return []


def _is_repeated(root: Operation) -> bool:
    """Whether something with effects would be written more than once, where the expression is written from its root."""
    seen: set[Operation] = set()
    todo = [root]
    while todo:
        each = todo.pop()
        if each in seen:
            if _has_effects(each):
                return True
            continue
        seen.add(each)
        todo += (definer for value in each.operands if (definer := value.defining_op) is not None)
    return False


def _has_effects(op: Operation) -> bool:
    """Whether it matters how often the C expression that an operation stands for is evaluated."""
    if op.name == "emitc.apply":
        return _text(op, "applicableOperator") == "*"
    if op.name == "emitc.expression":
        return any(_has_effects(each) for each in op.regions[0].walk() if each.name != "emitc.yield")
    if op.name in ("emitc.address_of", "emitc.call", "emitc.cast", "emitc.conditional"):
        return False
    if op.name in ("emitc.call_opaque", "emitc.load"):
        return True
    return not all(is_fundamental(value.type) for value in op.operands or op.results)


def for_(op: Operation) -> list[Problem]:
    block = op.regions[0].first
    arguments = block.arguments if block is not None else []
    if len(arguments) != 1:
        return _wrong("expected body to have a single block argument for the induction variable")
    if arguments[0].type != op.operands[0].type:
        return _wrong("expected induction variable to be same type as bounds and step")
    return []


def yield_(op: Operation) -> list[Problem]:
    around = op.parent_op
    if around is None or around.name == "emitc.do":
        return []
    if op.operands and len(around.results) != 1:
        return _wrong("yields a value not returned by parent")
    if not op.operands and around.results:
        return _wrong("does not yield a value to be returned by parent")
    return []


def switch(op: Operation) -> Sequence[Problem]:
    cases = op.properties.get("cases")
    numbers = cases.values if isinstance(cases, DenseArrayAttr) else ()
    if len(numbers) != len(op.regions) - 1:
        return _wrong(f"has {len(op.regions) - 1} case regions but {len(numbers)} case values")
    for index, number in enumerate(numbers):
        if number in numbers[:index]:
            return _wrong(f"has duplicate case value: {number}")
    names = ["default region", *(f"case region #{index}" for index in range(len(numbers)))]
    return next((found for r, name in zip(op.regions, names, strict=True) if (found := _case(r, name))), ())


def _case(region: Region, name: str) -> list[Problem]:
    last = region.first.last if region.first is not None else None
    if last is None:
        return []
    if last.name != "emitc.yield":
        return _wrong(f"expected region to end with emitc.yield, but got {last.name}")
    if last.operands:
        return _wrong(f"expected each region to return 0 values, but {name} returns {len(last.operands)}")
    return []


def do(op: Operation) -> list[Problem]:
    body, condition = (region.first for region in op.regions)
    inside: Sequence[Operation] = [*condition] if condition is not None else []
    wanted = "condition region must contain exactly two operations: 'emitc.expression' followed by 'emitc.yield'"
    if len(inside) != 2:
        return _wrong(f"{wanted}, but found {len(inside)} operations")
    first, last = inside
    if first.name != "emitc.expression":
        return _wrong(f"expected first op in condition region to be 'emitc.expression', but got {first.name}")
    if first.result.type != I1:
        returned = f"must return 'i1', but returns '{first.result.type}'"
        return _wrong(f"emitc.expression in condition region {returned}")
    if last.name != "emitc.yield":
        return _wrong(f"expected last op in condition region to be 'emitc.yield', but got {last.name}")
    if len(last.operands) != 1:
        return _wrong(f"expected condition region to return 1 value, but it returns {len(last.operands)} values")
    if last.operands[0].defining_op is not first:
        message = "'emitc.yield' must return result of 'emitc.expression' from this condition region"
        return [Problem(message, bare=True)]
    end = body.last if body is not None else None
    if end is not None and end.name == "emitc.yield":
        return _wrong("body region must not contain terminator")
    return []


# ---- classes


def field(op: Operation) -> list[Problem]:
    type, around = _stated_type(op), op.parent_op
    if type is None or not is_supported(type):
        return _wrong("expected valid emitc type")
    # Where nothing stands around it, it is looked at apart from its class.
    if around is not None and around.name != "emitc.class":
        return _wrong("field must be nested within an emitc.class operation")
    return [] if symbol_name(op) else _wrong("field must have a non-empty symbol name")


def get_field(op: Operation) -> list[Problem]:
    around = op
    while around.name != "emitc.class" and around.parent_op is not None:
        around = around.parent_op
    is_outside = around.name == "builtin.module"
    return _wrong(" must be nested within an emitc.class operation") if is_outside else []


def get_field_symbol(op: Operation, lookup: Lookup) -> list[Problem]:
    symbol = op.properties.get("field_name")
    found = lookup(symbol) if isinstance(symbol, SymbolRefAttr) else None
    if found is None or found.name != "emitc.field":
        return _wrong(f"field '{symbol}' not found in the class")
    type = _stated_type(found)
    if type == op.result.type:
        return []
    return _wrong(f"result type '{op.result.type}' does not match field '{symbol}' type '{type}'")
