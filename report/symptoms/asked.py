"""Parse the client release and mode of use in a user's question, and find claims about them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import TYPE_CHECKING

from rebalance_proofs.language import gettext
from rebalance_proofs.model.receiving import releases as sdks
from rebalance_proofs.model.releases import JAVA, LANGUAGES, RELEASES, Resolved, UnknownRelease, resolved
from rebalance_proofs.report.index.entries import Entry
from rebalance_proofs.report.index.entries import entry as by_id
from rebalance_proofs.report.modes import MODES
from rebalance_proofs.report.names import VERSIONS

if TYPE_CHECKING:
    from rebalance_proofs.model.allocation.strategy import Strategy

__all__ = [
    "JAVA",
    "RELEASES",
    "Asked",
    "UnknownName",
    "asked",
    "by_id",
    "covers",
    "each_asked",
    "nearest",
    "releases_of_profile",
    "whose",
]


class UnknownName(LookupError):
    """Raised for an unknown client, mode, strategy or symptom. The message lists the known names."""


@dataclass(frozen=True)
class Asked:
    """The client and the mode that a user asks about; "" stands for any."""

    release: str = ""
    mode: str = ""
    wanted: "tuple[Strategy, ...]" = ()
    """Strategies of all clients with the user's strategy name; empty for any strategy."""
    remark: str = field(default="", compare=False)
    """If the user's version was not read: a sentence that names the release used instead."""

    @property
    def label(self) -> str:
        """The question in words: ``Java 4.9.8, push, AVG``."""
        strategies = dict.fromkeys(one.rocketmq_name for one in self.wanted)
        return ", ".join(part for part in (whose(self.release), self.mode, *strategies) if part)


def whose(release: str) -> str:
    """Return the display name of a client release: ``Java 4.9.8``, ``Go``, ``gRPC Go 5.1.4``."""
    if sdks.is_sdk(release):
        return sdks.whose(release)
    return LANGUAGES.get(release, f"Java {release}" if release else "")


def asked(client: str = "", mode: str = "", *, instead: bool = False, with_sdks: bool = False) -> Asked:
    """Parse a client and a mode as a user types them: ``5.2``, ``rocketmq-client-go``, ``spring``; ``orderly``.

    With ``instead``, the answer for a version that is not covered is about another one, which the remark names. With
    ``with_sdks``, gRPC clients are known: ``grpc-java``, ``python-5.1``. Raises ``UnknownName``.
    """
    try:
        sdk = sdks.strictly(client) if with_sdks else None
    except UnknownRelease as error:
        raise UnknownName(str(error)) from None
    found = sdk or (_release(client, instead) if client else Resolved(""))
    return Asked(found.release, _mode(mode) if mode else "", remark=found.note)


def each_asked(clients: str = "", mode: str = "", *, with_sdks: bool = False) -> tuple[Asked, ...]:
    """Parse several clients, with commas between them, and a mode; see ``asked``. Raises ``UnknownName``."""
    names = [one.strip() for one in clients.split(",") if one.strip()] or [clients]
    return tuple(asked(one, mode, instead=True, with_sdks=with_sdks) for one in names)


def _release(words: str, instead: bool) -> Resolved:
    try:
        return resolved(words)
    except UnknownRelease as error:
        # Imported here because few calls need the lexicon.
        from rebalance_proofs.report.symptoms.unmodelled import unmodelled
        from rebalance_proofs.report.symptoms.versions import client_of, described, foreign

        instead = instead and not unmodelled(words)
        found = client_of(words) or (described(words) if instead else None)
        if found is None and instead and foreign(words):
            raise UnknownName(
                gettext("{client} is not modelled; without --client, the answer is about the Java client").format(
                    client=repr(words)
                )
            ) from None
        if found is None or not (found.covered or instead):
            raise UnknownName(str(error)) from None
        return Resolved(found.release, found.note)


def _mode(words: str) -> str:
    name = " ".join(words.casefold().replace("-", " ").replace("_", " ").split())
    if name in MODES:
        return name
    # Imported here because few calls need the lexicon.
    from rebalance_proofs.report.symptoms.understood import mode_named

    found = mode_named(words)
    if found is not None:
        return found
    raise UnknownName(
        gettext("unknown mode {mode}; {hint}the modes are {modes}").format(
            mode=repr(words), hint=nearest(name, MODES), modes=gettext(", ").join(map(repr, MODES))
        )
    )


def nearest(name: str, known: Iterable[str]) -> str:
    """Return the hint ``did you mean 'stuck'? `` for an error message.

    Empty if no known name is similar.
    """
    near = get_close_matches(name, list(known), n=1, cutoff=0.7)
    return gettext("did you mean {name}? ").format(name=repr(near[0])) if near else ""


def covers(claim: Entry, question: Asked) -> bool:
    """Return whether the claim is about the client and mode of the question.

    A claim about another client counts as well if both clients are proved to behave the same.
    """
    if sdks.is_sdk(question.release):
        kind, subject = claim.id.split(".")[:2]
        return kind == "receiving" and subject in sdks.subjects(question.release)
    return claim.covers(question.release, question.mode)


def releases_of_profile(name: str) -> Sequence[str]:
    """Return the releases that share the modelled client code ``name``: 5.0.0 and so on for ``java_v5``."""
    line = VERSIONS.get(name)
    return [release for release in JAVA if release.startswith(f"{line}.")] if line else [name]
