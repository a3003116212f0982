"""Reads what LLVM prints, to the model.

All that has a number or a name in the module is made first, empty, by going through the tokens once; so what is read
then may refer to what stands further down.

Source of the rules: *LLVM Language Reference*.
"""

from __future__ import annotations

import re
from itertools import compress, count
from typing import Final, TypeVar

from fathom.llvmir.function_reader import FunctionReader
from fathom.llvmir.module import (
    Comdat,
    Function,
    GlobalAlias,
    GlobalIFunc,
    GlobalValue,
    GlobalVariable,
    Module,
)
from fathom.llvmir.spelling import unescape
from fathom.llvmir.tokens import END
from fathom.llvmir.type_reader import name_of
from fathom.llvmir.types import PTR, VOID, FunctionType, IdentifiedStructType, StructType, Type
from fathom.llvmir.values import Constant
from fathom.llvmir.words import (
    CODE_MODELS,
    SANITIZERS,
    SELECTION_KINDS,
    UNNAMED_ADDRESSES,
)

_G = TypeVar("_G", bound=GlobalValue)
_UNKNOWN: Final = "; Unknown intrinsic\n"
"""What LLVM says in a comment alone."""
_UNKNOWN_INTRINSIC: Final = re.compile(rf"^{_UNKNOWN}[^\n@]*+(@[-.\w]++)", re.MULTILINE | re.ASCII)
_BEGINNINGS: Final = frozenset(("define", "declare", "="))
"""What stands before or behind a name that is defined."""
_NO_TYPE: Final = FunctionType(VOID)


def read(text: str) -> Module:
    """The module that a text is, which LLVM has printed. Raises Mistake."""
    reader = _Reader(text)
    try:
        return reader.module()
    except (IndexError, KeyError, ValueError, AssertionError):
        raise reader.unexpected("what LLVM prints") from None


