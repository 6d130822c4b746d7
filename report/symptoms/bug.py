"""A known bug: the versions that have it, those that do not, and the claims that show this."""

from dataclasses import dataclass

__all__ = ["CPP", "GO", "ROCKETMQ", "Bug", "Said"]

ROCKETMQ, GO, CPP = "apache/rocketmq", "apache/rocketmq-client-go", "apache/rocketmq-client-cpp"


@dataclass(frozen=True)
class Said:
    """A claim as evidence about some versions."""

    claim: str
    """Id of the claim: refuted for versions with the bug, proved for versions without it."""
    versions: str = ""
    """Clients or conditions of the claim; empty if the name of its subject says them."""


@dataclass(frozen=True)
class Bug:
    """A known bug."""

    sentence: str
    issue: int = 0
    """Number of its issue; 0 if none is known."""
    repository: str = ROCKETMQ
    present: tuple[Said, ...] = ()
    absent: tuple[Said, ...] = ()
    other_group: bool = False
    """True if the claims' counterexamples are in other groups than the bug is about."""
    not_modelled: str = ""
    """Reason why no claim is about it; empty if one is."""
    unseen: str = ""
    """Reason why no known cause has this bug; empty if one has."""

    @property
    def anchor(self) -> str:
        """Anchor of its entry on the page: the number of its issue, or else its first claim."""
        return f"bug-{self.issue or self.present[0].claim}"

    @property
    def called(self) -> str:
        """Short name of the issue: ``rocketmq#2944``."""
        return f"{self.repository.removeprefix('apache/')}#{self.issue}"

    @property
    def address(self) -> str:
        """Address of the issue."""
        return f"https://github.com/{self.repository}/issues/{self.issue}"
