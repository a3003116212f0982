"""The operations of transform that only look at what handles stand for: where nobody uses their results they can go.

Source of the rules: `getEffects` of MLIR 22's operations, matchers and traits that navigate or produce parameters.
"""

from __future__ import annotations

from typing import Final

from fathom.ir.operation import Operation
from fathom.irdl.code import OpCode
from fathom.irdl.interfaces import Effect, EffectKind, MemoryEffects


def _effects(op: Operation) -> list[Effect]:
    read = [Effect(EffectKind.READ, operand) for operand in op.operands]
    return [*read, Effect(EffectKind.READ), *(Effect(EffectKind.ALLOCATE, result) for result in op.results)]


_LOOKING: Final = """
cast collect_matching debug.emit_param_as_remark debug.emit_remark_at get_consumers_of_result get_defining_op
get_operand get_parent_op get_producer_of_operand get_result get_type match.operation_empty match.operation_name
match.param.cmpi match.structured match.structured.body match.structured.classify_contraction_dims
match.structured.classify_convolution_dims match.structured.dim match.structured.elemental_bitwidth
match.structured.init match.structured.input match.structured.num_inits match.structured.num_inputs
match.structured.rank match.structured.result merge_handles num_associations param.constant select
sparse_tensor.match.sparse_inout split_handle structured.match xegpu.get_desc_op
""".split()

OPERATIONS: Final = {name: OpCode(interfaces=(MemoryEffects(_effects),)) for name in _LOOKING}
