"""The cf dialect: branches between the blocks of a region, and assertions.

Source of the rules: *'cf' Dialect*, "Operations".
"""

from __future__ import annotations

from typing import Final

from fathom.dialects import load_described
from fathom.dialects.cf.switches import BRANCH_BY_CASE, case_values, switch_syntax
from fathom.ir.attributes import IntegerAttr
from fathom.irdl.code import DialectCode, OpCode
from fathom.irdl.folding import Constants
from fathom.irdl.interfaces import TRUE_OR_FALSE, Assertion, branch_by_groups
from fathom.ops.cf import CondBrOp, SwitchOp
from fathom.records import replace


def _by_condition(op: CondBrOp, constants: Constants) -> int | None:
    condition = constants[0]
    return int(not condition.value) if isinstance(condition, IntegerAttr) else None


def _by_flag(op: SwitchOp, constants: Constants) -> int | None:
    flag, cases = constants[0], case_values(op)
    if not isinstance(flag, IntegerAttr):
        return 0 if not cases else None
    return cases.index(flag.value) + 1 if flag.value in cases else 0


CONDITIONAL: Final = branch_by_groups("trueDestOperands", "falseDestOperands", ways=TRUE_OR_FALSE)
CODE: Final = DialectCode(
    {
        "assert": OpCode(interfaces=(Assertion(lambda op: op.arg, lambda op: op.msg.value),)),
        "br": OpCode(interfaces=(branch_by_groups("destOperands"),)),
        "cond_br": OpCode(interfaces=(replace(CONDITIONAL, choose=_by_condition),)),
        "switch": OpCode(
            custom=switch_syntax("flag", "case_values"), interfaces=(replace(BRANCH_BY_CASE, choose=_by_flag),)
        ),
    }
)
DIALECT: Final = load_described("cf", CODE)
VERIFY_PARTS: Final = ("switches",)
