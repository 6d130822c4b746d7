"""Docs pages about the ledger: ``python -m rebalance_proofs.report.ledger [DIR]`` writes ledger.md and ledger/KIND.md.

Each statement stands once, followed by its claims. DIR is docs/reference by default.
"""

from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from rebalance_proofs.proofs.certified.recorded import recorded
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.structural import FOLLOWS, STRUCTURAL
from rebalance_proofs.report.claims import mark
from rebalance_proofs.report.claims.mark import FOLDER, beside, name_of
from rebalance_proofs.report.claims.runs import SORTS, joined
from rebalance_proofs.report.claims.seen import seen
from rebalance_proofs.report.family import Family
from rebalance_proofs.report.kinds import KINDS, by_family, families, shown
from rebalance_proofs.report.markdown_tables import anchor, table
from rebalance_proofs.report.names import readable
from rebalance_proofs.report.text.english import capitalized
from rebalance_proofs.report.text.grouped import grouped

# Remarks on claims that are weaker than they look.

EXPLAINED = """- *certified: N of M*: the claim has M obligations and lemmas, and in a full run
  [the checker of certificates](../explanation/trust.md#certificates-prove-their-formulas) accepted proofs of N. Reasons
  for the others follow.
- *by construction*: the proof holds for any function in place of the strategy, so no change of the
  client's code breaks the claim. Only the model's form could be wrong; enumeration and recorded results check it
  against the clients.
- *follows from*: the claim is a consequence of the named claims. [structural.py](../../proofs/structural.py) has the
  reasons of both remarks, and a test checks what can be computed of them."""


def remark(claim: Claim) -> str:
    """Return a remark to print after the claim's verdict; empty without a remark."""
    if claim.id in STRUCTURAL:
        return " *by construction*"
    if claim.id in FOLLOWS:
        others = ", ".join(f"[{other}]({beside(other)})" for other in FOLLOWS[claim.id].claims)
        return f" (*follows from* {others})"
    return ""


Phrases = Mapping[str, Sequence[str]]
"""Phrases of a claim, such as its assumptions, by the names in ``report.assumed.SORTS``."""

HEAD = """# Claims: {name}

[The ledger](../ledger.md) explains verdicts and marks. `rebalance show CLAIM --all` prints a claim's assumptions,
scope, proofs and smallest counterexample. A claim with *even if* drops one assumption and keeps the others of the claim
without these words. `make docs` generates this page; do not edit it.
"""


def kinds(claims: Sequence[Claim]) -> dict[str, list[Claim]]:
    """Group the claims by the docs page that lists them, by the page's name."""
    return grouped(claims, lambda claim: name_of(claim.id))


def listed(name: str, claims: Sequence[Claim]) -> str:
    """Return the Markdown page about the kind of claims ``name``."""
    families = by_family(claims, lambda claim: claim)
    parts = [HEAD.format(name=name).strip(), *(part for one, own in families.items() for part in _section(one, own))]
    return "\n\n".join(parts) + "\n"


def statement(claim: Claim) -> tuple[str, str]:
    """Return the claim's sentence in two parts: the subject (client or strategy), and the statement about it."""
    about, colon, stated = readable(claim.sentence).partition(": ")
    return (about, stated) if colon else ("", about)


def _section(family: Family, own: Sequence[Claim]) -> Iterator[str]:
    yield f"## {family.title}"
    if family.sentence:
        yield family.sentence
    usual = _usual(own)
    if usual:
        given = {sort: joined(phrases) for sort, phrases in usual.items()}
        if assumes := given.pop("assumes"):
            yield f"Unless a claim says otherwise, it assumes: {assumes}."
        if words := _further(given):
            yield words
    for name, claims in grouped(own, lambda claim: claim.guarantee.name).items():
        yield f"### {name}"
        blocks = grouped(claims, lambda claim: statement(claim)[1])
        here = _usual(next(iter(blocks.values())))
        if differs := _further(_differs(here, usual)):
            yield differs
        for stated, those in blocks.items():
            yield from _block(stated, those, here)


def _usual(claims: Sequence[Claim]) -> Phrases:
    """Return the phrases of most claims.

    Claims with a dropped assumption count only if all have one.
    """
    whole = [claim for claim in claims if not claim.world.dropped] or claims
    every = [_phrases(claim) for claim in whole]
    known = {sort: dict.fromkeys(one for each in every for one in each[sort]) for sort in SORTS}
    return {
        sort: [one for one in known[sort] if 2 * sum(one in each[sort] for each in every) > len(every)]
        for sort in SORTS
    }


def _phrases(claim: Claim) -> Phrases:
    """Return the claim's assumptions, definitions and covered cases."""
    return {sort: getattr(claim, sort) for sort in SORTS}


