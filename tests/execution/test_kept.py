"""The folder of what is kept, in the hands of others: an entry is what was put there, or it is not there."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from fathom.kept import folder as folder_module
from fathom.kept import here
from fathom.kept.folder import MOST_OF_ONE, Kept, name_of, opened
from fathom.kept.places import SWITCH, Places, places
from fathom.kept.stamp import installed

ROOT = Path(__file__).resolve().parents[2]
NAME, OTHER = name_of("one"), name_of("other")
DATA = bytes(range(256)) * 40


@pytest.fixture
def place(tmp_path: Path) -> Places:
    return Places(str(tmp_path / "cache" / "fathom" / "code"), str(tmp_path / "state" / "fathom" / "key"))


def kept_in(place: Places) -> Kept:
    kept = opened(place)
    assert isinstance(kept, Kept), kept
    return kept


def test_what_was_put_is_there_for_all_processes(place: Places) -> None:
    kept = kept_in(place)
    assert kept.get(NAME) is None
    kept.put(NAME, DATA)
    kept.put(OTHER, b"")
    assert (kept.get(NAME), kept.get(OTHER)) == (DATA, b"")
    assert kept_in(place).get(NAME) == DATA
    kept.put(NAME, b"new")
    assert kept.get(NAME) == b"new"


def test_only_the_user_sees_any_of_it(place: Places) -> None:
    kept_in(place).put(NAME, DATA)
    seen = [Path(place.folder), Path(place.folder) / NAME, Path(place.key).parent, Path(place.key)]
    assert [path.stat().st_mode & 0o777 for path in seen] == [0o700, 0o600, 0o700, 0o600]


def test_names_follow_from_all_parts() -> None:
    names = [name_of("a", "b"), name_of("ab"), name_of("a", "b", ""), name_of("b", "a"), name_of("ab", "")]
    assert len(set(names)) == len(names)
    assert name_of("a\udc80") != name_of("a")


# ---- entries in the hands of others


def cut_off(entry: Path) -> None:
    entry.write_bytes(entry.read_bytes()[:-1])


def cut_off_in_its_head(entry: Path) -> None:
    entry.write_bytes(entry.read_bytes()[:20])


def without_anything(entry: Path) -> None:
    entry.write_bytes(b"")


def with_a_bit_changed(entry: Path) -> None:
    data = bytearray(entry.read_bytes())
    data[-100] ^= 1
    entry.write_bytes(data)


def with_its_code_changed(entry: Path) -> None:
    data = bytearray(entry.read_bytes())
    data[10] ^= 1
    entry.write_bytes(data)


def longer(entry: Path) -> None:
    entry.write_bytes(entry.read_bytes() + b"\0")


def as_another(entry: Path) -> None:
    (entry.parent / OTHER).replace(entry)


def of_another_user(entry: Path) -> None:
    own = Places(str(entry.parent / "theirs"), str(entry.parent / "keys" / "key"))
    kept_in(own).put(NAME, DATA)
    (Path(own.folder) / NAME).replace(entry)


def a_link(entry: Path) -> None:
    there = entry.parent / "there"
    entry.replace(there)
    entry.symlink_to(there)


def a_link_to_nothing(entry: Path) -> None:
    entry.unlink()
    entry.symlink_to("/nowhere/at/all")


def a_pipe(entry: Path) -> None:
    entry.unlink()
    os.mkfifo(entry)


def a_device(entry: Path) -> None:
    entry.unlink()
    entry.symlink_to("/dev/zero")


def huge(entry: Path) -> None:
    with entry.open("r+b") as file:
        file.truncate(MOST_OF_ONE * 1000)


def for_others_to_change(entry: Path) -> None:
    entry.chmod(0o622)


@pytest.mark.parametrize(
    "change",
    [
        cut_off,
        cut_off_in_its_head,
        without_anything,
        with_a_bit_changed,
        with_its_code_changed,
        longer,
        as_another,
        of_another_user,
        a_link,
        a_link_to_nothing,
        a_pipe,
        a_device,
        huge,
        for_others_to_change,
    ],
)
def test_what_was_not_put_there_is_not_there(place: Places, change: Callable[[Path], None]) -> None:
    kept = kept_in(place)
    kept.put(NAME, DATA)
    kept.put(OTHER, DATA)
    entry = Path(place.folder) / NAME
    change(entry)
    assert kept.get(NAME) is None
    assert not os.path.lexists(entry)
    kept.put(NAME, DATA)
    assert kept.get(NAME) == DATA


def test_a_folder_in_the_place_of_an_entry(place: Places) -> None:
    kept = kept_in(place)
    (Path(place.folder) / NAME).mkdir()
    assert kept.get(NAME) is None
    kept.put(NAME, DATA)
    assert kept.get(NAME) is None
    assert [path.name for path in Path(place.folder).iterdir()] == [NAME]


def test_what_is_too_big_is_not_kept(place: Places) -> None:
    kept = kept_in(place)
    kept.put(NAME, bytes(MOST_OF_ONE))
    assert list(Path(place.folder).iterdir()) == []


def test_a_disk_that_is_full(place: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is kept then, and nothing is left."""
    kept = kept_in(place)
    kept.put(OTHER, DATA)
    writes = os.write

    def full(file: int, data: bytes) -> int:
        if len(data) <= 1000:
            raise OSError(28, "No space left on device")
        return writes(file, bytes(data)[:1000])

    monkeypatch.setattr(os, "write", full)
    kept.put(NAME, DATA)
    assert (kept.get(NAME), kept.get(OTHER)) == (None, DATA)
    assert [path.name for path in Path(place.folder).iterdir()] == [OTHER]


