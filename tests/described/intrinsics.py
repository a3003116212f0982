"""`make dialects`: which intrinsics of LLVM the operations of dialects call, into `dialects/mlir-22/intrinsics`.

The builders in MLIR's definitions say it, C++ that nearly always has one of two forms. What they call an intrinsic is
the name of an enumeration in C++; how that is spelt in LLVM IR say LLVM's own definitions. A line of the result is

    "intr.memcpy" = "llvm.memcpy.{dst}.{src}.{len}(dst, src, len, isVolatile)"

as `fathom.dialects.llvm.intrinsic_calls` reads it. It says as well what the result is where the operation may not: one
that is always the same vector, which MLIR does not check, one that the operation leaves out, or none where the
operation has one. What has another form is left to the code of its dialect.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from fathom.dialects import DESCRIBED, find_dialect
from fathom.irdl.toml_text import toml_text
from fathom.records import record
from fathom.tablegen.reading import Reader
from fathom.tablegen.records import Record, Records
from fathom.tablegen.sources import Texts
from tests.suite.source import mlir_source

FOLDER: Final = Path(DESCRIBED) / "intrinsics"
FILES: Final = {
    "llvm": ["LLVMIR/LLVMIntrinsicOps.td"],
    "nvvm": ["LLVMIR/NVVMOps.td"],
    "rocdl": ["LLVMIR/ROCDLOps.td"],
    "arm_neon": ["ArmNeon/ArmNeon.td"],
    "arm_sme": ["ArmSME/IR/ArmSMEIntrinsicOps.td"],
    "arm_sve": ["ArmSVE/IR/ArmSVE.td"],
}
"""The files of each dialect, below `mlir/Dialect/`."""
NOTICE: Final = """\
# Made by `make dialects` from the definitions of MLIR and LLVM 22.1.8, of which it holds the facts alone (NOTICE). Do
# not edit. What each operation calls: {} are the types that LLVM overloads the name on, () the arguments, -> the
# result.
"""
_LIST: Final = r"\s*\{([^}]*)\}\s*"
_BASE: Final = re.compile(
    r"createIntrinsicCall\(\s*builder, moduleTranslation, &opInst, llvm::Intrinsic::(\w+)\s*,\s*(\d+)\s*,"
    rf"{_LIST},{_LIST},{_LIST},{_LIST}\)"
)
"""The builder of the class `LLVM_IntrOpBase`: the intrinsic, how many results it has, which of these and of the
operands the name is overloaded on, where attributes stand among the arguments, and which."""
_PLAIN: Final = re.compile(
    r"(?:\$\w+ = )?createIntrinsicCall\(\s*builder,\s*llvm::Intrinsic::(\w+)(?:,\s*(?:\{(.*)\}|([^{}]*)))?\);"
)
"""The only call of a builder, without overloaded types."""
_ARGUMENT: Final = re.compile(
    r"\$(?P<value>\w+)|builder\.getInt(?P<width>\d+)\((?P<given>\$?\w+)\)"
    r"|llvm::ConstantInt::get\(\s*llvm::Type::getInt(?P<bits>\d+)Ty\([\w.()]*\),\s*(?P<constant>\$?\w+)\)"
)


@record
class Intrinsic:
    """An intrinsic: its name in LLVM IR, and its result if that is always the same vector, any type, or nothing."""

    name: str
    vector: str = ""
    gives_any: bool = False
    gives_nothing: bool = False


def intrinsics(texts: Texts) -> dict[str, Intrinsic]:
    """All intrinsics, by the names that the enumeration has for them."""
    root = mlir_source().parent / "llvm" / "include"
    reading = Reader(texts).read(str(root / "llvm" / "IR" / "Intrinsics.td"), [str(root)])
    assert not reading.errors, reading.errors
    records, found = reading.records, dict[str, Intrinsic]()
    for each in records.instances_of("Intrinsic"):
        key = name = each.name.removeprefix("int_")
        name = each.string("LLVMName") or f"llvm.{name.replace('_', '.')}"
        types = [records.get(type.ref("VT")) for type in map(records.get, each.refs("RetTypes")) if type is not None]
        given = types[0] if len(types) == 1 else None
        if given is None:
            found[key] = Intrinsic(name, gives_nothing=not types)
        elif given.bit("isOverloaded"):
            found[key] = Intrinsic(name, gives_any=True)
        else:
            found[key] = Intrinsic(name, (given.string("LLVMName") or "") if given.bit("isVector") else "")
    return found


def calls(sources: Sequence[Records], dialect: str, known: dict[str, Intrinsic]) -> dict[str, str]:
    """What the operations of a dialect call, by their names without the dialect's."""
    found: dict[str, str] = {}
    for records in sources:
        for op in records.instances_of("Op"):
            owner = records.get(op.ref("opDialect"))
            if owner is not None and owner.string("name") == dialect and (call := _call(records, op, known)):
                found[op.string("opName") or op.name] = call
    return dict(sorted(found.items()))


