"""What only code says of dialects that files describe: modules in Python that a person names on the command line.

    @lowers("shop.total", into="arith")
    def total(op, rewriter): …

Such functions are collected while the module runs (`fathom.dialect`). `CODE`, a dictionary of `DialectCode` by the
names of dialects, is the form in which all code is known in the end, and may be given too. A module is run, with all
that it may do; so nothing names one but a person.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, MappingProxyType, ModuleType
from typing import TYPE_CHECKING, cast

from fathom.context import default_context
from fathom.irdl.code import joined, with_code
from fathom.irdl.faults import described, place_of_error
from fathom.records import record
from fathom.spelling import nearest

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.dialect.declarations import Declared
    from fathom.irdl.code import DialectCode
    from fathom.irdl.dialect import Dialect


@record
class CodeMistake:
    """What is wrong with a module, at a line of it, from 1 on."""

    path: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.message}"


class WrongCode(Exception):
    """A module that has no code of dialects; its text says why, with the place."""

    def __init__(self, path: str, line: int, message: str) -> None:
        self.mistake = CodeMistake(path, line, message)
        super().__init__(str(self.mistake))


@record(eq=False, slots=False)
class Code:
    """The code of dialects by their names, and what was declared of them in a module. What was read of one module stays
    the same object."""

    of: Mapping[str, DialectCode] = MappingProxyType({})
    declared: tuple[Declared, ...] = ()


def read_code(path: str, text: str | None = None) -> Code:
    """The code in a module, whose text may be another than that of its file. Raises WrongCode where it fails, or has
    none."""
    from fathom.dialect.collected import codes_of
    from fathom.dialect.declarations import collecting

    name = f"fathom_code_{Path(path).stem}"
    loader = _AsItStands(name, path, text)
    module = ModuleType(name)
    module.__file__ = path
    with collecting() as declared:
        try:
            loader.exec_module(module)
        except (Exception, SystemExit) as error:
            place = place_of_error(error, path)
            raise WrongCode(path, place.line if place is not None else 1, described(error)) from error
    given = _given(path, getattr(module, "CODE", None), needed=not declared)
    return Code(codes_of(declared, given), tuple(declared))


class _AsItStands(SourceFileLoader):
    """Loads a module of its source, whatever was compiled of it before, and leaves nothing beside it."""

    def __init__(self, name: str, path: str, text: str | None) -> None:
        super().__init__(name, path)
        self._text = text

    def get_code(self, fullname: str) -> CodeType:
        del fullname
        return self.source_to_code(self.get_data(self.path) if self._text is None else self._text, self.path)


def _given(path: str, given: object, *, needed: bool) -> dict[str, DialectCode]:
    """What a module gives as `CODE`."""
    from fathom.irdl.code import DialectCode

    wanted = "a dictionary of `DialectCode` by the names of dialects"
    if given is None and not needed:
        return {}
    if given is None:
        raise WrongCode(path, 1, f"nothing in it is declared by `fathom.dialect`, and there is no `CODE`: {wanted}")
    entries = cast("dict[object, object]", given) if isinstance(given, dict) else {None: None}
    if any(not isinstance(name, str) or not isinstance(code, DialectCode) for name, code in entries.items()):
        raise WrongCode(path, 1, f"`CODE` is {wanted}")
    return cast("dict[str, DialectCode]", entries)


def code_by_dialect(modules: Iterable[Code]) -> dict[str, DialectCode]:
    """What modules say of dialects, together where several speak of one."""
    codes: dict[str, DialectCode] = {}
    for name, code in (entry for module in modules for entry in module.of.items()):
        before = codes.get(name)
        codes[name] = joined(code, before) if before is not None else code
    return codes


def context_with(dialects: Iterable[Dialect], modules: Iterable[Code], base: Context | None = None) -> Context:
    """The dialects of a context, by default the library's, and those that are described without code, with what modules
    say of these."""
    context, codes = base or default_context(), code_by_dialect(modules)
    for dialect in dialects:
        code = codes.get(dialect.name)
        context = context.with_dialect(with_code(dialect, code) if code is not None else dialect)
    return context


def mistakes_in_names(code: Code, context: Context) -> Iterator[CodeMistake]:
    """What is declared of operations, types and dialects that nothing describes, each once, with its place."""
    said: set[str] = set()
    for declared in code.declared:
        problem = _problem(declared, context)
        if problem is not None and problem not in said:
            said.add(problem)
            yield CodeMistake(declared.place.file, declared.place.line, f"@{declared.what}: {problem}")


def _problem(declared: Declared, context: Context) -> str | None:
    dialect = context.dialect(declared.dialect)
    if dialect is None or declared.dialect not in context.own_dialects:
        what = "is the library's own" if dialect is not None else "is not described"
        return f"the dialect '{declared.dialect}' {what}: its description has to be named besides"
    if (unknown := _unknown(declared, dialect)) is not None:
        return unknown
    names = context.dialect_names()
    for into in declared.options.get("into", ()):
        if into not in names:
            near = nearest(into, names)
            return f"`into` names the dialect '{into}', which nobody knows" + (
                f"; did you mean '{near}'?" if near else ""
            )
    return None


def _unknown(declared: Declared, dialect: Dialect) -> str | None:
    """That the dialect does not have the operation, or the type, of this name."""
    if declared.what == "amends":
        return None  # Nothing describes the attributes that operations of other dialects may have.
    is_type = declared.what == "converts"
    known = [f"{dialect.name}.{type_}" for type_ in dialect.types] if is_type else list(dialect.by_name)
    if declared.name in known:
        return None
    near = nearest(declared.name, known)
    return f"no {'type' if is_type else 'operation'} '{declared.name}' is described" + (
        f"; did you mean '{near}'?" if near else ""
    )
