"""The emitc dialect, what C and C++ have: described in `mlir-22/emitc.toml`.

Source of the rules: *'emitc' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import Final

from fathom.dialects import description_of
from fathom.dialects.emitc import checks as c
from fathom.dialects.emitc import control_checks as control
from fathom.dialects.emitc.syntax import DO, EXPRESSION, FOR, IF, INCLUDE, INITIAL, resolve_address, resolve_initial
from fathom.dialects.emitc.types import BODIES, PARAMETERS, PREDICATES
from fathom.dialects.func import FUNCTION_SYNTAX
from fathom.dialects.func.callees import callee_check
from fathom.dialects.scf.branches import SWITCH_CASES, resolve_switch
from fathom.irdl.code import DialectCode, OpCode

CODE: Final = DialectCode(
    operations={
        "add": OpCode(verify=c.add),
        "address_of": OpCode(resolve=resolve_address, verify=c.refers_to_the_same),
        "apply": OpCode(verify=c.apply),
        "assign": OpCode(verify=c.assign),
        "call": OpCode(verify_symbols=callee_check("emitc.func")),
        "call_opaque": OpCode(verify=c.call_opaque),
        "cast": OpCode(verify=c.cast),
        "constant": OpCode(verify=c.constant),
        "declare_func": OpCode(verify_symbols=c.declare_func),
        "dereference": OpCode(resolve=resolve_address, verify=c.refers_to_the_same),
        "do": OpCode(custom=DO, verify=control.do),
        "expression": OpCode(custom=EXPRESSION, verify=control.expression),
        "field": OpCode(resolve=resolve_initial, verify=c.field),
        "for": OpCode(custom=FOR, verify_regions=control.for_),
        "func": OpCode(custom=FUNCTION_SYNTAX, verify=c.func),
        "get_field": OpCode(verify=c.get_field, verify_symbols=c.get_field_symbol),
        "get_global": OpCode(verify_symbols=c.get_global),
        "global": OpCode(resolve=resolve_initial, verify=c.global_),
        "if": OpCode(custom=IF),
        "include": OpCode(custom=INCLUDE),
        "literal": OpCode(verify=c.literal),
        "return": OpCode(verify=c.return_),
        "sub": OpCode(verify=c.sub),
        "subscript": OpCode(verify=c.subscript),
        "switch": OpCode(resolve=resolve_switch, verify=control.switch),
        "variable": OpCode(verify=c.initial_value),
        "verbatim": OpCode(verify=c.verbatim),
        "yield": OpCode(verify=control.yield_),
    },
    predicates=PREDICATES,
    directives={
        "EmitCFieldOpTypeAndInitialValue": INITIAL,
        "EmitCGlobalOpTypeAndInitialValue": INITIAL,
        "SwitchCases": SWITCH_CASES,
    },
    bodies=BODIES,
    parameters=PARAMETERS,
)
DESCRIPTION: Final = description_of("emitc", CODE)
DIALECT: Final = DESCRIPTION.dialect()
