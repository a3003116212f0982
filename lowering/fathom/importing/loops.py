"""The metadata of loops as `#llvm.loop_annotation`.

Source of the rules: *LLVM Language Reference*, "'llvm.loop' Metadata"; *'llvm' Dialect*, "LoopAnnotationAttr".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.ir_names import LOOP_HINTS, OWN_LOOP_HINTS, Hint, LoopHint
from fathom.importing.aliasing import integer_in, operands_of
from fathom.importing.attributes import made
from fathom.ir.attributes import FALSE, TRUE, IntegerAttr
from fathom.ir.locations import FusedLoc
from fathom.ir.types import I32
from fathom.llvmir.metadata import MDNode, MDString, SpecializedMDNode
from fathom.llvmir.types import I1
from fathom.llvmir.types import I32 as LLVM_I32

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fathom.importing.state import ModuleImport
    from fathom.ir.attributes import Attribute
    from fathom.ir.dialect_values import Parameter
    from fathom.ir.locations import LocationAttr
    from fathom.llvmir.metadata import Metadata

_PARTS: Final = {
    "vectorize": "LoopVectorizeAttr",
    "interleave": "LoopInterleaveAttr",
    "unroll": "LoopUnrollAttr",
    "unrollAndJam": "LoopUnrollAndJamAttr",
    "licm": "LoopLICMAttr",
    "distribute": "LoopDistributeAttr",
    "pipeline": "LoopPipelineAttr",
    "peeled": "LoopPeeledAttr",
    "unswitch": "LoopUnswitchAttr",
}


class Loops:
    """The annotations of a module's loops, each made once."""

    def __init__(self, module: ModuleImport) -> None:
        self._module: Final = module
        self._known: Final[dict[MDNode, Attribute | None]] = {}

    def annotation(self, node: MDNode, location: LocationAttr) -> Attribute | None:
        """The annotation that a node is; None where MLIR has not all of it, which is said."""
        # What follows on a loop has an annotation of its own, which is made first.
        stack = [node]
        while stack:
            current = stack[-1]
            if current in self._known:
                stack.pop()
                continue
            missing = [each for each in _followups(current) if each not in self._known and each not in stack]
            if missing:
                stack += reversed(missing)
                continue
            self._known[current] = _Conversion(self._module, self, current, location).converted()
            stack.pop()
        return self._known[node]

    def known(self, node: MDNode) -> Attribute | None:
        """An annotation that was made."""
        return self._known.get(node)


def _followups(node: MDNode) -> Iterator[MDNode]:
    for operand in operands_of(node)[1:]:
        inner = operands_of(operand) if isinstance(operand, MDNode) else ()
        if len(inner) > 1 and isinstance(inner[0], MDString) and isinstance(inner[1], MDNode):
            name = inner[0].text
            if ".followup_" in name:
                yield inner[1]


