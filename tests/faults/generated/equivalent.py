"""Generated faults that change nothing that anybody could notice, each with the reason."""

from collections.abc import Mapping

EQUIVALENT: Mapping[str, str] = {}
"""Name of a site -> why the program with it is the same."""
