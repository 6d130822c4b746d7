"""Recorded runs in which mutants break claims.

They save an exploration; the solvers check each run again.
"""

import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from rebalance_proofs.model.machine.run import Happens, Schedule
from rebalance_proofs.model.terms.values import Mutant
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.errors import UsageError

RECORDED = Path(__file__).with_name("recorded_runs.json")


def recorded_run(claim: Claim, mutant: Mutant) -> Schedule | None:
    """Return a recorded schedule in which the mutant broke the claim; None if there is none."""
    return _recorded().get(claim.id, {}).get(mutant.name)


@cache
def _recorded() -> Mapping[str, Mapping[str, Schedule]]:
    if not RECORDED.exists():
        return {}
    try:
        found = json.loads(RECORDED.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot read the recorded runs in {str(RECORDED)!r}: {error}") from error
    return {claim: {name: _read(actions) for name, actions in runs.items()} for claim, runs in found.items()}


def _read(actions: Iterable[tuple[int, str, Mapping[str, bool]]]) -> Schedule:
    return tuple(Happens(who, action, tuple(said.items())) for who, action, said in actions)


def written(runs: Mapping[str, Mapping[str, Schedule]]) -> str:
    """Return the content of the file of recorded runs, one line for each run.

    ``runs`` maps claim ids to mutants' names to schedules.
    """
    claims = []
    for claim, of in sorted(runs.items()):
        lines = [f"    {json.dumps(name)}: {_row(run)}" for name, run in sorted(of.items())]
        inside = ",\n".join(lines)
        claims.append(f"  {json.dumps(claim)}: {{\n{inside}\n  }}")
    return "{\n" + ",\n".join(claims) + "\n}\n"


def _row(run: Schedule) -> str:
    return json.dumps([[one.who, one.action, dict(one.said)] for one in run])
