"""Answer questions about times: how long a dead consumer stays listed, and how soon others take its queues over."""

import re
from collections.abc import Iterator

from rebalance_proofs.language import gettext
from rebalance_proofs.report.text.english import seconds

ASKS = re.compile(
    r"\bhow (?:long|soon|quick(?:ly)?|fast|much time|many (?:seconds|minutes))\b"
    r"|\b(?:after|in) (?:what|which) time\b|\bafter how (?:long|many)\b"
    r"|\bwhat is the (?:time ?out|delay|maximum time)\b"
    r"|多久|多长时间|多少时间|多少秒|多少分钟|几秒钟?(?:后|才|会|能)|几分钟(?:后|才|会|能)|什么时候(?:才|会|能)",
    re.I,
)
"""Words that ask for a time."""
OF_AN_EVENT = re.compile(
    r"\btak(?:e|es|en|ing)[ -]?over|\bre-?balanc|\bre-?assign|\bredistribut|\bre-?allocat|\bremov|\bkick|\bevict"
    r"|\bdetect|\bnotic|\boffline|\bcrash|\bdead\b|\bdie[sd]?\b|\bkill|\b(?:is|goes|went) down\b|\bvanish"
    r"|\bfail-?over|\bexpir|\bjoin|\bscal(?:e|ing)|\bheart ?beat"
    r"|\b(?:consumer|pod|member|client)s? (?:leaves|left|stops|restarts)"
    r"|踢|剔除|移除|摘除|接管|转移|下线|离线|宕机|挂掉|挂了|崩溃|死掉|感知|重平衡|rebalance|负载均衡|重新分配|扩容|缩容|心跳|断开",
    re.I,
)
"""Events of consumers and their queues that take a time."""
UNTIL = re.compile(
    r".*\bhow (?:(?:many|much) )?\w+ (?:until|before|it takes|does|do|will|would|is|are|can|after)\b"
    r"|.*(?:多久|多长时间|多少秒|多少时间|时候)[后之]?(?:才|会|能|可以)|.*(?:要|需要|需|花|经过)(?:多久|多长时间|多少)",
    re.I | re.S,
)
"""Words of a question about a time although a symptom is named."""


def asks_how_long(text: str, symptom: bool) -> bool:
    """Return True if the text asks how long an event of a group takes; ``symptom``: it names a symptom, too."""
    if not ASKS.search(text) or not OF_AN_EVENT.search(text):
        return False
    return not symptom or bool(UNTIL.match(text))


def durations() -> Iterator[str]:
    """Yield the times with default settings, and the command that computes them for other settings."""
    # Imported here because the models take long to load, and most questions are not about times.
    from rebalance_proofs.model.machines.ordered.state import DEFAULTS as ORDERED
    from rebalance_proofs.model.machines.registry.state import DEFAULTS as REGISTRY
    from rebalance_proofs.model.machines.settling import DEFAULTS as SETTLING

    wait, loop, expired, scan = map(_ms, (SETTLING.wait, SETTLING.loop, REGISTRY.expired, REGISTRY.scan))
    first_pull, lock = map(_ms, (ORDERED.first_pull, ORDERED.broker))
    taken = wait + 2 * loop + first_pull
    removed = expired + scan
    yield gettext("Understood: a question about the time until queues are taken over.")
    yield gettext("Times with default settings, for one event in a calm group:")
    yield gettext(
        "  - A consumer's process ends or crashes: its connections close, so the broker removes it at once and "
        "notifies the group. Its queues are consumed again mostly within seconds, at the latest after {taken}: "
        "rebalance timer {wait}, and two rebalances of {loop}."
    ).format(taken=seconds(taken), wait=seconds(wait), loop=seconds(loop))
    yield gettext(
        "  - Its host or network vanishes without closing the connections: the broker removes it {expired} after its "
        "last heartbeat, checked every {scan}, so after {removed} at the latest. Its queues are consumed again after "
        "at most {taken}. A shorter heartbeat interval does not change this."
    ).format(
        expired=seconds(expired),
        scan=seconds(scan),
        removed=seconds(removed),
        taken=seconds(removed + taken),
    )
    yield gettext(
        "  - Ordered consumption, in addition: a process that ended without unlocking its queues holds their locks at "
        "the broker for {lock} after the last renewal."
    ).format(lock=seconds(lock))
    yield gettext("  - A consumer joins or leaves by shutdown(): at the latest after {taken}.").format(
        taken=seconds(taken)
    )
    yield gettext(
        "For your version, event and settings: rebalance settle --client 5.3.3 --event host-lost (or crash, join)"
    )


def _ms(time: object) -> int:
    """Return a time of the default settings, which are numbers and no terms of a solver."""
    assert isinstance(time, int)
    return time
