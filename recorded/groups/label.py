"""Short names of releases in start events (``49``, ``53``).

They are used for processes that do not report their release.
"""

from collections.abc import Collection

LATEST = {"49": "4.9.8", "53": "5.3.3"}
"""Short name -> release that it usually means."""


def meant(label: str | None, labels: Collection[str | None], run: str) -> str:
    """Return the release of a consumer from the short name in its start event.

    ``labels``: short names of all starts; ``run``: the release of the run, or "" if it is not known. A short name of
    the run's own minor version means the run's release. If no start has such a name, one of the same major version
    means it as well: the test harness keeps its short names when another release is recorded.
    """
    if not label:
        return run
    if len(label) != 2 or not label.isdecimal():
        return label
    own = ".".join(run.split(".")[:2])
    elsewhere = label[0] == run[:1] and not any(one and _line(one) == own for one in labels)
    return run if _line(label) == own or elsewhere else LATEST.get(label, _line(label))


def _line(label: str) -> str:
    return f"{label[0]}.{label[1:]}"


def numbers(release: str) -> tuple[int, ...]:
    """Return a release as a tuple of numbers for comparison, without parts that are not numbers."""
    return tuple(int(part) for part in release.split(".") if part.isdecimal())
