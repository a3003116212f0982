"""Folders as editions: what an MLIR on disk defines, on top of the release that it is nearest to."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest

from fathom.cli import main
from fathom.context import context_of, default_context
from fathom.editions.folder.layer import FolderEdition, folder_edition, key_of
from fathom.editions.folder.places import MARK, NoMlir, find
from fathom.kept.places import SWITCH
from tests.editions.mlir_folder import OP_BASE, TINY, UB, mlir_in

DEBIAN = Path("/usr/lib/llvm-22")


@pytest.fixture(autouse=True)
def _kept(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is read is kept for the test alone."""
    home = tmp_path_factory.mktemp("home")
    monkeypatch.delenv(SWITCH, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "cache"))
    monkeypatch.setenv("XDG_STATE_HOME", str(home / "state"))


def check_printed(folder: Path, before: str, after: str | None = None, *options: str) -> None:
    """What `fathom opt --mlir=FOLDER` prints of a text, by default the text itself."""
    stdout, stderr = io.StringIO(), io.StringIO()
    status = main(["opt", f"--mlir={folder}", *options], io.StringIO(before), stdout, stderr)
    assert (stderr.getvalue(), status) == ("", 0)
    assert stdout.getvalue().strip() == (before if after is None else after).strip()


def check_refused(folder: Path, text: str, message: str) -> None:
    """What is wrong with a text."""
    stdout, stderr = io.StringIO(), io.StringIO()
    assert main(["opt", f"--mlir={folder}"], io.StringIO(text), stdout, stderr)
    assert message in stderr.getvalue(), stderr.getvalue()


def check_mistakes(folder: Path, name: str, expected: list[str]) -> FolderEdition:
    """What is wrong with the files of a dialect: each with the name of its file and its line."""
    layer = folder_edition(key_of(find(str(folder))))
    said = [
        f"{Path(mistake.location.file).name}:{mistake.location.line}: {mistake.message}"
        for mistake in layer.said(name).mistakes
        if mistake.location is not None
    ]
    assert said == expected
    return layer


# ---- what is read


def test_a_dialect_that_no_release_has(tmp_path: Path) -> None:
    text = """\
module {
  func.func @f(%arg0: i32) -> i32 {
    %0 = tiny.add %arg0, %arg0
    %1 = tiny.add %0, %arg0 by "carry"
    return %1 : i32
  }
}
"""
    check_printed(mlir_in(tmp_path), text)


def test_an_operation_has_another_name_and_one_says_more(tmp_path: Path) -> None:
    folder = mlir_in(tmp_path, {"UB/IR/UBOps.td": UB})
    check_printed(
        folder,
        """\
module {
  func.func @f() {
    %0 = ub.toxin : i32
    ub.unreachable because "of that"
  }
}
""",
    )
    check_refused(folder, "%0 = ub.poison : i32", "ub.poison")


def test_what_differs_is_laid_over_the_nearest_release(tmp_path: Path) -> None:
    folder = mlir_in(tmp_path, release="18")
    check_printed(
        folder,
        'func.func @f(%arg0: i32) {\n  "tiny.add"(%arg0, %arg0) : (i32, i32) -> i32\n  return\n}',
        "module {\n  func.func @f(%arg0: i32) {\n    %0 = tiny.add %arg0, %arg0\n    return\n  }\n}",
    )
    layer = folder_edition(key_of(find(str(folder))))
    assert layer.name == "19"
    assert layer.find_dialect("memref") is context_of("19").dialect("memref")


@pytest.mark.parametrize(
    ("release", "nearest"), [("23", "22"), ("24", "22"), ("20", "22"), ("19", "19"), ("17", "19"), ("12", "13")]
)
def test_which_release_is_nearest(tmp_path: Path, release: str, nearest: str) -> None:
    assert folder_edition(key_of(find(str(mlir_in(tmp_path, release=release))))).name == nearest


def test_a_lowering_goes_by_the_passes_of_today(tmp_path: Path) -> None:
    text = "func.func @f(%arg0: i32) -> i32 {\n  %0 = arith.addi %arg0, %arg0 : i32\n  return %0 : i32\n}"
    lowered = """\
module {
  func.func @f(%arg0: i32) -> i32 {
    %0 = llvm.add %arg0, %arg0 : i32
    return %0 : i32
  }
}
"""
    check_printed(mlir_in(tmp_path), text, lowered, "--convert-arith-to-llvm")


@pytest.mark.skipif(not (DEBIAN / "include" / MARK).exists(), reason="needs libmlir-22-dev")
@pytest.mark.parametrize("name", ["arith", "func", "affine", "memref", "linalg", "llvm", "ub"])
def test_the_definitions_of_the_newest_release_differ_in_nothing(name: str) -> None:
    layer = check_mistakes(DEBIAN, name, [])
    assert layer.said(name).difference is None


