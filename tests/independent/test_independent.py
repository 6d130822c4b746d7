"""Independent models agree with the claims; faults in a page or in a model are noticed."""

from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import patch

import pytest

from rebalance_proofs.model.machine.machine import Turn, act_of
from rebalance_proofs.proofs.machine.kind import explored
from tests.independent import (
    exploring,
    of_offsets,
    of_ordered,
    of_pulls,
    of_registry,
    of_settling,
    of_subscriptions,
    offsets,
    ordered,
    pulls,
    registry,
    settling,
    subscriptions,
)
from tests.independent.comparing import Said, bound, claims, difference

QUESTIONS: dict[str, ModuleType] = {
    "offsets": of_offsets,
    "ordered": of_ordered,
    "pulls": of_pulls,
    "registry": of_registry,
    "settling": of_settling,
    "subscriptions": of_subscriptions,
}
"""Kind of claims -> questions to its model."""


def _claims(kind: str, *, slow: bool) -> list[Said]:
    module = QUESTIONS[kind]
    found = claims(kind, module.SENTENCES)
    return [one for one in found if module.covered(one) and (one.claim.id in module.SLOW) == slow]


def _differences(module: ModuleType, chosen: list[Said]) -> list[str]:
    return [text for said in chosen if (text := difference(said, module.asked(said), said.length))]


@pytest.mark.parametrize("kind", QUESTIONS)
def test_model_agrees_with_the_claims(kind):
    chosen = _claims(kind, slow=False)
    assert {one.claim.holds for one in chosen} == {True, False}
    assert not _differences(QUESTIONS[kind], chosen)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [kind for kind, module in QUESTIONS.items() if module.SLOW])
def test_model_agrees_with_claims_of_long_runs(kind):
    assert not _differences(QUESTIONS[kind], _claims(kind, slow=True))


@pytest.mark.parametrize("kind", [kind for kind, module in QUESTIONS.items() if module.TIMED])
def test_bounds_are_the_least_ones(kind):
    """One tick less than the bound of a claim that holds would be wrong."""
    module = QUESTIONS[kind]
    timed = [one for one in _claims(kind, slow=False) if one.claim.holds and one.guarantee in module.TIMED]
    for said in timed:
        assert module.asked(said, less=1), said.claim.id


CONDITIONAL = [one for one in claims("ordered", of_ordered.SENTENCES) if of_ordered.conditional(one)]


def test_conditions_are_exact_where_they_just_hold_or_fail():
    assert len(CONDITIONAL) == 16
    for said in CONDITIONAL:
        assert (chosen := of_ordered.edge(said)), said.claim.id
        assert not of_ordered.differing(said, chosen), said.claim.id


@pytest.mark.slow
@pytest.mark.parametrize("said", CONDITIONAL, ids=lambda said: said.claim.id)
def test_conditions_are_exact_for_small_limits(said):
    assert not of_ordered.differing(said, of_ordered.grid(said))


def test_bound_is_read_from_a_sentence():
    values = {"unit": 3, "maxGap": 5, "maxGap.b": 7}
    assert bound("It ends within max(maxGap.b, unit) + 2 x maxGap of its start.", values) == 17
    for sentence in ("It ends at once.", "within maxGap of maxGap.b"):
        with pytest.raises(ValueError, match="no formula, or several"):
            bound(sentence, values)


CONSUMES = ordered.Ordered._consumes


@dataclass(frozen=True)
class Fault:
    """A guard that is dropped on a page, and a step that is changed in its model; the claim's comparison fails."""

    claim: str
    action: str
    """Action of the page that becomes possible at any time."""
    model: type
    method: str
    wrong: Any
    """What the model has instead of the method."""

    @property
    def said(self) -> Said:
        kind = self.claim.partition(".")[0]
        return next(one for one in claims(kind, QUESTIONS[kind].SENTENCES) if one.claim.id == self.claim)


def test_commits_that_overtake_each_other_shorten_a_run():
    """The page follows one commit on its way to the broker; with two, the offset goes back after fewer actions."""
    for said in _claims("offsets", slow=False):
        run = of_offsets.asked(said, one_commit=False)
        if said.guarantee != "never-back":
            assert not difference(said, run, said.length)
            continue
        assert run is not None
        assert run[-2:] == ("commits", "commits")
        assert len(run) == (said.length or 0) - 2
        assert "the shortest run with one commit per consumer in flight" in said.claim.scope


FAULTS = (
    Fault("offsets.java_v5.once", "starts", offsets.Offsets, "_rebalances", lambda self, c, s, other: ()),
    Fault(
        "ordered.java_v4_9.exclusive.without-restart",
        "starts",
        ordered.Ordered,
        "_consumes",
        lambda self, c: ((name, then) for name, then in CONSUMES(self, c) if name != "pulls"),
    ),
    Fault("pulls.java_v5_3_3.dies.without-query", "sends", pulls.Pulls, "_out", staticmethod(lambda s: s)),
    Fault(
        "subscriptions.java_v4_9_to_v5_3.accepted-soon.without-free",
        "arrives",
        subscriptions.Subscriptions,
        "_refuses",
        staticmethod(lambda s: not s.has),
    ),
    Fault("settling.java_v4_9_to_v5_1.apart", "begins", settling.Settling, "_wakers", lambda self, s: ()),
    Fault(
        "registry.java_v4_9_to_v5_3.told.without-close",
        "reconnects",
        registry.Registry,
        "_unheard",
        lambda self, s, own: s,
    ),
)


def _length(said: Said, action: str = "") -> int | None:
    """Length of the page's shortest run, with or without the action's guard."""
    encoding = said.claim.subjects[0].encoding
    if action:
        act = act_of(encoding, action)
        encoding = replace(encoding, **{action: lambda s, c, lim: Turn(True, act(s, c, lim).after)})
    run = explored(said.machine.of(said.claim), encoding, said.claim)
    return None if run is None else len(run) - said.observed


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.claim.partition(".")[0])
def test_comparison_notices_a_fault_on_either_side(fault):
    said = fault.said
    module = QUESTIONS[said.machine.kind]
    run = module.asked(said)
    assert not difference(said, run, _length(said))
    assert difference(said, run, _length(said, fault.action))
    with patch.object(fault.model, fault.method, fault.wrong):
        assert difference(said, module.asked(said), said.length)


def test_models_do_not_use_the_project():
    for module in (exploring, offsets, ordered, pulls, registry, settling, subscriptions):
        assert "rebalance_proofs" not in Path(str(module.__file__)).read_text(encoding="utf-8"), module.__name__


def test_every_model_has_a_fault():
    assert {fault.claim.partition(".")[0] for fault in FAULTS} == QUESTIONS.keys()
