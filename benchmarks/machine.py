"""A description of the machine and the versions that figures were measured with."""

import os
import platform
from importlib.metadata import version
from pathlib import Path

PACKAGES = ("z3-solver", "cvc5", "pyspark", "numpy", "pyarrow")


FAMILIES = ("EPYC", "Ryzen", "Xeon", "Core", "Apple")


def describe() -> str:
    """Processor, memory, system and versions, in one line."""
    versions = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    system = f"{platform.system()}, Python {platform.python_version()}"
    return f"{processor()}, {os.cpu_count()} cores, {memory()}; {system}, {versions}"


def short() -> str:
    """The processor's family, such as "EPYC", or the architecture."""
    return next((name for name in FAMILIES if name in processor()), platform.machine())


def processor() -> str:
    """The processor's name if the system tells it, else its architecture."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine())


def memory() -> str:
    """The size of the memory in GiB, as a text."""
    try:
        total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError):
        return "unknown memory"
    return f"{total / 2**30:.0f} GiB"
