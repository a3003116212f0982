"""The names of attributes, where a dictionary takes one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from fathom.irdl.cases import cases_of
from fathom.irdl.constraint import AttributeConstraint, AttributeForm
from fathom.irdl.kinds import Named
from fathom_server.features.completion.inquiry import Inquiry
from fathom_server.features.completion.suggestion import Suggestion

_LLVM: Final = (
    "align byref byval dereferenceable dereferenceable_or_null inalloca inreg nest noalias nocapture nofree nonnull "
    "noundef preallocated range readnone readonly returned signext sret writeonly zeroext"
)
_OF_ARGUMENTS: Final = (
    *(f"llvm.{name}" for name in _LLVM.split()),
    *("bufferization.access", "bufferization.buffer_layout", "bufferization.writable"),
    *("transform.consumed", "transform.readonly"),
)
_OF_OPERATIONS: Final = (
    *("dlti.dl_spec", "dlti.target_system_spec", "gpu.container_module", "gpu.kernel", "gpu.known_block_size"),
    *("gpu.known_cluster_size", "gpu.known_grid_size", "llvm.data_layout", "llvm.emit_c_interface"),
    *("llvm.target_triple", "nvvm.cluster_dim", "nvvm.kernel", "nvvm.maxntid", "nvvm.minctasm", "nvvm.reqntid"),
    *("omp.is_gpu", "omp.is_target_device", "rocdl.kernel", "spirv.entry_point_abi", "spirv.target_env"),
    "transform.with_named_sequence",
)
"""What dialects give a meaning of their own on arguments, and on operations, that no definition declares."""


def attribute_values(inquiry: Inquiry) -> Iterator[Suggestion]:
    """What the property can be whose name stands before: an attribute of a dialect, with each of its cases where it is
    one of an enumeration."""
    key, definition = inquiry.asked.key, inquiry.definition
    if key is None or definition is None or inquiry.position.expected.in_argument:
        return
    wanted = definition.property_map.get(key)
    if wanted is None:
        return
    for case, number in wanted.constraint.numbers.items():
        yield Suggestion(f"{number} : {wanted.constraint.type}", "value", f"{case} of {key}")
    name, cases = _attribute_of(wanted.constraint)
    for text in [f"#{name}<{case}>" for case in cases] or [f"#{name}"] * bool(name):
        yield Suggestion(text, "attribute", key)


def _attribute_of(constraint: AttributeConstraint) -> tuple[str, Iterable[str]]:
    """The dialect and name of the attributes that satisfy a constraint, where one definition makes them all, and the
    words that they can be; empty where there is none."""
    definition = constraint.definition
    if constraint.mnemonic:
        return constraint.mnemonic, constraint.cases
    if definition is not None and not definition.is_type:
        return definition.full_name, cases_of(definition) if definition.parameters else ()
    return (constraint.test.name, ()) if isinstance(constraint.test, Named) else ("", ())


def attribute_names(inquiry: Inquiry) -> Iterator[Suggestion]:
    """The names that an entry of the dictionary can have: the operation's properties in its own dictionary, and those
    that dialects know elsewhere; the near ones first."""
    asked, definition = inquiry.asked, inquiry.definition
    if not asked.is_key:
        return
    taken = set(asked.keys())
    in_argument = inquiry.position.expected.in_argument
    suggestions: dict[str, Suggestion] = {}
    for declared in definition.properties if definition is not None and not in_argument else ():
        value = "" if declared.constraint.form is AttributeForm.UNIT else f"{declared.name} = "
        suggestions[declared.name] = Suggestion(declared.name, "attribute", declared.constraint.summary, "", value)
    suggestions |= {name: Suggestion(name, "attribute") for name in (_OF_ARGUMENTS if in_argument else _OF_OPERATIONS)}
    near = (name for name in inquiry.near.ordered if name in suggestions)
    yield from (suggestions[name] for name in dict.fromkeys((*near, *suggestions)) if name not in taken)
