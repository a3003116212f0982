"""The data layout of LLVM IR that a `#dlti.dl_spec` stands for.

Source of the rules: *Data Layout Modeling*; *LLVM Language Reference*, "Data Layout".
"""

from __future__ import annotations

import re
from typing import Final

_ENTRY: Final = re.compile(
    r'(?P<key>"[^"]*"|[\w.!]+(?:<\d+>)?)\s*=\s*'
    r'(?:dense<(?P<dense>[^>]*)>|array<i32:(?P<array>[^>]*)>|"(?P<text>[^"]*)"|(?P<number>\d+)|'
    r"#dlti\.function_pointer_alignment<(?P<pointers>\d+),\s*function_dependent\s*=\s*(?P<dependent>\w+)>)"
)
_LETTERS: Final = {
    "dlti.alloca_memory_space": "A",
    "dlti.program_memory_space": "P",
    "dlti.global_memory_space": "G",
    "dlti.stack_alignment": "S",
    "dlti.mangling_mode": "m:",
}


def spell_specification(attribute: str) -> str:
    """The data layout that a `#dlti.dl_spec<…>` stands for, by its text: entries with names first, then types."""
    parts: list[str] = []
    types: list[str] = []
    for entry in _ENTRY.finditer(attribute):
        key = entry["key"].strip('"')
        numbers = re.findall(r"\d+", entry["dense"] or entry["array"] or "")
        if key == "dlti.endianness":
            parts.append("E" if entry["text"] == "big" else "e")
        elif key in _LETTERS:
            parts.append(_LETTERS[key] + (entry["number"] or entry["text"] or ""))
        elif key == "dlti.legal_int_widths":
            parts.append("n" + ":".join(numbers))
        elif key == "dlti.function_pointer_alignment":
            parts.append(("Fn" if entry["dependent"] == "true" else "Fi") + entry["pointers"])
        elif key.startswith("!llvm.ptr"):
            space = "".join(filter(str.isdigit, key)) or "0"
            types.append(f"p{space}:" + ":".join(numbers * 4 if len(numbers) == 1 else numbers))
        elif re.fullmatch(r"[if]\d+", key):
            types.append(":".join([key, *dict.fromkeys(numbers)]))
    return "-".join(parts + types)
