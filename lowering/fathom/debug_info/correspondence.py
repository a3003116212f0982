"""Which attribute of the LLVM dialect is which node of LLVM IR, and which parameter is which field: a table that both
directions share.

Source of the rules: *'llvm' Dialect*, "Attributes"; *LLVM Language Reference*, "Specialized Metadata Nodes".
"""

from __future__ import annotations

from enum import Enum, auto
from functools import cache
from typing import TYPE_CHECKING, Final

from fathom.dialects import own_description
from fathom.records import record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fathom.irdl.parametric import Parametric


class Form(Enum):
    """What a parameter is, and the field."""

    NODE = auto()
    """An attribute of this table, or none."""
    TEXT = auto()
    """A string, or none; an empty one is none in LLVM IR."""
    NAME = auto()
    """A string that is never missing."""
    PLAIN = auto()
    """A number or a truth value, the same in both."""
    WORD = auto()
    """One of DWARF's words, or none."""
    EMISSION = auto()
    """A case of an enumeration, and LLVM's word for it."""
    TABLES = auto()
    FLAGS = auto()
    """Bits, and LLVM's words for them."""
    FUNCTION_FLAGS = auto()
    EXPRESSION = auto()
    NODES = auto()
    """Attributes of this table, and a tuple of nodes, or none for no attribute."""
    TYPES = auto()
    """Types, and a tuple of nodes; what stands for no type is null there."""
    BOUND = auto()
    """A number, an expression or a variable."""
    NOTES = auto()
    """Names and values, and a tuple of pairs."""


@record
class Part:
    """A parameter, and the field of the node that it is."""

    parameter: str
    field: str
    form: Form
    is_needed: bool
    """Whether what refers to something that MLIR has not is itself something that MLIR has not."""


@record
class Correspondence:
    """An attribute and a node of one meaning. Those of a class that `is_distinct` are never merged with others. The
    parts stand in the order in which MLIR follows them from a node, on which it depends where a circle is cut."""

    kind: str
    """The class of the node; that of the attribute is called the same, and `Attr`."""
    parts: tuple[Part, ...]
    is_distinct: bool

    @property
    def definition(self) -> Parametric:
        """That of the attribute."""
        return definition_of(f"{self.kind}Attr")


def definition_of(name: str) -> Parametric:
    """The definition of an attribute of the LLVM dialect."""
    return own_description("llvm").attributes[name]


def _of(kind: str, parts: str, *, distinct: bool = False) -> Correspondence:
    """A part is a parameter, `=` and the field where that has another name, and the form behind a colon, which is a
    node where there is none; `!` at the end says that it is needed."""
    made: list[Part] = []
    for part in parts.split():
        names, _, form = part.rstrip("!").partition(":")
        parameter, _, field = names.partition("=")
        of = Form[form.upper()] if form else Form.NODE
        made.append(Part(parameter, field or parameter, of, part.endswith("!")))
    return Correspondence(kind, tuple(made), distinct)


_ALL: Final = (
    _of("DIBasicType", "tag:word name:name sizeInBits=size:plain encoding:word"),
    _of("DICommonBlock", "scope decl=declaration name:text file line:plain"),
    _of(
        "DICompileUnit",
        "sourceLanguage=language:word file producer:text isOptimized:plain emissionKind:emission "
        "nameTableKind:tables splitDebugFilename:text",
        distinct=True,
    ),
    _of(
        "DICompositeType",
        "elements:nodes baseType file scope tag:word name:text line:plain flags:flags sizeInBits=size:plain "
        "alignInBits=align:plain dataLocation:expression rank:expression allocated:expression associated:expression",
    ),
    _of(
        "DIDerivedType",
        "tag:word name:text baseType! sizeInBits=size:plain alignInBits=align:plain offsetInBits=offset:plain "
        "dwarfAddressSpace:plain extraData",
    ),
    _of("DIFile", "name=filename:name directory:name"),
    _of("DIGenericSubrange", "count:bound upperBound:bound lowerBound:bound stride:bound"),
    _of(
        "DIGlobalVariable",
        "scope name:text linkageName:text file line:plain type isLocalToUnit=isLocal:plain "
        "isDefined=isDefinition:plain alignInBits=align:plain",
        distinct=True,
    ),
    _of("DIGlobalVariableExpression", "var expr:expression"),
    _of("DIImportedEntity", "elements:nodes scope entity file tag:word line:plain name:text"),
    _of("DILabel", "scope! name:text file line:plain"),
    _of("DILexicalBlock", "scope! file line:plain column:plain", distinct=True),
    _of("DILexicalBlockFile", "scope! file discriminator:plain", distinct=True),
    _of(
        "DILocalVariable",
        "scope! name:text file line:plain type arg:plain flags:flags alignInBits=align:plain",
    ),
    _of(
        "DIModule",
        "file scope name:text configMacros:text includePath:text apinotes:text line:plain isDecl:plain",
    ),
    _of("DINamespace", "scope name:text exportSymbols:plain"),
    _of(
        "DIStringType",
        "tag:word name:text stringLength stringLengthExp=stringLengthExpression:expression "
        "stringLocationExp=stringLocationExpression:expression sizeInBits=size:plain alignInBits=align:plain "
        "encoding:word",
    ),
    _of(
        "DISubprogram",
        "scope! type! retainedNodes:nodes annotations:notes compileUnit=unit file name:text linkageName:text "
        "line:plain scopeLine:plain subprogramFlags=spFlags:function_flags",
    ),
    _of("DISubrange", "count:bound upperBound:bound lowerBound:bound stride:bound"),
    _of("DISubroutineType", "callingConvention=cc:word types:types"),
)

