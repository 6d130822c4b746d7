"""Short names of releases in consumers' starts, ``49`` and ``53``, of runs whose processes do not tell theirs."""

from collections.abc import Collection

__all__ = ["LATEST", "meant", "numbers"]

LATEST = {"49": "4.9.8", "53": "5.3.3"}
"""What these names were given for."""


def meant(label: str | None, labels: Collection[str | None], run: str) -> str:
    """The release of a consumer whose start says ``label``.

    ``labels``: those of all starts; ``run``: the release of the run, or nothing if that is not known. The run's own
    line is its release. Where no start names that line, a name of the same major version is it, too: who records
    another release with the same harness keeps its names.
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
    """The release as numbers, to be compared; without parts that are none."""
    return tuple(int(part) for part in release.split(".") if part.isdecimal())
