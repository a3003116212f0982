"""Definitions as descriptions have them: what `fathom dialect show` prints, also of those that stand in Python."""

from __future__ import annotations

from fathom.irdl.declared import Operand, Property, RegionDefinition, Result
from fathom.irdl.definition import OpDefinition
from fathom.irdl.groups import Arity
from fathom.irdl.sections import Table, Value
from fathom.irdl.toml_text import toml_text


def spell_operation(definition: OpDefinition) -> str:
    """The table of an operation. What data cannot say of it is not there."""
    table: Table = {}
    entries: dict[str, Value] = {
        "summary": definition.summary,
        "description": definition.description,
        "operands": [_group(operand) for operand in definition.operands],
        "results": [_group(result) for result in definition.results],
        "attributes": [_property(prop) for prop in definition.properties if not prop.native],
        "properties": [_property(prop) for prop in definition.properties if prop.native],
        "regions": [_region(region) for region in definition.regions],
        "successors": [
            successor.name + ("" if successor.arity is Arity.ONE else ": VariadicSuccessor<AnySuccessor>")
            for successor in definition.successors
        ],
        "traits": list(dict.fromkeys(trait.name for trait in definition.traits)),
        "syntax": definition.assembly or "",
        "opaque": definition.opaque and definition.custom is None,
        "default_dialect": definition.default_dialect,
        "own_properties": definition.own_properties,
        "checked": definition.checked,
        "unknown": [*definition.unknown],
    }
    table.update((key, value) for key, value in entries.items() if value)
    return toml_text({}, {"op": {definition.name.partition(".")[2]: table}}).lstrip()


def _group(group: Operand | Result) -> str:
    constraint = group.constraint.name or group.constraint.summary
    if isinstance(group, Operand) and group.segments:
        return f'{group.name}: VariadicOfVariadic<{constraint}, "{group.segments}">'
    match group.arity:
        case Arity.ONE:
            return f"{group.name}: {constraint}"
        case Arity.OPTIONAL:
            return f"{group.name}: Optional<{constraint}>"
        case Arity.VARIADIC:
            return f"{group.name}: Variadic<{constraint}>"


def _property(prop: Property) -> str:
    constraint = prop.constraint.name or prop.constraint.summary
    kind = f"OptionalAttr<{constraint}>" if prop.optional and constraint != "UnitAttr" else constraint
    return f"{prop.name}: {kind}" + (f" = {prop.default}" if prop.default is not None else "")


def _region(region: RegionDefinition) -> str:
    least, most, _ = region.demand
    inner = "AnyRegion"
    if least and least == most:
        inner = f"SizedRegion<{least}>"
    elif least:
        inner = f"MinSizedRegion<{least}>"
    elif most is not None:
        inner = f"MaxSizedRegion<{most}>"
    if region.arity is Arity.VARIADIC:
        return f"{region.name}: VariadicRegion<{inner}>"
    return region.name if inner == "AnyRegion" else f"{region.name}: {inner}"
