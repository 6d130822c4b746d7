"""Statements do not depend on the order of sets of strings, which differs from one process to the next.

Answers are kept by their texts: one that is another text in each process is never found again.
"""

import os
import subprocess
import sys

import pytest

from rebalance_proofs.proofs.kinds import KINDS

LONG = ("offsets", "ordered")
PRINTED = """
import sys
from rebalance_proofs.proofs.ledger import LEDGER

for claim in LEDGER:
    if claim.kind in sys.argv:
        for obligation in claim.obligations:
            statement = obligation.statement(claim.subjects[0].encoding)
            print(claim.id, obligation.name, [*statement.given], [one.fingerprint for one in statement.given.values()])
            print(statement.then.fingerprint)
"""


def printed(kinds: list[str], seed: str) -> str:
    """All statements of these kinds' claims, in a process that hashes strings with ``seed``."""
    environment = os.environ | {"PYTHONHASHSEED": seed}
    command = [sys.executable, "-c", PRINTED, *kinds]
    return subprocess.run(command, env=environment, check=True, capture_output=True, encoding="utf-8").stdout


@pytest.mark.parametrize(
    "kinds", [[kind for kind in KINDS if kind not in LONG], pytest.param(LONG, marks=pytest.mark.slow)]
)
def test_statements_do_not_depend_on_string_hashes(kinds):
    first = printed(kinds, "0")
    assert first.count("\n") > 1000
    assert printed(kinds, "1") == first
