"""What a search for the counterexample of each claim about a machine is given: limits, moves in their order, the
states that are bad, and how the run is told.

Most of it decides which of several counterexamples is found, or how soon: claims come out alike without it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import Any

from rebalance_proofs.model.machine.conjunct import Predicate
from rebalance_proofs.model.machine.run import Happens
from rebalance_proofs.model.machine.values import term
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.machine import declared
from rebalance_proofs.proofs.machine.configuration import Configuration
from tests.golden.digested import digest

Configured = Configuration[Any, Any, Any, Any]
OF: Mapping[str, Callable[[Claim], Configured]] = {
    name: partial(declared.configured, name)
    for name in ("offsets", "ordered", "pulls", "settling", "subscriptions", "registry")
}
"""Kind -> the configuration for one of its claims."""
ALIKE = ("limit", "gives_up", "ends", "around", "joined", "apart", "copies", "most")
"""Settings that claims of a kind share."""


def searches() -> Iterator[str]:
    """Each refuted claim about a machine, and what is not as for the claim before."""
    before: set[str] = set()
    for claim in LEDGER:
        if claim.kind in OF and not claim.holds:
            told = list(_told(OF[claim.kind](claim), claim))
            yield claim.id
            yield from (f"  {line}" for line in told if line not in before)
            before = {*told}


def _told(configuration: Configured, claim: Claim) -> Iterator[str]:
    yield ", ".join(f"{name} {getattr(configuration, name)}" for name in ALIKE)
    examples, ticks = configuration.of_claim(claim)
    yield f"ms {_numbers(examples)}"
    yield f"ticks {_numbers(ticks)}, numbers {dict(configuration.numbers(ticks))}"
    yield f"end {configuration.last(claim)}, bad in every copy {configuration.every(claim)}"
    every = [one for move in configuration.moves for one in configuration.whose(move)]
    yield _moves(configuration.tried(claim, every))
    yield f"aside {' '.join(sorted(configuration.aside(claim)))}"
    best = configuration.best(claim)
    yield f"of equally short ones {best.__name__.strip('_') if best else 'the first'}"
    yield f"unseen {' '.join(sorted(configuration.unseen(claim)))}"
    beside = configuration.beside(claim) if configuration.beside else {}
    states = {"bad": configuration.bad(claim), "hopeless": configuration.hopeless(claim), **beside}
    yield ", ".join(f"{name} {digest(_text(configuration, so))}" for name, so in states.items() if so)


def _moves(tried: Iterable[Happens]) -> str:
    """Return the moves in their order: an action with its choices, and the copies that do it."""
    moves = ((" ".join([one.action, *(name for name, so in one.said if so)]), one.who) for one in tried)
    told = (f"{action} ({', '.join(str(who) for _, who in same)})" for action, same in groupby(moves, itemgetter(0)))
    return f"moves {', '.join(told)}"


def _numbers(limits: Any) -> str:
    return " ".join(f"{name}={value}" for name, value in vars(limits).items())


def _text(configuration: Configured, so: Predicate[Any, Any]) -> str:
    state, _, limits = configuration.symbols
    return str(term(so(state, limits)))