class _Conversion:
    """What is read of one node: properties by their names, of which each is taken once."""

    def __init__(self, module: ModuleImport, loops: Loops, node: MDNode, location: LocationAttr) -> None:
        self._module = module
        self._loops = loops
        self._node = node
        self._location = location
        self._properties: dict[str, MDNode] = {}
        self._places: list[MDNode] = []
        self._failed = False

    def _warn(self, message: str) -> None:
        self._module.warn(message, self._location)
        self._failed = True

    def converted(self) -> Attribute | None:
        if not self._collect():
            return None
        parameters: dict[str, Parameter] = {}
        own = dict(zip((name for name, *_ in OWN_LOOP_HINTS), OWN_LOOP_HINTS, strict=True))
        parameters["disableNonforced"] = self._hint(own["disableNonforced"])
        for part, hints in LOOP_HINTS.items():
            before, self._failed = self._failed, False
            values = {hint[0]: self._hint(hint) for hint in hints}
            # A part with a hint that is said wrongly is left out, and nothing else is.
            if not self._failed and any(value is not None for value in values.values()):
                parameters[part] = made(_PARTS[part], **values)
            self._failed = before
        parameters["mustProgress"] = self._hint(own["mustProgress"])
        parameters["isVectorized"] = self._hint(own["isVectorized"])
        groups = self._groups()
        if self._properties:
            for name in self._properties:
                self._module.warn(f"unknown loop annotation {name}", self._location)
            return None
        if self._failed:
            return None
        start, end = self._spans()
        parameters |= {"startLoc": start, "endLoc": end, "parallelAccesses": groups or None}
        if all(value is None for value in parameters.values()):
            return None
        return made("LoopAnnotationAttr", **parameters)

    def _collect(self) -> bool:
        operands = operands_of(self._node)
        if not operands or operands[0] is not self._node:
            self._warn("invalid loop node")
            return False
        for operand in operands[1:]:
            if isinstance(operand, SpecializedMDNode) and operand.kind.name == "DILocation":
                self._places.append(operand)
                continue
            if not isinstance(operand, MDNode):
                self._warn("expected all loop properties to be either debug locations or metadata nodes")
                return False
            inner = operands_of(operand)
            if not inner:
                self._warn("cannot import empty loop property")
                return False
            if not isinstance(inner[0], MDString):
                self._warn("cannot import loop property without a name")
                return False
            name = inner[0].text
            if name in self._properties:
                self._warn(f"cannot import loop properties with duplicated names {name}")
                return False
            self._properties[name] = operand
        return True

    # ---- hints

    def _hint(self, hint: LoopHint) -> Parameter:
        """The value of a hint; None if nothing is said, or it is said wrongly."""
        _, way, short = hint
        name = f"llvm.{short}"
        match way:
            case Hint.FLAG | Hint.SWITCH:
                return self._flag(name)
            case Hint.BOOLEAN | Hint.NEGATED:
                return self._bit(name, way is Hint.NEGATED)
            case Hint.NUMBER:
                number = self._number(name, "an i32 value")
                return None if number is None else IntegerAttr(number, I32)
            case Hint.COUNTED:
                number = self._number(name, "an integer value")
                return None if number is None else TRUE if number else FALSE
            case Hint.EITHER:
                return self._either(name)
            case Hint.FOLLOWUP:
                return self._followup(name)

    def _taken(self, name: str) -> list[Metadata | None] | None:
        """The operands of the property of this name behind the name; None if there is none."""
        node = self._properties.pop(name, None)
        return None if node is None else [*operands_of(node)][1:]

    def _flag(self, name: str) -> Attribute | None:
        operands = self._taken(name)
        if operands:
            self._warn(f"expected metadata node {name} to hold no value")
        return None if operands is None or operands else TRUE

    def _either(self, name: str) -> Attribute | None:
        enabled, disabled = self._flag(f"{name}.enable"), self._flag(f"{name}.disable")
        if enabled is not None and disabled is not None:
            both = f"{name}.enable and {name}.disable"
            self._warn(f"expected metadata nodes {both} to be mutually exclusive.")
            return None
        return FALSE if enabled is not None else TRUE if disabled is not None else None

    def _bit(self, name: str, is_negated: bool) -> Attribute | None:
        operands = self._taken(name)
        if operands is None:
            return None
        number = integer_in(operands[0]) if len(operands) == 1 else None
        if number is None or number.type != I1:
            self._warn(f"expected metadata node {name} to hold a boolean value")
            return None
        return TRUE if bool(number.value) != is_negated else FALSE

    def _number(self, name: str, what: str) -> int | None:
        operands = self._taken(name)
        if operands is None:
            return None
        number = integer_in(operands[0]) if len(operands) == 1 else None
        if number is None or number.type != LLVM_I32:
            self._warn(f"expected metadata node {name} to hold {what}")
            return None
        return number.value

    def _followup(self, name: str) -> Attribute | None:
        operands = self._taken(name)
        if operands is None:
            return None
        node = operands[0] if len(operands) == 1 else None
        if not isinstance(node, MDNode):
            self._warn(f"expected metadata node {name} to hold an MDNode")
            return None
        return self._loops.known(node)

    def _groups(self) -> tuple[Attribute, ...]:
        name = "llvm.loop.parallel_accesses"
        operands = self._taken(name)
        if operands is None:
            return ()
        nodes = [operand for operand in operands if isinstance(operand, MDNode)]
        if not operands or len(nodes) != len(operands):
            self._warn(f"expected metadata node {name} to hold one or multiple MDNodes")
            return ()
        groups: list[Attribute] = []
        for node in nodes:
            found = self._module.aliasing.groups(node)
            if found is None:
                self._module.warn("could not lookup access group", self._location)
            else:
                groups += found
        return tuple(groups)

    def _spans(self) -> tuple[Attribute | None, Attribute | None]:
        """Where the loop begins and ends."""
        places = [self._module.debug_info.location(node) for node in self._places]
        if len(places) > 2:
            raise self._module.error("expected loop metadata to have at most two DILocations", self._location)
        found = [place if isinstance(place, FusedLoc) else None for place in places]
        start, end, *_ = (*found, None, None)
        return start, end
