"""Operations, types and attributes of dialects that are not registered: mistakes, unless a command allows them."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from typing import Final

from fathom.context import Context
from fathom.diagnostics import UNKNOWN_OP, UNREGISTERED, Diagnostic, Note
from fathom.elaborate.aliases import defines_names
from fathom.elaborate.file_metadata import resource_sections
from fathom.elaborate.unknown import CUSTOM_TEXT
from fathom.ir.operation import Operation, Span
from fathom.syntax.events import MetadataEvent
from fathom.syntax.tree import SyntaxTree

NOT_ALLOWED: Final = (
    "operation being parsed with an unregistered dialect. If this is intended, please use "
    "-allow-unregistered-dialect with the MLIR tool used"
)
NOT_CREATED: Final = (
    "created with unregistered dialect. If this is intended, please call allowUnregisteredDialects() on the "
    "MLIRContext, or use -allow-unregistered-dialect with the MLIR opt tool used"
)
_OF_MLIR: Final = frozenset(
    "acc affine amdgpu amx arith arm_neon arm_sme arm_sve async bufferization builtin cf complex dlti emitc func gpu "
    "index irdl linalg llvm math memref ml_program mpi nvgpu nvvm omp pdl pdl_interp ptr quant rocdl scf shape shard "
    "smt sparse_tensor spirv tensor test tosa transform ub vector wasmssa x86vector xegpu xevm".split()
)
"""The dialects of MLIR and of its tests. Types and attributes of those that are not defined here are kept as they
are written."""

_SYMBOL: Final = re.compile(r"[#!]([A-Za-z_][A-Za-z0-9_$]*)[.<]")
_TYPE: Final = re.compile(r"\s*:\s*([!A-Za-z_][^\s,(){}\[\]=]*)")


def unregistered(
    module: Operation, text: str, context: Context, known: Container[str] = (), *, only_complete: bool = False
) -> list[Diagnostic]:
    """An error for each operation that no definition covers, but for those in generic form that are `known`; with
    `only_complete`, for those of dialects all of whose operations are defined.

    An operation that has a definition and was not made by it has a mistake, which was reported as such.
    """
    diagnostics: list[Diagnostic] = []
    for op in module.walk():
        if op.definition is not None or not op.name or context.lookup(op.name) is not None:
            continue
        if only_complete and not ("." in op.name and context.is_complete(op.dialect)):
            continue
        if CUSTOM_TEXT not in op.properties and _takes_others(op, context):
            continue
        if op.name not in known or CUSTOM_TEXT in op.properties:
            diagnostics.append(_refuse(op, text, context))
    return diagnostics


def unregistered_in_bytecode(
    module: Operation, context: Context, known: Container[str] = (), *, only_complete: bool = False
) -> list[Diagnostic]:
    """The same for operations that were read from bytecode, all of which stand in the generic form there."""
    diagnostics: list[Diagnostic] = []
    for op in module.walk():
        if op.definition is not None or op.name in known or _takes_others(op, context):
            continue
        dialect = context.dialect(op.dialect) if "." in op.name else None
        if dialect is not None and (dialect.complete or dialect.by_name):
            where = f"unregistered operation '{op.name}' found in dialect ('{op.dialect}')"
            message = f"{where} that does not allow unknown operations"
            diagnostics.append(Diagnostic(message, op.span, code=UNREGISTERED, op=op))
        elif not only_complete:
            diagnostics.append(Diagnostic(f"'{op.name}' op {NOT_CREATED}", op.span, code=UNREGISTERED, op=op))
    return diagnostics


def _takes_others(op: Operation, context: Context) -> bool:
    """Whether the dialect of an operation is known to take others than those that are described, in the generic form at
    least."""
    dialect = context.dialect(op.dialect) if "." in op.name else None
    return dialect is not None and (dialect.admits or not dialect.complete) and bool(dialect.by_name)


def is_unknown(dialect: str, context: Context) -> bool:
    """Whether neither Fathom nor MLIR knows a dialect."""
    return dialect not in _OF_MLIR and context.dialect(dialect) is None


def _refuse(op: Operation, text: str, context: Context) -> Diagnostic:
    quoted = f'"{op.name}"'
    start = op.span.start if op.span is not None else 0
    end = op.span.end if op.span is not None else len(text)
    place = text.find(quoted, start, end)
    dialect = context.dialect(op.dialect) if "." in op.name else None
    # Of a dialect without operations here nothing is known, unless it is said to have none.
    known = dialect is not None and (dialect.complete or bool(dialect.by_name))
    if place >= 0 and not known:
        # MLIR points behind the name.
        after = place + len(quoted)
        return Diagnostic(NOT_ALLOWED, Span(after, after + 1), code=UNREGISTERED)
    if place >= 0:
        what = f"unregistered operation '{op.name}' found in dialect ('{op.dialect}')"
        message = f"{what} that does not allow unknown operations"
        return Diagnostic(message, op.span, code=UNREGISTERED, op=op)
    place = max(text.find(op.name, start, end), start)
    span = Span(place, place + len(op.name))
    if known:
        return Diagnostic(f"custom op '{op.name}' is unknown", span, code=UNREGISTERED)
    notes = (
        Note("describe its dialect, and it is known: --dialect FILE; the page on this message says how", hint=True),
        Note("written in generic form it is kept where unregistered dialects are allowed", hint=True),
    )
    return Diagnostic(
        f"Dialect `{op.dialect}' not found for custom op '{op.name}' ", span, code=UNKNOWN_OP, notes=notes
    )


def unregistered_symbols(tree: SyntaxTree, text: str, context: Context) -> list[Diagnostic]:
    """An error for each type and attribute that the text, of this tree, names of a dialect that neither Fathom nor MLIR
    knows."""
    suspects = {name for name in set(_SYMBOL.findall(text)) if is_unknown(name, context)}
    return list(_symbols_of(tree, text, suspects)) if suspects else []


def unknown_resources(tree: SyntaxTree, context: Context) -> list[Diagnostic]:
    """An error for each dialect that neither Fathom nor MLIR knows and that the metadata of the text has resources
    of."""
    diagnostics: list[Diagnostic] = []
    for item, start in tree.items.with_offsets():
        if not defines_names(item):
            continue
        for piece, offset in item.pieces.with_offsets():
            for event in piece.shape.events:
                if not isinstance(event, MetadataEvent):
                    continue
                for section in resource_sections(event.metadata):
                    name = str(section.leaves[0])
                    if is_unknown(name, context):
                        first, last = piece.token_spans()[event.base + section.start]
                        span = Span(start + offset + first, start + offset + last)
                        diagnostics.append(Diagnostic(f"dialect '{name}' is unknown", span, code=UNREGISTERED))
    return diagnostics


def _symbols_of(tree: SyntaxTree, text: str, dialects: Container[str]) -> Iterator[Diagnostic]:
    for item, start in tree.items.with_offsets():
        for piece, offset in item.pieces.with_offsets():
            tokens = piece.tokens()
            for token, (first, last) in zip(tokens, piece.token_spans(), strict=True):
                if token.kind not in ("ALIAS", "HASH", "EXCLAIM"):
                    continue
                begin, end = start + offset + first, start + offset + last
                dialect, dot, _ = token.text[1:].partition(".")
                if dialect not in dialects or not (dot or text.startswith("<", end)):
                    continue
                yield _not_created(text, dialect, Span(begin, end), begin + len(dialect) + 2 if dot else None)


def _not_created(text: str, dialect: str, span: Span, data: int | None) -> Diagnostic:
    """`data` is where the name behind the dot begins; None for `!dialect<data>`."""
    if data is None:
        body = _balanced(text, span.end)
        shown, end = body[1:-1], span.end + len(body)
    else:
        body = _balanced(text, span.end) if text.startswith("<", span.end) else ""
        shown, end = text[data : span.end] + body, span.end + len(body)
    is_type = text[span.start] == "!"
    place = Span(span.start if data is None else data, end)
    if is_type:
        return Diagnostic(f'`!"{dialect}"<"{shown}">` type {NOT_CREATED}', place, code=UNREGISTERED)
    given = _TYPE.match(text, end)
    type = given[1] if given is not None else "none"
    return Diagnostic(f'#"{dialect}"<"{shown}"> : \'{type}\' attribute {NOT_CREATED}', place, code=UNREGISTERED)


def _balanced(text: str, start: int) -> str:
    """What stands in angle brackets, with them; all there is where they do not close."""
    depth = 0
    for index in range(start, len(text)):
        depth += (text[index] == "<") - (text[index] == ">" and text[index - 1] != "-")
        if depth == 0:
            return text[start : index + 1]
    return text[start:]
