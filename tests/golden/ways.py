"""The runs by which it is shown that a condition of time is the exact one: one of several would do for the proof."""

from collections.abc import Iterator

from rebalance_proofs.model.machines.ordered.assumptions import Time, Ways
from rebalance_proofs.model.machines.ordered.state import DEFAULTS
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import simplify
from rebalance_proofs.proofs.ledger import LEDGER


def ways() -> Iterator[str]:
    """Of each client's claims about it: each action with its choices, and its time in ms with limits as shipped."""
    for claim in LEDGER:
        if claim.kind == "ordered" and claim.guarantee.name == "exact" and claim.holds:
            yield claim.id
            found = Ways(claim.subjects[0], claim.world, DEFAULTS.terms())
            known = [(term, smt.IntVal(getattr(DEFAULTS, name))) for name, term in vars(DEFAULTS.terms()).items()]
            for kind in (found.runs_out, found.forced, found.shut_down):
                for run in kind():
                    deeds = ", ".join(
                        f"{'XY'[happens.who]} {happens.action}"
                        f"{''.join(f' {name}' for name, so in happens.said if so)} at {_ms(time, known)}"
                        for happens, time in run
                    )
                    yield f"  {kind.__name__}: {deeds}"


def _ms(time: Time, known: list[tuple[smt.IntTerm, smt.IntTerm]]) -> str:
    return str(time if isinstance(time, int) else simplify(smt.substitute(time, *known)))