class _Reader(FunctionReader):
    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._module = Module()
        self._groups: list[int] = []
        self._asm: list[str] = []

    def module(self) -> Module:
        self._find()
        if _UNKNOWN in self.text:
            self._mark_unknown()
        for at in self._groups:
            self._group(at)
        while self.t[self.p] != END:
            self._item()
        self.check_blocks()
        self._module.module_asm = "".join(f"{each}\n" for each in self._asm)
        return self._module

    def _mark_unknown(self) -> None:
        for each in _UNKNOWN_INTRINSIC.finditer(self.text):
            if isinstance(function := self.globals.get(each[1]), Function):
                function.is_unknown_intrinsic = True

    # ---- what there is

    def _find(self) -> None:
        """Makes what has a number or a name."""
        t = self.t
        module = self._module
        places = [*compress(count(), map(_BEGINNINGS.__contains__, t))]
        functions = [at for at in places if t[at] != "="]
        for at, behind in zip(functions, [*functions[1:], len(t)], strict=False):
            name = next((each for each in range(at, behind) if t[each][0] == "@"), at)
            if name != at:
                module.functions.append(self._new(Function(PTR, name_of(t[name]), _NO_TYPE), name))
        for at in places:
            if t[at] != "=":
                continue
            token = t[at - 1]
            if token[0] == "!" and token[1:].isdecimal():
                self.nodes[token] = self.new_node(at + 1)
            elif token[0] == "@":
                self._new_global(at)
            elif token[0] == "$":
                name = name_of(token)
                self.comdats[name] = Comdat(name)
            elif token[0] == "#" and t[at - 2] == "attributes":
                self._groups.append(at - 1)

    def _new_global(self, at: int) -> None:
        name = name_of(self.t[at - 1])
        module = self._module
        for each in range(at + 1, at + _MOST_WORDS):
            match self.t[each]:
                case "global" | "constant":
                    module.globals.append(self._new(GlobalVariable(PTR, name, VOID), at - 1))
                case "alias":
                    module.aliases.append(self._new(GlobalAlias(PTR, name, VOID), at - 1))
                case "ifunc":
                    module.ifuncs.append(self._new(GlobalIFunc(PTR, name, VOID), at - 1))
                case _:
                    continue
            return

    def _new(self, made: _G, at: int) -> _G:
        if self.globals.setdefault(self.t[at], made) is not made:
            raise self.mistake("defined twice", at)
        return made

    def _group(self, at: int) -> None:
        self.p = at
        token = self.t[at]
        self.p += 2
        self.expect("{")
        self.groups[token] = self.attributes()
        self.expect("}")
        self.p = 0

    # ---- items

    def _item(self) -> None:
        token = self.t[self.p]
        match token[0]:
            case "@":
                self._global()
            case "%":
                self._type_definition()
            case "!":
                self._metadata_definition()
            case "$":
                self._comdat()
            case "^":
                self._skip_summary()
            case _:
                self.p += 1
                match token:
                    case "define" | "declare":
                        self.function_item(token == "define")
                    case "attributes":
                        self._skip_group()
                    case "source_filename":
                        self.expect("=")
                        self._module.source_filename = unescape(self.string())
                    case "target":
                        self._target()
                    case "module":
                        self.expect("asm")
                        self._asm.append(unescape(self.string()))
                    case _:
                        self.p -= 1
                        raise self.unexpected("something of a module")

    def _target(self) -> None:
        what = self.t[self.p]
        self.p += 1
        self.expect("=")
        if what == "datalayout":
            self._module.target_datalayout = self.string()
        elif what == "triple":
            self._module.target_triple = self.string()
        else:
            raise self.mistake("expected datalayout or triple", self.p - 2)

    def _skip_group(self) -> None:
        while self.t[self.p] not in ("}", END):
            self.p += 1
        self.expect("}")

    def _skip_summary(self) -> None:
        """What a linker's index says is no part of a module."""
        while self.t[self.p] != "(" and self.t[self.p] != END and self.t[self.p][0] != '"':
            self.p += 1
            if self.t[self.p - 1].isdecimal():
                return
        depth = 0
        while self.t[self.p] != END:
            depth += (self.t[self.p] == "(") - (self.t[self.p] == ")")
            self.p += 1
            if not depth:
                return

    def _comdat(self) -> None:
        comdat = self.comdats[name_of(self.t[self.p])]
        self.p += 1
        self.expect("=")
        self.expect("comdat")
        comdat.selection_kind = self.one_of(SELECTION_KINDS) or "any"

    def _type_definition(self) -> None:
        token = self.t[self.p]
        of = self.words.setdefault(token, IdentifiedStructType(name_of(token)))
        self.p += 1
        self.expect("=")
        self.expect("type")
        if not isinstance(of, IdentifiedStructType) or of.body is not None:
            raise self.mistake("defined twice")
        if self.accept("opaque"):
            return
        body = self.type()
        if not isinstance(body, StructType):
            raise self.mistake("expected a struct")
        of.body = body

    def _metadata_definition(self) -> None:
        token = self.t[self.p]
        self.p += 1
        self.expect("=")
        if (node := self.nodes.get(token)) is not None:
            self.fill(node)
            return
        self.expect("!")
        self.expect("{")
        nodes = self._module.named_metadata.setdefault(unescape(token[1:]), [])
        while not self.accept("}"):
            nodes.append(self.metadata())
            self.accept(",")

    # ---- globals

    def _global(self) -> None:
        of = self.globals.get(self.t[self.p])
        if of is None:
            raise self.unexpected("something of a module")
        self.p += 1
        self.expect("=")
        self.linkage(of)
        of.unnamed_addr = self.one_of(UNNAMED_ADDRESSES)
        match of:
            case GlobalVariable():
                self._variable(of)
            case GlobalAlias():
                self.expect("alias")
                of.value_type = self.type()
                self.expect(",")
                of.type, of.aliasee = self._meant()
            case GlobalIFunc():
                self.expect("ifunc")
                of.value_type = self.type()
                self.expect(",")
                of.type, of.resolver = self._meant()
            case _:
                raise self.unexpected("a global")
        self._behind(of)

    def _meant(self) -> tuple[Type, Constant]:
        """What an alias is for, and its type, which does not stand before a constant expression."""
        if self.is_type():
            of = self.type()
            return of, self.constant(of)
        made = self.constant(PTR)
        return made.type, made

    def _variable(self, of: GlobalVariable) -> None:
        of.type = self.pointer(self.address_space())
        of.is_externally_initialized = self.accept("externally_initialized")
        of.is_constant = self.t[self.p] == "constant"
        self.p += 1
        of.value_type = self.type()
        if not self._is_over():
            of.initializer = self.constant(of.value_type)

    def _is_over(self) -> bool:
        """Whether nothing of a variable is left that stands before a comma."""
        token, behind = self.t[self.p], self.t[self.p + 1]
        return token[0] in ',%!$#^"' or token in _ITEMS or (token[0] == "@" and behind == "=")

    def _behind(self, of: GlobalValue) -> None:
        """What stands behind commas."""
        t = self.t
        while t[self.p] == ",":
            if t[self.p + 1][0] == "!":
                if not isinstance(of, GlobalVariable | GlobalIFunc):
                    raise self.unexpected("something of an alias")
                of.metadata = self.attachments()
                continue
            self.p += 1
            token = t[self.p]
            self.p += 1
            if token == "partition":
                of.partition = unescape(self.string())
            elif isinstance(of, GlobalVariable):
                self._of_variable(of, token)
            else:
                self.p -= 1
                raise self.unexpected("something of a global")
        if isinstance(of, GlobalVariable) and t[self.p][0] == "#":
            of.attributes = self.attributes()

    def _of_variable(self, of: GlobalVariable, token: str) -> None:
        match token:
            case "section":
                of.section = unescape(self.string())
            case "code_model":
                of.code_model = self.string()
                if of.code_model not in CODE_MODELS:
                    raise self.mistake("no code model", self.p - 1)
            case "comdat":
                of.comdat = self.comdat(of)
            case "align":
                of.alignment = self.number()
            case _ if token in SANITIZERS:
                of.sanitizers += (token,)
            case _:
                self.p -= 1
                raise self.unexpected("something of a global")


_ITEMS: Final = ("define", "declare", "attributes", "source_filename", "target", "module", END)
_MOST_WORDS: Final = 24
"""So many tokens stand between `=` and the keyword of something global at most."""
