"""States in a folder: the same as in memory, for any interruption and any damaged file."""

import errno
import json
import os
import subprocess
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.spark_enum.explorer import exploration as exploration_of
from rebalance_proofs.spark_enum.explorer import sorted_file
from rebalance_proofs.spark_enum.explorer.exploration import FORMAT, LEAST, explored
from rebalance_proofs.spark_enum.explorer.folder import Files
from rebalance_proofs.spark_enum.explorer.in_memory import MarkedInMemory, SortedInMemory
from rebalance_proofs.spark_enum.explorer.model import Watch
from rebalance_proofs.spark_enum.explorer.models.lock_lite import lock_lite
from rebalance_proofs.spark_enum.explorer.product import Product
from rebalance_proofs.spark_enum.explorer.sorted_file import Shelf, Sizes, read_json, write_json
from tests.spark_enum.explorer import killed

SIZE = (2, 3, 1)


@cache
def product(*size):
    return Product(lock_lite(AVERAGELY, *(size or SIZE)))


def told(exploration, most=None):
    return [
        (
            level.number,
            level.states,
            level.digest,
            level.wrong,
            level.often,
            None if level.counts is None else level.counts.tolist(),
        )
        for level in exploration.levels(most)
    ]


def in_folder(folder, most=None, settings=(), of=None, memory=LEAST):
    with explored(of or product(), dict(settings), memory, folder) as exploration:
        return told(exploration, most)


@cache
def in_memory(*size):
    with explored(product(*size), {}) as exploration:
        return told(exploration)


@pytest.fixture
def half(tmp_path):
    """A folder with half of the levels."""
    in_folder(tmp_path / "half", len(in_memory()) // 2)
    return tmp_path / "half"


def test_levels_in_a_folder_equal_levels_in_memory(tmp_path):
    assert in_folder(tmp_path / "new") == in_memory()


def test_keys_are_read_by_one_part_and_by_several(tmp_path):
    with explored(product(), {}) as memory, explored(product(), {}, LEAST, tmp_path) as files:
        known = list(memory.levels()), list(files.levels())
        assert len(known[0]) == len(known[1])
        for level in known[0]:
            stores = memory.store, files.store
            keys = [
                np.concatenate([store.level(level.number, part) for part in store.expanding(level.number)])
                for store in stores
            ]
            assert (np.diff(keys[1]) > 0).all()
            assert keys[0].tolist() == sorted(files.store.order.states(keys[1]).tolist())
        parts = [files.store.level(9, range(part, part + 1)) for part in range(files.store.order.parts)]
        assert np.concatenate(parts).tolist() == files.store.level(9, range(len(parts))).tolist()
        assert max(map(len, parts)) < known[0][9].states / 4


def test_part_without_successors_has_no_file(tmp_path):
    with explored(product(), {}, LEAST, tmp_path) as files:
        list(files.levels(2))
        store = Files(files.store.shelf)
        store.follow(1, range(store.order.parts), np.zeros(0, dtype=store.order.dtype))
        store.spill()
        assert store.close().files == []


def test_run_resumes_after_its_last_complete_level(half, monkeypatch):
    expanded, level = [], Files.level
    monkeypatch.setattr(
        Files, "level", lambda self, number, part: (expanded.append(number), level(self, number, part))[1]
    )
    assert in_folder(half) == in_memory()
    assert min(expanded) == len(in_memory()) // 2 - 1


def test_complete_level_is_not_written_again(tmp_path):
    in_folder(tmp_path)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.npy")}
    assert in_folder(tmp_path) == in_memory()
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("levels/*.npy")} == {
        path: time for path, time in before.items() if path.parent.name == "levels"
    }


