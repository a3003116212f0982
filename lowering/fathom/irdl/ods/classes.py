"""The classes and getters of MLIR's builtin types and attributes, by the names that descriptions have for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

TYPE_CLASSES: Final[Mapping[str, str]] = {
    "BFloat16Type": "BF16",
    "BaseMemRefType": "IsBaseMemRefTypePred",
    "ComplexType": "AnyComplex",
    "FixedVectorType": "IsFixedVectorOfAnyRankTypePred",
    "Float128Type": "F128",
    "Float16Type": "F16",
    "Float32Type": "F32",
    "Float64Type": "F64",
    "Float80Type": "F80",
    "FloatTF32Type": "TF32",
    "FloatType": "AnyFloat",
    "FunctionType": "FunctionType",
    "IndexType": "Index",
    "IntegerType": "AnyInteger",
    "MemRefType": "IsMemRefTypePred",
    "NoneType": "NoneType",
    "RankedTensorType": "IsRankedTensorTypePred",
    "ScalableVectorType": "IsVectorTypeWithAnyDimScalablePred",
    "ShapedType": "IsShapedTypePred",
    "TensorType": "IsTensorTypePred",
    "TupleType": "IsTupleTypePred",
    "UnrankedMemRefType": "IsUnrankedMemRefTypePred",
    "UnrankedTensorType": "IsUnrankedTensorTypePred",
    "VectorType": "IsVectorOfAnyRankTypePred",
    **{
        f"Float{name}Type": f"F{name}"
        for name in (
            "8E4M3FN 8E5M2 8E4M3 8E4M3FNUZ 8E4M3B11FNUZ 8E5M2FNUZ 8E3M4 4E2M1FN 6E2M3FN 6E3M2FN 8E8M0FNU".split()
        )
    },
}
"""The terms that classes of types are."""

ATTRIBUTE_CLASSES: Final[Mapping[str, str]] = {
    "AffineMapAttr": "AffineMapAttr",
    "ArrayAttr": "ArrayAttr",
    "BoolAttr": "BoolAttr",
    "DenseArrayAttr": "IsDenseArrayAttrPred",
    "DenseFPElementsAttr": "IsDenseFPElementsAttrPred",
    "DenseIntElementsAttr": "AnyIntElementsAttr",
    "DenseStringElementsAttr": "StringElementsAttr",
    "DictionaryAttr": "DictionaryAttr",
    "ElementsAttr": "ElementsAttr",
    "FlatSymbolRefAttr": "FlatSymbolRefAttr",
    "FloatAttr": "IsFloatAttrPred",
    "IntegerAttr": "APIntAttr",
    "IntegerSetAttr": "IntegerSetAttr",
    "StringAttr": "StrAttr",
    "SymbolRefAttr": "SymbolRefAttr",
    "TypeAttr": "TypeAttr",
    "TypedAttr": "TypedAttrInterface",
    "UnitAttr": "UnitAttr",
    **{f"Dense{name}ArrayAttr": f"Dense{name}ArrayAttr" for name in ("Bool", "I8", "I16", "I32", "I64", "F32", "F64")},
}
"""The terms that classes of attributes are."""

MEMBER_TESTS: Final[Mapping[str, str]] = {
    "hasRank": "HasRankPred",
    "hasStaticShape": "HasStaticShapePred",
    "isBF16": "BF16",
    "isF128": "F128",
    "isF16": "F16",
    "isF32": "F32",
    "isF64": "F64",
    "isF80": "F80",
    "isIndex": "Index",
    "isInteger": "AnyInteger",
    "isIntOrFloat": "IsIntOrFloatPred",
    "isIntOrIndex": "IsIntOrIndexPred",
    "isIntOrIndexOrFloat": "IsIntOrIndexOrFloatPred",
    "isScalable": "IsVectorTypeWithAnyDimScalablePred",
    "isSignedInteger": "AnySignedInteger",
    "isSignlessIntOrIndex": "AnySignlessIntegerOrIndex",
    "isSignlessIntOrFloat": "IsSignlessIntOrFloatPred",
    "isSignlessIntOrIndexOrFloat": "IsSignlessIntOrIndexOrFloatPred",
    "isSignlessInteger": "AnySignlessInteger",
    "isStrided": "HasStridesPred",
    "isTF32": "TF32",
    "isUnsignedInteger": "AnyUnsignedInteger",
}
"""The terms that getters without arguments ask for."""

WIDTH_TESTS: Final[Mapping[str, str]] = {
    "isInteger": "AnyI",
    "isSignedInteger": "SI",
    "isSignlessInteger": "I",
    "isUnsignedInteger": "UI",
}
"""The terms that getters with a width ask for."""

CPP_PARAMETERS: Final[Mapping[str, str]] = {
    "std::string": "StringRefParameter",
    "llvm::StringRef": "StringRefParameter",
    "StringRef": "StringRefParameter",
    "llvm::APInt": "APInt",
}
"""The kinds of parameters of types and attributes that go by another name in a description."""
