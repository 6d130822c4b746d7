"""Bugs in the rebalance thread."""

from rebalance_proofs.report.symptoms.bug import Bug, Said
from rebalance_proofs.report.symptoms.bugs.of_claims import of
from rebalance_proofs.report.symptoms.causes.of_clients import settling

__all__ = ["BUGS"]

BUGS = (
    Bug(
        "A wake-up is lost that comes just when the thread begins to wait, and all others during that wait.",
        10543,
        present=of(settling("woken.without-timely")),
    ),
    Bug(
        "Where notifications come one after the other, rebalances follow each other without a pause.",
        present=(Said("settling.java_v4_9_to_v5_1.apart"),),
        absent=(Said("settling.java_v5_2_to_v5_3.apart", "Java 5.2 to 5.3.3, where nobody resumes a consumer"),),
    ),
    Bug(
        "A consumer that is resumed, by its user or by a reset of offsets, rebalances beside the rebalance thread.",
        present=(
            *of(settling("alone.without-resume")),
            Said("settling.java_v5_2_to_v5_3.apart.without-resume"),
        ),
        unseen="what two rebalances at once come to is not claimed",
    ),
    Bug(
        "While brokers do not answer, a client does not rebalance for minutes.",
        3138,
        not_modelled="nothing bounds how long a rebalance of all groups takes: a limit of the claims `settling.*`",
    ),
)
