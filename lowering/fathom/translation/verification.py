"""LLVM's own verdict on LLVM IR text, through llvmlite's binding layer."""

from __future__ import annotations


def verify_ir(text: str) -> list[str]:
    """What LLVM's parser and verifier object to; an empty list means that the module is sound."""
    import llvmlite.binding as llvm

    try:
        module = llvm.parse_assembly(text, context=llvm.create_context())
        module.verify()
    except RuntimeError as error:
        message = str(error).removeprefix("LLVM IR parsing error\n")
        return [message.strip()]
    return []