# ---- where it is


@pytest.mark.parametrize("named", ["", "mlir", "mlir/include", "build"])
def test_a_checkout_is_named_in_many_ways(tmp_path: Path, named: str) -> None:
    folder = mlir_in(tmp_path / "llvm-project")
    (folder / "build").mkdir()
    (folder / "build/CMakeCache.txt").write_text(f"CMAKE_HOME_DIRECTORY:INTERNAL={folder}/llvm\n")
    place = find(named, str(folder))
    assert place.folders[0] == str(folder / "mlir/include")
    assert place.release == "23"


def test_an_installation(tmp_path: Path) -> None:
    mark = tmp_path / "include" / MARK
    mark.parent.mkdir(parents=True)
    mark.write_text(OP_BASE)
    config = tmp_path / "include/llvm/Config/llvm-config.h"
    config.parent.mkdir(parents=True)
    config.write_text("/* … */\n#define LLVM_VERSION_MAJOR 21\n")
    place = find(str(tmp_path))
    assert (place.folders[0], place.release) == (str(tmp_path / "include"), "21")


def test_definitions_that_a_build_makes(tmp_path: Path) -> None:
    folder = mlir_in(tmp_path, {"Tiny/TinyOps.td": f'{TINY}include "mlir/Dialect/Tiny/Made.td"\n'})
    made = folder / "build/tools/mlir/include/mlir/Dialect/Tiny/Made.td"
    made.parent.mkdir(parents=True)
    made.write_text('def Tiny_NopOp : Tiny_Op<"nop"> { let assemblyFormat = "attr-dict"; }\n')
    check_printed(folder, "module {\n  tiny.nop\n}\n")


def test_a_folder_that_has_none_is_told(tmp_path: Path) -> None:
    with pytest.raises(NoMlir, match="no definitions of MLIR are in it"):
        find(str(tmp_path))
    check_refused(tmp_path, "", f"--mlir: '{tmp_path}': no definitions of MLIR are in it")
    check_refused(tmp_path / "none", "", f"--mlir: '{tmp_path}/none': there is no such folder")
    check_refused(Path("22x"), "", "'22x' is no version of MLIR that is known: give one from 10 on, or a folder")


# ---- what is kept


def test_what_was_read_is_kept_until_a_file_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = mlir_in(tmp_path)
    key = key_of(find(str(folder)))
    assert folder_edition(key).said("tiny").difference
    folder_edition.cache_clear()
    with monkeypatch.context() as without:
        without.setattr("fathom.editions.folder.layer.read", None)  # Nothing is read again.
        assert folder_edition(key).said("tiny").difference
    file = folder / "mlir/include/mlir/Dialect/Tiny/TinyOps.td"
    file.write_text(TINY.replace('"add"', '"sum"'))
    assert key_of(find(str(folder))) != key
    check_printed(folder, "func.func @f(%arg0: i32) {\n  %0 = tiny.sum %arg0, %arg0\n  return\n}", MODULE)


MODULE = "module {\n  func.func @f(%arg0: i32) {\n    %0 = tiny.sum %arg0, %arg0\n    return\n  }\n}"


def test_nothing_need_be_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SWITCH, "off")
    check_printed(mlir_in(tmp_path), "module {\n}")
    assert folder_edition(key_of(find(str(tmp_path)))).said("tiny").difference


# ---- what cannot be read


def test_a_mistake_has_its_place_and_the_rest_counts(tmp_path: Path) -> None:
    broken = f'{TINY}def Tiny_SubOp : Tiny_Op<"sub"> {{ let nothing = 1; }}\n'
    folder = mlir_in(tmp_path, {"Tiny/TinyOps.td": broken})
    check_mistakes(folder, "tiny", ["TinyOps.td:10: Value 'nothing' unknown!"])
    check_printed(folder, "module {\n  func.func @f(%arg0: i32) {\n    %0 = tiny.add %arg0, %arg0\n    return\n  }\n}")


def test_what_means_nothing_here_is_left_out(tmp_path: Path) -> None:
    format = TINY.replace("(`by` $how^)?", "future($how)")
    layer = check_mistakes(
        mlir_in(tmp_path, {"Tiny/TinyOps.td": format}),
        "tiny",
        ["TinyOps.td:8: op add: expected literal, variable, directive, or optional group"],
    )
    assert layer.find_dialect("tiny") is not None
    check_printed(tmp_path, "func.func @f(%a: i32) {\n  %0 = tiny.add %a, %a in 2 days\n  return\n}", KEPT)


KEPT = "module {\n  func.func @f(%arg0: i32) {\n    %0 = tiny.add %arg0, %arg0 in 2 days\n    return\n  }\n}"


