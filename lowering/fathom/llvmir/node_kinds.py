"""The classes of specialised metadata nodes, as data: their fields in the order in which they are written, what they
are when they are not written, and the order in which a node refers to others."""

from __future__ import annotations

from enum import Enum, auto
from typing import Final

from fathom.records import record


class Form(Enum):
    """What a field is."""

    INT = auto()
    STRING = auto()
    BOOL = auto()
    METADATA = auto()
    BOUND = auto()
    """Metadata or a number; a constant is a number."""
    WORD = auto()
    """A word, such as `DW_TAG_member`, or a number that has none."""
    FLAGS = auto()
    """Words, `DIFlagPublic | DIFlagVector`; a number among them has none."""
    LIST = auto()
    """Metadata in braces."""


@record
class Field:
    """A field of a class of nodes. `default` is what it is where it is not written; one that may be missing, which is
    not the same as any value, has None. Some are always written."""

    name: str
    form: Form
    default: int | str | bool | tuple[str, ...] | None
    is_always: bool = False


@record
class NodeKind:
    """A class of nodes."""

    name: str
    fields: dict[str, Field]
    operands: tuple[str, ...]
    """The fields that may be nodes, in the order in which LLVM numbers these."""


_DEFAULTS: Final[dict[Form, int | str | bool | tuple[str, ...] | None]] = {
    Form.INT: 0,
    Form.STRING: "",
    Form.BOOL: False,
    Form.FLAGS: (),
    Form.WORD: 0,
}
_FORMS: Final = {
    "int": Form.INT,
    "string": Form.STRING,
    "bool": Form.BOOL,
    "node": Form.METADATA,
    "bound": Form.BOUND,
    "word": Form.WORD,
    "flags": Form.FLAGS,
    "list": Form.LIST,
}


def _kind(name: str, fields: str, operands: str = "") -> NodeKind:
    """A class. A field is its name and its form; behind that `!` says that it is always written, `?` that it may be
    missing, and `=` what is the default."""
    made: dict[str, Field] = {}
    for field in fields.split():
        called, _, form = field.partition(":")
        form, _, default = form.partition("=")
        kind = _FORMS[form.rstrip("!?")]
        made[called] = Field(called, kind, _default(kind, form, default), form.endswith("!"))
    return NodeKind(name, made, tuple(operands.split()))


def _default(form: Form, written: str, default: str) -> int | str | bool | tuple[str, ...] | None:
    if default:
        return int(default) if form is Form.BOUND else default == "true" if form is Form.BOOL else default
    return None if written.endswith("?") else _DEFAULTS.get(form)


NODES: Final[dict[str, NodeKind]] = {
    kind.name: kind
    for kind in (
        _kind("GenericDINode", "tag:word! header:string operands:list", "operands"),
        _kind(
            "DILocation",
            "line:int! column:int scope:node! inlinedAt:node isImplicitCode:bool atomGroup:int atomRank:int",
            "scope inlinedAt",
        ),
        _kind("DIAssignID", ""),
        _kind(
            "DISubrange",
            "count:bound lowerBound:bound upperBound:bound stride:bound",
            "count lowerBound upperBound stride",
        ),
        _kind(
            "DIGenericSubrange",
            "count:bound lowerBound:bound upperBound:bound stride:bound",
            "count lowerBound upperBound stride",
        ),
        _kind("DIEnumerator", "name:string! value:int! isUnsigned:bool"),
        _kind(
            "DIBasicType",
            "tag:word=DW_TAG_base_type name:string size:bound=0 align:int dataSize:int encoding:word "
            "num_extra_inhabitants:int flags:flags",
            "size",
        ),
        _kind(
            "DIFixedPointType",
            "tag:word=DW_TAG_base_type name:string size:bound=0 align:int encoding:word flags:flags kind:word! "
            "factor:int numerator:int? denominator:int?",
            "size",
        ),
        _kind(
            "DIStringType",
            "tag:word=DW_TAG_string_type name:string stringLength:node stringLengthExpression:node "
            "stringLocationExpression:node size:bound=0 align:int encoding:word",
            "size stringLength stringLengthExpression stringLocationExpression",
        ),
        _kind(
            "DIDerivedType",
            "tag:word! name:string scope:node file:node line:int baseType:node! size:bound=0 align:int offset:bound=0 "
            "flags:flags extraData:node dwarfAddressSpace:int? annotations:node ptrAuthKey:int "
            "ptrAuthIsAddressDiscriminated:bool? ptrAuthExtraDiscriminator:int ptrAuthIsaPointer:bool? "
            "ptrAuthAuthenticatesNullValues:bool?",
            "file scope size offset baseType extraData annotations",
        ),
        _kind(
            "DISubrangeType",
            "name:string scope:node file:node line:int size:bound=0 align:int flags:flags baseType:node! "
            "lowerBound:node upperBound:node stride:node bias:node",
            "file scope size baseType lowerBound upperBound stride bias",
        ),
        _kind(
            "DICompositeType",
            "tag:word! name:string scope:node file:node line:int baseType:node size:bound=0 align:int offset:bound=0 "
            "num_extra_inhabitants:int flags:flags elements:node runtimeLang:word vtableHolder:node "
            "templateParams:node identifier:string discriminator:node dataLocation:node associated:node "
            "allocated:node rank:bound annotations:node specification:node enumKind:word? bitStride:node",
            "file scope size offset baseType elements vtableHolder templateParams discriminator dataLocation "
            "associated allocated rank annotations specification bitStride",
        ),
        _kind("DISubroutineType", "flags:flags cc:word types:node!", "types"),
        _kind("DIFile", "filename:string! directory:string! checksumkind:word? checksum:string? source:string?"),
        _kind(
            "DICompileUnit",
            "sourceLanguageName:word? sourceLanguageVersion:int language:word? file:node! producer:string "
            "isOptimized:bool! flags:string runtimeVersion:int! splitDebugFilename:string emissionKind:word! "
            "enums:node retainedTypes:node globals:node imports:node macros:node dwoId:int "
            "splitDebugInlining:bool=true debugInfoForProfiling:bool nameTableKind:word=Default "
            "rangesBaseAddress:bool sysroot:string sdk:string",
            "file enums retainedTypes globals imports macros",
        ),
        _kind(
            "DISubprogram",
            "name:string linkageName:string scope:node! file:node line:int type:node scopeLine:int "
            "containingType:node virtualIndex:int? thisAdjustment:int flags:flags spFlags:flags! unit:node "
            "templateParams:node declaration:node retainedNodes:node thrownTypes:node annotations:node "
            "targetFuncName:string keyInstructions:bool",
            "file scope type unit declaration retainedNodes containingType templateParams thrownTypes annotations",
        ),
        _kind("DILexicalBlock", "scope:node! file:node line:int column:int", "file scope"),
        _kind("DILexicalBlockFile", "scope:node! file:node discriminator:int!", "file scope"),
        _kind("DINamespace", "name:string scope:node! exportSymbols:bool", "scope"),
        _kind(
            "DICommonBlock",
            "scope:node! declaration:node! name:string file:node line:int",
            "scope declaration file",
        ),
        _kind("DIMacro", "type:word! line:int name:string value:string"),
        _kind("DIMacroFile", "line:int file:node! nodes:node", "file nodes"),
        _kind(
            "DIModule",
            "scope:node! name:string configMacros:string includePath:string apinotes:string file:node line:int "
            "isDecl:bool",
            "file scope",
        ),
        _kind("DITemplateTypeParameter", "name:string type:node! defaulted:bool", "type"),
        _kind(
            "DITemplateValueParameter",
            "tag:word=DW_TAG_template_value_parameter name:string type:node defaulted:bool value:node!",
            "type value",
        ),
        _kind(
            "DIGlobalVariable",
            "name:string linkageName:string scope:node! file:node line:int type:node isLocal:bool! "
            "isDefinition:bool! declaration:node templateParams:node align:int annotations:node",
            "scope file type declaration templateParams annotations",
        ),
        _kind(
            "DILocalVariable",
            "name:string arg:int scope:node! file:node line:int type:node flags:flags align:int annotations:node",
            "scope file type annotations",
        ),
        _kind(
            "DILabel",
            "scope:node! name:string file:node line:int column:int isArtificial:bool coroSuspendIdx:int?",
            "scope file",
        ),
        _kind("DIGlobalVariableExpression", "var:node expr:node", "var expr"),
        _kind(
            "DIObjCProperty",
            "name:string file:node line:int setter:string getter:string attributes:int type:node",
            "file type",
        ),
        _kind(
            "DIImportedEntity",
            "tag:word! name:string scope:node! entity:node file:node line:int elements:node",
            "scope entity file elements",
        ),
    )
}
"""The classes by name."""
