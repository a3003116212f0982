"""The attributes of the spirv dialect without a definition in TableGen: versions, targets, and bindings of variables.

Source of the rules: *'spirv' Dialect*; the texts of errors are those of MLIR 22's parser.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final

from fathom.dialects.spirv.type_syntax import known_case, read_case
from fathom.dialects.spirv.types import cases
from fathom.ir.attributes import Attribute
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.traversal import ancestors, closest
from fathom.irdl.keywords import bracketed, enclosed
from fathom.ops import spirv as ops
from fathom.records import record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fathom.ir.types import Speller
    from fathom.irdl.readers import AttributeReader, BodyReader


@record
class TripleAttr(Attribute):
    """`#spirv.vce<v1.0, [Shader], [SPV_KHR_vulkan_memory_model]>`: a version, capabilities and extensions."""

    FULL_NAME: ClassVar[str] = "spirv.vce"

    version: str
    capabilities: tuple[str, ...]
    extensions: tuple[str, ...]

    def spell(self, of: Speller) -> str:
        capabilities, extensions = ", ".join(self.capabilities), ", ".join(self.extensions)
        return f"#spirv.vce<{self.version}, [{capabilities}], [{extensions}]>"


@record
class TargetAttr(Attribute):
    """`#spirv.target_env<#spirv.vce<…>, api=Vulkan, NVIDIA:DiscreteGPU:7, #spirv.resource_limits<>>`. `device` is the
    vendor, the type and the number, as many of them as are known."""

    FULL_NAME: ClassVar[str] = "spirv.target_env"

    triple: TripleAttr
    api: str
    device: tuple[str, ...]
    limits: Attribute

    def spell(self, of: Speller) -> str:
        api = f", api={self.api}" if self.api != _UNKNOWN else ""
        device = f", {':'.join(self.device)}" if self.device else ""
        return f"#spirv.target_env<{self.triple.spell(of)}{api}{device}, {of(self.limits)}>"


@record
class VariableAttr(Attribute):
    """`#spirv.interface_var_abi<(0, 1), StorageBuffer>`: where a variable is bound, and its storage class if that is
    told."""

    FULL_NAME: ClassVar[str] = "spirv.interface_var_abi"

    set: int
    binding: int
    storage: str = ""

    def spell(self, of: Speller) -> str:
        storage = f", {self.storage}" if self.storage else ""
        return f"#spirv.interface_var_abi<({self.set}, {self.binding}){storage}>"


_UNKNOWN: Final = "Unknown"
_ANY_DEVICE: Final = 0xFFFFFFFF
_WRONG_KIND: Final = "invalid kind of attribute specified"


# ---- reading


def _word(reader: BodyReader, enumeration: str, noun: str) -> str:
    return read_case(reader, enumeration, f"unknown {noun}: {{}}")


def _words(reader: BodyReader, enumeration: str, noun: str) -> tuple[str, ...]:
    """`[Shader, Float16]`."""
    return tuple(bracketed(reader, "[]", partial(_word, reader, enumeration, noun)))


def _read_triple(reader: BodyReader) -> Attribute:
    version = _word(reader, "Version", "version")
    reader.expect(",")
    capabilities = _words(reader, "Capability", "capability")
    reader.expect(",")
    extensions = _words(reader, "Extension", "extension")
    return TripleAttr(version, capabilities, extensions)


def _read_target(reader: BodyReader) -> Attribute:
    triple = reader.attribute()
    if not isinstance(triple, TripleAttr):
        reader.fail_before(_WRONG_KIND)
    reader.expect(",")
    api, device = _UNKNOWN, ()
    reader.suggest(("api", *cases("Vendor")))
    word = reader.optional_keyword()
    if word == "api":
        reader.expect("=")
        api = _word(reader, "ClientAPI", "client API")
        reader.expect(",")
        word = reader.optional_keyword()
    if word is not None:
        device = _read_device(reader, known_case(reader, word, "Vendor", "unknown vendor: {}"))
        reader.expect(",")
    limits = reader.attribute()
    if not isinstance(limits, DialectAttr) or limits.full_name != "spirv.resource_limits":
        reader.fail_before(_WRONG_KIND)
    return TargetAttr(triple, api, device, limits)


def _read_device(reader: BodyReader, vendor: str) -> tuple[str, ...]:
    """`:DiscreteGPU:7`."""
    kind, number = _UNKNOWN, _ANY_DEVICE
    if reader.accept(":"):
        kind = _word(reader, "DeviceType", "device type")
        if reader.accept(":"):
            number = reader.integer()
    return _known_of(vendor, kind, number)


def _known_of(vendor: str, kind: str, number: int | None) -> tuple[str, ...]:
    """A device, of which what is unknown is not kept."""
    if vendor == _UNKNOWN:
        return ()
    if kind == _UNKNOWN:
        return (vendor,)
    return (vendor, kind) if number in (None, _ANY_DEVICE) else (vendor, kind, str(number))


def target_of(triple: TripleAttr, api: str, device: tuple[str, str, int | None], limits: Attribute) -> TargetAttr:
    """A target: the device is a vendor, a type and a number, which may be unknown."""
    return TargetAttr(triple, api, _known_of(*device), limits)


def _read_variable(reader: BodyReader) -> Attribute:
    reader.expect("(")
    descriptor_set = reader.optional_integer()
    if descriptor_set is None:
        reader.fail_here("missing descriptor set")
    reader.expect(",")
    binding = reader.optional_integer()
    if binding is None:
        reader.fail_here("missing binding")
    reader.expect(")")
    storage = _word(reader, "StorageClass", "storage class") if reader.accept(",") else ""
    return VariableAttr(descriptor_set, binding, storage)


ATTRIBUTES: Final[Mapping[str, AttributeReader]] = {
    "interface_var_abi": enclosed(_read_variable),
    "target_env": enclosed(_read_target),
    "vce": enclosed(_read_triple),
}

# ---- what is asked of them


def target_version(op: ops.GroupNonUniformBroadcastOp) -> tuple[int, int]:
    """The version of SPIR-V that an operation is for: that of the target of the modules around its own, or 1.0."""
    module = closest(op, ops.ModuleOp)
    for around in (module, *ancestors(module)) if module is not None else ():
        target = around.attribute("spirv.target_env")
        if isinstance(target, TargetAttr):
            major, minor = re.findall(r"\d+", target.triple.version)
            return int(major), int(minor)
    return 1, 0
