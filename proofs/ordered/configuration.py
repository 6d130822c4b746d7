"""Configuration of the machine for two consumers of one ordered queue: bad states, and what others do to the lock."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache

from rebalance_proofs.model.machine.copies import ME, NOBODY, OTHER
from rebalance_proofs.model.machine.machine import Step, step
from rebalance_proofs.model.machine.record import ghosts
from rebalance_proofs.model.machine.values import And, Bool, If, Not, Or, Value
from rebalance_proofs.model.ordered.clients import OrderedClient
from rebalance_proofs.model.ordered.limits import DEFAULTS, Limits
from rebalance_proofs.model.ordered.machine import ORDERED
from rebalance_proofs.model.ordered.state import Choices, Ordered, Variant
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.happens import Happens
from rebalance_proofs.proofs.machine import induction
from rebalance_proofs.proofs.machine.configuration import Configuration, Predicate
from rebalance_proofs.proofs.machine.rely import rely
from rebalance_proofs.proofs.obligation import Obligation
from rebalance_proofs.proofs.ordered.circumstances import ANYHOW, Circumstances
from rebalance_proofs.proofs.ordered.examples import SEARCHED, example, in_ticks
from rebalance_proofs.proofs.ordered.invariant import NEVER_LATER, Conjunct

__all__ = [
    "CONFIGURATION",
    "UNSEEN",
    "Proof",
    "happens",
    "is_kept",
    "made",
    "passed_on",
    "proof",
    "relied_on",
    "runs",
]

Proof = induction.Induction[Ordered, Choices, Limits, Variant]
Others = induction.Others[Ordered, Limits]
Bad = Predicate[Ordered, Limits]
LIMIT = 60
"""Most actions of a run that is searched."""
UNSEEN = ("twice", *ghosts(Ordered))
"""Fields that explorations ignore: those for proofs alone, and one that is never set."""
SHUTDOWN = ("clears", "gives_back", "interrupts", "shuts")
"""Actions of a shutdown. Of runs that are equally short, one in which these come late is told."""


def runs(s: Ordered, lim: Limits) -> Bool:
    """Whether the listener runs."""
    return s.runs


def is_kept(s: Ordered, lim: Limits) -> Bool:
    """Whether the shutdown is over, nothing is under way, and the lock is still the consumer's."""
    return And(s.yielded, s.closed, Not(s.unlocking), s.holder == ME)


def _ended(s: Ordered, lim: Limits) -> Bool:
    """Whether the consumer can never call its listener again: it accepts no requests, has no messages, and makes no
    call."""
    return And(Or(s.stopping, s.closed), Not(Or(s.cached, s.runs)))


BAD: Mapping[str, Bad] = {"exclusive": runs, "given-back": is_kept}
"""Bad states by the guarantee's name: both consumers' listeners run; or one consumer leaves a lock behind."""


def _tried(claim: Claim, moves: Sequence[Happens]) -> Sequence[Happens]:
    """Moves that are tried. For a lock that is left behind only one consumer's: another can only take the lock from it.

    An entry whose pull is overdue goes as one whose queue is not the consumer's any more, so only the latter is tried;
    two minutes are not told apart.
    """
    order = (*SHUTDOWN, *(name for name in ORDERED.actions if name not in SHUTDOWN))
    told = (move for move in moves if ("in_set", True) not in move.said)
    several = claim.guarantee.name == "exclusive"
    return sorted(
        (move for move in told if several or move.who == 0),
        key=lambda move: (order.index(move.action), [not value for _, value in move.said], move.who),
    )


def _fits(claim: Claim) -> tuple[Limits, Limits]:
    client: OrderedClient = claim.subjects[0]
    return example(client, claim.world), in_ticks(client, claim.world)


CONFIGURATION = Configuration(
    ORDERED,
    lambda claim: BAD.get(claim.guarantee.name),
    DEFAULTS,
    SEARCHED,
    limit=LIMIT,
    tried=_tried,
    fits=_fits,
    apart=True,
    copies=2,
    every=lambda claim: claim.guarantee.name == "exclusive",
    unseen=lambda claim: UNSEEN,
    hopeless=lambda claim: _ended if claim.guarantee.name == "exclusive" else None,
)


def happens(who: int, action: str, *said: bool) -> Happens:
    """The consumer's action with these choices. Raises ``ValueError`` if the action has more choices, or fewer."""
    return CONFIGURATION.happens(action, *said, who=who)


def passed_on(s: Ordered) -> dict[str, Value]:
    """Changes of a consumer's ghost fields when the lock is granted to another."""
    return {
        "lost": True,
        "lost_at": If(s.lost, s.lost_at, s.now),
        "call_lost": True,
        "call_lost_at": If(s.call_lost, s.call_lost_at, s.now),
    }


def _take(s: Ordered, then: Ordered, lim: Limits, mine: Bool) -> Step:
    free = Or(s.holder != ME, s.now - s.updated > lim.broker)
    return step(free, holder=OTHER, updated=s.now, **passed_on(s))


OTHERS = (
    Others(
        "others-take",
        "Another takes the lock, which is free or has run out.",
        "the lock is not this consumer's, or has run out",
        _take,
    ),
    Others(
        "others-give-back",
        "Another gives its lock back.",
        "the lock is another's",
        lambda s, then, lim, mine: step(s.holder == OTHER, holder=NOBODY),
    ),
)
"""All that other consumers do to the broker's lock."""


def _before(s: Ordered, lim: Limits) -> Mapping[str, Bool]:
    return {
        "the lock is another consumer's, or free": Or(s.holder == OTHER, s.holder == NOBODY),
        "it was updated before": s.updated <= s.now,
    }


def proof(
    client: OrderedClient,
    world: Circumstances,
    conjuncts: Sequence[Conjunct],
    bad: Bad | None = None,
    conclusion: tuple[str, str] | None = None,
    asked: Callable[[Limits], Mapping[str, Bool]] = lambda limits: {},
) -> Proof:
    """A proof about one consumer, whatever others do; ``asked``: further premises on the limits, by sentence."""
    idle = ("returns",) if any(one.name == NEVER_LATER.name for one in conjuncts) else ()
    return Proof(
        CONFIGURATION,
        client,
        world,
        conjuncts,
        bad,
        conclusion,
        asked=asked,
        begins=_before,
        others=OTHERS,
        idle=idle,
    )


@cache
def relied_on(client: OrderedClient) -> Obligation:
    """Obligation that the client, as one of the others, does nothing to the lock but what ``OTHERS`` has."""
    sentence = "Whatever another consumer does to the lock is nothing, or one of these two."
    return rely(proof(client, ANYHOW, ()), OTHERS, sentence=sentence)


def made(proof: Proof, client: OrderedClient) -> tuple[Obligation, ...]:
    """All obligations of a proof; before its conclusion, the one that others do no more than it relies on."""
    *steps, last = proof.obligations()
    return (*steps, relied_on(client), last)