def test_successors_are_spilled_and_removed_at_the_end(tmp_path, monkeypatch):
    spilled, spill = [], Files.spill
    monkeypatch.setattr(Files, "spill", lambda self: (spilled.append(self), spill(self))[1])
    monkeypatch.setattr(Sizes, "of", lambda memory, moves: Sizes(1 << 14, 1 << 20, memory // 3))
    with explored(product(3, 3, 1), {}, LEAST, tmp_path) as exploration:
        assert sum(level.states for level in exploration.levels()) == 553_971
    assert spilled
    assert {path.parent.name for path in tmp_path.rglob("*.npy")} == {"levels", "seen"}
    assert sum(path.stat().st_size for path in tmp_path.rglob("*.npy")) < 2 * (8 * 553_971 + 40 * 128)


def test_levels_and_runs_are_sorted_arrays(tmp_path):
    in_folder(tmp_path)
    files = [*tmp_path.glob("levels/*.npy"), *tmp_path.glob("seen/*.npy")]
    assert {path.parent.name for path in files} == {"levels", "seen"}
    for path in files:
        keys = np.load(path)
        assert (np.diff(keys) > 0).all()
        assert (keys >= 0).all()


@pytest.mark.parametrize(
    ("size", "times", "seconds"),
    [((2, 3, 1), 20, 0.01), pytest.param((3, 3, 1), 20, 0.2, marks=pytest.mark.slow)],
)
def test_killed_process_resumes_to_the_same_digests(tmp_path, size, times, seconds):
    command = [sys.executable, "-m", killed.__name__, str(tmp_path), ",".join(map(str, size)), f"{times}", f"{seconds}"]
    said = subprocess.run(command, check=True, capture_output=True, encoding="utf-8", timeout=500).stdout.splitlines()
    levels = json.loads(said[0])
    assert len(levels) == times
    assert len({*levels}) > 3  # it was not always the same moment
    expected = " ".join(f"{digest:x}" for _, _, digest, *_ in in_memory(*size))
    assert {*said[1:]} == {expected}


def largest(folder):
    return max(folder.glob("levels/*.npy"), key=lambda path: path.stat().st_size)


def truncated(path):
    os.truncate(path, path.stat().st_size - 8)


def changed(path, bit=0):
    with path.open("r+b") as file:
        file.seek(-8, os.SEEK_END)
        file.write((int(np.load(path)[-1]) ^ 1 << bit).to_bytes(8, "little"))


def contents(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file() and not path.name.startswith(".")}


@pytest.mark.parametrize(
    ("harm", "says"),
    [(truncated, "were written"), (changed, "has been changed"), (Path.unlink, "is missing")],
)
def test_changed_level_is_refused_on_resume(half, harm, says):
    victim = largest(half)
    harm(victim)
    before = contents(half)
    with pytest.raises(UsageError, match=says) as error:
        in_folder(half)
    assert victim.name in str(error.value)
    assert contents(half) == before


@pytest.mark.parametrize(
    ("harm", "says"), [(truncated, "were written"), (changed, "changed"), (Path.unlink, "missing")]
)
def test_level_changed_during_a_run_is_detected(tmp_path, harm, says):
    with explored(product(), {}, LEAST, tmp_path) as exploration:
        levels = exploration.levels()
        for _ in range(12):
            next(levels)
        harm(tmp_path / "levels" / "0011.00000-01024.npy")
        with pytest.raises(UsageError, match=says):
            next(levels)
    assert len(list(tmp_path.glob("levels/*.json"))) == 12


@pytest.mark.parametrize("bit", [0, 40, 62])
def test_visited_keys_changed_during_a_run_are_detected_and_rebuilt(tmp_path, bit):
    """The unused high bits of keys of four bytes are a part of the file, too."""
    with explored(product(), {}, LEAST, tmp_path) as exploration:
        levels = exploration.levels()
        for _ in range(12):
            next(levels)
        changed(max(tmp_path.glob("seen/*.npy"), key=lambda path: path.stat().st_size), bit)
        with pytest.raises(UsageError, match=r"has been changed.* are stored there"):
            next(levels)
    assert in_folder(tmp_path) == in_memory()


@pytest.mark.parametrize("name", ["levels/0003.json", "explored.json"])
@pytest.mark.parametrize("text", ["", "[1]", "{}", '{"sha256": "0"}'])
def test_changed_metadata_is_refused(half, name, text):
    (half / name).write_text(text, encoding="utf-8")
    before = contents(half)
    with pytest.raises(UsageError, match=name.replace(".", r"\.")):
        in_folder(half)
    assert contents(half) == before


def test_level_without_metadata_is_refused(half):
    (half / "levels" / "0003.json").unlink()
    with pytest.raises(UsageError, match=r"0003\.json' is missing"):
        in_folder(half)


def test_run_without_its_last_levels_resumes_from_those_before(half):
    last = max(half.glob("levels/*.json"))
    changed(largest(half))
    number = int(largest(half).name[:4])
    for path in half.glob("levels/*.json"):
        if int(path.stem) >= number:
            path.unlink()
    assert not last.exists()
    assert in_folder(half) == in_memory()


@pytest.mark.parametrize(
    ("of", "settings", "says"),
    [
        (product(2, 2, 1), {}, "which began with another version of the model"),
        (Product(lock_lite(AVERAGELY_BY_CIRCLE, *SIZE)), {}, "which began with another version of the model"),
        (product(), {"queues": 4}, r"queues None, not 4"),
    ],
)
def test_folder_of_another_exploration_is_refused(half, of, settings, says):
    before = contents(half)
    with pytest.raises(UsageError, match=says):
        in_folder(half, of=of, settings=settings)
    assert contents(half) == before


def other_watch(model):
    never = Watch("other", "It is never so.", lambda members, queue: None)
    return replace(model, watches=(never,))


def other_fault(model):
    return replace(model, moves=[replace(move, fault="") for move in model.moves])


@pytest.mark.parametrize("other", [other_watch, other_fault])
def test_folder_with_other_conditions_or_failures_is_refused(half, other):
    """The tables of successors are equal, but the stored conditions of a level differ."""
    with pytest.raises(UsageError, match="which began with another version of the model"):
        in_folder(half, of=Product(other(product().model)))


def test_settings_are_distinguished(tmp_path):
    in_folder(tmp_path, 3, {"queues": 3, "faults": ("crash",)})
    assert len(in_folder(tmp_path, 5, {"queues": 3, "faults": ["crash"]})) == 5
    with pytest.raises(UsageError, match=r"faults \['crash'\], not \[\]"):
        in_folder(tmp_path, 5, {"queues": 3, "faults": []})


@pytest.mark.parametrize("folder", ["levels", "seen", "follow"])
@pytest.mark.parametrize("number", [1, 2, 5, 9])
def test_lost_keys_are_detected(tmp_path, monkeypatch, folder, number):
    """Keys of the expanded level, of the visited states, and of the successors."""
    reads, lost, read = [], [], Shelf.read

    def losing(self, files, part):
        files = tuple(files)
        found = read(self, files, part)
        if found and files[0].name.startswith(folder):
            reads.append(1)
            if len(reads) == number:
                lost.append(1)
                found[0] = found[0][1:]
        return found

    with monkeypatch.context() as patch:
        patch.setattr(Shelf, "read", losing)
        patch.setattr(Sizes, "of", lambda memory, moves: Sizes(256, 5_000, 1 << 20))
        with pytest.raises(UsageError, match=r"the files in .* are damaged: their digest differs"):
            in_folder(tmp_path)
    assert lost
    assert in_folder(tmp_path) == in_memory()


def test_folder_of_an_earlier_format_is_refused(half):
    said, _ = read_json(half / "explored.json")
    write_json(half / "explored.json", said | {"format": FORMAT - 1})
    before = contents(half)
    with pytest.raises(UsageError, match=rf"another exploration \(format {FORMAT - 1}, not {FORMAT}\)"):
        in_folder(half)
    assert contents(half) == before


def test_folder_with_other_files_is_refused(tmp_path):
    (tmp_path / "letters.txt").write_text("dear", encoding="utf-8")
    with pytest.raises(UsageError, match="is not empty and not the folder of an exploration"):
        in_folder(tmp_path)
    assert contents(tmp_path) == {tmp_path / "letters.txt": b"dear"}


def test_second_process_in_one_folder_is_refused(tmp_path):
    child = f"""
import sys
from pathlib import Path
from tests.spark_enum.explorer.test_files import in_folder
in_folder(Path({str(tmp_path)!r}))
"""
    with explored(product(), {}, LEAST, tmp_path) as exploration:
        told(exploration, 3)
        done = subprocess.run([sys.executable, "-c", child], capture_output=True, encoding="utf-8", timeout=120)
    assert f"another run (process {os.getpid()}) is exploring in" in done.stderr


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO])
@pytest.mark.parametrize("after", [2, 40, 80])
def test_full_disk_is_reported_and_loses_nothing(tmp_path, monkeypatch, number, after):
    writes, put = [], sorted_file.Written._put

    def full(self, data):
        writes.append(1)
        if len(writes) > after:
            raise OSError(number, os.strerror(number))
        put(self, data)

    with monkeypatch.context() as patch:
        patch.setattr(sorted_file.Written, "_put", full)
        with pytest.raises(UsageError, match=f"cannot store states in .*: {os.strerror(number)}; "):
            in_folder(tmp_path)
    assert not list(tmp_path.rglob("*.aside"))
    assert in_folder(tmp_path) == in_memory()


