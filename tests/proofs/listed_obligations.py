"""Which obligations and lemmas each proved claim rests on: pinned, so that none gets lost unseen.

``python -m tests.proofs.listed_obligations`` writes the pins anew; who has changed a proof on purpose reads the
difference.
"""

import json
from collections.abc import Mapping
from pathlib import Path

from rebalance_proofs.proofs.ledger import LEDGER

FILE = Path(__file__).with_suffix(".json")


def listed() -> Mapping[str, list[str]]:
    """Names of obligations and lemmas, in their order -> the claims that rest on exactly these."""
    found: dict[str, list[str]] = {}
    for claim in LEDGER:
        if claim.holds:
            names = ", ".join(one.name for one in (*claim.obligations, *claim.lemmas))
            found.setdefault(names, []).append(claim.id)
    return found


def main() -> None:
    """Write the pins."""
    FILE.write_text(json.dumps(listed(), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
