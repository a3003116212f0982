"""The emitc dialect, what C and C++ have: described in `mlir-22/emitc.toml`.

Source of the rules: *'emitc' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import Final

from fathom.dialects import description_of
from fathom.dialects.emitc.syntax import DO, EXPRESSION, FOR, IF, INCLUDE, INITIAL, resolve_address, resolve_initial
from fathom.dialects.emitc.types import BODIES, PARAMETERS, PREDICATES
from fathom.dialects.func import FUNCTION_SYNTAX
from fathom.dialects.scf.branches import SWITCH_CASES, resolve_switch
from fathom.dialects.scf.loops import BOUND_TYPE
from fathom.irdl.code import DialectCode, OpCode

CODE: Final = DialectCode(
    operations={
        "address_of": OpCode(resolve=resolve_address),
        "dereference": OpCode(resolve=resolve_address),
        "do": OpCode(custom=DO),
        "expression": OpCode(custom=EXPRESSION),
        "field": OpCode(resolve=resolve_initial),
        "for": OpCode(custom=FOR),
        "func": OpCode(custom=FUNCTION_SYNTAX),
        "global": OpCode(resolve=resolve_initial),
        "if": OpCode(custom=IF),
        "include": OpCode(custom=INCLUDE),
        "switch": OpCode(resolve=resolve_switch),
    },
    predicates=PREDICATES,
    directives={
        "BoundType": BOUND_TYPE,
        "EmitCFieldOpTypeAndInitialValue": INITIAL,
        "EmitCGlobalOpTypeAndInitialValue": INITIAL,
        "SwitchCases": SWITCH_CASES,
    },
    bodies=BODIES,
    parameters=PARAMETERS,
)
DESCRIPTION: Final = description_of("emitc", CODE)
DIALECT: Final = DESCRIPTION.dialect()
VERIFY_PARTS: Final = ("control_checks",)