# ---- places in the hands of others


def folder_of_others(place: Places) -> None:
    Path(place.folder).mkdir(parents=True)
    Path(place.folder).chmod(0o777)


def linked_folder(place: Places) -> None:
    elsewhere = Path(place.folder).parents[2] / "elsewhere"
    elsewhere.mkdir()
    Path(place.folder).parent.mkdir(parents=True)
    Path(place.folder).symlink_to(elsewhere)


def file_as_folder(place: Places) -> None:
    Path(place.folder).parent.mkdir(parents=True)
    Path(place.folder).write_bytes(b"")


def file_above_folder(place: Places) -> None:
    Path(place.folder).parents[1].write_bytes(b"")


def readable_key(place: Places) -> None:
    kept_in(place)
    Path(place.key).chmod(0o644)


def linked_key(place: Places) -> None:
    kept_in(place)
    Path(place.key).replace(f"{place.key}s")
    Path(place.key).symlink_to(f"{place.key}s")


def key_folder_of_others(place: Places) -> None:
    kept_in(place)
    Path(place.key).parent.chmod(0o777)


def key_is_a_folder(place: Places) -> None:
    Path(place.key).mkdir(parents=True)


@pytest.mark.parametrize(
    "arrange",
    [
        folder_of_others,
        linked_folder,
        file_as_folder,
        file_above_folder,
        readable_key,
        linked_key,
        key_folder_of_others,
        key_is_a_folder,
    ],
)
def test_places_that_are_refused(place: Places, arrange: Callable[[Places], None]) -> None:
    arrange(place)
    why = opened(place)
    assert isinstance(why, str)
    assert "fathom" in why or "cache" in why


def test_a_folder_of_somebody_else(place: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    kept_in(place)
    monkeypatch.setattr(os, "geteuid", lambda: 4242)
    assert "belongs to somebody else" in str(opened(place))


def test_a_key_that_was_cut_off_is_made_anew_and_vouches_for_nothing_old(place: Places) -> None:
    kept_in(place).put(NAME, DATA)
    Path(place.key).write_bytes(b"short")
    kept = kept_in(place)
    assert len(Path(place.key).read_bytes()) == 32
    assert kept.get(NAME) is None


def test_a_folder_that_is_swapped_while_it_is_open(place: Places) -> None:
    kept = kept_in(place)
    folder = Path(place.folder)
    folder.rename(folder.parent / "old")
    folder.mkdir()
    kept.put(NAME, DATA)
    assert kept.get(NAME) == DATA
    assert list(folder.iterdir()) == []


def test_where_it_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "c"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "s"))
    assert places() == Places(f"{tmp_path}/c/fathom/code", f"{tmp_path}/s/fathom/key")
    monkeypatch.setenv("XDG_CACHE_HOME", "not/absolute")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setattr(sys, "platform", "linux")
    found = places()
    assert found is not None
    assert found.folder == f"{tmp_path}/home/.cache/fathom/code"


@pytest.mark.parametrize("word", ["off", "0", "no", "False"])
def test_the_environment_switches_it_off(word: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "c"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "s"))
    monkeypatch.setenv(SWITCH, word)
    assert here() is None
    assert list(tmp_path.iterdir()) == []
    monkeypatch.setenv(SWITCH, "on")
    assert here() is not None


# ---- what it follows from


