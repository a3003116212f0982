"""How tensors become buffers: what operations do to the buffers of their tensors, which of these may be the same, where
a copy is needed, and the rewriting.

    models.py        what a dialect says of its operations, in its module `bufferization.py`
    state.py         what follows from that for operands and values, where nothing has been analysed
    analysis.py      which operands may be written in place: One-Shot Analysis; conflicts.py says which may not
    functions.py     the same across functions that call each other
    copies.py        copies of tensors, put in where an operand may not be written in place
    rewriting.py     operations on tensors become operations on memrefs
    ownership.py     who has to free which buffer; a dialect says it in its module `deallocation.py`

Source of the rules: *Bufferization*, "One-Shot Bufferize", and the sources and the behaviour of mlir-opt 22.
"""
