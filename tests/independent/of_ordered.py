"""Questions about one ordered queue: what each claim's words mean in the model."""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import product

from tests.independent.comparing import Said, bound
from tests.independent.exploring import nearest, shortest
from tests.independent.ordered import CLOSED, JAVA, Consumer, Ordered, State, kept, runs_left

SENTENCES = {
    "maxLockDelay + client.lockMaxLiveTime + maxListenerTime <= broker.lockMaxLiveTime": "",
    "maxLockDelay + min(maxRenewalGap, client.lockMaxLiveTime + maxListenerTime) <= broker.lockMaxLiveTime": "",
    "maxLockDelay + min(client.lockMaxLiveTime, maxRenewalGap) + maxListenerTime <= broker.lockMaxLiveTime": "",
    "maxLockDelay + min(client.lockMaxLiveTime, maxRenewalGap) + maxListenerTime <= broker.lockMaxLiveTime + "
    "firstPullDelay": "",
    "maxLockDelay + maxRenewalGap <= broker.lockMaxLiveTime": "",
    "client.lockMaxLiveTime + maxListenerTime <= unlockDelayTimeMills": "",
    "min(client.lockMaxLiveTime, maxRenewalGap) + maxListenerTime <= unlockDelayTimeMills": "",
    "either min(client.lockMaxLiveTime, maxRenewalGap) + maxListenerTime <= unlockDelayTimeMills + firstPullDelay or "
    "maxListenerTime < firstPullDelay": "",
    "no clock jumps, and the same time on consumers and broker": "",
    "lock requests to the master broker only": "",
    "no `consumeMessageDirectly`, which takes no lock": "",
    "no unlock overtaken by a later lock request of the same consumer": "not-overtaken",
    "no queue reassigned to a consumer while the consumer's delayed unlock of it is pending": "not-back",
    "a shutdown without messages left in the process queue, or one that waits long enough for the listener": (
        "shuts-idle"
    ),
    "no unsubscribe while the listener runs": "keeps-topic",
    "no broker restart, and no other broker that takes over the queue": "no-restart",
    "unique client ids in the group": "unique-ids",
    "lock renewals at most maxRenewalGap apart while the process queue is in the table (from 5.0: and not dropped)": (
        "renewed"
    ),
    "no message left at the shutdown of a consumer whose lock renewals end at the shutdown (only up to 4.9, and Go)": (
        "idle"
    ),
    "only consumers from 5.0 on in the group, with firstPullDelay <= client.lockMaxLiveTime and firstPullDelay <= "
    "maxRenewalGap": "alike",
    "immediate broker answers, in order, and none lost": "answered",
    "a start offset found for each added queue": "offset-found",
    "no unsubscribe": "subscribed",
    "no rebalance of the queue during the shutdown": "no-rebalance",
    "no delayed unlock pending at the start of the shutdown": "not-pending",
    "no lock request later than maxLateRequest after the removal of the process queue": "not-later",
}
NAMES = {
    "maxLockDelay": "delay",
    "client.lockMaxLiveTime": "client",
    "broker.lockMaxLiveTime": "broker",
    "maxListenerTime": "listener",
    "unlockDelayTimeMills": "unlock",
    "maxRenewalGap": "renewal",
    "firstPullDelay": "first_pull",
    "maxLateRequest": "late",
}
CONDITION = "the exclusivity condition: "
SCOPE = ("go", "mixed", "local", "exact")
"""Not asked: Go, guarantees about code that the model takes as given, and the wait of a shutdown."""
EXACT, ALONE, LET_GO = "exact", "given-back", ("let-go", "kept-so-long")
AS_LONG = {"kept-so-long"}
TIMED = {*LET_GO}
SLOW = {
    "ordered.java_v4_9.exclusive.without-return",
    "ordered.java_v4_9.exclusive.without-unsubscribed",
    "ordered.java_v5_0.exclusive.without-overtaken",
    "ordered.java_v5_0.exclusive.without-return",
    "ordered.java_v5_0.exclusive.without-shutdown",
    "ordered.java_v5_0.exclusive.without-unsubscribed",
    "ordered.java_v5_2.exclusive.without-overtaken",
    "ordered.java_v5_2.exclusive.without-return",
    "ordered.java_v5_2.exclusive.without-shutdown",
    "ordered.java_v5_2.exclusive.without-unsubscribed",
}
"""Claims whose runs have many actions, or whose explorations have many states."""
DEFAULT = {"client": 3, "broker": 6, "listener": 1, "unlock": 4, "renewal": 2, "first_pull": 1}
"""Limits in ticks for claims that hold, within all conditions."""


def covered(said: Said) -> bool:
    """Whether the model answers a question about the claim; conditions have a comparison of their own."""
    return not any(one in said.claim.id.split(".") for one in SCOPE) and not conditional(said)


