"""Obligations about all paths of a strategy's code together.

No path is missing, and invalid arguments raise.
"""

from functools import partial
from types import SimpleNamespace

from rebalance_proofs.model.allocation.check import AllocationError
from rebalance_proofs.model.allocation.room_encoding import RoomEncoding
from rebalance_proofs.model.allocation.strategy import Encoding
from rebalance_proofs.model.terms import smt
from rebalance_proofs.proofs.code.explore import Path
from rebalance_proofs.proofs.code.statements import Taken
from rebalance_proofs.proofs.code.subject import Subject, listed, paths, premises
from rebalance_proofs.proofs.obligation import Obligation, Statement, truth_values


def whole(subject: Subject) -> tuple[Obligation, ...]:
    """Return the obligations about all paths together."""
    known = subject.unknowns
    any_id = (*known, "named", "listed")
    found = (
        Obligation(
            "refuses", "The code throws exactly for an empty id or an empty list.", any_id, partial(refuses, subject)
        ),
        Obligation("unlisted", "A consumer that is not in cidAll takes no queue.", any_id, partial(unlisted, subject)),
        Obligation(
            "paths", "Every consumer in cidAll follows one of the listed paths.", known, partial(complete, subject)
        ),
    )
    if not subject.rooms:
        return found
    said = "A queue of mqAll is selected exactly if the encoding selects brokers of that kind."
    return (*found, Obligation("kept", said, ("m", "kind", "at"), partial(kept, subject)))


def _over(path: Path, v: SimpleNamespace) -> smt.BoolTerm:
    return smt.substitute(path.condition, *((smt.Int(name), value) for name, value in vars(v).items()))


def refuses(subject: Subject, e: Encoding, v: SimpleNamespace) -> Statement:
    """State that the code raises exactly for an empty id or an empty list.

    The lists have any length.
    """
    queues = v.m if subject.rooms else v.q
    thrown = [_over(path, v) for path in paths(subject) if path.raises is AllocationError]
    others = [_over(path, v) for path in paths(subject) if path.raises not in (None, AllocationError)]
    given = {"lists of any length": smt.And(queues >= 0, v.c >= 0)} | truth_values(v, "named", "listed")
    refused = smt.Or(v.named == 0, queues == 0, v.c == 0)
    return Statement(given, smt.And(smt.Or(thrown) == refused, smt.Not(smt.Or(others))))


def unlisted(subject: Subject, e: Encoding, v: SimpleNamespace) -> Statement:
    """State that a consumer that is not in cidAll gets no queue."""
    ways = [path for path in paths(subject) if not path.raises and not path.segments and not path.guards]
    given = premises(subject, v) | {"its id is not empty": v.named == 1, "it is not listed": v.listed == 0}
    return Statement(given, smt.Or([_over(path, v) for path in ways]))


def complete(subject: Subject, e: Encoding, v: SimpleNamespace) -> Statement:
    """State that for every consumer in cidAll the code takes one of the explored paths."""
    ways = [Taken(paths(subject)[number], v).condition for number in listed(subject)]
    return Statement(premises(subject, v), smt.Or(ways))


def kept(subject: Subject, e: RoomEncoding, v: SimpleNamespace) -> Statement:
    """State that the code selects exactly the queues of mqAll that the encoding selects."""
    given = {
        "a position of mqAll": smt.And(0 <= v.at, v.at < v.m),
        "its broker is of some kind": smt.And(0 <= v.kind, v.kind < len(subject.inputs.names)),
    }
    found = {str(rule): rule for path in paths(subject) for rule in path.kept}
    over = [(smt.Int(name), value) for name, value in vars(v).items()]
    return Statement(given, smt.And([smt.substitute(rule, *over) == e.keeps(v.kind) for rule in found.values()]))
