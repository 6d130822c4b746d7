"""Pinned files that come with the package, because commands read them; each computed as its own module computes it."""

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.pins.pin import ROOT

# Imports inside functions: every file is computed in a process that loads only what it needs.


def commands() -> bytes:
    """Return the options of all commands."""
    from rebalance_proofs.cli.completion.written import described, text
    from rebalance_proofs.cli.main import cli

    return text(described(cli)).encode()


def knowledge() -> bytes:
    """Return the compiled causes, lines and words."""
    from rebalance_proofs.recorded.knowledge.sources import compiled

    return _dumped(compiled(), 1)


def statements() -> bytes:
    """Return the log statements that belong to no known line."""
    from rebalance_proofs.recorded.knowledge.statements.inventory import others

    return _dumped(others(), 0)


def questions() -> bytes:
    """Return the weights learned from the questions; they are learned only after a change of the questions."""
    from rebalance_proofs.recorded.knowledge.learned import digest, learned
    from rebalance_proofs.recorded.knowledge.similar import INDEX
    from rebalance_proofs.recorded.knowledge.sources import asked

    known, now = INDEX.read_bytes(), asked()
    return known if json.loads(known)["questions"] == digest(now) else _dumped(learned(now), 0)


def _dumped(document: Any, indent: int) -> bytes:
    return (json.dumps(document, ensure_ascii=False, indent=indent) + "\n").encode()


def index() -> bytes:
    """Return the index of all claims."""
    from rebalance_proofs.report.index.made import made, written

    return written(made()).encode()


def vectors() -> bytes:
    """Return the numbers of recorded results that each part of the model reproduces."""
    from rebalance_proofs.recorded.compared import table

    return table().encode()


def observed() -> bytes:
    """Return the evidence from recorded groups."""
    from rebalance_proofs.report.reality.pin import text

    return text().encode()


def observed_sdks() -> bytes:
    """Return the evidence from recordings with gRPC members, and from compared packages of gRPC clients."""
    from rebalance_proofs.report.reality.pin import text_of_sdks

    return text_of_sdks().encode()


def two_events() -> bytes:
    """Return the longest times around two events, explored for every client."""
    from rebalance_proofs.report.ordered.two_events import text

    return text().encode()


def explored() -> bytes:
    """Return the results of exploring the standard groups."""
    from rebalance_proofs.evidence.groups import record

    with TemporaryDirectory() as place:
        record(file := Path(place) / "groups.json")
        return file.read_bytes()


def digests() -> bytes:
    """Return the digests of the standard enumerations, after enumerating all of them."""
    from rebalance_proofs.evidence.digests import FILE, record

    options: Mapping[str, list[str]] = {"default": [], "quick": ["--quick"], "thorough": ["--thorough"]}
    with TemporaryDirectory() as place:
        file = Path(place) / FILE.name
        for name, words in options.items():
            output = Path(place) / name
            command = (sys.executable, "-m", "rebalance_proofs", "enumerate", *words, "--output", str(output))
            subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, check=False)  # other digests are status 1
            record(output / "results.json", file)
        return file.read_bytes()


def models() -> bytes:
    """Return the models that answer queries of the solvers."""
    from rebalance_proofs.proofs.claim import Verdict
    from rebalance_proofs.proofs.ledger import LEDGER
    from rebalance_proofs.proofs.models.known import written
    from rebalance_proofs.proofs.models.record import learnt

    return written(learnt([claim for claim in LEDGER if claim.expected is Verdict.PROVED]))


def mutants() -> bytes:
    """Return the runs in which mutants break claims."""
    from rebalance_proofs.proofs.ledger import LEDGER
    from rebalance_proofs.proofs.mutation.record import shortest
    from rebalance_proofs.proofs.mutation.recorded_runs import written
    from rebalance_proofs.proofs.solvers.pool import Pool

    return written(shortest(LEDGER, Pool((), jobs=1))).encode()


def certified() -> bytes:
    """Return how many obligations of each proved claim are certified, after certifying those with changed texts."""
    from rebalance_proofs.proofs.certified.recorded import certified, recorded, written
    from rebalance_proofs.proofs.ledger import LEDGER

    return written(certified(LEDGER, recorded())).encode()
