"""Self-tests of comparing explored groups with records and claims.

Either the record is wrong, or a claim is contradicted.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from rebalance_proofs.evidence.self_tests.trial import Trial
from rebalance_proofs.proofs.ledger import select
from rebalance_proofs.report.failures import failures
from rebalance_proofs.spark_enum.explorer.groups import Explores, gone_through
from rebalance_proofs.spark_enum.explorer.models.lock_lite import SUBJECT
from rebalance_proofs.spark_enum.explorer.recorded import Record, read
from rebalance_proofs.spark_enum.explorer.standard import QUICK, Standard
from rebalance_proofs.spark_enum.explorer.store import EXPLORED
from rebalance_proofs.spark_enum.jobs import findings, here
from rebalance_proofs.spark_enum.results import Enumerated, Finding, Wrong
from rebalance_proofs.spark_enum.witness import compare

SMALL = Standard(SUBJECT.name, SUBJECT.settings(queues=1), beside="ordered.java_v5_2.exclusive")
HOLDS = "ordered.java_v5_2.exclusive"


def _said(recorded: Record) -> Sequence[str]:
    check = Explores(SMALL, recorded).check()
    (found,) = findings([check], here([check]))
    return failures(found)


def _against(broken: bool) -> Sequence[str]:
    """Return the reported contradictions of a claim.

    If ``broken``, the explored group reaches a state that the claim excludes.
    """
    group = next(one for one in QUICK if one.watches_for(HOLDS))
    watches = [name for name, watch in group.watches.items() if HOLDS in watch.claims]
    smallest = {name: Wrong((), (9,), "") for name in watches} if broken else {}
    states = read("quick")[group.name].states
    found = Finding(EXPLORED, group.name, states, states, broken=dict.fromkeys(watches, broken), smallest=smallest)
    return compare(select([HOLDS]), Enumerated("", "", (found,))).unexpected


def trials() -> list[Trial]:
    """Return a self-test for each number of a record, and one for a contradicted claim."""
    right, _ = gone_through(SMALL)
    wrong = {
        "the recorded number of states is wrong": replace(right, states=right.states + 1),
        "the recorded number of transitions is wrong": replace(right, transitions=right.transitions - 1),
        "the recorded states are wrong": replace(right, digest=f"{int(right.digest, 16) ^ 1:016x}"),
        "the record has a finding that never happens": replace(right, steps={"two": 4}),
    }
    found = [Trial(f"groups: {name}", partial(_said, right), partial(_said, one)) for name, one in wrong.items()]
    never = "groups: a group reaches a state that a proved claim excludes"
    return [*found, Trial(never, partial(_against, False), partial(_against, True))]
