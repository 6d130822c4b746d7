"""Claims that a strategy's ``allocate`` code computes the same as the strategy's encoding.

The code is run symbolically, on lists of any length.
"""

from dataclasses import replace

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from rebalance_proofs.model.allocation.broker_names import KINDS
from rebalance_proofs.model.allocation.machine_room import MACHINE_ROOM
from rebalance_proofs.model.allocation.machine_room_go import MACHINE_ROOM_GO
from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.worlds.agreed import AGREED
from rebalance_proofs.proofs.allocation.stated import stated
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.code.explore import Inputs
from rebalance_proofs.proofs.code.guarantee import guarantee
from rebalance_proofs.proofs.code.source import code_of
from rebalance_proofs.proofs.code.subject import Subject

ROOMS = Inputs("m", "q", KINDS)

SUBJECTS: tuple[tuple[Strategy, Inputs, bool | None, tuple[str, ...]], ...] = (
    (AVERAGELY, Inputs(), False, ("dropped-min", "le-for-lt", "mod-left-out")),
    (AVERAGELY_BY_CIRCLE, Inputs(), False, ("ge-for-eq", "count-rounded-up")),
    (MACHINE_ROOM, ROOMS, True, ("remainder-from-the-front", "no-remainder")),
    (MACHINE_ROOM_GO, ROOMS, None, ("remainder-from-the-front", "block-rounded-up")),
)
"""Strategy -> its code with symbolic inputs, and mutants that its claim must reject.

``Subject.reads`` names the list that the result refers to. Tests apply all mutants of the encoding.
"""


def subject_of(strategy: Strategy) -> Subject:
    """Return the code of the strategy, with its symbolic inputs.

    Raises ``LookupError`` for a strategy without such claims.
    """
    for known, inputs, reads, _ in SUBJECTS:
        if known is strategy:
            return Subject(code_of(strategy.allocate), inputs, reads)
    raise LookupError(f"{strategy.name}: its code cannot be analysed")


def claims() -> tuple[Claim, ...]:
    """Return all claims about executed code, in the order of the ledger."""
    return tuple(_claim(strategy, noticed) for strategy, _, _, noticed in SUBJECTS)


def _claim(strategy: Strategy, noticed: tuple[str, ...]) -> Claim:
    found = guarantee(subject_of(strategy), strategy.encoding, SOURCES[strategy.name])
    about = f"{strategy.rocketmq_name}{' (Go)' if strategy is MACHINE_ROOM_GO else ''}"
    return replace(stated("code", (strategy,), found, AGREED, about=about), notices=noticed)


_JAVA = "https://github.com/apache/rocketmq/blob/develop/client/src/main/java/org/apache/rocketmq/client/consumer/rebalance/"
SOURCES = {
    "avg": f"{_JAVA}AllocateMessageQueueAveragely.java",
    "circle": f"{_JAVA}AllocateMessageQueueAveragelyByCircle.java",
    "room": f"{_JAVA}AllocateMessageQueueByMachineRoom.java",
    "room-go": "https://github.com/apache/rocketmq-client-go/blob/master/consumer/strategy.go",
}
"""Strategy -> address of the RocketMQ file that its Python code was translated from."""
