"""The operations of ml_program (`fathom.ops`). Made by `make dialects`: do not edit."""

from fathom.ops import OpClass

FuncOp = OpClass("ml_program.func")
GlobalLoadConstOp = OpClass("ml_program.global_load_const")
GlobalLoadGraphOp = OpClass("ml_program.global_load_graph")
GlobalLoadOp = OpClass("ml_program.global_load")
GlobalOp = OpClass("ml_program.global")
GlobalStoreGraphOp = OpClass("ml_program.global_store_graph")
GlobalStoreOp = OpClass("ml_program.global_store")
OutputOp = OpClass("ml_program.output")
ReturnOp = OpClass("ml_program.return")
SubgraphOp = OpClass("ml_program.subgraph")
TokenOp = OpClass("ml_program.token")
