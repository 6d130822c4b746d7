"""Causes that known questions in similar words have, as hints for the ranking."""

import re
from math import log2

from rebalance_proofs.recorded.knowledge.similar import Similar
from rebalance_proofs.report.symptoms.understood import Hint

BITS = 3.5
"""Bits that a cause gains if known questions make it twice as likely as the average cause."""
FULL = 120.0
"""Information of a text, in nats, from which the hints count in full.

The rules of words are better at short sentences, and known questions at long texts with many words beside the point.
"""
SHORT = 10.0
"""Least information in the known words of a text without a symptom that is answered: "hello world" has 8."""
CLEAR = 0.05
"""Least probability of the best cause of such a text."""
HINTS = 8
"""Most causes that gain."""
LIKELY = 0.1
"""Least probability of a cause that is listed although it has none of the symptoms that were understood."""
KNOWN = 0.6
"""Least share of known words in a text without a symptom that is answered."""
DOUBT = 0.25
"""A text without a symptom is answered if its probability to have no cause is less."""
OTHER = 0.5
"""A text with a symptom is about another subject if its probability to have no cause is more."""
FOREIGN = 0.3
"""The same for a text that names another product, or of which no cause is likely."""
MUCH = 10.0
"""No cause is likely if to have none is this many times as likely as the best one."""

PRODUCT = re.compile(r"(?i)kafka|rabbit ?mq|pulsar|active ?mq|\bnats\b|redis|\bsqs\b|celery|zookeeper|emqx|mqtt")
"""Another product."""


def hinted(learned: Similar) -> tuple[Hint, ...]:
    """Return the hints of the known questions."""
    best = [*learned.causes.items()][:HINTS]
    bits = BITS * min(1.0, learned.weight / FULL)
    average = 1 / (len(learned.causes) + 1)
    return tuple(Hint(name, False, bits * log2(share / average)) for name, share in best if share > average)


def likely(learned: Similar) -> tuple[str, ...]:
    """Return the causes that are listed beside those of the symptoms that were understood."""
    return tuple(name for name, share in [*learned.causes.items()][:3] if share >= LIKELY)


def named(learned: Similar) -> tuple[str, ...]:
    """Return the causes of a text without a symptom, the best first; none if known questions do not tell."""
    clear = max(learned.causes.values(), default=0.0) >= CLEAR and learned.none < DOUBT
    told = learned.known >= KNOWN and learned.known * learned.weight >= SHORT
    return tuple(learned.causes)[:HINTS] if clear and told else ()


def elsewhere(about: str, learned: Similar, *, event: bool) -> bool:
    """Return whether a text with a symptom is about another subject: "Kafka rebalances all the time".

    ``event``: the text has an event before the symptom, which a question about another subject seldom has.
    """
    product = bool(PRODUCT.search(about))
    if event and not product:
        return False
    vague = learned.none > MUCH * max(learned.causes.values(), default=0.0)
    return learned.none > (FOREIGN if product or vague else OTHER)
