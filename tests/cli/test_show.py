"""``rebalance show``: one claim in full."""

import os
import signal

import pytest

from rebalance_proofs.cli import show as command
from rebalance_proofs.model.worlds.groups import ASSUMED
from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.ledger import select
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.report.in_full import heading
from tests.cli.process import left, started, until


def test_a_proof_its_obligations_its_mistakes_and_its_files(call):
    called = call("show", "allocation.circle.idle")
    assert called.status == 0
    lines = called.out.splitlines()
    assert lines[:6] == [
        "allocation.circle.idle",
        "  AVG_BY_CIRCLE: If c > q, exactly c - q consumers get nothing.",
        "  One group and one topic, at one moment.",
        "  All consumers run the same strategy and see the same sorted mqAll and cidAll, with each consumer's id once.",
        f"  Assumes: {'; '.join(ASSUMED)}.",
        "  Expected: PROVED, for all numbers of queues and consumers.",
    ]
    assert "PROVED" in lines
    place = lines.index("  one-each: With more consumers than queues, no consumer has two queues.")
    assert lines[place + 1].startswith("    proved (z3 unsat, cvc5 unsat), notices ")
    assert lines[place + 1].endswith("; smt2/allocation.circle.idle/one-each.smt2")
    assert any(
        line.startswith("  one-more-in-last-round: ") and line.endswith(" broken: list.sound.") for line in lines
    )
    assert any(line.startswith("  model/allocation/averagely_by_circle.py  ") for line in lines)


def test_what_files_are_about_stands_in_one_column(call):
    out = call("show", "allocation.avg.disjoint", "--solver", "z3").out
    lines = out.partition("Where to read on\n")[2].partition("\n\n")[0].splitlines()
    ends = {line.rindex("  ") for line in lines}
    assert len({line.split()[0] for line in lines}) == len(lines) > 1
    assert ends == {2 + max(len(line.split()[0]) for line in lines)}


def test_a_counterexample_is_told(call):
    called = call("show", "transition.java_v5_2.listener.push-orderly")
    assert called.status == 0
    assert "The smallest counterexample: 1 queue, 3 values out of the ordinary." in called.out
    assert "    Broken: the broker's lock of queue 0 of T is released while its listener runs." in called.out
    assert "  Step by step: rebalance replay transition.java_v5_2.listener.push-orderly" in called.out.splitlines()
    assert "Obligations" not in called.out


def test_what_helps_is_told(call):
    lines = call("show", "allocation.avg.disjoint.without-distinct-ids").out.splitlines()
    place = lines.index("What you see of it, and what helps")
    assert lines[place + 1] == "  Why are messages redelivered? same-client-id: this claim shows it."
    assert lines[place + 2].startswith("    Helps: Give each process its own instanceName, or set none: ")


def test_an_obligation_that_does_not_hold_is_not_called_proved(call):
    lines = call("show", "allocation.circle.contiguous").out.splitlines()
    place = lines.index("  between: A consumer owns every position between two positions that it owns.")
    assert lines[place + 1].startswith("    not proved (z3 sat, cvc5 sat); ")
    assert lines[place + 3].startswith("    proved (z3 unsat, cvc5 unsat); ")


def test_the_command_that_is_named_writes_the_texts_that_are_named(call, tmp_path):
    shown = call("show", "allocation.avg.disjoint").out
    assert "rebalance prove 'allocation.avg.disjoint' --output DIR" in shown
    call("prove", "allocation.avg.disjoint", "--output", str(tmp_path / "run"))
    (text,) = (line.rpartition("; ")[2] for line in shown.splitlines() if line.endswith("exclusive.smt2"))
    assert (tmp_path / "run" / text).exists()


def test_what_is_not_as_expected_ends_with_1(call, monkeypatch):
    async def prove(claims, options):
        return [ClaimResult(claims[0], Verdict.UNKNOWN, "z3: unknown", ())]

    monkeypatch.setattr(command, "prove", prove)
    called = call("show", "allocation.avg.disjoint")
    assert called.status == 1
    assert "UNKNOWN, NOT AS EXPECTED" in called.out
    assert "allocation.avg.disjoint: expected PROVED, is UNKNOWN. z3: unknown" in called.out


def test_one_at_a_time(call):
    called = call("show", "CONSISTENT_HASH")
    assert called.status == 2
    number = len(select(["CONSISTENT_HASH"]))
    assert (
        f"'CONSISTENT_HASH' selects {number} claims; name one: `rebalance list 'CONSISTENT_HASH'`" in called.complaint
    )


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 2), (signal.SIGTERM, 143)])
def test_ended_in_the_middle_it_leaves_no_process(number, status):
    with started("show", "transition.java_v5_2.returns.own-store") as process:
        until(process, "  Observed: ")
        os.killpg(process.pid, number)
        rest, err = process.communicate()
        assert not left(process.pid)
    assert process.returncode == status
    assert "Traceback" not in err
    assert not rest


def test_the_commands_that_explore_a_claims_groups_are_named():
    told = [
        line for line in heading(*select(["ordered.go.exclusive.without-shutdown"])) if line.startswith("  Explored: ")
    ]
    assert len(told) == 2
    assert all(line.startswith("  Explored: rebalance explore ordered ") and "--client go" in line for line in told)
    assert not any("Explored" in line for line in heading(*select(["allocation.circle.idle"])))
