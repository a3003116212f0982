"""`spirv-attach-target`: GPU modules say which SPIR-V they become, and for which device."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.passes.options import STRING, UINT, NotGiven, list_of, option
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class GpuSPIRVAttachTarget(Pass):
    """Of all modules in the operation, those whose names match `module`; they keep the targets that they have.
    Capabilities and extensions that there are not are left out; it fails where there is no such version, interface,
    vendor or type of device."""

    name = "spirv-attach-target"
    summary = "attaches a target of SPIR-V to GPU modules"

    module: str = option("", "a regular expression for the names of modules", STRING)
    version: str = option("v1.0", "the version of SPIR-V", STRING, name="ver")
    capabilities: tuple[str, ...] = option((), "capabilities that the target has", list_of(STRING), name="caps")
    extensions: tuple[str, ...] = option((), "extensions that the target has", list_of(STRING), name="exts")
    client_api: str = option("Unknown", "the interface through which it is run", STRING, name="client_api")
    vendor: str = option("Unknown", "who made the device", STRING)
    device_type: str = option("Unknown", "the type of the device", STRING, name="device_type")
    device_id: int = option(NotGiven(0), "the number of the device", UINT, name="device_id")

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.diagnostics import REFUSED_BY_PASS, Diagnostic
        from fathom.dialects.spirv.attributes import TripleAttr, target_of
        from fathom.dialects.spirv.types import cases
        from fathom.ops.gpu import ModuleOp
        from fathom.passes.gpu_targets import attach, target

        words = {
            "Version": self.version,
            "ClientAPI": self.client_api,
            "Vendor": self.vendor,
            "DeviceType": self.device_type,
        }
        for enumeration, word in words.items():
            if word not in cases(enumeration):
                return [Diagnostic(f"unknown {enumeration}: '{word}'", op.span, code=REFUSED_BY_PASS, op=op)]
        capabilities = tuple(word for word in self.capabilities if word in cases("Capability"))
        extensions = tuple(word for word in self.extensions if word in cases("Extension"))
        wanted = target_of(
            TripleAttr(self.version, capabilities, extensions),
            self.client_api,
            (self.vendor, self.device_type, None if isinstance(self.device_id, NotGiven) else self.device_id),
            target("spirv", "ResourceLimitsAttr"),
        )
        attach([each for each in op.walk() if isinstance(each, ModuleOp)], self.module, wanted)
        return []
