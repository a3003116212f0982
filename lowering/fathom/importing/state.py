"""What the parts of an import share: the module that is made, its types, symbols and messages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import count
from typing import TYPE_CHECKING, Final

from fathom.diagnostics import TRANSLATION, Diagnostic
from fathom.dialects.llvm.types import PTR
from fathom.importing.aliasing import Aliasing
from fathom.importing.block_addresses import BlockAddresses
from fathom.importing.debug_info import DebugInfo
from fathom.importing.intrinsic_table import Intrinsics
from fathom.importing.loops import Loops
from fathom.importing.texts import Texts
from fathom.importing.types import Types
from fathom.ir.attributes import Attribute, DictAttr, DistinctAttr, StringAttr, SymbolRefAttr, UnitAttr
from fathom.ir.locations import FileLineColLoc, LocationAttr, UnknownLoc
from fathom.ir.operation import MODULE, Block, Operation, Region
from fathom.irdl.build import definition_of, with_defaults
from fathom.messages.message import file_location

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.importing.options import Options
    from fathom.irdl.definition import OpDefinition
    from fathom.llvmir.attributes import AttributeSet
    from fathom.llvmir.module import GlobalValue, Module

UNKNOWN: Final = UnknownLoc()
_NAMELESS: Final = "mlir.llvm.nameless_global"


class Failed(Exception):
    """Something cannot be imported, which was said. What it is a part of may say so, too."""


class _Prototypes(dict[str, "tuple[OpDefinition, dict[str, Attribute]]"]):
    """The definitions of operations, and the properties that they have if nothing else is said, by their names."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context: Final = context

    def __missing__(self, name: str) -> tuple[OpDefinition, dict[str, Attribute]]:
        definition = definition_of(self._context, name)
        made = self[name] = definition, with_defaults(definition, {})
        return made


class ModuleImport:
    """The import of one module."""

    def __init__(self, source: Module, context: Context, options: Options, file: str) -> None:
        self.source: Final = source
        self.context: Final = context
        self.options: Final = options
        self.types: Final = Types(as_literals=options.import_structs_as_literals)
        self.texts: Final = Texts(source)
        self.diagnostics: Final[list[Diagnostic]] = []
        self.place: Final = FileLineColLoc(source.source_filename or file, 0, 0)
        """Where MLIR says that the module stands."""
        self._numbers = count()
        self.debug_info: Final = DebugInfo(self._numbers, options)
        self.aliasing: Final = Aliasing(self)
        self.loops: Final = Loops(self)
        self.intrinsics: Final = Intrinsics(context)
        self.addresses: Final = BlockAddresses(source)
        self.attribute_sets: Final[dict[AttributeSet, DictAttr]] = {}
        """Attributes of parameters and results, each set once."""
        self.function_sets: Final[dict[int, Mapping[str, Attribute]]] = {}
        """Attributes of functions as properties, each set once, by its identity."""
        self.comdats: Final[dict[int, SymbolRefAttr]] = {}
        """The symbols of comdats, by their identity."""
        self.last_global: Operation | None = None
        """Behind which the next global comes."""
        self.pointer: Final = PTR
        self.prototypes: Final = _Prototypes(context)
        self._properties: dict[str, frozenset[str]] = {}
        self._hinted: set[object] = set()
        self._symbols: dict[int, SymbolRefAttr] = {}
        self._nameless: dict[int, str] = {}
        self._names = {each.name for each in source.global_values() if each.name}
        self._count = 0
        self.body: Final = Block()
        self.module: Final = self.build(MODULE, regions=(Region((self.body,)),))
        self.module.location = self.place

    # ---- operations

    def has(self, op: Operation, name: str) -> bool:
        """Whether an operation can have a property."""
        return name in self.property_names(op.name)

    def property_names(self, name: str) -> frozenset[str]:
        """The properties that operations of a name can have."""
        known = self._properties.get(name)
        if known is None:
            definition, _ = self.prototypes[name]
            known = self._properties[name] = frozenset(prop.name for prop in definition.properties)
        return known

    def build(
        self,
        name: str,
        properties: Mapping[str, Attribute] | None = None,
        regions: Iterable[Region] = (),
    ) -> Operation:
        """An operation that stands nowhere yet."""
        definition, defaults = self.prototypes[name]
        op = Operation(name, (), (), {**defaults, **(properties or {})}, regions=regions, definition=definition)
        op.location = UNKNOWN
        return op

    def insert_global(self, op: Operation) -> Operation:
        """Puts a global behind the last one, or at the beginning of the module."""
        last = self.last_global
        self.body.insert_before(op, self.body.first if last is None else last.next)
        op.location = self.place
        self.last_global = op
        return op

    def append(self, op: Operation) -> Operation:
        """Puts an operation at the end of the module."""
        op.location = self.place
        return self.body.append(op)

    def distinct(self) -> Attribute:
        """An attribute that is like no other."""
        return DistinctAttr(next(self._numbers), UnitAttr())

    # ---- symbols

    def symbol(self, of: GlobalValue) -> SymbolRefAttr:
        """A reference to something global. What has no name gets one."""
        known = self._symbols.get(id(of))
        if known is None:
            known = self._symbols[id(of)] = SymbolRefAttr(self.symbol_name(of))
        return known

    def symbol_name(self, of: GlobalValue) -> str:
        """The name of something global in MLIR."""
        if of.name:
            return of.name
        known = self._nameless.get(id(of))
        while known is None:
            name = f"{_NAMELESS}_{self._count}"
            self._count += 1
            if name not in self._names:
                known = self._nameless[id(of)] = name
        return known

    def name_property(self, of: GlobalValue) -> StringAttr:
        """The name of something global, as a property."""
        return StringAttr(self.symbol_name(of))

    # ---- messages

    def warn(self, message: str, location: LocationAttr = UNKNOWN) -> None:
        """Says what is not imported, and goes on."""
        self._say(message, location, "warning")

    def hint(self, about: object, message: str) -> None:
        """Warns of what MLIR passes over in silence, once."""
        if about not in self._hinted:
            self._hinted.add(about)
            self.diagnostics.append(Diagnostic(message, severity="warning", code=TRANSLATION, unplaced=True, hint=True))

    def error(self, message: str, location: LocationAttr = UNKNOWN) -> Failed:
        """Says what cannot be imported."""
        self._say(message, location, "error")
        return Failed(message)

    def _say(self, message: str, location: LocationAttr, severity: str) -> None:
        place = file_location(location)
        self.diagnostics.append(
            Diagnostic(
                message,
                severity="error" if severity == "error" else "warning",
                code=TRANSLATION,
                unplaced=place is None,
                place=place,
            )
        )
