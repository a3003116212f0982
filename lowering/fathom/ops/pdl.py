"""The operations of pdl (`fathom.ops`). Made by `make dialects`: do not edit."""

from fathom.ops import OpClass

ApplyNativeConstraintOp = OpClass("pdl.apply_native_constraint")
ApplyNativeRewriteOp = OpClass("pdl.apply_native_rewrite")
AttributeOp = OpClass("pdl.attribute")
EraseOp = OpClass("pdl.erase")
OperandOp = OpClass("pdl.operand")
OperandsOp = OpClass("pdl.operands")
OperationOp = OpClass("pdl.operation")
PatternOp = OpClass("pdl.pattern")
RangeOp = OpClass("pdl.range")
ReplaceOp = OpClass("pdl.replace")
ResultOp = OpClass("pdl.result")
ResultsOp = OpClass("pdl.results")
RewriteOp = OpClass("pdl.rewrite")
TypeOp = OpClass("pdl.type")
TypesOp = OpClass("pdl.types")
