"""The operations of scf (`fathom.ops`). Made by `make dialects`: do not edit."""

from fathom.ops import OpClass

ConditionOp = OpClass("scf.condition")
ExecuteRegionOp = OpClass("scf.execute_region")
ForOp = OpClass("scf.for")
ForallInParallelOp = OpClass("scf.forall.in_parallel")
ForallOp = OpClass("scf.forall")
IfOp = OpClass("scf.if")
IndexSwitchOp = OpClass("scf.index_switch")
ParallelOp = OpClass("scf.parallel")
ReduceOp = OpClass("scf.reduce")
ReduceReturnOp = OpClass("scf.reduce.return")
WhileOp = OpClass("scf.while")
YieldOp = OpClass("scf.yield")