def conditional(said: Said) -> bool:
    """Whether the claim says that a condition on time limits is sufficient or necessary for exclusive listeners."""
    sufficient = said.guarantee == "exclusive" and said.claim.holds and "without" not in said.claim.id
    necessary = said.guarantee == EXACT and said.claim.variant != "shutdown"
    return said.client in JAVA and (sufficient or necessary)


def asked(said: Said, *, less: int = 0) -> tuple[str, ...] | None:
    """Return a shortest run that breaks the claim, or that exceeds its bound minus ``less``."""
    lim = DEFAULT if said.claim.holds else said.limits
    if said.guarantee in LET_GO:
        return _kept_for(said, {**lim, "late": 1}, less)
    model = _model(said, lim)
    if said.guarantee == ALONE:
        alone = State((Consumer(), Consumer(stage=CLOSED)))
        return shortest(alone, model.after, kept, model.later)
    return nearest(model.first(), model.after, runs_left, model.later)


def _model(said: Said, lim: Mapping[str, int], **more: bool) -> Ordered:
    return Ordered(JAVA[said.client], said.assumed, **lim, **more)


def _kept_for(said: Said, lim: Mapping[str, int], less: int) -> tuple[str, ...] | None:
    most = bound(said.claim.sentence, {name: lim[limit] for name, limit in NAMES.items() if limit in lim}) - less
    model = Ordered(JAVA[said.client], said.assumed, **lim, horizon=most + 1, stops=False)
    alone = State((Consumer(), Consumer(stage=CLOSED)))
    return shortest(alone, model.after, lambda s: s.unused > most and s.age <= model.broker, model.later)


def conditions(said: Said) -> list[str]:
    """Return the formulas about time limits that a claim assumes, or shows to be necessary."""
    texts = [one.removeprefix(CONDITION) for one in said.claim.where if one.startswith(CONDITION)]
    return texts or [one for one in said.claim.assumes if " <= " in one and "only consumers" not in one]


def met(condition: str, values: Mapping[str, int]) -> bool:
    """Return whether limits meet a condition in words, such as ``a + b <= c, and either d <= e or f < g``."""
    words = condition.replace("`", "").replace(" x ", " * ").replace(", and ", " and ").replace(", or ", " or ")
    words = re.sub(r"either (.*)", r"(\1)", words)
    name = "|".join(sorted(map(re.escape, values), key=len, reverse=True))
    formula = re.sub(rf"(?<![\w.])(?:{name})(?![\w.])", lambda known: str(values[known[0]]), words)
    return bool(eval(formula, {"__builtins__": {}, "min": min}))


def grid(said: Said) -> Iterator[dict[str, int]]:
    """Return small limits around the condition of a claim."""
    alike = "alike" in said.assumed
    for client, listener, renewal in product((1, 2), (0, 1, 2), (1, 2) if "renewed" in said.assumed else (1,)):
        for delay, first_pull in product((0, 1), (1, 2) if alike else (0,)):
            if first_pull > min(client, renewal):
                continue
            call = client if "renewed" not in said.assumed else min(client, renewal)
            for broker, unlock in product((-2, -1, 0, 1), (-1, 0, 1) if JAVA[said.client].forces else (0,)):
                lim = {"delay": delay, "client": client, "listener": listener, "renewal": renewal}
                lim |= {"first_pull": first_pull, "broker": delay + call + listener + broker}
                lim |= {"unlock": max(call + listener + unlock - first_pull, 0)}
                if lim["broker"] >= (delay + renewal if alike else 0):
                    yield lim


def differing(said: Said, chosen: Iterable[Mapping[str, int]]) -> list[tuple[bool, Mapping[str, int]]]:
    """Return limits for which the model does not confirm what a claim says about its condition.

    A claim that the condition is sufficient says nothing about other limits, and one that it is necessary says nothing
    about those that meet it.
    """
    needed = said.guarantee == EXACT
    found = ((all(met(one, named(lim)) for one in conditions(said)), lim) for lim in chosen)
    return [(meets, lim) for meets, lim in found if meets != needed and exclusive(said, lim) != meets]


def edge(said: Said) -> list[dict[str, int]]:
    """Return the largest of the small limits that meet the condition only just, or only just do not."""
    necessary = said.guarantee == EXACT
    at = [lim for lim in grid(said) if all(met(one, named(lim)) for one in conditions(said)) != necessary]
    step = -1 if necessary else 1  # one tick more or less of the broker's limit
    other = [
        lim
        for lim in at
        if necessary == all(met(one, named(lim | {"broker": lim["broker"] - step})) for one in conditions(said))
    ]
    return other[-1:]


def exclusive(said: Said, lim: Mapping[str, int]) -> bool:
    """Return whether no two listeners ever run at once, with these limits; no consumer is shut down."""
    model = _model(said, lim, stops=False)
    return nearest(model.first(), model.after, runs_left, model.later) is None


def named(lim: Mapping[str, int]) -> dict[str, int]:
    """Return limits by their names in claims."""
    return {name: lim[limit] for name, limit in NAMES.items() if limit in lim}
