"""How many obligations of each proved claim a full run certified: recorded for the pages of the ledger."""

import asyncio
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

from rebalance_proofs.proofs.certified.found import Certified, Share, digest, wanted
from rebalance_proofs.proofs.claim import Claim, Verdict

FILE = Path(__file__).with_name("recorded.json")


@dataclass(frozen=True)
class Recorded:
    """The certificates of one claim's obligations in the recorded run."""

    share: Share
    texts: str
    """Digest of the texts of the claim's obligations in that run."""


@cache
def recorded() -> Mapping[str, Recorded]:
    """Return what the recorded run certified, by the claims' ids."""
    found = json.loads(FILE.read_text(encoding="utf-8"))
    return {
        claim: Recorded(Share(of["obligations"], of["obligations"], of["uncertified"]), of["texts"])
        for claim, of in found.items()
    }


def texts_of(obligations: Iterable[str]) -> str:
    """Return the digest of the texts of a claim's obligations."""
    return sha256(" ".join(map(digest, obligations)).encode()).hexdigest()[:16]


def written(found: Certified) -> str:
    """Return the content of the recorded file, a line for each claim."""
    lines = []
    for claim, texts in found.claims.items():
        share = found.share(claim)
        assert share is not None
        told = {"obligations": share.obligations, "certified": share.certified, "uncertified": dict(share.uncertified)}
        lines.append(f"{json.dumps(claim)}: {json.dumps({**told, 'texts': texts_of(texts.values())})}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def certified(claims: Sequence[Claim], known: Mapping[str, Recorded], jobs: int = 1) -> Certified:
    """Produce and check a certificate of each obligation of the claims that are expected to hold.

    Certificates of claims that are fully certified in ``known``, and have the same texts, are not produced again.
    """
    from rebalance_proofs.proofs.certified.produce import certificates
    from rebalance_proofs.proofs.prove import Options

    every = {claim.id: dict(wanted(claim)) for claim in claims if claim.expected is Verdict.PROVED}
    texts = {digest(text): text for of in every.values() for text in of.values()}
    found = Certified(every, texts, len(texts))
    for claim, own in every.items():
        before = known.get(claim)
        if before and before.texts == texts_of(own.values()) and not before.share.uncertified:
            found.accepted.update(map(digest, own.values()))
    lacking = [(name, text) for name, text in texts.items() if name not in found.accepted]
    asyncio.run(certificates(lacking, Options(jobs=jobs), found.add))
    return found
