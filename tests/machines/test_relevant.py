"""Fields that an exploration ignores do not influence the fields that it stores."""

import numpy as np
import pytest

from rebalance_proofs.model.machine.machine import act_of
from rebalance_proofs.model.machine.record import flags
from rebalance_proofs.model.machine.values import term
from rebalance_proofs.model.terms.kernel import compile_kernel
from rebalance_proofs.proofs.machine.compiled import compiled, guard, relevant
from tests.machines.registered import CLAIMS

COUNT = 200


def drawn(of, source, names):
    known = flags(of.machine.state) | flags(of.machine.choices)
    return {name: source.integers(0, 2 if name in known else 4, COUNT) for name in names}


def wide(columns):
    return [np.broadcast_to(column, COUNT).astype(np.int64) for column in columns]


ALONE = [pair for pair in CLAIMS if pair[0].configuration.copies == 1]
"""Claims about one copy of a machine: explorations of several copies tell apart what their configuration says."""


@pytest.mark.parametrize(("machine", "claim"), [pytest.param(*pair, id=pair[1].id) for pair in ALONE])
def test_ignored_fields_do_not_influence_relevant_ones(machine, claim):
    of, encoding, world = machine.configuration, claim.subjects[0].encoding, claim.world
    actions, fields = relevant(of, encoding, claim)
    source = np.random.default_rng(1)
    one = drawn(of, source, of.names)
    other = one | drawn(of, source, [name for name in of.own if name not in fields])
    one, other = ([values[name] for name in of.names] for values in (one, other))
    state, _, limits = of.given(of.unknowns())
    bad = of.bad(claim)
    asked = [term(bad(state, limits))] if bad else []
    asked += [term(world.waits(state, state.now + 1, limits))] if of.clock else []
    kernel = compile_kernel(of.names, *asked)
    assert np.array_equal(wide(kernel(*one)), wide(kernel(*other)))
    for name in actions:
        act = act_of(encoding, name)
        (can, *after), (also, *afters) = (wide(compiled(of, act)(*values)) for values in (one, other))
        permits = guard(of, act, name, world)
        lets = ([values[of.names.index(unknown)] for unknown in permits.names] for values in (one, other))
        assert np.array_equal(*(wide(permits.of(*values)) for values in lets))
        assert np.array_equal(can, also)
        for field, left, right in zip(of.own, after, afters, strict=True):
            assert field not in fields or np.array_equal(left[can > 0], right[can > 0]), (name, field)


def test_fields_irrelevant_to_a_claim_are_ignored():
    told = {claim.id: relevant(machine.configuration, claim.subjects[0].encoding, claim) for machine, claim in ALONE}
    actions, fields = told["subscriptions.java_v4_9_to_v5_3.calm"]
    assert {"raises", "arrives", "others"} <= actions
    assert not actions & {"pulls", "prints", "forgets"}
    assert {"now", "has", "stirred", "at"} <= fields
    assert not fields & {"lost", "latest", "notified", "agrees", "refused"}
