"""The sparse_tensor dialect, described in `mlir-22/sparse_tensor.toml`: tensors that keep some elements."""

from __future__ import annotations

from typing import Final

from fathom.dialects import load_described
from fathom.dialects.sparse_tensor.encoding import (
    ENCODING,
    SLICE,
    SPECIFIER,
    is_slice,
    is_sparse,
    verify_parameters,
    verify_slice,
)
from fathom.dialects.sparse_tensor.iteration import COITERATE, ITERATE, LEVEL_RANGE, SPACE
from fathom.irdl.code import DialectCode, OpCode

CODE: Final = DialectCode(
    operations={"iterate": OpCode(custom=ITERATE), "coiterate": OpCode(custom=COITERATE)},
    predicates={"AnySparseTensor": is_sparse, "AnySparseTensorSlice": is_slice},
    directives={"LevelRange": LEVEL_RANGE},
    bodies={
        "SparseTensorEncodingAttr": ENCODING,
        "SparseTensorDimSliceAttr": SLICE,
        "StorageSpecifierType": SPECIFIER,
        "IterSpaceType": SPACE,
        "IteratorType": SPACE,
    },
    parameters={"SparseTensorEncodingAttr": verify_parameters, "SparseTensorDimSliceAttr": verify_slice},
)
DIALECT: Final = load_described("sparse_tensor", CODE)
VERIFY_PARTS: Final = ("region_checks",)
