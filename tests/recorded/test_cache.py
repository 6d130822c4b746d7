"""Folders come into the cache whole, also if two processes make them at once."""

import pytest

from rebalance_proofs.recorded.cache import place


def made(scratch):
    whole = scratch / "whole"
    whole.mkdir()
    (whole / "own").touch()
    return whole


def names(folder):
    return sorted(one.name for one in folder.iterdir())


def test_folder_is_placed_without_a_rest(tmp_path):
    place(tmp_path / "cache" / "5.5.0", made, lambda: False)
    assert (names(tmp_path / "cache"), names(tmp_path / "cache" / "5.5.0")) == (["5.5.0"], ["own"])


@pytest.mark.parametrize("complete", [True, False])
def test_folder_of_a_faster_process_stays(complete, tmp_path):
    folder = tmp_path / "5.5.0"

    def slow(scratch):
        folder.mkdir()
        (folder / "other").touch()
        return made(scratch)

    if complete:
        place(folder, slow, (folder / "other").is_file)
    else:
        with pytest.raises(OSError, match="not empty"):
            place(folder, slow, (folder / "jar").is_file)
    assert (names(tmp_path), names(folder)) == (["5.5.0"], ["other"])


def test_failed_installation_leaves_nothing(tmp_path):
    def fails(scratch):
        made(scratch)
        raise LookupError

    with pytest.raises(LookupError):
        place(tmp_path / "5.5.0", fails, lambda: False)
    assert names(tmp_path) == []