def test_an_operation_of_the_release_stays_where_the_files_are_wrong(tmp_path: Path) -> None:
    broken = UB.replace("let results = (outs AnyType:$result);", "let wrong = 1;")
    folder = mlir_in(tmp_path, {"UB/UBOps.td": broken})
    check_mistakes(folder, "ub", ["UBOps.td:5: Value 'wrong' unknown!"])
    check_printed(folder, "module {\n  %0 = ub.poison : i32\n}")


def test_files_that_include_each_other(tmp_path: Path) -> None:
    other = 'include "mlir/Dialect/Tiny/TinyOps.td"\n'
    files = {"Tiny/TinyOps.td": f'include "mlir/Dialect/Tiny/Other.td"\n{TINY}', "Tiny/Other.td": other}
    folder = mlir_in(tmp_path, files)
    layer = folder_edition(key_of(find(str(folder))))
    assert layer.said("tiny").mistakes


def test_what_is_no_file_and_links_in_a_circle(tmp_path: Path) -> None:
    folder = mlir_in(tmp_path)
    dialect = folder / "mlir/include/mlir/Dialect"
    (dialect / "Loop").symlink_to(dialect, target_is_directory=True)
    (dialect / "Round.td").symlink_to(dialect / "Round.td")
    (dialect / "Folder.td").mkdir()
    os.mkfifo(dialect / "Pipe.td")
    (dialect / "Bytes.td").write_bytes(b"\xff\xfe def : \x00 {" * 1000)
    check_printed(folder, "module {\n  func.func @f(%arg0: i32) {\n    %0 = tiny.add %arg0, %arg0\n    return\n  }\n}")
    assert folder_edition(key_of(find(str(folder)))).defined == ("tiny",)


def test_no_more_files_are_taken_in_than_so_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fathom.editions.folder.listing.MOST_FILES", 1)
    layer = folder_edition(key_of(find(str(mlir_in(tmp_path)))))
    assert len(layer.listing.files) == 1
    assert not layer.listing.is_whole


def test_a_file_that_is_too_large_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = mlir_in(tmp_path)
    monkeypatch.setattr("fathom.editions.folder.listing.LARGEST", 3000)
    (folder / "mlir/include/mlir/Dialect/Large.td").write_text(f"{TINY.replace('tiny', 'large')}{' ' * 3000}")
    assert folder_edition(key_of(find(str(folder)))).defined == ("tiny",)


def test_a_folder_that_is_gone_is_the_newest_release(tmp_path: Path) -> None:
    layer = folder_edition(f"{tmp_path}/gone#0123")
    assert (layer.name, layer.defined) == ("22", ())
    assert layer.find_dialect("arith") is context_of("22").dialect("arith")


# ---- on the command line


def check_told(folder: Path, stdout: str, stderr: str, status: int) -> None:
    """What `fathom dialect check` says of a folder."""
    out, err = io.StringIO(), io.StringIO()
    assert main(["dialect", "check", str(folder)], io.StringIO(), out, err) == status
    assert (out.getvalue(), err.getvalue().replace(f"{folder}/", "")) == (stdout, stderr)


def test_what_is_otherwise_is_told(tmp_path: Path) -> None:
    folder = mlir_in(tmp_path, {"UB/UBOps.td": UB, "Tiny/TinyOps.td": TINY})
    told = "tiny: 1 operation unlike MLIR 22\nub: 2 operations unlike MLIR 22; without PoisonAttr, poison\n"
    check_told(folder, told, "", 0)


def test_what_is_wrong_is_told_besides(tmp_path: Path) -> None:
    folder = mlir_in(tmp_path, {"Tiny/TinyOps.td": f'{TINY}include "mlir/Nothing.td"\n'})
    wrong = "mlir/include/mlir/Dialect/Tiny/TinyOps.td:10:9: error: could not find include file 'mlir/Nothing.td'\n"
    check_told(folder, "tiny: 1 operation unlike MLIR 22\n", wrong, 1)


def test_a_folder_without_an_mlir_is_nothing_to_check(tmp_path: Path) -> None:
    where = "a checkout of LLVM has 'mlir/include/mlir/IR/OpBase.td', an installation 'include/mlir/IR/OpBase.td'"
    told = f"fathom dialect check: '{tmp_path}': no definitions of MLIR are in it: {where}\n"
    check_told(tmp_path, "", told, 1)


def test_a_context_knows_one_state_of_a_folder(tmp_path: Path) -> None:
    context = default_context().without_dialect("tosa")
    folder = mlir_in(tmp_path)
    first = context.in_edition(key_of(find(str(folder))))
    assert context.in_edition(key_of(find(str(folder)))) is first
    assert first.lookup("tiny.add") is not None
    (folder / "mlir/include/mlir/Dialect/Tiny/TinyOps.td").write_text(UB)
    second = context.in_edition(key_of(find(str(folder))))
    assert second.lookup("tiny.add") is None
    assert second.dialect("tosa") is None
    assert second.newest.in_edition("22") is second.newest