def test_file_size_limit_is_reported_in_one_sentence(tmp_path):
    child = f"""
import resource
from pathlib import Path
from rebalance_proofs.proofs.errors import UsageError
from tests.spark_enum.explorer.test_files import in_folder
resource.setrlimit(resource.RLIMIT_FSIZE, (8000, 8000))
try:
    in_folder(Path({str(tmp_path)!r}))
except UsageError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", child], capture_output=True, encoding="utf-8", timeout=120, check=True)
    assert "File too large; the " in done.stdout
    assert len(done.stdout.splitlines()) == 1
    assert in_folder(tmp_path) == in_memory()


STORES = {
    "sorted": lambda numbering, most: SortedInMemory(numbering.order(8), most),
    "marked": MarkedInMemory,
}


@pytest.mark.parametrize(
    ("name", "most"),
    [*(("sorted", most) for most in (0, 20_000, 90_000)), *(("marked", 69_120 + most) for most in (0, 20_000, 30_000))],
)
def test_exploration_without_room_in_memory_uses_a_temporary_folder(monkeypatch, name, most):
    assert product().numbering.numbers == 69_120
    monkeypatch.setattr(exploration_of, "in_memory", lambda numbering, *_: STORES[name](numbering, most))
    with explored(product(), {}) as exploration:
        levels = exploration.levels()
        assert [level.states for level in levels] == [states for _, states, *_ in in_memory()]
        assert told(exploration) == in_memory()
        folder = exploration.store.shelf.folder
        for path in folder.glob("levels/*.npy"):
            assert (np.diff(np.load(path)) > 0).all()
        known = [level for level in range(12) if (folder / "levels" / f"{level:04}.json").exists()]
        assert known == [*range(12)]
        assert (
            sum(len(exploration.store.level(5, part)) for part in exploration.store.expanding(5)) == in_memory()[5][1]
        )
    assert not folder.exists()


def test_too_little_memory_is_refused():
    with pytest.raises(UsageError, match="is too small"), explored(product(), {}, LEAST - 1):
        pass
