"""The operations of mpi (`fathom.ops`). Made by `make dialects`: do not edit."""

from fathom.ops import OpClass

AllreduceOp = OpClass("mpi.allreduce")
BarrierOp = OpClass("mpi.barrier")
CommRankOp = OpClass("mpi.comm_rank")
CommSizeOp = OpClass("mpi.comm_size")
CommSplitOp = OpClass("mpi.comm_split")
CommWorldOp = OpClass("mpi.comm_world")
ErrorClassOp = OpClass("mpi.error_class")
FinalizeOp = OpClass("mpi.finalize")
InitOp = OpClass("mpi.init")
IrecvOp = OpClass("mpi.irecv")
IsendOp = OpClass("mpi.isend")
RecvOp = OpClass("mpi.recv")
RetvalCheckOp = OpClass("mpi.retval_check")
SendOp = OpClass("mpi.send")
WaitOp = OpClass("mpi.wait")
