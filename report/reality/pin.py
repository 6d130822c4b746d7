"""``python -m rebalance_proofs.report.reality.pin``: rewrite the pinned evidence from recordings and packages."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.recorded.cluster.judge import CHECKS
from rebalance_proofs.recorded.cluster.requests import Calls
from rebalance_proofs.recorded.cluster.trace import Trace
from rebalance_proofs.recorded.groups.run import all_shipped
from rebalance_proofs.recorded.grpc.check import Checked, checked, shipped
from rebalance_proofs.recorded.grpc.events import Answer, Create, Failed, OfQueue, Received, Table, load
from rebalance_proofs.recorded.packages.install import NAMES, Package
from rebalance_proofs.report.reality.differs import same_machine
from rebalance_proofs.report.reality.monitored import monitored
from rebalance_proofs.report.reality.monitors import receiving
from rebalance_proofs.report.reality.told import FILE, OF_SDKS, Told, happenings, helds, releases
from rebalance_proofs.report.reality.wrong import CLIENTS
from rebalance_proofs.report.released.table import sdks
from rebalance_proofs.report.steps import client, model, release

STEPS = 4
"""Length of the sequences of steps in which claims about compared packages are checked; longer ones take minutes."""


def row(trace: Trace) -> dict[str, Any]:
    """Return the evidence from one recording, as JSON for the file of pinned evidence."""
    told = monitored(trace)
    return {
        "releases": sorted({trace.release(who) for who in trace.consumers}),
        "accepted": {machine: found for machine in CLIENTS if (found := dict(_accepted(trace, machine)))},
        **_claims(told),
    }


def _claims(told: list[Told]) -> dict[str, Any]:
    """Return what monitors have found about each claim."""
    return {
        "kept": _by_claim((held.claim, held.what, held.opportunities) for held in helds(told) if not held.against),
        "happened": _by_claim((claim, one.what, one.times) for one in happenings(told) for claim in one.claims),
        "broken": _by_claim((held.claim, held.what, held.against) for held in helds(told) if held.against),
        "monitored": _named(told),
    }


def _named(told: list[Told]) -> list[str]:
    return sorted({claim.id for one in told for claim in (*one.claims, *one.can)})


def _by_claim(rows: Iterator[tuple[str, str, int]]) -> dict[str, dict[str, int]]:
    found: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for claim, what, times in rows:
        found[claim][what] = found[claim].get(what, 0) + times
    return dict(sorted(found.items()))


def _accepted(trace: Trace, machine: str) -> Iterator[tuple[str, dict[str, int]]]:
    """Yield (client name in claims, explained events by release) for each modelled client in the recording.

    The model can have several clients of one release, such as one with other settings. For each, the recording is
    checked again with that client's actions, if all recorded consumers have one of its releases.
    """
    subjects = {one.name: one for claim in LEDGER if claim.kind == machine for one in claim.subjects}
    calls = Calls(trace)
    tally = CHECKS[machine](trace, calls)
    if not tally.accepted:
        return
    here = {trace.release(who) for who in trace.consumers}
    for name, one in subjects.items():
        own = {
            key: events for key, events in tally.by.items() if key[1] in releases(one) and _meant(subjects[key[0]], one)
        }
        found: Counter[str] = Counter()
        if all(same_machine(subjects[client], one) for client, _ in own):
            for (_, release), events in own.items():
                found[release] += events
        elif own and here <= {*releases(one)}:
            anew = CHECKS[machine](replace(trace, encodings={machine: partial(_of, one)}), calls)
            for (client, release), events in anew.by.items() if anew.accepted else ():
                if _meant(subjects[client], one):
                    found[release] += events
        if found:
            yield name, dict(found)


def _of(one: Any, client: Any) -> Any:
    """Return the actions of ``one``, which replace those of ``client``.

    None if ``client`` is of another machine.
    """
    return one.encoding if client.machine is one.machine else None


def _meant(client: Any, claimed: Any) -> bool:
    """Return True if claims about ``claimed`` apply to consumers that were checked as ``client``."""
    same = getattr(client, "fingerprints", None) == getattr(claimed, "fingerprints", None)
    return same and client.machine is claimed.machine


FOLLOWED = (Answer, Failed, Create, OfQueue, Received, Table)
"""Events of a gRPC member that are compared with its model."""


def row_of_members(found: Checked) -> dict[str, Any]:
    """Return the evidence from one recording with gRPC members, as ``row`` does.

    Events of a member count as accepted if the model excludes no event of the recording.
    """
    told: list[Told] = []
    accepted: defaultdict[str, Counter[str]] = defaultdict(Counter)
    clients: set[str] = set()
    for who in found.followers:
        package = Package(NAMES[found.members[who].client], found.members[who].version)
        clients.add(release(package))
        told += receiving.told(model(package), receiving.recorded(found, who))
        events = sum(isinstance(event, FOLLOWED) for _, event in found.recording.events.get(who, ()))
        accepted[model(package)][release(package)] += 0 if found.problems else events
    return {"releases": sorted(clients), "accepted": {receiving.KIND: accepted}, **_claims(told)}


def row_of_package(package: Package, steps: int, compared: int) -> dict[str, Any]:
    """Return the evidence of a package that equals the model in ``compared`` sequences of up to ``steps`` steps.

    Claims are checked in all sequences of up to ``STEPS`` of these steps.
    """
    one = client(package)
    made = receiving.sequences(one.made, min(steps, STEPS))
    accepted = {one.name: {release(package): compared}}
    told = receiving.told(one.name, made)
    return {"releases": [release(package)], "accepted": {receiving.KIND: accepted}, **_claims(told)}


def written(rows: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the text of the file of pinned evidence, from the evidence of each recording."""
    return json.dumps(rows, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def text() -> str:
    """Return the text of the file of pinned evidence, from the recordings in this package."""
    traces = (
        (name, Trace.read(run, name.partition("/")[0].removeprefix("java-"))) for name, run in all_shipped().items()
    )
    return written({name: row(trace) for name, trace in traces})


def text_of_sdks() -> str:
    """Return the text of the file about gRPC clients, from the recordings and the results of packages."""
    packages = [(Package(NAMES[one["name"]], one["version"]), one) for one in sdks() if not one["differ"]]
    return written(
        {
            "recordings": {name: row_of_members(checked(load(folder))) for name, folder in shipped().items()},
            "packages": {str(one): row_of_package(one, of["steps"], of["sequences"]) for one, of in packages},
        }
    )


if __name__ == "__main__":
    Path(__file__).with_name(OF_SDKS).write_text(text_of_sdks(), encoding="utf-8")
    Path(__file__).with_name(FILE).write_text(text(), encoding="utf-8")
