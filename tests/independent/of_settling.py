"""Questions about settling: what each claim's words mean in the model."""

from collections.abc import Callable

from tests.independent.comparing import Said
from tests.independent.exploring import shortest
from tests.independent.settling import JAVA, RUNS, Settling, State

SENTENCES = {
    "every rebalance that begins after the change gets the new member list": "",
    "every rebalance of all groups of the process ends within maxRebalance": "",
    "no delay in the rebalance thread besides waits and rebalances (add pauses of the process to the time)": "",
    "a process that keeps running": "",
    "no clock jumps": "",
    "a notification of the last membership change": "",
    "no wake-up since the start of the last rebalance before the two rebalances of the claim": "",
    "every rebalance after the change succeeds: no exception, no missing answer, no suspended group": "succeeds",
    "a timer that ends every wait after `rocketmq.client.rebalance.waitInterval`": "timer",
    "no interrupt of the rebalance thread": "no-interrupt",
    "no wake-up between the thread's check of its flag and the reset of its latch": "timely",
    "no resume and no offset reset of a consumer of the process: both rebalance in the caller's thread": "unresumed",
}
NAMES = {"waitInterval": "wait", "minInterval": "least", "maxRebalance": "loop"}
TIMED = {"settles", "as-long", "woken"}
SLOW = {
    "settling.java_v4_9_to_v5_1.settles.fails",
    "settling.java_v5_2_to_v5_3.settles",
    "settling.java_v5_2_to_v5_3.settles.fails",
    "settling.java_v5_2_to_v5_3.as-long",
    "settling.java_v5_2_to_v5_3.woken",
    "settling.java_v5_5_1.settles",
    "settling.java_v5_5_1.settles.fails",
    "settling.java_v5_5_1.as-long",
    "settling.java_v5_5_1.woken",
}
"""Claims whose explorations have many states."""
ABOUT = {"settles": {"change"}, "as-long": {"change"}, "woken": {"change"}, "alone": {"other"}, "apart": {"other"}}
"""What may happen, where it matters for a guarantee."""


def _hurried(s: State, wait: int, least: int) -> bool:
    woken = s.woken[1] or s.woken[2]
    return s.at == RUNS and s.gap >= 0 and not woken and s.gap < (wait if s.balanced else least)


def covered(said: Said) -> bool:
    """Whether the model answers a question about the claim: about all of them."""
    return True


def asked(said: Said, *, less: int = 0) -> tuple[str, ...] | None:
    """Return a shortest run that breaks the claim, or that exceeds its bound minus ``less``."""
    lim, name = said.limits, said.guarantee
    most = said.bound(NAMES) - less if name in TIMED else 0
    assumed = said.assumed if name == "settles" else {*said.assumed, "timer"}
    about = ABOUT.get(name, set())
    model = Settling(JAVA[said.client], assumed, about, **lim, owed=most, horizon=most + 1)
    wait, least = lim["wait"], lim["least"]
    bad: dict[str, Callable[[State], bool]] = {
        "settles": lambda s: s.change >= 0 and not s.right and s.due < 0,
        "as-long": lambda s: s.change > most and not s.right,
        "woken": lambda s: s.heard > most and not s.right,
        "waits": lambda s: _hurried(s, wait, least if model.release.least else wait),
        "one-wait": lambda s: s.spent_twice,
        "alone": lambda s: s.at == RUNS and s.other >= 0,
        "apart": lambda s: (s.at == RUNS and 0 <= s.gap < least) or (s.other >= 0 and 0 <= s.other_gap < least),
    }
    return shortest(model.first(), model.after, bad[name], model.later)
