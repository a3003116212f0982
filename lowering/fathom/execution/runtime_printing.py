"""The part of the runtime that prints: numbers, punctuation and whole memrefs, as LLVM IR.

What is printed is what mlir-runner's support libraries print, except that a memref without elements prints none.
"""

from __future__ import annotations

from typing import Final

_TEXTS: Final = {
    "comma": ", ",
    "open": "( ",
    "close": " )",
    "newline": "\n",
    "comma_newline": ", \n",
    "signed": "%ld",
    "unsigned": "%lu",
    "general": "%g",
    "complex": "(%g,%g)",
    "flops": "%lf GFLOPS\n",
    "unranked": "Unranked Memref base@ = %p rank = %ld offset = %ld",
    "ranked": "Memref base@ = %p rank = %ld offset = %ld",
    "sizes": " sizes = [",
    "strides": "] strides = [",
    "data": "] data = \n",
    "matrix": "((%g, %g, %g, %g),   (%g, %g, %g, %g),   (%g, %g, %g, %g),  (%g, %g, %g, %g))",
}
"""What printing needs: separators, and formats of the C library."""

_SCALARS: Final = """
define internal void @put(ptr %text) {
  %out = load ptr, ptr @stdout
  %done = call i32 @fputs(ptr %text, ptr %out)
  ret void
}

define internal float @of_bfloat(i16 %bits) {
  %wide = zext i16 %bits to i32
  %shifted = shl i32 %wide, 16
  %value = bitcast i32 %shifted to float
  ret float %value
}

define void @printI64(i64 %value) {
  %done = call i32 (ptr, ...) @printf(ptr @signed, i64 %value)
  ret void
}

define void @printU64(i64 %value) {
  %done = call i32 (ptr, ...) @printf(ptr @unsigned, i64 %value)
  ret void
}

define void @printF64(double %value) {
  %done = call i32 (ptr, ...) @printf(ptr @general, double %value)
  ret void
}

define void @printF32(float %value) {
  %wide = fpext float %value to double
  call void @printF64(double %wide)
  ret void
}

define void @printF16(i16 %bits) {
  %value = bitcast i16 %bits to half
  %wide = fpext half %value to double
  call void @printF64(double %wide)
  ret void
}

define void @printBF16(i16 %bits) {
  %value = call float @of_bfloat(i16 %bits)
  call void @printF32(float %value)
  ret void
}

define void @printString(ptr %text) {
  call void @put(ptr %text)
  ret void
}

define void @printOpen() {
  call void @put(ptr @open)
  ret void
}

define void @printClose() {
  call void @put(ptr @close)
  ret void
}

define void @printComma() {
  call void @put(ptr @comma)
  ret void
}

define void @printNewline() {
  call void @put(ptr @newline)
  ret void
}

define void @printFlops(double %flops) {
  %out = load ptr, ptr @stderr
  %giga = fdiv double %flops, 1.0e9
  %done = call i32 (ptr, ptr, ...) @fprintf(ptr %out, ptr @flops, double %giga)
  ret void
}
"""

_MEMREFS: Final = """
define internal void @spaces(i64 %count) {
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %i2, %body ]
  %more = icmp slt i64 %i, %count
  br i1 %more, label %body, label %done
body:
  %put = call i32 @putchar(i32 32)
  %i2 = add i64 %i, 1
  br label %head
done:
  ret void
}

define internal void @list(ptr %numbers, i64 %count) {
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %i2, %print ]
  %more = icmp slt i64 %i, %count
  br i1 %more, label %body, label %done
body:
  %first = icmp eq i64 %i, 0
  br i1 %first, label %print, label %separate
separate:
  call void @put(ptr @comma)
  br label %print
print:
  %at = getelementptr i64, ptr %numbers, i64 %i
  %number = load i64, ptr %at
  call void @printI64(i64 %number)
  %i2 = add i64 %i, 1
  br label %head
done:
  ret void
}

define internal void @rows(ptr %print, i64 %bytes, i64 %rank, i64 %depth, ptr %sizes, ptr %steps, ptr %at) {
entry:
  %leaf = icmp eq i64 %rank, %depth
  br i1 %leaf, label %element, label %open
element:
  call void %print(ptr %at)
  ret void
open:
  %opened = call i32 @putchar(i32 91)
  %deeper = add i64 %depth, 1
  %innermost = icmp eq i64 %rank, %deeper
  %separator = select i1 %innermost, ptr @comma, ptr @comma_newline
  %size_at = getelementptr i64, ptr %sizes, i64 %depth
  %size = load i64, ptr %size_at
  %step_at = getelementptr i64, ptr %steps, i64 %depth
  %step_elements = load i64, ptr %step_at
  %step = mul i64 %step_elements, %bytes
  br label %head
head:
  %i = phi i64 [ 0, %open ], [ %i2, %row ]
  %more = icmp slt i64 %i, %size
  br i1 %more, label %body, label %close
body:
  %first = icmp eq i64 %i, 0
  br i1 %first, label %row, label %separate
separate:
  call void @put(ptr %separator)
  call void @spaces(i64 %deeper)
  br label %row
row:
  %distance = mul i64 %i, %step
  %row_at = getelementptr i8, ptr %at, i64 %distance
  call void @rows(ptr %print, i64 %bytes, i64 %rank, i64 %deeper, ptr %sizes, ptr %steps, ptr %row_at)
  %i2 = add i64 %i, 1
  br label %head
close:
  %closed = call i32 @putchar(i32 93)
  ret void
}

define internal void @memref(ptr %begin, ptr %print, i64 %bytes, i64 %rank, ptr %descriptor) {
entry:
  %aligned_at = getelementptr i64, ptr %descriptor, i64 1
  %aligned = load ptr, ptr %aligned_at
  %offset_at = getelementptr i64, ptr %descriptor, i64 2
  %offset = load i64, ptr %offset_at
  %done = call i32 (ptr, ...) @printf(ptr %begin, ptr %aligned, i64 %rank, i64 %offset)
  call void @put(ptr @sizes)
  %sizes = getelementptr i64, ptr %descriptor, i64 3
  call void @list(ptr %sizes, i64 %rank)
  call void @put(ptr @strides)
  %steps = getelementptr i64, ptr %sizes, i64 %rank
  call void @list(ptr %steps, i64 %rank)
  call void @put(ptr @data)
  %start = call ptr @start(ptr %descriptor, i64 %bytes)
  %scalar = icmp eq i64 %rank, 0
  br i1 %scalar, label %single, label %several
single:
  %opened = call i32 @putchar(i32 91)
  call void %print(ptr %start)
  %closed = call i32 @putchar(i32 93)
  br label %end
several:
  call void @rows(ptr %print, i64 %bytes, i64 %rank, i64 0, ptr %sizes, ptr %steps, ptr %start)
  br label %end
end:
  call void @put(ptr @newline)
  ret void
}
"""

