"""Traits and interfaces of operations, by the names and with the arguments that a description gives them.

Source of the rules: `mlir/IR/OpBase.td` and *Traits*.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from fathom.irdl.expressions import Call, List, Number, Text, spell
from fathom.irdl.ods import cpp
from fathom.irdl.ods.draft import Draft
from fathom.irdl.ods.predicates import UNCHECKED
from fathom.tablegen.records import Record

_TEMPLATE: Final = re.compile(r"(HasParent|SingleBlockImplicitTerminator)<(.*)>::Impl", re.DOTALL)
_NUMBERED: Final = re.compile(r"(?:::)?(\w+)<(\d+(?:,\d+)*)>::Impl")
_MATCHES: Final = frozenset(
    (
        "AllElementCountsMatch",
        "AllElementTypesMatch",
        "AllRanksMatch",
        "AllShapesMatch",
        "AllTypeIDsMatch",
        "AllTypesMatch",
    )
)
_MATCH_WITH: Final = ("OptionalTypesMatchWith", "RangedTypesMatchWith", "TypesMatchWith")
_CALLED: Final = {
    "getI1SameShape": "I1SameShape",
    "getElementTypeOrSelf": "ElementTypeOrSelf",
}
_CASTS: Final = ("cast", "dyn_cast")
_DESTINATION_STYLE: Final = "DestinationStyleOpInterface"
_DESTINATIONS: Final = re.compile(r"getDpsInitsMutable\(\)\s*\{\s*return\s+(get\w+)\(\)\s*;\s*\}")
"""What an operation writes, as the C++ in its definition says."""
_NAMED_LISTS: Final = frozenset(
    (
        "AlwaysSpeculatable",
        "ElementwiseMappable",
        "InferShapedTypeOpAdaptor",
        "InferTensorType",
        "InferTensorTypeAdaptor",
        "InferTensorTypeAdaptorWithReify",
        "InferTypeOpAdaptor",
        "InferTypeOpAdaptorWithIsCompatible",
        "Pure",
        "RecursivelySpeculatable",
        "ReturnLike",
    )
)
"""The lists of traits that descriptions name; others are what is in them."""
_GETTER: Final = re.compile(r"get([A-Z]\w*)")


def traits_of(draft: Draft, op: Record) -> list[str]:
    """The entries of the list `traits` of an operation."""
    traits: list[str] = []
    values = [name for key in ("arguments", "results") for _, name in op.dag(key) or () if name]
    for listed in op.list("traits"):
        trait = draft.records.resolve(listed)
        if trait is not None:
            traits += _entries(draft, trait, values)
    written = _DESTINATIONS.search(op.string("extraClassDeclaration") or "")
    if written is not None and _DESTINATION_STYLE in traits:
        group = next((name for name in values if f"get{_camel(name)}Mutable" == written[1]), None)
        traits = [
            spell(Call(entry, (Call(group),))) if entry == _DESTINATION_STYLE and group else entry for entry in traits
        ]
    return list(dict.fromkeys(traits))


def _camel(name: str) -> str:
    """How the names of getters have the name of a group."""
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


def _entries(draft: Draft, trait: Record, values: Sequence[str]) -> Iterator[str]:
    if trait.is_a("Interface"):
        # Also where its methods are declared, it goes by the name of its definition.
        name = trait.string("cppInterfaceName") or trait.name
        yield draft.interfaces.get(name, name)
    elif trait.is_a("TraitList") and trait.name not in _NAMED_LISTS:
        for part in trait.list("traits"):
            inner = draft.records.resolve(part)
            if inner is not None:
                yield from _entries(draft, inner, values)
    elif not trait.is_anonymous and not trait.is_a("PredTrait"):
        yield trait.name
    else:
        yield from _with_arguments(draft, trait, values)


def _with_arguments(draft: Draft, trait: Record, values: Sequence[str]) -> Iterator[str]:
    last = trait.superclasses[-1] if trait.superclasses else ""
    if template := _TEMPLATE.fullmatch((trait.string("trait") or "").strip()):
        yield from _of_operations(draft, template[1], template[2])
    elif numbered := _NUMBERED.fullmatch((trait.string("trait") or "").strip()):
        yield spell(Call(numbered[1], tuple(Number(int(number)) for number in numbered[2].split(","))))
    elif trait.is_a("TypesMatchWith"):
        yield _types_match_with(trait)
    elif (matches := next((class_ for class_ in _MATCHES if trait.is_a(class_)), None)) is not None:
        names = tuple(Call(name) for name in trait.strings("values"))
        yield spell(Call(matches, (List(names),)))
    elif last in ("MemoryEffects", "NativeOpTrait", "StructuralOpTrait", "GenInternalOpTrait", "ParamNativeOpTrait"):
        name = re.sub(r"[<:].*", "", (trait.string("trait") or "").removeprefix("::"))
        if name:
            yield name
        elif last == "MemoryEffects":
            yield "MemoryEffectsOpInterface"
    elif trait.is_a("PredTrait"):
        predicate = draft.resolve(trait, "predicate")
        demanded = draft.predicates.of_operation(predicate, values) if predicate is not None else UNCHECKED
        summary = Text(trait.string("summary") or "")
        yield spell(Call("PredOpTrait", (summary,) if demanded == UNCHECKED else (summary, demanded)))
    elif last:
        yield last


# ---- operations by their classes


def _of_operations(draft: Draft, trait: str, classes: str) -> Iterator[str]:
    operations = [draft.operation(class_) for class_ in classes.split(",")]
    names = [name for name in operations if name is not None]
    if len(names) != len(operations):
        # What ends the block, or stands around it, these files do not define.
        if trait == "SingleBlockImplicitTerminator":
            yield "NoTerminator"
    elif trait == "SingleBlockImplicitTerminator":
        yield spell(Call(trait, (Text(names[0]),)))
    elif len(names) == 1:
        yield spell(Call("HasParent", (Text(names[0]),)))
    else:
        yield spell(Call("ParentOneOf", (List(tuple(map(Text, names))),)))


# ---- types that follow from others


def _types_match_with(trait: Record) -> str:
    function = type_function(trait.string("transformer") or "") or "Unchecked"
    names = Call(trait.string("lhs") or ""), Call(trait.string("rhs") or ""), Call(function)
    kind = next(class_ for class_ in _MATCH_WITH if trait.is_a(class_))
    return spell(Call(kind, (Text(trait.string("summary") or ""), *names)))


_MEMBER_CAST: Final = re.compile(r"\$_self\.cast<([\w:]+)>\(\)")


def type_function(transformer: str) -> str | None:
    """The function from types to types that C++ over `$_self` is, by its name in a description."""
    # A cast was a member before MLIR 18.
    tree = cpp.parse_cpp(_MEMBER_CAST.sub(r"::llvm::cast<\1>($_self)", transformer))
    match tree:
        case cpp.Name("$_self"):
            return "Same"
        case cpp.CallOf(cpp.Name() as callee, (argument,)) if callee.last in _CASTS:
            return "Same" if argument == cpp.Name("$_self") else None
        case cpp.CallOf(cpp.Name() as callee, (cpp.Name("$_self"),)):
            return _CALLED.get(callee.last)
        case cpp.CallOf(cpp.Member(cpp.CallOf(cpp.Name() as cast, (cpp.Name("$_self"),)), getter), ()):
            if cast.last not in _CASTS or not cast.arguments:
                return None
            return _part(cast.arguments[0].rpartition("::")[2], getter.last)
        case _:
            return None


def _part(kind: str, getter: str) -> str | None:
    """What a getter gives of a type of a class: of MLIR's own, its element; of a dialect's, a parameter."""
    if kind == "FunctionType":
        return {"getInputs": "Inputs", "getResults": "Results"}.get(getter)
    if kind in ("ComplexType", "MemRefType", "RankedTensorType", "ShapedType", "TensorType", "VectorType"):
        return "ElementType" if getter == "getElementType" else None
    name = _GETTER.fullmatch(getter)
    return f"Parameter.{name[1][0].lower()}{name[1][1:]}" if name is not None else None
