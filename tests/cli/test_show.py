"""``rebalance show``: one claim in full."""

import os
import signal
from time import sleep

import pytest

from rebalance_proofs.cli import show as command
from rebalance_proofs.model.worlds.groups import ASSUMED
from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.ledger import select
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.report.in_brief import heading
from rebalance_proofs.report.text.wrapping import KEPT, wrapped
from tests.cli.process import left, running, started
from tests.cli.terminal import at_terminal


def test_short_answer_about_a_proved_claim(call):
    called = call("show", "allocation.avg.disjoint")
    assert called.status == 0
    assert called.out.splitlines() == [
        "PROVED: allocation.avg.disjoint holds for all numbers of queues and consumers.",
        "  AVG: No queue is given to two consumers.",
        "  All consumers run the same strategy and see the same sorted mqAll and cidAll, with each consumer's id once.",
        f"  Under {len(ASSUMED)} assumptions, which --all lists.",
        "",
        "Proof: Z3 and cvc5 proved 2 obligations, each for all values.",
        "Mutation test: 2 of 2 wrong encodings broke an obligation.",
        "",
        "Real clients: observed (1,585 recorded results of Java 5, Go, Node, C++ and Rust agree).",
        "All details:  rebalance show allocation.avg.disjoint --all",
    ]


def test_short_answer_about_a_refuted_claim(call):
    name = "transition.java_v5_2.listener.push-orderly"
    called = call("show", name)
    assert called.status == 0
    lines = called.out.splitlines()
    assert lines[0] == f"REFUTED: {name} does not hold: one client suffices."
    assert "Smallest counterexample: 1 queue, 3 values out of the ordinary" in lines
    assert "  Broken: the broker's lock of queue 0 of T is released while its listener runs." in lines
    assert "Symptom: redelivered messages (forced-unlock)." in lines
    assert any(line.startswith("Fix: Set -Drocketmq.client.unlockDelayTimeMills of every consumer") for line in lines)
    assert f"Step by step: rebalance replay {name}" in lines
    assert lines[-1] == f"All details:  rebalance show {name} --all"


def test_long_counterexample_is_shortened_in_the_middle(call):
    name = "offsets.java_v5.once"
    short, long = (call("show", name, *more).out.splitlines() for more in ((), ("--all",)))
    place = short.index(f"  ... 5 more lines: rebalance replay {name}")
    assert short[place - 2].startswith("  Consumers X and Y; ")
    assert short[place + 5] == "  The message was consumed twice."
    lines = long[long.index("Smallest counterexample: 2 consumers, 1 queue, 10 actions") + 1 :]
    assert lines[:2] == short[place - 2 : place]
    assert lines[7:12] == short[place + 1 : place + 6]


@pytest.mark.parametrize(
    "claim", ["settling.java_v5_2_to_v5_3.alone.without-resume", "registry.java_v4_9_to_v5_3.listed.without-restart"]
)
def test_short_answer_fits_a_screen(call, claim):
    rows = [row for line in call("show", claim).out.splitlines() for row in wrapped(line, 100)]
    assert len(rows) <= 26
    assert any(row.startswith("  Dropped assumption: ") for row in rows)


def test_all_prints_obligations_wrong_encodings_and_files(call):
    called = call("show", "allocation.circle.idle", "--all")
    assert called.status == 0
    lines = called.out.splitlines()
    assert lines[:6] == [
        "PROVED: allocation.circle.idle holds for all numbers of queues and consumers.",
        "  AVG_BY_CIRCLE: If c > q, exactly c - q consumers get nothing.",
        "  One group and one topic, at one moment.",
        "  All consumers run the same strategy and see the same sorted mqAll and cidAll, with each consumer's id once.",
        f"  Assumes: {'; '.join(ASSUMED)}.",
        "  Expected: PROVED, for all numbers of queues and consumers.",
    ]
    place = lines.index("  one-each: With more consumers than queues, no consumer has two queues.")
    assert lines[place + 1].startswith("    proved (z3 unsat, cvc5 unsat), notices ")
    assert lines[place + 1].endswith("; smt2/allocation.circle.idle/one-each.smt2")
    assert any(
        line.startswith("  one-more-in-last-round: ") and line.endswith(" broken: list.sound.") for line in lines
    )
    assert any(line.startswith("  model/allocation/averagely_by_circle.py  ") for line in lines)


