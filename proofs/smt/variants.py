"""Equivalent rewordings of an SMT-LIB text, to test whether a proof depends on the wording."""

import random
import re

from rebalance_proofs.proofs.smt.text import declared, symbol


def variant(text: str, number: int) -> str:
    """Return the text with its constants renamed, and its declarations and assertions reordered.

    ``number`` selects the variant; 0 is the text itself. Definitions stay before the assertions that use them.
    """
    if number == 0:
        return text
    shuffle = random.Random(number)
    lines = [line for line in text.splitlines() if not line.startswith(";")]
    sorts = [line for line in lines if line.startswith("(declare-sort ")]
    declarations = [line for line in lines if line.startswith(("(declare-const ", "(declare-fun "))]
    definitions = [line for line in lines if line.startswith("(define-fun ")]
    assertions = [line for line in lines if line.startswith("(assert ")]
    shuffle.shuffle(declarations)
    shuffle.shuffle(assertions)
    body = "\n".join([*sorts, *declarations, *definitions, *assertions])
    names = declared(text, ".+")
    numbers = shuffle.sample(range(10 * len(names)), len(names))
    renamed = {symbol(name): f"v{place}" for name, place in zip(names, numbers, strict=True)}
    if renamed:
        body = re.sub(r"\|[^|]*\||[^\s()|]+", lambda match: renamed.get(match[0], match[0]), body)
    logic = next(line for line in lines if line.startswith("(set-logic "))
    return "\n".join([f"; variant {number}", logic, body, "(check-sat)"]) + "\n"
