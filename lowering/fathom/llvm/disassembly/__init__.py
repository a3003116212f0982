"""Object files as text: the instructions in them, with addresses, symbols and relocations, and the lines that they come
from. Imported in the process that has LLVM (`fathom.llvm.process`), since what an object holds may be anything."""
