"""Causes that known questions with similar words have, as hints for the ranking."""

import re

from rebalance_proofs.recorded.knowledge.similar import Similar, similar
from rebalance_proofs.report.symptoms.understood import Hint

__all__ = ["elsewhere", "hinted", "likely", "named", "similar"]

BITS = 25.0
"""Bits that a cause gains if all similar questions have it."""
FULL = 30.0
"""Information of a text, in nats, from which the votes count in full; a shorter text says too little about causes."""
SHORT = 10.0
"""Least information of a text without a symptom that is answered."""
CLEAR = 0.12
"""Least share of the best cause of such a text."""
HINTS = 8
"""Most causes that gain."""
LEAST = 0.03
"""Least share of the votes of a cause that gains."""
LIKELY = 0.15
"""Least share of a cause that is listed although it has none of the symptoms that were understood."""
NEAR = 0.3
"""Least similarity of a known question that answers a text without a symptom."""
DOUBT = 0.5
"""A text without a symptom is answered if questions without a cause have less than this part of the best share."""
OTHER = 3.0
"""A text with a symptom is about another subject if questions without a cause have this many times the best share."""

PRODUCT = re.compile(r"(?i)kafka|rabbit ?mq|pulsar|active ?mq|\bnats\b|redis|\bsqs\b|celery|zookeeper|emqx|mqtt")
"""Another product; its name makes questions without a cause count three times."""


def hinted(votes: Similar) -> tuple[Hint, ...]:
    """Return the hints of the votes."""
    best = [*votes.causes.items()][:HINTS]
    bits = BITS * min(1.0, votes.weight / FULL)
    return tuple(Hint(name, False, bits * share) for name, share in best if share > LEAST)


def likely(votes: Similar) -> tuple[str, ...]:
    """Return the causes that are listed beside those of the symptoms that were understood."""
    return tuple(name for name, share in [*votes.causes.items()][:3] if share >= LIKELY)


def named(votes: Similar) -> tuple[str, ...]:
    """Return the causes of a text without a symptom, the best first; none if no known question is near."""
    best = max(votes.causes.values(), default=0.0)
    clear = best >= CLEAR and votes.none < DOUBT * best
    return tuple(votes.causes)[:HINTS] if clear and votes.nearest >= NEAR and votes.weight >= SHORT else ()


def elsewhere(about: str, votes: Similar, *, event: bool) -> bool:
    """Return whether a text with a symptom is about another subject: "Kafka rebalances all the time".

    ``event``: the text has an event before the symptom, which a question about another subject seldom has.
    """
    product = bool(PRODUCT.search(about))
    if event and not product:
        return False
    many = 1.0 if product else OTHER
    return votes.none > many * max(votes.causes.values(), default=0.0)
