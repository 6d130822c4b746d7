"""The released packages that can be compared with the model: a name in a registry, and a version."""

import re
from dataclasses import dataclass
from difflib import get_close_matches

from rebalance_proofs.model.own.errors import StrategyError
from rebalance_proofs.model.profiles import Profile
from rebalance_proofs.model.profiles.go import GO
from rebalance_proofs.model.profiles.node import NODE
from rebalance_proofs.model.profiles.rust import RUST_1_0
from rebalance_proofs.model.releases import Resolved, UnknownRelease, resolved


@dataclass(frozen=True)
class Kind:
    """A client that is released as a package: its name in the registry, its tool, and its model."""

    client: str
    """Short name of the client: ``go``."""
    name: str
    """The package's name in its registry."""
    version: str
    """Regular expression of the registry's versions."""
    example: str
    """A version for messages."""
    profile: Profile | None
    """The model's profile of the client. None for Java, whose profile depends on the version."""
    differs: tuple[str, ...] = ()
    """Known differences of released versions from the modelled commit. The profile includes them."""


_THREE = r"\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?"
_CARGO = "errors have one text, core.argument.invalid: Argument is invalid, which does not name the argument"

KINDS = (
    Kind("go", "github.com/apache/rocketmq-client-go/v2", rf"v{_THREE}(\+incompatible)?", "v2.1.2", GO),
    Kind("node", "ali-ons", _THREE, "3.12.0", NODE),
    Kind("rust", "rocketmq-model", _THREE, "1.0.0", RUST_1_0, (_CARGO,)),
    Kind("rust", "rocketmq-client-rust", _THREE, "1.0.0", RUST_1_0, (_CARGO,)),
    Kind("java", "rocketmq-client", _THREE, "5.5.0", None),
)
"""All kinds. The crate rocketmq-client-rust exports the strategies of rocketmq-model, which builds faster."""
NAMES = {kind.name: kind for kind in KINDS}
"""Name of a package -> its kind."""
ALSO = {
    "go": KINDS[0].name,
    "rocketmq-client-go": KINDS[0].name,
    "github.com/apache/rocketmq-client-go": KINDS[0].name,
    "node": "ali-ons",
    "rust": "rocketmq-model",
    "java": "rocketmq-client",
    "org.apache.rocketmq:rocketmq-client": "rocketmq-client",
}
"""Other names that users may type."""


@dataclass(frozen=True)
class Package:
    """One version of a released client."""

    kind: Kind
    version: str

    def __str__(self) -> str:
        return f"{self.kind.name}=={self.version}"

    @property
    def resolved(self) -> Resolved:
        """The modelled release that represents the version. Raises ``UnknownRelease`` for another major version."""
        return resolved(f"{self.kind.client} {self.version}")


def package(words: str) -> Package:
    """Return the package that a user's text ``NAME==VERSION`` names. Raises ``StrategyError``."""
    typed, equals, number = (part.strip() for part in words.partition("=="))
    name = ALSO.get(typed.casefold(), typed)
    kind = NAMES.get(name)
    if kind is None:
        near = get_close_matches(name, [*NAMES, *ALSO], n=1, cutoff=0.6)
        known = f"did you mean {near[0]!r}? the packages are" if near else "name one of"
        raise StrategyError(f"--package {words!r} is not a known client: {known} {', '.join(NAMES)}")
    example = f"such as {kind.name}=={kind.example}"
    if not equals or not number:
        raise StrategyError(f"--package {words!r} has no version: name one, {example}")
    version = f"v{number}" if kind.client == "go" and number[0].isdigit() else number
    if not re.fullmatch(kind.version, version):
        raise StrategyError(f"--package {words!r} has no valid version: name one, {example}")
    found = Package(kind, version)
    try:
        _ = found.resolved
    except UnknownRelease as error:
        raise StrategyError(f"--package: {error}") from None
    return found
