"""The tokens of a file, with those of what it includes in their place, and without what directives leave out."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from fathom.records import NamedTuple
from fathom.tablegen.limits import DEEPEST_INCLUDE, DEEPEST_NESTING, MOST_FILES
from fathom.tablegen.mistakes import Finding, Place, Refused, place_in
from fathom.tablegen.sources import Library, Text
from fathom.tablegen.tokens import DIRECTIVES, END, EOF, STATEMENTS, Chunk, LexicalMistake, chunk_at, end_of_comment

_MACRO: Final = re.compile(r"[ \t]*([A-Za-z_][0-9A-Za-z_]*)")
_NAME: Final = re.compile(r"[A-Za-z_][0-9A-Za-z_]*")
_DIRECTIVE: Final = re.compile(rf"({'|'.join(DIRECTIVES)})(?=[ \t\r\n]|\Z|/[*/])")
_BLANKS: Final = re.compile(r"[ \t\r\n]*")
_REST_OF_LINE: Final = re.compile(r"[ \t]*(?://[^\r\n]*)?(?=[\r\n]|\Z)")
_STATEMENT: Final = re.compile(rf"\n({'|'.join(sorted(STATEMENTS))})\b")
_NOTHING: Final = Chunk([END], [""], [0], [0], EOF)


class Condition(NamedTuple):
    """An `#ifdef` or `#else` that has no `#endif` yet: whether what follows is read, and where it is."""

    is_else: bool
    holds: bool
    offset: int


class File(NamedTuple):
    """A file that was included, or the first."""

    path: str
    text: Text
    name: str = ""
    """As the `include` has it."""
    name_at: tuple[Place, Place] | None = None
    """Where the `include` has it."""


class Frame(NamedTuple):
    """Where reading goes on in a file, when the file that it includes there has been read."""

    file: int
    offset: int
    conditions: tuple[Condition, ...]


class Position(NamedTuple):
    """Where reading stands: the frames, of which the last is the file that is read, and how much else there is."""

    frames: tuple[Frame, ...]
    files: int
    macros: int
    end: int
    """Behind the token that comes next."""


class Stream:
    """Stands at a token: `kind` and `value` say which; `advance` goes to the next."""

    def __init__(
        self, library: Library, path: str, text: Text, macros: Sequence[str], warn: Callable[[Finding], None]
    ) -> None:
        self.library = library
        self.files: list[File] = [File(path, text)]
        self.macros: dict[str, None] = dict.fromkeys(macros)
        self.kind = EOF
        self.has_missed = False
        """Whether a file was not found for an include."""
        self._warn = warn
        self._frames: list[Frame] = []
        self._file = 0
        self._text = text
        self._base: Place = 0
        self._conditions: list[Condition] = []
        self._chunk = _NOTHING
        self._kinds, self._values, self._starts, self._ends, _ = _NOTHING
        self._index = 0

    def begin(self) -> None:
        """Goes to the first token. Raises Refused where there is none that can be read."""
        for macro in self.macros:
            if not _NAME.fullmatch(macro):
                raise Refused(f"invalid macro name `{macro}` specified on command line")
        self._enter(0, 0, ())
        self._to_token()

    # ---- tokens

    def advance(self) -> None:
        """Goes to the next token. Raises Refused where there is none that can be read."""
        index = self._index = self._index + 1
        kind = self._kinds[index]
        self.kind = kind
        if not kind:
            self._to_token()

    @property
    def value(self) -> str:
        """The text of a name, a literal or an operator."""
        value = self._values[self._index]
        assert isinstance(value, str)
        return value

    @property
    def number(self) -> int:
        value = self._values[self._index]
        assert isinstance(value, int)
        return value

    @property
    def binary(self) -> tuple[int, int]:
        """A binary number, and how many digits it was written with."""
        value = self._values[self._index]
        assert isinstance(value, tuple)
        return value

    @property
    def place(self) -> Place:
        """Where the token begins."""
        return self._base + self._starts[self._index]

    @property
    def end(self) -> Place:
        """Where the token ends."""
        return self._base + self._ends[self._index]

    # ---- positions

    def position(self) -> Position:
        """Where reading stands, to come back."""
        here = Frame(self._file, self._starts[self._index], tuple(self._conditions))
        return Position((*self._frames, here), len(self.files), len(self.macros), self._ends[self._index])

    def back_to(self, position: Position, library: Library, texts: Mapping[int, Text]) -> None:
        """Stands where it stood, with other texts for the files of these numbers."""
        self.library = library
        del self.files[position.files :]
        while len(self.macros) > position.macros:
            self.macros.popitem()
        self.files = [file._replace(text=texts.get(index, file.text)) for index, file in enumerate(self.files)]
        *frames, here = position.frames
        self._frames = list(frames)
        self._enter(here.file, here.offset, here.conditions)
        self._to_token()

    def to_next_statement(self) -> bool:
        """Goes on, behind a mistake, to the next keyword of a statement that begins a line. False if that cannot be:
        where an `include` was not found, what follows would make no sense."""
        while True:
            stop = self._chunk.stop
            if self.kind == EOF:
                return True
            if not self.kind:
                if not isinstance(stop, LexicalMistake):
                    return False
                match = _STATEMENT.search(self._text.text, stop.offset)
                if match is None:
                    return False
                self._take(self._text.chunk(match.start(1)))
                step = self._to_token
            elif self.kind in STATEMENTS and _begins_line(self._text.text, self._starts[self._index]):
                return True
            else:
                step = self.advance
            try:
                step()
            except Refused:
                continue

    def _enter(self, file: int, offset: int, conditions: tuple[Condition, ...]) -> None:
        self._file = file
        self._text = self.files[file].text
        self._base = place_in(file, 0)
        self._conditions = list(conditions)
        self._take(self._text.chunk(offset))

    def _take(self, chunk: Chunk) -> None:
        self._chunk = chunk
        self._kinds, self._values, self._starts, self._ends, _ = chunk
        self._index = 0
        self.kind = self._kinds[0]

    def _to_token(self) -> None:
        """Goes beyond the ends of chunks, to a token."""
        while not self._kinds[self._index] and self.kind != EOF:
            stop = self._chunk.stop
            if isinstance(stop, LexicalMistake):
                raise Refused(stop.message, self._base + stop.offset)
            if stop == EOF:
                self._leave()
            elif stop == "include":
                self._include(self._ends[self._index])
            else:
                self._take(self._text.chunk(self._directive(stop, self._starts[self._index])))

    def _leave(self) -> None:
        if self._conditions:
            self._not_ended()
        if not self._frames:
            self.kind = EOF
            return
        frame = self._frames.pop()
        self._enter(frame.file, frame.offset, frame.conditions)

    # ---- include

    def _include(self, offset: int) -> None:
        chunk = chunk_at(self._text.text, offset)
        place = self._base + chunk.starts[0]
        if chunk.kinds[0] == END and isinstance(chunk.stop, LexicalMistake):
            raise Refused(chunk.stop.message, self._base + chunk.stop.offset)
        name = chunk.values[0]
        if chunk.kinds[0] != "string literal" or not isinstance(name, str):
            raise Refused("expected filename after include", place)
        include = self.library.include(name)
        if include is None:
            self.has_missed = True
            raise Refused(f"could not find include file '{name}'", place)
        if len(self._frames) >= DEEPEST_INCLUDE or len(self.files) >= MOST_FILES:
            raise Refused(f"'{name}' is included too often", place)
        self._frames.append(Frame(self._file, chunk.ends[0], tuple(self._conditions)))
        self.files.append(File(*include, name, (place, self._base + chunk.ends[0])))
        self._enter(len(self.files) - 1, 0, ())

    # ---- directives

    def _directive(self, name: str, start: int) -> int:
        """Does what a directive says; `start` is its `#`. Gives the offset at which tokens follow."""
        after = self._obey(name, start + 1)
        return after if self._reads() else self._skip(after)

    def _reads(self) -> bool:
        return all(condition.holds for condition in self._conditions)

    def _obey(self, name: str, start: int) -> int:
        """A directive by its name, and where the name begins. Gives the offset behind the directive."""
        after = start + len(name)
        if name in ("ifdef", "ifndef", "define"):
            macro = _MACRO.match(self._text.text, after)
            if macro is None:
                blanks = len(self._text.text[after:]) - len(self._text.text[after:].lstrip(" \t"))
                raise Refused(f"expected macro name after #{name}", self._base + after + blanks)
            after = macro.end()
            if name == "define":
                if macro[1] in self.macros:
                    message = f"duplicate definition of macro: {macro[1]}"
                    self._warn(Finding(message, (self._base + macro.start(1),), "warning"))
                self.macros[macro[1]] = None
                return self._end_of_directive(after, "#define NAME")
            if len(self._conditions) >= DEEPEST_NESTING:
                raise Refused(f"nested too deeply: more than {DEEPEST_NESTING} levels", self._base + start)
            holds = (macro[1] in self.macros) == (name == "ifdef")
            self._conditions.append(Condition(False, holds, macro.start(1)))
            return self._end_of_directive(after, f"#{name} NAME")
        if not self._conditions:
            message = "#else without #ifdef or #ifndef" if name == "else" else "#endif without #ifdef"
            raise Refused(message, self._base + start)
        condition = self._conditions.pop()
        if name == "else":
            if condition.is_else:
                note = Finding("previous #else is here", (self._base + condition.offset,))
                raise Refused("double #else", self._base + start, notes=(note,))
            self._conditions.append(Condition(True, not condition.holds, start))
        return self._end_of_directive(after, f"#{name}")

    def _end_of_directive(self, offset: int, what: str) -> int:
        """Behind what may follow on the line of a directive: comments."""
        text = self._text.text
        while True:
            match = _REST_OF_LINE.match(text, offset)
            if match is not None:
                return match.end()
            offset += len(text[offset : offset + 200]) - len(text[offset : offset + 200].lstrip(" \t"))
            if not text.startswith("/*", offset):
                if text.startswith("/", offset):
                    raise Refused("unexpected character", self._base + offset)
                if text[offset : offset + 1] not in (" ", "\t"):
                    raise Refused(f"only comments are supported after {what}", self._base + offset)
                continue
            offset = self._behind_comment(offset)

    def _behind_comment(self, offset: int) -> int:
        end = end_of_comment(self._text.text, offset)
        if end is None:
            raise Refused("unterminated comment", self._base + offset)
        return end

    def _skip(self, offset: int) -> int:
        """Skips lines up to the directive from which on they are read again."""
        text = self._text.text
        while True:
            offset = text.find("\n", offset)
            if offset < 0:
                self._not_ended()
            blanks = _BLANKS.match(text, offset)
            assert blanks is not None
            offset = blanks.end()
            while text.startswith("/*", offset):
                blanks = _BLANKS.match(text, self._behind_comment(offset))
                assert blanks is not None
                offset = blanks.end()
            if not text.startswith("#", offset):
                continue
            match = _DIRECTIVE.match(text, offset + 1)
            if match is None or match[1] == "define":
                continue
            offset = self._obey(match[1], offset + 1)
            if self._reads():
                return offset

    def _not_ended(self) -> None:
        note = Finding("the latest preprocessor control is here", (self._base + self._conditions[-1].offset,))
        end = self._base + len(self._text.text)
        raise Refused("reached EOF without matching #endif", end, notes=(note,))


def _begins_line(text: str, offset: int) -> bool:
    return offset == 0 or text[offset - 1] in "\r\n"
