"""What may be asked of an import, by the names of mlir-translate's options."""

from __future__ import annotations

from fathom.records import record


@record
class Options:
    """How LLVM IR is imported."""

    emit_expensive_warnings: bool = False
    """Whether it is told what is dropped."""
    convert_debug_rec_to_intrinsics: bool = False
    """Whether records are taken as calls of the intrinsics that they were once."""
    drop_di_composite_type_elements: bool = False
    """Whether types are taken without what they are made of."""
    prefer_unregistered_intrinsics: bool = False
    """Whether intrinsics are called by name also where an operation stands for them."""
    import_structs_as_literals: bool = False
    """Whether structs lose their names."""


DEFAULTS = Options()