BY_KIND: Final[Mapping[str, Correspondence]] = {each.kind: each for each in _ALL}
"""By the class of the node."""
TAKEN_FOR: Final = {"DIFixedPointType": "DIBasicType"}
"""The classes of nodes that MLIR takes for others."""

NULL_TYPE: Final = "llvm.di_null_type"
"""The attribute that stands for no type among others."""
EXPRESSION: Final = "llvm.di_expression"
ANNOTATION: Final = "llvm.di_annotation"
EMISSION_KINDS: Final = ("NoDebug", "FullDebug", "LineTablesOnly", "DebugDirectivesOnly")
"""LLVM's words by the numbers of MLIR's enumeration."""
NAME_TABLE_KINDS: Final = ("Default", "GNU", "None", "Apple")
LANGUAGES: Final[Mapping[str, str]] = {
    name: taken_for
    for name, _, taken_for in (
        pair.partition("=")
        for pair in """
    Ada=C89 BLISS=C C=Ada83 C_plus_plus=C_plus_plus Cobol=Cobol74 Crystal=Cobol85 D=Fortran77 Dylan=Fortran90
    Fortran=Pascal83 Go=Modula2 Haskell=Java Java=C99 Julia=Ada95 Kotlin=Fortran95 Modula2=PLI Modula3=ObjC
    ObjC=ObjC_plus_plus ObjC_plus_plus=UPC OCaml=D OpenCL_C=Python Pascal=OpenCL PLI=Go Python=Modula3
    RenderScript=Haskell Rust=C_plus_plus_03 Swift=C_plus_plus_11 UPC=OCaml Zig=Rust Assembly=C11 C_sharp=Swift
    Mojo=Julia GLSL=Dylan GLSL_ES=C_plus_plus_14 HLSL=Fortran03 OpenCL_CPP=Fortran08 CPP_for_OpenCL=RenderScript
    SYCL=BLISS Ruby=Kotlin Move=Zig Hylo=Crystal Metal=C17
    """.split()
    )
}
"""What MLIR takes DWARF's newer names of languages for: the languages that had their numbers before."""
DISTINCT_TYPES: Final = frozenset(
    {"DW_TAG_class_type", "DW_TAG_enumeration_type", "DW_TAG_structure_type", "DW_TAG_union_type"}
)
"""The composite types that are never merged with others."""
OPTIMIZED: Final = 16
"""The flag of functions that are optimised."""
DEFINITION: Final = 8
"""The flag of functions that are defined, which are never merged with others."""
VIRTUALITY: Final = 3
"""The flags of functions that have a place in a table of virtual functions."""
RECURSIVE: Final = frozenset({"DICompositeType", "DISubprogram"})
"""The classes of attributes that may refer to themselves, by `recId`."""
LOCAL_SCOPES: Final = frozenset({"DILexicalBlock", "DILexicalBlockFile", "DISubprogram"})
"""The classes of scopes that instructions stand in."""


@cache
def by_attribute() -> Mapping[str, Correspondence]:
    """By the full names of the attributes."""
    return {each.definition.full_name: each for each in _ALL}
