from typing import Final

from fathom.ir.attributes import ArrayAttr, Attribute, DenseArrayAttr, IntegerAttr, StringAttr, SymbolRefAttr, TypeAttr, UnitAttr
from fathom.ir.operation import Operation, OpResult, Region, Value

class AddOp(Operation):
    _result0: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]

class AddressOfOp(Operation):
    reference: Final[Value]

class ApplyOp(Operation):
    applicableOperator: Final[StringAttr]
    operand: Final[Value]

class AssignOp(Operation):
    var: Final[Value]
    value: Final[Value]

class BitwiseAndOp(Operation):
    _result0: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]

class BitwiseLeftShiftOp(Operation):
    _result0: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]

class BitwiseNotOp(Operation):
    _result0: Final[OpResult]
    _operand0: Final[Value]

class BitwiseOrOp(Operation):
    _result0: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]

class BitwiseRightShiftOp(Operation):
    _result0: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]

class BitwiseXorOp(Operation):
    _result0: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]

class CallOp(Operation):
    callee: Final[SymbolRefAttr]
    arg_attrs: Final[ArrayAttr | None]
    res_attrs: Final[ArrayAttr | None]
    _result0: Final[list[OpResult]]

class CallOpaqueOp(Operation):
    callee: Final[StringAttr]
    args: Final[ArrayAttr | None]
    template_args: Final[ArrayAttr | None]
    _result0: Final[list[OpResult]]

class CastOp(Operation):
    dest: Final[OpResult]
    source: Final[Value]

class ClassOp(Operation):
    sym_name: Final[StringAttr]
    final_specifier: Final[UnitAttr | None]
    body: Final[Region]

class CmpOp(Operation):
    predicate: Final[IntegerAttr]
    _result0: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]

class ConditionalOp(Operation):
    condition: Final[Value]
    true_value: Final[Value]
    false_value: Final[Value]

class ConstantOp(Operation):
    value: Final[Attribute]
    _result0: Final[OpResult]

class DeclareFuncOp(Operation):
    sym_name: Final[SymbolRefAttr]

class DereferenceOp(Operation):
    pointer: Final[Value]

class DivOp(Operation):
    _result0: Final[OpResult]
    _operand0: Final[Value]
    _operand1: Final[Value]

class DoOp(Operation):
    bodyRegion: Final[Region]
    conditionRegion: Final[Region]

class ExpressionOp(Operation):
    do_not_inline: Final[UnitAttr | None]
    region: Final[Region]
    defs: Final[list[Value]]

class FieldOp(Operation):
    sym_name: Final[StringAttr]
    type: Final[TypeAttr]
    initial_value: Final[Attribute | None]

class FileOp(Operation):
    id: Final[StringAttr]
    bodyRegion: Final[Region]

class ForOp(Operation):
    region: Final[Region]
    lowerBound: Final[Value]
    upperBound: Final[Value]
    step: Final[Value]

class FuncOp(Operation):
    sym_name: Final[StringAttr]
    function_type: Final[TypeAttr]
    specifiers: Final[ArrayAttr | None]
    arg_attrs: Final[ArrayAttr | None]
    res_attrs: Final[ArrayAttr | None]
    body: Final[Region]

class GetFieldOp(Operation):
    field_name: Final[SymbolRefAttr]

class GetGlobalOp(Operation): ...

class GlobalOp(Operation):
    sym_name: Final[StringAttr]
    type: Final[TypeAttr]
    initial_value: Final[Attribute | None]
    extern_specifier: Final[UnitAttr | None]
    static_specifier: Final[UnitAttr | None]
    const_specifier: Final[UnitAttr | None]

class IfOp(Operation):
    thenRegion: Final[Region]
    elseRegion: Final[Region]
    condition: Final[Value]

class IncludeOp(Operation):
    include: Final[StringAttr]
    is_standard_include: Final[UnitAttr | None]

class LiteralOp(Operation):
    value: Final[StringAttr]

class LoadOp(Operation):
    operand: Final[Value]

class LogicalAndOp(Operation):
    _result0: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]

class LogicalNotOp(Operation):
    _result0: Final[OpResult]
    _operand0: Final[Value]

class LogicalOrOp(Operation):
    _result0: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]

class MemberOfPtrOp(Operation):
    member: Final[StringAttr]
    _result0: Final[OpResult]
    operand: Final[Value]

class MemberOp(Operation):
    member: Final[StringAttr]
    _result0: Final[OpResult]
    operand: Final[Value]

class MulOp(Operation):
    _result0: Final[OpResult]
    _operand0: Final[Value]
    _operand1: Final[Value]

class RemOp(Operation):
    _result0: Final[OpResult]
    _operand0: Final[Value]
    _operand1: Final[Value]

class ReturnOp(Operation):
    operand: Final[Value | None]

class SubOp(Operation):
    _result0: Final[OpResult]
    lhs: Final[Value]
    rhs: Final[Value]

class SubscriptOp(Operation):
    value: Final[Value]
    indices: Final[list[Value]]

class SwitchOp(Operation):
    cases: Final[DenseArrayAttr]
    defaultRegion: Final[Region]
    caseRegions: Final[list[Region]]
    arg: Final[Value]

class UnaryMinusOp(Operation):
    _result0: Final[OpResult]
    _operand0: Final[Value]

class UnaryPlusOp(Operation):
    _result0: Final[OpResult]
    _operand0: Final[Value]

class VariableOp(Operation):
    value: Final[Attribute]
    _result0: Final[OpResult]

class VerbatimOp(Operation):
    value: Final[StringAttr]
    fmtArgs: Final[list[Value]]

class YieldOp(Operation): ...