_ELEMENT: Final = """
define internal void @elementNAME(ptr %at) {
  %value = load LLVM, ptr %at
  BODY
  ret void
}

define void @printMemrefNAME(i64 %rank, ptr %descriptor) {
  call void @memref(ptr @unranked, ptr @elementNAME, i64 BYTES, i64 %rank, ptr %descriptor)
  ret void
}

define void @_mlir_ciface_printMemrefNAME(ptr %unranked) {
  %rank = load i64, ptr %unranked
  %at = getelementptr i64, ptr %unranked, i64 1
  %descriptor = load ptr, ptr %at
  call void @printMemrefNAME(i64 %rank, ptr %descriptor)
  ret void
}
"""

_WIDEN: Final = "%wide = sext LLVM %value to i64\n  call void @printI64(i64 %wide)"
_COMPLEX: Final = """%re = extractvalue { double, double } %value, 0
  %im = extractvalue { double, double } %value, 1
  %done = call i32 (ptr, ...) @printf(ptr @complex, double %re, double %im)"""
_COMPLEX_FLOAT: Final = """%re = extractvalue { float, float } %value, 0
  %im = extractvalue { float, float } %value, 1
  %re64 = fpext float %re to double
  %im64 = fpext float %im to double
  %done = call i32 (ptr, ...) @printf(ptr @complex, double %re64, double %im64)"""

_ELEMENTS: Final = {
    "I8": ("i8", 1, "%wide = zext i8 %value to i32\n  %done = call i32 @putchar(i32 %wide)"),
    "I16": ("i16", 2, _WIDEN),
    "I32": ("i32", 4, _WIDEN),
    "I64": ("i64", 8, "call void @printI64(i64 %value)"),
    "Ind": ("i64", 8, "call void @printU64(i64 %value)"),
    "F16": ("i16", 2, "call void @printF16(i16 %value)"),
    "BF16": ("i16", 2, "call void @printBF16(i16 %value)"),
    "F32": ("float", 4, "call void @printF32(float %value)"),
    "F64": ("double", 8, "call void @printF64(double %value)"),
    "C32": ("{ float, float }", 8, _COMPLEX_FLOAT),
    "C64": ("{ double, double }", 16, _COMPLEX),
}
"""The elements that the `printMemref…` family knows, by suffix: LLVM type, size in bytes, how one is printed."""

_OF_MATRICES: Final = "printMemrefVector4x4xf32"

PRINTED_SYMBOLS: Final = (
    *("printI64", "printU64", "printF32", "printF64", "printF16", "printBF16"),
    *("printString", "printOpen", "printClose", "printComma", "printNewline", "printFlops"),
    *(f"{prefix}{name}" for name in _ELEMENTS for prefix in ("printMemref", "_mlir_ciface_printMemref")),
    f"_mlir_ciface_{_OF_MATRICES}",
)
"""The names of the functions that print."""


def _constant(name: str, text: str) -> str:
    escaped = text.replace("\n", "\\0A")
    return f'@{name} = internal constant [{len(text) + 1} x i8] c"{escaped}\\00"\n'


def printing_text() -> str:
    """The functions that print, as LLVM IR; they stand on declarations and `@start` of the rest of the runtime."""
    texts = (_constant(name, text) for name, text in _TEXTS.items())
    elements = (
        _ELEMENT.replace("BODY", body).replace("NAME", name).replace("LLVM", llvm).replace("BYTES", str(size))
        for name, (llvm, size, body) in _ELEMENTS.items()
    )
    return "".join((*texts, _SCALARS, _MEMREFS, *elements, _matrices()))


def _matrices() -> str:
    """Prints a memref of two dimensions whose elements are matrices."""
    rows = range(4)
    loads = "".join(
        f"  %at{row} = getelementptr <4 x float>, ptr %at, i64 {row}\n"
        f"  %row{row} = load <4 x float>, ptr %at{row}\n"
        f"  %wide{row} = fpext <4 x float> %row{row} to <4 x double>\n"
        + "".join(f"  %e{row}{column} = extractelement <4 x double> %wide{row}, i64 {column}\n" for column in rows)
        for row in rows
    )
    numbers = ", ".join(f"double %e{row}{column}" for row in rows for column in rows)
    return f"""
define internal void @element_matrix(ptr %at) {{
{loads}  %done = call i32 (ptr, ...) @printf(ptr @matrix, {numbers})
  ret void
}}

define void @_mlir_ciface_{_OF_MATRICES}(ptr %descriptor) {{
  call void @memref(ptr @ranked, ptr @element_matrix, i64 64, i64 2, ptr %descriptor)
  ret void
}}
"""