def test_subjects_of_source_files_are_aligned(call):
    out = call("show", "allocation.avg.disjoint", "--solver", "z3", "--all").out
    lines = out.partition("Source files\n")[2].partition("\n\n")[0].splitlines()
    ends = {line.rindex("  ") for line in lines}
    assert len({line.split()[0] for line in lines}) == len(lines) > 1
    assert ends == {2 + max(len(line.split()[0]) for line in lines)}


def test_all_prints_every_fix_in_full(call):
    lines = call("show", "allocation.avg.disjoint.without-distinct-ids", "--all").out.splitlines()
    place = lines.index("Symptoms and fixes")
    assert lines[place + 1] == "  Symptom: redelivered messages (same-client-id)."
    assert lines[place + 2].startswith("    Fix: Give each process its own instanceName, or set none: ")


def test_obligation_that_does_not_hold_is_not_reported_as_proved(call):
    lines = call("show", "allocation.circle.contiguous", "--all").out.splitlines()
    place = lines.index("  between: A consumer owns every position between two positions that it owns.")
    assert lines[place + 1].startswith("    not proved (z3 sat, cvc5 sat); ")
    assert lines[place + 3].startswith("    proved (z3 unsat, cvc5 unsat); ")


def test_printed_command_writes_the_printed_files(call, tmp_path):
    shown = call("show", "allocation.avg.disjoint", "--all").out
    assert "rebalance prove 'allocation.avg.disjoint' --output DIR" in shown
    call("prove", "allocation.avg.disjoint", "--output", str(tmp_path / "run"))
    (text,) = (line.rpartition("; ")[2] for line in shown.splitlines() if line.endswith("exclusive.smt2"))
    assert (tmp_path / "run" / text).exists()


def test_unexpected_verdict_ends_with_status_1(call, monkeypatch):
    async def prove(claims, options):
        return [ClaimResult(claims[0], Verdict.UNKNOWN, "z3: unknown", ())]

    monkeypatch.setattr(command, "prove", prove)
    called = call("show", "allocation.avg.disjoint")
    assert called.status == 1
    assert "UNKNOWN, NOT AS EXPECTED" in called.out
    assert "allocation.avg.disjoint: expected PROVED, is UNKNOWN. z3: unknown" in called.out


def test_several_claims_are_rejected(call):
    called = call("show", "CONSISTENT_HASH")
    assert called.status == 2
    number = len(select(["CONSISTENT_HASH"]))
    assert (
        f"'CONSISTENT_HASH' selects {number} claims; name one: `rebalance list 'CONSISTENT_HASH'`" in called.complaint
    )


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 2), (signal.SIGTERM, 143)])
def test_interrupted_command_leaves_no_process(number, status):
    with started("show", "transition.java_v5_2.returns.own-store") as process:
        while len([*running(process.pid)]) < 2:  # no solver has started
            sleep(0.02)
        os.killpg(process.pid, number)
        rest, err = process.communicate()
        assert not left(process.pid)
    assert process.returncode == status
    assert "Traceback" not in err
    assert not rest


def test_commands_that_explore_the_groups_of_a_claim_are_listed():
    lines = [line.replace(KEPT, " ") for line in heading(*select(["ordered.go.exclusive.without-shutdown"]))]
    told = [line for line in lines if line.startswith("  Explored: ")]
    assert len(told) == 2
    assert all(line.startswith("  Explored: rebalance explore ordered ") and "--client go" in line for line in told)
    assert not any("Explored" in line for line in heading(*select(["allocation.circle.idle"])))


def test_terminal_shows_a_message_until_the_verdict_is_there():
    with at_terminal("show", "allocation.avg.idle", "--solver", "z3") as terminal:
        assert terminal.ended() == 0
    assert terminal.drawn.startswith(f"Judging allocation.avg.idle ...{command.CLEAR}PROVED: allocation.avg.idle holds")


def test_dumb_terminal_shows_no_message():
    with at_terminal("show", "allocation.avg.idle", "--solver", "z3", term="dumb") as terminal:
        assert terminal.ended() == 0
    assert terminal.drawn.startswith("PROVED: allocation.avg.idle holds")
