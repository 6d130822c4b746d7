"""A known bug: in which versions it is, in which it is not any more, and by which claims that is known."""

from dataclasses import dataclass

__all__ = ["CPP", "GO", "Bug", "Said"]

ROCKETMQ, GO, CPP = "apache/rocketmq", "apache/rocketmq-client-go", "apache/rocketmq-client-cpp"


@dataclass(frozen=True)
class Said:
    """A claim that says it of some versions."""

    claim: str
    """Refuted where the bug is there, proved where it is not."""
    versions: str = ""
    """Of which clients, or under what; empty where the name of the claim's subject says it."""


@dataclass(frozen=True)
class Bug:
    """One of them."""

    sentence: str
    issue: int = 0
    """Its number; 0 where none is known."""
    repository: str = ROCKETMQ
    present: tuple[Said, ...] = ()
    absent: tuple[Said, ...] = ()
    other_group: bool = False
    """The groups in which its claims are seen to fail are not those that it is about."""
    not_modelled: str = ""
    """Why, where no claim is about it."""
    unseen: str = ""
    """Why it is behind none of the causes here."""

    @property
    def called(self) -> str:
        """``rocketmq#2944``."""
        return f"{self.repository.removeprefix('apache/')}#{self.issue}"

    @property
    def address(self) -> str:
        """Of the issue."""
        return f"https://github.com/{self.repository}/issues/{self.issue}"
