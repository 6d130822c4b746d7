"""Compare the checker with Ethos, the checker of cvc5's authors, on certificates and on mutated ones.

``python -m tests.proofs.certificates.ethos ETHOS SIGNATURE`` compares 200 certificates. ``ETHOS`` is the program, built
from github.com/cvc5/ethos; ``SIGNATURE`` is the file ``proofs/eo/cpc/Cpc.eo`` of github.com/cvc5/cvc5.
"""

import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from rebalance_proofs.proofs.certificates.checking import check
from rebalance_proofs.proofs.certificates.terms import Refused
from rebalance_proofs.proofs.certified.found import digest, wanted
from rebalance_proofs.proofs.certified.produce import proof
from rebalance_proofs.proofs.ledger import LEDGER
from tests.proofs.certificates.test_checking import mutated

NUMBER = 200


def accepted(text: str, certificate: str) -> bool:
    """Return whether the project's checker accepts a certificate."""
    try:
        return check(text, certificate) > 0
    except Refused:
        return False


def accepted_by_ethos(ethos: str, signature: str, text: str, certificate: str) -> bool:
    """Return whether Ethos accepts a certificate as a proof of false from the text's assertions."""
    with TemporaryDirectory() as folder:
        reference, script = Path(folder, "text.smt2"), Path(folder, "proof.eo")
        reference.write_text(text, encoding="utf-8")
        body = certificate.strip().removeprefix("(").removesuffix(")")
        script.write_text(f'(include "{signature}")\n(reference "{reference}")\n{body}\n', encoding="utf-8")
        called = subprocess.run(
            [ethos, "--require-proof-of-false", "--reference-define-fun", str(script)],
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
    return called.returncode == 0 and called.stdout.strip() == "correct"


def compared(ethos: str, signature: str) -> Counter[str]:
    """Return how often both checkers accept or refuse, or differ."""
    texts = {digest(text): text for claim in LEDGER if claim.holds for text in wanted(claim).values()}
    random = Random(0)
    found: Counter[str] = Counter()
    for name in random.sample(sorted(texts), NUMBER):
        whole = proof(texts[name], {})
        for kind, certificate in (("certificate", whole), ("mutant", mutated(random, whole))):
            ours = accepted(texts[name], certificate)
            theirs = accepted_by_ethos(ethos, signature, texts[name], certificate)
            said = ("refused", "accepted")[ours]
            found[f"{kind} {said} by both" if ours == theirs else f"{kind} {said} by this checker alone: {name}"] += 1
    return found


if __name__ == "__main__":
    for said, times in sorted(compared(*sys.argv[1:]).items()):
        print(f"{times:4} {said}")