def _differs(own: Phrases, usual: Phrases) -> dict[str, str]:
    """Describe how a claim's phrases differ from the usual ones."""
    more = {sort: joined(one for one in own[sort] if one not in usual[sort]) for sort in SORTS}
    return more | {"does not assume": joined(one for one in usual["assumes"] if one not in own["assumes"])}


def _assumed(claim: Claim, usual: Phrases) -> dict[str, str]:
    """Return the claim's phrases that differ from ``usual``.

    Empty for a claim that drops an assumption, because the claim's sentence names that assumption.
    """
    return {} if claim.world.dropped else _differs(_phrases(claim), usual)


def _block(stated: str, claims: Sequence[Claim], usual: Phrases) -> Iterator[str]:
    """Yield a statement with the texts that all its claims share, and a line for each claim."""
    yield f"> {capitalized(stated)}"
    further = [
        _assumed(claim, usual) | {name: text(claim) for name, text in shown(claim).further.items()} for claim in claims
    ]
    shared = {name: said for name, said in further[0].items() if all(one.get(name) == said for one in further)}
    if told := _further(shared):
        yield told
    own = [{name: said for name, said in one.items() if name not in shared} for one in further]
    yield "\n".join(map(_item, claims, own))


def _item(claim: Claim, further: Mapping[str, str]) -> str:
    about, _ = statement(claim)
    words = f"{anchor(claim)}{f' ({about})' if about else ''}: {claim.expected}{remark(claim)}, {seen(claim).word}."
    return f"- {words} {_further({**further, **_certified(claim)})}".rstrip()


def _certified(claim: Claim) -> Mapping[str, str]:
    """Return how many of a proved claim's obligations are certified, and the reasons for the others."""
    if claim.id not in recorded():
        return {}
    name, _, numbers = str(share := recorded()[claim.id].share).partition(": ")
    lacking = "; ".join(f"{step}: {why}" for step, why in share.uncertified.items())
    return {name: numbers, "not certified": lacking}


def _further(texts: Mapping[str, str]) -> str:
    return " ".join(f"{capitalized(name)}: {said}." for name, said in texts.items() if said)


# The ledger's first page: terms, frequent questions, links to the claims, and chapters by kind.

FIRST_PAGE = """# The ledger

The ledger lists every claim of this project with its expected verdict. A run is green only if every claim gets this
verdict. [The findings](findings.md) explain the claims to users. `make docs` generates these pages; do not edit
them.

- **PROVED**: Z3 and cvc5 both proved the claim, for all numbers of queues and consumers, without a bound.
- **REFUTED**: the claim has a counterexample that replays on the concrete code. The run's report shows the smallest.
{explained}

**Real clients.** The word after a verdict is the claim's mark. It says what recordings of real clients show.
{seen} Recordings are single cases: whether a claim holds is decided by the proofs.

## All claims

Each kind has a page. There, each statement precedes the claims that make it. A claim is one line: its id, the client or
strategy in brackets, its expected verdict and its mark. Its sentence is the text in brackets, then the statement.
`rebalance show CLAIM --all` prints its assumptions, scope, proofs and smallest counterexample.

{kinds}
"""


def page(claims: Sequence[Claim] = LEDGER) -> str:
    """Return docs/reference/ledger.md as text."""
    rows = [
        (f"[{name}]({FOLDER}/{name}.md)", ", ".join(one.title for one in families(own)), str(len(own)))
        for name, own in kinds(claims).items()
    ]
    told = table(("kind", "about", "claims"), rows)
    head = FIRST_PAGE.format(explained=EXPLAINED, seen=mark.EXPLAINED, kinds=told)
    parts = (head, *(chapter for kind in KINDS.values() for chapter in kind.chapters(claims)))
    return "\n\n".join(part.strip() for part in parts) + "\n"


# Files of the docs' pages about the ledger.


def files(claims: Sequence[Claim] = LEDGER) -> Mapping[str, str]:
    """Return the Markdown of each page by its path below docs/."""
    return {"ledger.md": page(claims)} | {
        f"{FOLDER}/{name}.md": listed(name, own) for name, own in kinds(claims).items()
    }


def write(directory: Path) -> None:
    """Write all pages, and delete pages of kinds of claims that no longer exist."""
    found = files()
    for old in (directory / FOLDER).glob("*.md"):
        if f"{FOLDER}/{old.name}" not in found:
            old.unlink()
    for path, text in found.items():
        (directory / path).parent.mkdir(parents=True, exist_ok=True)
        (directory / path).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    parser = ArgumentParser(
        prog="python -m rebalance_proofs.report.ledger", description="Write ledger.md and ledger/KIND.md to DIR."
    )
    parser.add_argument("directory", metavar="DIR", nargs="?", type=Path, default=Path("docs/reference"))
    write(parser.parse_args().directory)