def test_a_change_of_any_file_makes_another_fathom(tmp_path: Path) -> None:
    package = tmp_path / "fathom"
    (package / "ir").mkdir(parents=True)
    (package / "__init__.py").write_text("", encoding="utf-8")
    stamps = [stamp_of(package)]
    (package / "ir" / "types.py").write_text("a = 1\n", encoding="utf-8")
    stamps.append(stamp_of(package))
    (package / "ir" / "types.py").write_text("a = 12\n", encoding="utf-8")
    stamps.append(stamp_of(package))
    os.utime(package / "ir" / "types.py", (1, 1))
    stamps.append(stamp_of(package))
    (package / "__pycache__").mkdir()
    (package / "__pycache__" / "types.pyc").write_bytes(b"")
    assert stamp_of(package) == stamps[-1]
    (package / "ir" / "types.py").unlink()
    stamps.append(stamp_of(package))
    assert len(set(map(tuple, stamps))) == len(stamps) - 1
    assert stamps[-1] == stamps[0]


def test_what_was_installed_is_known_by_its_record(tmp_path: Path) -> None:
    """Another version, or the same installed again, has another."""
    package, record = tmp_path / "fathom", tmp_path / "fathom_mlir-0.1.0.dist-info" / "RECORD"
    package.mkdir()
    record.parent.mkdir()
    record.write_text("", encoding="utf-8")
    before = stamp_of(package)
    (package / "types.py").write_text("a = 1\n", encoding="utf-8")
    assert stamp_of(package) == before
    os.utime(record, (1, 1))
    assert stamp_of(package) != before


def stamp_of(package: Path) -> list[str]:
    return list(installed(str(package)))


# ---- how much


def test_what_was_used_last_stays(place: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder_module, "MOST_ENTRIES", 8)
    kept = kept_in(place)
    for number in range(8):
        kept.put(name_of(str(number)), DATA)
        os.utime(Path(place.folder) / name_of(str(number)), (number, number))
    assert kept.get(name_of("0")) == DATA  # That is a use.
    kept.put(NAME, DATA)
    left = [number for number in range(8) if kept.get(name_of(str(number))) is not None]
    assert (left, kept.get(NAME)) == ([0, 4, 5, 6, 7], DATA)


def test_there_is_a_bound_of_bytes(place: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder_module, "MOST_BYTES", 10 * len(DATA))
    kept = kept_in(place)
    for number in range(50):
        kept.put(name_of(str(number)), DATA)
        assert kept.usage().bytes <= 11 * len(DATA)
    assert kept.get(name_of("49")) == DATA


def test_what_nobody_finishes_is_removed_and_what_is_not_ours_stays(place: Places) -> None:
    kept = kept_in(place)
    folder = Path(place.folder)
    for name in (".left.1.2", "theirs"):
        (folder / name).write_bytes(b"")
        os.utime(folder / name, (1, 1))
    (folder / ".fresh.1.2").write_bytes(b"")
    kept.put(NAME, DATA)
    assert sorted(path.name for path in folder.iterdir()) == sorted([NAME, ".fresh.1.2", "theirs"])


def test_emptied(place: Places) -> None:
    kept = kept_in(place)
    kept.put(NAME, DATA)
    kept.put(OTHER, b"")
    (Path(place.folder) / "theirs").write_bytes(b"")
    assert kept.empty().entries == 2
    assert kept.usage().entries == 0
    assert [path.name for path in Path(place.folder).iterdir()] == ["theirs"]


# ---- many at once

RACER = """
import random, sys
from fathom.kept import folder
from fathom.kept.folder import Kept, name_of, opened
from fathom.kept.places import Places

folder.MOST_ENTRIES = 12
seed = int(sys.argv[3])
chance = random.Random(seed)
for _ in range(6):
    kept = opened(Places(sys.argv[1], sys.argv[2]))
    assert isinstance(kept, Kept), kept
    for _ in range(60):
        number = chance.randrange(16)
        name = name_of(str(number))
        match chance.randrange(8):
            case 0 | 1 | 2:
                kept.put(name, name.encode() * (number * 200 + 1))
            case 3 if chance.randrange(8) == 0:
                kept.empty()
            case _:
                found = kept.get(name)
                assert found in (None, name.encode() * (number * 200 + 1)), number
"""


def test_many_processes_at_once(place: Places) -> None:
    """They also make the folder and the key at once: all have the same one."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "lowering")}
    racers = [
        subprocess.Popen(
            [sys.executable, "-c", RACER, place.folder, place.key, str(seed)],
            env=environment,
            stderr=subprocess.PIPE,
            text=True,
        )
        for seed in range(6)
    ]
    assert [(racer.communicate(timeout=600)[1], racer.returncode) for racer in racers] == [("", 0)] * 6
    kept = kept_in(place)
    # The bound is that of the racers; here it is the usual one.
    assert kept.usage().entries <= 12
    kept.put(NAME, DATA)
    assert kept.get(NAME) == DATA
    assert not [path.name for path in Path(place.folder).iterdir() if path.name.startswith(".")]
