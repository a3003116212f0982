"""The operations of `mpi` as calls of MPI's functions, in the types of MPICH or of Open MPI.

    mpi.send(%ref, %tag, %dest, %comm) : memref<100xf32>, i32, i32
->
    %0 = llvm.call @MPI_Send(%pointer, %count, %float, %dest, %tag, %native) : (…) -> i32

Which of the two says the module around them, by the name `MPI:Implementation`.
Source of the rules: *'mpi' Dialect*, and what mlir-opt 22 makes of it.
"""
