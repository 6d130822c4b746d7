"""A folder with the certificates of claims.

Each text has two files named after its digest: the text (``.smt2``) and cvc5's proof (``.cpc``). ``certificates.json``
has the claims, with the files of their obligations; it is written last.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rebalance_proofs.proofs.certificates.checking import LARGEST, check
from rebalance_proofs.proofs.certificates.terms import Refused
from rebalance_proofs.proofs.certified.found import Certified, digest, formulas, wanted
from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.errors import UsageError

INDEX = "certificates.json"
FORMAT = 1


@dataclass(frozen=True)
class Checked:
    """The check of one obligation's certificate."""

    claim: str
    obligation: str
    problem: str = ""
    """Why the obligation is not certified; empty if it is."""


def require_empty(folder: Path) -> None:
    """Create the folder if it does not exist. Raises ``UsageError`` if it has files."""
    with _reporting("write certificates to", folder):
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise UsageError(f"{str(folder)!r} is not empty; name a new or empty folder with --certificates")


def write(folder: Path, text: str, certificate: str) -> None:
    """Write a text and its certificate."""
    with _reporting("write certificates to", folder):
        (folder / f"{digest(text)}.smt2").write_text(text, encoding="utf-8")
        (folder / f"{digest(text)}.cpc").write_text(certificate, encoding="utf-8")


def write_index(folder: Path, found: Certified) -> None:
    """Write which texts belong to which obligations, and why some have no certificate."""
    document = {
        "format": FORMAT,
        "claims": {
            claim: {name: digest(text) for name, text in texts.items()} for claim, texts in found.claims.items()
        },
        "uncertified": found.reasons,
    }
    with _reporting("write certificates to", folder):
        (folder / INDEX).write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


def claims_in(folder: Path, known: Sequence[Claim]) -> list[Claim]:
    """Return the claims of which a folder has certificates.

    Raises ``UsageError`` if the folder has no readable index, or if a claim in it is unknown or not expected to hold.
    """
    if folder.is_dir() and not (folder / INDEX).exists():
        raise UsageError(f"{str(folder)!r} has no {INDEX}; write it with `rebalance prove --certificates`")
    with _reporting("read certificates from", folder):
        if (folder / INDEX).stat().st_size > LARGEST:
            raise UsageError(f"{str(folder / INDEX)!r} is larger than {LARGEST:,} bytes")
        read = (folder / INDEX).read_bytes()
    try:
        document: Any = json.loads(read)
        named = [*document["claims"].keys()] if document["format"] == FORMAT else []
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        named = []
    if not named:
        raise UsageError(f"{str(folder / INDEX)!r} lists no claims; write it with `rebalance prove --certificates`")
    by_id = {claim.id: claim for claim in known if claim.expected is Verdict.PROVED}
    for name in named:
        if name not in by_id:
            raise UsageError(f"{str(folder / INDEX)!r} names {name!r}, which is no claim that holds")
    return [by_id[name] for name in named]


def checked(folder: Path, claims: Sequence[Claim]) -> Iterator[Checked]:
    """Check the certificate of each obligation of the claims against a text that is made from the claim anew."""
    known: dict[str, str] = {}
    for claim in claims:
        for name, text in wanted(claim).items():
            stem = digest(text)
            if stem not in known:
                known[stem] = _problem(folder / stem, text)
            yield Checked(claim.id, name, known[stem])


def _problem(stem: Path, text: str) -> str:
    """Return why a text is not certified; empty if it is."""
    files = [stem.with_suffix(suffix) for suffix in (".smt2", ".cpc")]
    try:
        for file in files:
            if file.stat().st_size > LARGEST:
                return f"{file.name} is larger than {LARGEST:,} bytes"
        kept, certificate = [file.read_text(encoding="utf-8") for file in files]
    except FileNotFoundError as error:
        return f"{Path(str(error.filename)).name} is missing"
    except (OSError, ValueError):
        return f"{stem.name} cannot be read"
    if formulas(kept) != formulas(text):
        return f"{stem.name}.smt2 is not the text of this obligation"
    try:
        check(text, certificate)
    except Refused as error:
        return f"{stem.name}.cpc is no proof: {error}"
    return ""


@contextmanager
def _reporting(what: str, folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise UsageError(f"cannot {what} {str(folder)!r}: {error.strerror or error}") from error
