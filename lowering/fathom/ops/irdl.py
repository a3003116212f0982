"""The operations of irdl (`fathom.ops`). Made by `make dialects`: do not edit."""

from fathom.ops import OpClass

AllOfOp = OpClass("irdl.all_of")
AnyOfOp = OpClass("irdl.any_of")
AnyOp = OpClass("irdl.any")
AttributeOp = OpClass("irdl.attribute")
AttributesOp = OpClass("irdl.attributes")
BaseOp = OpClass("irdl.base")
CPredOp = OpClass("irdl.c_pred")
DialectOp = OpClass("irdl.dialect")
IsOp = OpClass("irdl.is")
OperandsOp = OpClass("irdl.operands")
OperationOp = OpClass("irdl.operation")
ParametersOp = OpClass("irdl.parameters")
ParametricOp = OpClass("irdl.parametric")
RegionOp = OpClass("irdl.region")
RegionsOp = OpClass("irdl.regions")
ResultsOp = OpClass("irdl.results")
TypeOp = OpClass("irdl.type")
