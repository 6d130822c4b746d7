"""Complete a question from the output of ``mqadmin``, and list causes of several symptoms once."""

from collections.abc import Sequence
from dataclasses import replace

from rebalance_proofs.report.modes import MODES
from rebalance_proofs.report.symptoms.answer import Found, order
from rebalance_proofs.report.symptoms.asked import Asked, UnknownName, asked
from rebalance_proofs.report.symptoms.cause import Symptom
from rebalance_proofs.report.symptoms.mqadmin.read import Printed


def question_of(printed: Printed, told: Asked) -> Asked:
    """Return the user's question ``told``, completed with client and mode if all members agree on them."""
    versions = {version for one in printed.lists for _, version in one.members}
    versions |= {one.version for one in printed.members}
    modes = {one.mode for one in printed.members}
    mode = modes.pop() if len(modes) == 1 else ""
    known = replace(told, mode=told.mode or (mode if mode in MODES else ""))
    if told.release or len(versions) != 1:
        return known
    try:
        printed_by = asked(versions.pop())
    except UnknownName:
        return known
    return replace(known, release=printed_by.release, remark=printed_by.remark)


def once(every: Sequence[Found], first: Symptom | None = None) -> tuple[Found, ...]:
    """Return each cause once, best fit first. A cause of several symptoms is returned for ``first`` if possible."""
    by_cause: dict[str, Found] = {}
    for one in sorted(every, key=lambda one: (one.effect.symptom is not first, *order(one))):
        by_cause.setdefault(one.cause.name, one)
    return tuple(sorted(by_cause.values(), key=order))
