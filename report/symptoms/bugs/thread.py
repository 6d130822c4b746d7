"""Bugs in the rebalance thread."""

from rebalance_proofs.model.releases import java_from
from rebalance_proofs.report.symptoms.bug import Bug, Said
from rebalance_proofs.report.symptoms.bugs.of_claims import of
from rebalance_proofs.report.symptoms.causes.of_clients import settling

__all__ = ["BUGS"]

BUGS = (
    Bug(
        "The rebalance thread misses a wake-up that comes just when it begins to wait, and all others during that "
        "wait.",
        10543,
        present=of(settling("woken.without-timely")),
        absent=(Said("settling.java_v5_5_1.woken", "fixed in 5.5.1 (`ServiceThread` of `rocketmq-common`)"),),
    ),
    Bug(
        "After an interrupt, the rebalance thread is busy, and rebalances follow each other after minInterval, until a "
        "call clears the interrupt.",
        present=(Said("settling.java_v5_5_1.one-wait", "5.5.1 (`ServiceThread` of `rocketmq-common`)"),),
        absent=of(settling("one-wait")),
        unseen="RocketMQ itself never interrupts the rebalance thread",
    ),
    Bug(
        "If notifications arrive one after another, rebalances follow each other without a pause.",
        present=(Said("settling.java_v4_9_to_v5_1.apart"),),
        absent=(Said("settling.java_v5_2_to_v5_3.apart", f"{java_from('5.2')}, if no consumer is resumed"),),
    ),
    Bug(
        "A consumer that is resumed, by its user or by an offset reset, rebalances beside the rebalance thread.",
        present=(
            *of(settling("alone.without-resume")),
            Said("settling.java_v5_2_to_v5_3.apart.without-resume"),
        ),
        unseen="no claim covers the effect of two concurrent rebalances",
    ),
    Bug(
        "A client does not rebalance for minutes while brokers do not answer.",
        3138,
        not_modelled="no limit bounds the duration of a rebalance of all groups, which the claims `settling.*` take as "
        "given",
    ),
)
