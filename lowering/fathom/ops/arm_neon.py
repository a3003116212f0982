"""The operations of arm_neon (`fathom.ops`). Made by `make dialects`: do not edit."""

from fathom.ops import OpClass

IntrBfmmlaOp = OpClass("arm_neon.intr.bfmmla")
IntrSdotOp = OpClass("arm_neon.intr.sdot")
IntrSmmlaOp = OpClass("arm_neon.intr.smmla")
IntrSmullOp = OpClass("arm_neon.intr.smull")
IntrUmmlaOp = OpClass("arm_neon.intr.ummla")
IntrUsmmlaOp = OpClass("arm_neon.intr.usmmla")
_2dSdotOp = OpClass("arm_neon.2d.sdot")