def _call(records: Records, op: Record, known: dict[str, Intrinsic]) -> str | None:
    builder = (op.string("llvmBuilder") or "").strip()
    if (base := _BASE.search(builder)) is not None:
        return _of_base(records, op, base, known)
    plain = _PLAIN.fullmatch(" ".join(builder.split()))
    if plain is None:
        return None
    given = (plain[2] or plain[3] or "").strip()
    arguments = [*_arguments(given)]
    return None if None in arguments else f"{known[plain[1]].name}({', '.join(filter(None, arguments))})"


def _arguments(text: str) -> Iterator[str | None]:
    """The arguments of a call; None for what is none of the usual."""
    position = 0
    while position < len(text):
        found = _ARGUMENT.match(text, position)
        if found is None:
            yield None
            return
        width, given = found["width"] or found["bits"], found["given"] or found["constant"]
        yield found["value"] or f"i{width} {given.removeprefix('$')}"
        position = found.end()
        if comma := re.compile(r"\s*,\s*").match(text, position):
            position = comma.end()


def _of_base(records: Records, op: Record, base: re.Match[str], known: dict[str, Intrinsic]) -> str:
    results, operands, positions = ([int(each) for each in base[n].split(",") if each.strip()] for n in (3, 4, 5))
    attributes = re.findall(r'"(\w+)"', base[6])
    values = [*_operands(records, op)]
    overloads = [f"{_result(op)}.{each}" if int(base[2]) > 1 else _result(op) for each in results]
    arguments: list[str] = []
    rest = iter(values)
    immediates = dict(zip(positions, attributes, strict=True))
    for position in range(len(values) + len(immediates)):
        arguments.append(immediates[position] if position in immediates else next(rest))
    # The positions of overloaded operands count each of those that have one name.
    at = next((n for n, name in enumerate(arguments) if name.endswith("...")), len(arguments))
    for each in operands:
        overloads.append(arguments[each] if each < at else f"{arguments[at].removesuffix('...')}.{each - at}")
    called = known[base[1]]
    types, result = "".join(f".{{{each}}}" for each in overloads), f" -> {called.vector}" if called.vector else ""
    if called.gives_any and base[2] == "0":
        # What is overloaded on its result first has one that the operation has not.
        result = f" -> {{{overloads[0]}}}"
    elif called.gives_nothing and base[2] != "0":
        result = " -> void"
    return f"{called.name}{types}({', '.join(arguments)}){result}"


def _operands(records: Records, op: Record) -> Iterator[str]:
    """The operands by their names, those of which there may be any number with dots behind; without operand bundles."""
    count = 0
    for value, name in op.dag("arguments") or ():
        record = records.resolve(value)
        while record is not None and record.is_a("OpVariable"):
            record = records.get(record.ref("constraint"))
        if record is not None and record.is_a("TypeConstraint") and name != "op_bundle_operands":
            many = record.is_a("Variadic") or record.is_a("Optional") or record.is_a("VariadicOfVariadic")
            yield (name or _own_name(records, op, count)) + "..." * many
            count += 1


def _own_name(records: Records, op: Record, index: int) -> str:
    """What the description calls an operand that has no name in the definition."""
    owner = records.get(op.ref("opDialect"))
    dialect = find_dialect(owner.string("name") or "") if owner is not None else None
    assert dialect is not None
    return dialect.by_name[f"{dialect.name}.{op.string('opName')}"].operands[index].name


def _result(op: Record) -> str:
    return next((name for _, name in op.dag("results") or () if name), "_result0")


def write(texts: Texts, records_of: Callable[[str], Records], wanted: Sequence[str]) -> None:
    """Writes the tables of the dialects that are wanted, or of all."""
    chosen = {dialect: files for dialect, files in FILES.items() if not wanted or dialect in wanted}
    if not chosen:
        return
    known = intrinsics(texts)
    FOLDER.mkdir(exist_ok=True)
    for dialect, files in chosen.items():
        found = calls([records_of(file) for file in files], dialect, known)
        (FOLDER / f"{dialect}.toml").write_text(NOTICE + toml_text({**found}, {}), encoding="utf-8")
        print(f"{dialect}: {len(found)} operations that call intrinsics")
