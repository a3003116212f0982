"""The data layout of a module of LLVM IR as `#dlti.dl_spec`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.dialects.llvm.layout_specs import layout_spec

if TYPE_CHECKING:
    from fathom.importing.state import ModuleImport
    from fathom.ir.attributes import Attribute


def import_data_layout(module: ModuleImport) -> Attribute:
    """The layout of a module. Raises Failed."""
    spec = layout_spec(module.source.target_datalayout)
    if spec.attribute is None:
        raise module.error(f"cannot translate data layout: {spec.malformed}", module.place)
    for token in spec.unknown:
        module.warn(f"unhandled data layout token: {token}", module.place)
    return spec.attribute
