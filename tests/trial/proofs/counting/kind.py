"""Claims about workers: with a lock no addition is lost; without a lock one can be."""

from dataclasses import dataclass, replace

from rebalance_proofs.model.machine.client import Code, MachineClient, Wrong
from rebalance_proofs.model.machine.record import Record
from rebalance_proofs.model.machine.run import Run
from rebalance_proofs.model.machine.world import MachineWorld
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.counting.machine import NOTHING_LOST, WORKERS, Worker
from rebalance_proofs.proofs.machine.configuration import Configuration
from rebalance_proofs.proofs.machine.kind import machine_kind, proved_by_induction, stated

NAME, *_, lost = NOTHING_LOST
FOR_ALL, EXISTS = "for all numbers of workers", "the shortest run is shown"
KEPT = ("value", "reading", "seen")
CODE = Code(
    made=lambda limits: Worker(),
    put=lambda worker, s, c: vars(worker).update({name: getattr(s, name) for name in KEPT}),
    seen=lambda worker: {name: getattr(worker, name) for name in KEPT},
    calls={name: lambda worker, s, c, name=name: getattr(worker, name)() for name in WORKERS.actions},
    unguarded=frozenset({"others"}),
)
NO_LOCK = Wrong(
    "no-lock",
    "the lock keeps nobody out",
    lambda s, c, lim, turn: replace(turn, guard=True),
    "others",
    breaks=NAME,
    of=lambda workers: workers.locks,
)
TOO_MUCH = Wrong(
    "too-much", "Whatever happens, it says more.", lambda s, c, lim, turn: turn.but(value=turn.after.value + 1)
)


@dataclass(frozen=True)
class Workers(MachineClient):
    """Workers with a lock, or without one."""

    name: str
    rocketmq_name: str
    locks: bool
    machine, wrong, made, code = WORKERS, (NO_LOCK,), Worker, CODE


class Whatever(MachineWorld):
    """The world of the claims."""

    kind = "counting"


def said(run: Run) -> str | None:
    """Sentence about a run that loses an addition; None for other runs."""
    s = run.end
    return f"{s.added} workers have added one, and the counter says {s.value}." if lost(s, run.limits) else None


CONFIGURATION = Configuration(WORKERS, lambda claim: lost, Record(), ticks=Record(), limit=5, gives_up=True)
WHATEVER = Whatever("whatever", ("other workers count whenever the lock lets them",))
CLIENTS = (Workers("with-lock", "Workers with a lock", True), Workers("without-lock", "Workers without a lock", False))


def claims() -> tuple[Claim, ...]:
    """One claim for each client."""
    return tuple(_claim(client) for client in CLIENTS)


def _claim(client: Workers) -> Claim:
    given = proved_by_induction(CONFIGURATION, client, *NOTHING_LOST, said)
    return stated(client, given, WHATEVER, FOR_ALL if client.locks else EXISTS, holds=client.locks)


COUNTING = machine_kind(CONFIGURATION, claims, (TOO_MUCH,))
