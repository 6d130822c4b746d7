"""Claims judged by several processes: equal results, no process ends another one, and none remains."""

import asyncio
import os
import signal
import sys
import weakref
from multiprocessing import get_context
from pathlib import Path
from threading import Timer
from time import sleep

import pytest

from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.judges import SHARE, _shares, judged_by
from rebalance_proofs.proofs.ledger import LEDGER, select
from rebalance_proofs.proofs.prove import Options, prove
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.proofs.solvers.kept import Kept, opened

SEVERAL = select(
    [
        "allocation.avg.disjoint",
        "allocation.circle.contiguous",
        "allocation.hash.disjoint.without-distinct-ids",
        "allocation.room.unread.without-same-subscription",
        "ordered.go.exclusive.without-shutdown",
        "settling.java_v5_2_to_v5_3.settles",
        "settling.java_v5_2_to_v5_3.settles.without-timer",
    ]
)
"""Of several kinds; the groups of their counterexamples hold functions that were made while they were searched."""


def told(result: ClaimResult) -> tuple:
    found = result.search.counterexample if result.search else None
    example = found and (found.consumers, found.queues, found.values, found.sentence)
    noticed = [(mutant.name, mutant.killed, mutant.noticed_by) for mutant in result.mutants]
    asked = [(question.name, question.text, question.outcome) for question in result.questions]
    return result.claim.id, result.verdict, result.reason, example, noticed, asked, result.explored


@pytest.mark.parametrize("jobs", [1, 2, 5])
@pytest.mark.parametrize("claims", [LEDGER, LEDGER[:100], SEVERAL], ids=["all", "some", "few"])
def test_shares_are_small_and_of_one_subject(claims, jobs):
    """The process with the last share delays the others by at most a third of their own work."""
    shares = _shares(claims, jobs)
    assert sorted(place for share in shares for place in share) == list(range(len(claims)))
    assert all(len({(claims[place].kind, claims[place].subjects[0].name) for place in share}) == 1 for share in shares)
    assert max(map(len, shares)) <= min(40, len(claims) // (3 * jobs) + 1)
    if claims is LEDGER:
        assert max(map(len, shares)) > 20


def test_several_processes_give_the_results_of_one():
    alone, several = (asyncio.run(prove(SEVERAL, Options(jobs=jobs, width=False, explore=True))) for jobs in (1, 2))
    assert [result.claim for result in several] == list(SEVERAL)
    assert all(result.claim is claim for result, claim in zip(several, SEVERAL, strict=True))
    assert list(map(told, several)) == list(map(told, alone))
    assert {result.claim.id: result.explored for result in several}["settling.java_v5_2_to_v5_3.settles"] == ()


def said(claim, reason=""):
    return ClaimResult(claim, Verdict.PROVED, reason or str(os.getpid()))


def heard(judging, jobs=2):
    results = []
    gave = asyncio.run(judged_by(judging, SEVERAL, jobs, results.append))
    return {result.claim.id: result for result in results}, gave


def unknown(judging, claims, jobs, busy, seconds):
    """The claims that come out as UNKNOWN, in their order, if the caller is busy with a claim's result for so long."""
    verdicts = {}

    def hear(result):
        verdicts[result.claim.id] = result.verdict
        if result.claim is busy:
            sleep(seconds)

    asyncio.run(judged_by(judging, claims, jobs, hear))
    return [claim.id for claim in claims if verdicts[claim.id] is Verdict.UNKNOWN]


async def in_turn(more, tell):
    while some := more():
        for claim in some:
            tell(said(claim))
            await asyncio.sleep(0)
    return os.getpid()


def test_each_claim_is_judged_once_in_another_process():
    results, gave = heard(in_turn)
    assert results.keys() == {claim.id for claim in SEVERAL}
    assert {int(result.reason) for result in results.values()} <= set(gave)
    assert os.getpid() not in gave
    assert len(gave) == 2


def test_no_process_is_forked_after_the_last_share():
    """From then on no process is forked."""
    seen = []

    def spare():
        seen.append(len(results))

    async def judging(more, tell):
        while some := more():
            for claim in some:
                tell(said(claim))

    results = []
    asyncio.run(judged_by(judging, SEVERAL, 2, results.append, spare))
    assert len(seen) == 2
    assert all(len(SEVERAL) - SHARE <= found <= len(SEVERAL) for found in seen)


def test_killed_process_leaves_its_claims_unknown():
    async def judging(more, tell):
        while some := more():
            for claim in some:
                if claim.id == "ordered.go.exclusive.without-shutdown":
                    os.kill(os.getpid(), signal.SIGKILL)
                tell(said(claim))

    results, _ = heard(judging, jobs=1)
    killed = results.pop("ordered.go.exclusive.without-shutdown")
    assert (killed.verdict, killed.reason) == (
        Verdict.UNKNOWN,
        "the process that judged it ended with exit code -9",
    )
    assert len(results) == len(SEVERAL) - 1
    assert {result.verdict for result in results.values()} == {Verdict.PROVED}


def test_simultaneously_ended_processes_are_both_noticed():
    """One has nothing left; the other is killed after two of its three claims, while the caller is busy."""
    claims = select(["transition.node.**"])[:18]
    *_, (*told, lost) = ([claims[place] for place in share] for share in _shares(claims, 2) if len(share) == 3)

    async def judging(more, tell):
        while some := more():
            if lost in some:
                await asyncio.sleep(0.3)  # the other one has taken all that is left
                for claim in told:
                    tell(said(claim))
                    await asyncio.sleep(0.1)
                os.kill(os.getpid(), signal.SIGKILL)
            for claim in some:
                tell(said(claim))
        await asyncio.sleep(0.4)

    assert unknown(judging, claims, 2, told[0], 0.8) == [lost.id]


def test_process_killed_while_waiting_leaves_its_next_claims_unknown():
    claims = select(["transition.node.**"])[:6]

    async def judging(more, tell):
        while some := more():
            for claim in some:
                tell(said(claim))
            if claims[0] in some:
                Timer(0.2, os.kill, (os.getpid(), signal.SIGKILL)).start()

    assert len(unknown(judging, claims, 1, claims[0], 0.6)) == len(_shares(claims, 1)[1])


def test_exception_in_a_process_is_raised():
    async def judging(more, tell):
        raise ZeroDivisionError("of the judging process")

    with pytest.raises(ZeroDivisionError, match="of the judging process"):
        heard(judging)


def test_failing_caller_leaves_no_process(tmp_path):
    async def judging(more, tell):
        for claim in more():
            tell(said(claim))
        await asyncio.sleep(600)

    pids = []

    def fails(result):
        pids.append(int(result.reason))
        raise KeyError("the caller's")

    with pytest.raises(KeyError, match="the caller's"):
        asyncio.run(judged_by(judging, SEVERAL, 2, fails))
    with pytest.raises(ProcessLookupError):
        os.kill(pids[0], 0)


def test_killed_caller_leaves_no_process(tmp_path):
    """It is waiting for an answer that never comes, and reads the end of the pipe."""
    pid = tmp_path / "pid"

    async def judging(more, tell):
        pid.write_text(str(os.getpid()), encoding="utf-8")
        while some := more():
            await asyncio.sleep(0.2)
            for claim in some:
                tell(said(claim))

    child = os.fork()
    if not child:
        asyncio.run(judged_by(judging, SEVERAL, 1, lambda result: os.kill(os.getpid(), signal.SIGKILL)))
        os._exit(0)
    os.waitpid(child, 0)

    async def ended():
        while os.path.exists(f"/proc/{pid.read_text(encoding='utf-8')}"):
            await asyncio.sleep(0.05)

    asyncio.run(asyncio.wait_for(ended(), 30))


class Referenced:
    """An object that can have weak references."""


class Finalized:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGTERM)


def finalized():
    Finalized()


def called_back():
    referenced = Referenced()
    reference = weakref.ref(referenced, lambda _: os.kill(os.getpid(), signal.SIGTERM))
    del referenced
    assert reference() is None


@pytest.mark.parametrize("signalled", [finalized, called_back])
def test_signal_in_a_finalizer_ends_the_process_and_its_children(signalled, capfd, monkeypatch):
    """Python prints and ignores an exception that a finalizer or a callback of a weak reference raises."""

    async def judging(more, tell):
        child = get_context("fork").Process(target=sleep, args=(600,), daemon=True)
        child.start()
        claim, *_ = more()
        tell(said(claim, str(child.pid)))
        signalled()
        await asyncio.sleep(5)

    monkeypatch.setattr(sys, "unraisablehook", sys.__unraisablehook__)  # pytest's would hide the text
    results, gave = heard(judging, jobs=1)
    assert capfd.readouterr().err == ""
    assert gave == []
    children = [int(result.reason) for result in results.values() if result.verdict is Verdict.PROVED]
    reasons = {result.reason for result in results.values() if result.verdict is Verdict.UNKNOWN}
    assert reasons == {"the process that judged it ended with exit code 1"}

    async def ended():
        while any(map(runs, children)):
            await asyncio.sleep(0.05)

    asyncio.run(asyncio.wait_for(ended(), 30))


def runs(pid):
    """Whether a process of this number runs: a zombie has ended, but nothing has read its status yet."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_cached_answers_of_all_processes_are_counted(tmp_path):
    def run() -> Kept:
        kept = opened(tmp_path / "answers", 1)
        asyncio.run(prove(SEVERAL[:3], Options(width=False, answers=kept)))
        return kept

    first, second = run(), run()
    assert first.given == 0 < first.asked
    assert second.given == second.asked
    assert not first.trouble
