"""Stored answers are mentioned in every report that used some, otherwise in one separate line."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from rebalance_proofs.cli.prove import left_out, lines

USED = "1,234 of 1,300 answers came from 'kept'"
NEW = "0 of 1,300 answers came from 'kept'"
TROUBLE = "could not store the answers of this run in 'kept': No space left on device"


@pytest.mark.parametrize(
    ("given", "trouble", "said", "told"),
    [
        (None, "", [], ()),
        (0, "", [NEW], ()),
        (0, "No space left on device", [NEW, TROUBLE], ()),
        (1234, "", [], (f"{USED}: no solver ran for these in this run",)),
        (1234, "No space left on device", [TROUBLE], (f"{USED}: no solver ran for these in this run",)),
    ],
)
def test_cached_answers_are_reported(given, trouble, said, told):
    kept = None if given is None else SimpleNamespace(given=given, asked=1300, trouble=trouble, folder=Path("kept"))
    assert [*lines(kept)] == said
    assert left_out(kept) == told
