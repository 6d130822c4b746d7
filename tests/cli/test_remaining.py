"""The estimate of the remaining time, on recorded step times."""

import json
import random
from itertools import chain, zip_longest
from pathlib import Path

import pytest

from rebalance_proofs.cli import work
from rebalance_proofs.cli.progress import Remaining
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.spark_enum.bounds import QUICK
from rebalance_proofs.spark_enum.witness import jobs

Steps = list[tuple[str, float]]
"""(claim or group, seconds) of each step of a run, in the order of completion."""

RUNS: dict[str, Steps] = {
    name: [(key, seconds) for key, seconds in steps]
    for name, steps in json.loads(Path(__file__).with_name("step_times.json").read_text(encoding="utf-8")).items()
}
"""Runs of all claims on one core: with vacuity checks, from which costs.json was computed, and without."""


class Clock:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def two_jobs(steps: Steps) -> Steps:
    """The steps in the order in which two processes complete them, half of the claims each."""
    halves = steps[: len(steps) // 2], steps[len(steps) // 2 :]
    return [step for step in chain(*zip_longest(*halves)) if step]


def shuffled(seed: int):
    return lambda steps: random.Random(seed).sample(steps, len(steps))


ORDERS = {
    "as recorded": lambda steps: steps,
    "reversed": lambda steps: steps[::-1],
    "two jobs": two_jobs,
    **{f"shuffled {seed}": shuffled(seed) for seed in range(5)},
}


def replayed(steps: Steps, slower: float) -> list[tuple[float, float, float | None, str]]:
    """(share of the work done, seconds really left, estimate, words) after each step."""
    whole = slower * sum(seconds for _, seconds in steps)
    expected = sum(work.cost(key) for key, _ in steps)
    clock, done, found = Clock(), 0.0, []
    remaining = Remaining(expected, clock)
    for key, seconds in steps:
        clock.now += slower * seconds
        done += work.cost(key)
        remaining.advance(work.cost(key))
        found.append((done / expected, whole - clock.now, remaining.left, remaining.words))
    return found


@pytest.mark.parametrize("slower", [1.0, 3.0])
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("run", RUNS)
def test_estimate_is_steady_and_right(run, order, slower):
    found = replayed(ORDERS[order](RUNS[run]), slower)
    whole = found[0][1]
    least = float("inf")
    for done, left, estimate, _ in found:
        if done < 0.1:
            assert estimate is None
        if left < 0.05 * whole:
            break
        if done > 0.2:
            assert estimate <= 4 / 3 * least
            least = min(least, estimate)
        if done > 0.5:
            assert left / 1.5 <= estimate <= left * 1.5


def test_printed_time_goes_down_in_coarse_steps():
    words = [said for *_, said in replayed(RUNS["verify"], 6.0)]
    printed = [said for said, before in zip(words, ["", *words], strict=False) if said != before]
    assert printed[0] == "about 25 min left"
    assert printed[-2:] == ["under 1 min left", ""]
    assert len(printed) < 20


def test_nothing_is_printed_before_enough_is_known():
    clock = Clock()
    remaining = Remaining(100.0, clock)
    clock.now = 60.0
    remaining.advance(9.0)
    assert (remaining.left, remaining.words) == (None, "")
    remaining.advance(1.0)
    assert (remaining.left, remaining.words) == (540.0, "about 9 min left")


def test_printed_time_does_not_flicker():
    clock = Clock()
    remaining = Remaining(1000.0, clock)
    said = []
    for now in (160.0, 172.0, 158.0, 174.0, 176.0):
        clock.now = now
        remaining.advance(250.0 if not said else 0.0)
        said.append(remaining.words)
    assert said == ["about 8 min left"] * 4 + ["about 9 min left"]


def test_every_claim_and_job_has_a_measured_cost(monkeypatch):
    monkeypatch.setattr(work, "UNKNOWN_COST", -1.0)
    assert all(work.claim_cost(claim) > 0 for claim in LEDGER)
    expected = list(work.job_costs(LEDGER, QUICK))
    assert len(expected) == jobs(LEDGER, QUICK)
    assert min(expected) > 0
