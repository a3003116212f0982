"""A small MLIR on disk, as a checkout has it: what definitions are made of, and whatever dialects a test wants."""

from __future__ import annotations

from pathlib import Path

OP_BASE = """\
// What definitions of operations are made of, as far as these need it.
class Pred;
class CPred<string pred> : Pred { string predExpr = pred; }
class Constraint<Pred pred, string desc = ""> { Pred predicate = pred; string summary = desc; }
class TypeConstraint<Pred pred, string desc = "", string cpp = "::mlir::Type"> : Constraint<pred, desc> {
  string cppType = cpp;
}
class Type<Pred pred, string desc = "", string cpp = "::mlir::Type"> : TypeConstraint<pred, desc, cpp>;
class AttrConstraint<Pred pred, string desc = ""> : Constraint<pred, desc>;
class Attr<Pred pred, string desc = ""> : AttrConstraint<pred, desc> {
  string storageType = "::mlir::Attribute";
  string returnType = storageType;
  string cppNamespace = "";
  string defaultValue = ?;
  bit isOptional = 0;
  Attr baseAttr = ?;
}
class OptionalAttr<Attr attr> : Attr<attr.predicate, attr.summary> {
  let isOptional = 1;
  let baseAttr = attr;
}
class Trait;
class NativeTrait<string name> : Trait { string trait = name; string cppNamespace = "::mlir::OpTrait"; }
def Terminator : NativeTrait<"IsTerminator">;
class Dialect {
  string name = ?;
  string summary = ?;
  string description = ?;
  string cppNamespace = name;
  string extraClassDeclaration = "";
  bit useDefaultTypePrinterParser = 0;
  bit useDefaultAttributePrinterParser = 0;
  bit isExtensible = 0;
}
def ins;
def outs;
def region;
def successor;
class Op<Dialect dialect, string mnemonic, list<Trait> props = []> {
  Dialect opDialect = dialect;
  string opName = mnemonic;
  string cppNamespace = dialect.cppNamespace;
  string summary = "";
  string description = "";
  dag arguments = (ins);
  dag results = (outs);
  dag regions = (region);
  dag successors = (successor);
  list<Trait> traits = props;
  string assemblyFormat = ?;
  bit hasCustomAssemblyFormat = 0;
}
def AnyTypePred : CPred<"true">;
def AnyType : Type<AnyTypePred, "any type">;
def I32 : Type<CPred<"$_self.isSignlessInteger(32)">, "32-bit signless integer">;
def StrAttr : Attr<CPred<"::llvm::isa<::mlir::StringAttr>($_self)">, "string attribute"> {
  let storageType = "::mlir::StringAttr";
}
"""
TINY = """\
include "mlir/IR/OpBase.td"
def Tiny_Dialect : Dialect { let name = "tiny"; let cppNamespace = "::mlir::tiny"; }
class Tiny_Op<string mnemonic, list<Trait> traits = []> : Op<Tiny_Dialect, mnemonic, traits>;
def Tiny_AddOp : Tiny_Op<"add"> {
  let summary = "two numbers together";
  let arguments = (ins I32:$lhs, I32:$rhs, OptionalAttr<StrAttr>:$how);
  let results = (outs I32:$sum);
  let assemblyFormat = "$lhs `,` $rhs (`by` $how^)? attr-dict";
}
"""
"""A dialect that no release has."""
UB = """\
include "mlir/IR/OpBase.td"
def UB_Dialect : Dialect { let name = "ub"; let cppNamespace = "::mlir::ub"; }
class UB_Op<string mnemonic, list<Trait> traits = []> : Op<UB_Dialect, mnemonic, traits>;
def UB_ToxinOp : UB_Op<"toxin"> {
  let results = (outs AnyType:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}
def UB_UnreachableOp : UB_Op<"unreachable", [Terminator]> {
  let arguments = (ins OptionalAttr<StrAttr>:$why);
  let assemblyFormat = "(`because` $why^)? attr-dict";
}
"""
"""One that the releases have otherwise: `ub.poison` has another name here, and `ub.unreachable` says more."""


def mlir_in(folder: Path, files: dict[str, str] | None = None, release: str = "23") -> Path:
    """A checkout in a folder, with these files below `mlir/include/mlir/Dialect`."""
    include = folder / "mlir/include/mlir"
    versions = folder / "cmake/Modules/LLVMVersion.cmake"
    texts = {include / "IR/OpBase.td": OP_BASE, versions: f"  set(LLVM_VERSION_MAJOR {release})\n"}
    texts |= {include / "Dialect" / name: text for name, text in (files or {"Tiny/TinyOps.td": TINY}).items()}
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder
