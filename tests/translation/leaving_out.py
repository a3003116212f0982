"""What of a module `mlir-translate` leaves out, by trying: whose attributes it says, and whose not.

    python -m tests.translation.leaving_out

prints the dialects by that. `fathom.translation.unsaid` has the list, and `test_unsaid.py` holds it against this.
"""

from __future__ import annotations

from tests.oracles import mlir_translate

PROGRAM = """\
module {NAME}{MODULE} {{
  llvm.mlir.global internal @g(1 : i32) {{{PLAIN}}} : i32
  llvm.func {VISIBILITY} @f(%p: !llvm.ptr {{{ARGUMENT}}}) -> (i32 {{{ARGUMENT}}}) {FUNCTION} {{
    %0 = llvm.load %p {{{PLAIN}}} : !llvm.ptr -> i32
    llvm.return {{{PLAIN}}} %0 : i32
  }}
  llvm.mlir.global_ctors ctors = [@f], priorities = [1 : i32], data = [{DATA}]
}}
"""


def program(**parts: str) -> str:
    """A module with these texts in it."""
    names = ("NAME", "MODULE", "PLAIN", "VISIBILITY", "ARGUMENT", "FUNCTION")
    return PROGRAM.format(**{**dict.fromkeys(names, ""), "DATA": "#llvm.zero", **parts}).replace(
        "llvm.return {} %0", "llvm.return %0"
    )


SIZE = "gpu.known_block_size = array<i32: 1, 2, 3>"
CACHED = "[6442 : i32, {} : i32, 1 : i32, 0 : i32]"
TRIED = {
    "nvvm": program(FUNCTION="attributes {nvvm.kernel}"),
    "omp": program(MODULE=" attributes {omp.version = #omp.version<version = 51>}"),
    "rocdl": program(FUNCTION="attributes {rocdl.max_flat_work_group_size = 128 : index}"),
    "xevm": program().replace(
        "%p {}", f"%p {{xevm.DecorationCacheControl = [{CACHED.format(0)}, {CACHED.format(1)}]}}"
    ),
    "gpu": program(MODULE=" attributes {gpu.container_module}", FUNCTION=f"attributes {{gpu.kernel, {SIZE}}}"),
    **{
        name: program(MODULE=f" attributes {{{name}.something}}", FUNCTION=f"attributes {{{name}.something = 1 : i32}}")
        for name in "acc amx arith arm_neon arm_sme arm_sve func llvm ptr vcix vector x86vector".split()
    },
}
"""A program with an attribute of each dialect that `mlir-translate` may say something of."""


def said_by_mlir() -> set[str]:
    """The dialects of which an attribute makes a difference."""
    bare = mlir_translate(program())
    return {name for name, text in TRIED.items() if mlir_translate(text) != bare}


def main() -> None:
    said = said_by_mlir()
    print("said:", ", ".join(sorted(said)))
    print("left out:", ", ".join(sorted(TRIED.keys() - said)))


if __name__ == "__main__":
    main()
