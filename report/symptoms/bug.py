"""A known bug: affected versions, unaffected versions, and the claims that show this."""

from dataclasses import dataclass

__all__ = ["CPP", "GO", "ROCKETMQ", "Bug", "Said"]

ROCKETMQ, GO, CPP = "apache/rocketmq", "apache/rocketmq-client-go", "apache/rocketmq-client-cpp"


@dataclass(frozen=True)
class Said:
    """A claim as evidence about some versions."""

    claim: str
    """Id of the claim: refuted for versions with the bug, proved for versions without it."""
    versions: str = ""
    """Clients or conditions of the claim; empty if the subject's name contains them."""


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
    """True if the claims' counterexamples are in other groups than the reported bug."""
    not_modelled: str = ""
    """The reason why no claim covers the bug; empty if a claim does."""
    unseen: str = ""
    """The reason why no known cause has this bug; empty if a cause has it."""

    @property
    def anchor(self) -> str:
        """Anchor of the bug's entry on the page: the number of its issue, else its first claim."""
        return f"bug-{self.issue or self.present[0].claim}"

    @property
    def called(self) -> str:
        """Short name of the issue: ``rocketmq#2944``."""
        return f"{self.repository.removeprefix('apache/')}#{self.issue}"

    @property
    def address(self) -> str:
        """Address of the issue."""
        return f"https://github.com/{self.repository}/issues/{self.issue}"
