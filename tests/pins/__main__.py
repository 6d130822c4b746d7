"""Compute pinned files, print what changed in them, and write them: ``make pins``, ``python -m tests.pins --help``."""

import argparse
import multiprocessing
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from difflib import get_close_matches

from tests.pins.changes import Changes
from tests.pins.pin import ROOT, Pin
from tests.pins.table import OWN, PINS

JOBS = 2


def main(arguments: Sequence[str] | None = None, pins: Mapping[str, Pin] = PINS) -> int:
    """Write the named pins; return 1 if one could not be computed, or if one differs and ``--check`` is given."""
    parser = argparse.ArgumentParser("python -m tests.pins", description="Write pinned files, and print their changes.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="default: all but those that take long")
    parser.add_argument("--check", action="store_true", help="write nothing; the exit status is 1 if a file differs")
    parser.add_argument("--all", action="store_true", help="print every change, not only the first ones of a file")
    parser.add_argument("--list", action="store_true", help="list the files, and do nothing else")
    parser.add_argument("--jobs", type=int, default=JOBS, metavar="N", help=f"processes at a time ({JOBS})")
    asked = parser.parse_args(arguments)
    for name in asked.names:
        if name not in pins:
            near = get_close_matches(name, pins, 3) or [*pins]
            parser.error(f"no pinned file is called {name!r}; names are {', '.join(near)}")
    if asked.jobs < 1:
        parser.error("--jobs needs a number from 1 on")
    if asked.list:
        for pin in pins.values():
            why = "; ".join(filter(None, (pin.stays, pin.slow and f"computed only if named ({pin.slow})")))
            print(f"{pin.name:16} {pin.file.relative_to(ROOT)} ({pin.noun}){why and f': {why}'}")
        return 0
    some = [pins[name] for name in dict.fromkeys(asked.names)] or [pin for pin in pins.values() if not pin.slow]
    found = {pin.name: _compared(pin, content, asked) for pin, content in _computed(some, asked.jobs, asked.check)}
    left = [name for name in pins if name not in found and not asked.names]
    if left:
        print(f"Not computed, because they take long: {', '.join(left)}. Name them to compute them.")
    failed = [name for name, (_, error) in found.items() if error]
    differing = [name for name, (differs, _) in found.items() if differs]
    told = "differ" if asked.check else "written"
    print(f"{len(found)} files computed, {told}: {', '.join(differing) or 'none'}.")
    if failed:
        print(f"Could not be computed: {', '.join(failed)}.", file=sys.stderr)
    return int(bool(failed or (asked.check and differing)))


def _computed(pins: Sequence[Pin], jobs: int, check: bool) -> Iterator[tuple[Pin, "Future[bytes]"]]:
    """Yield the pins with their contents.

    Each file of the package is computed in a process of its own, after the files before it are written: some are
    computed from others.
    """
    spawn = multiprocessing.get_context("spawn")
    own = [pin for pin in pins if pin in OWN]
    with ProcessPoolExecutor(1 if not check else jobs, spawn, max_tasks_per_child=1) as pool:
        waiting = [pin for pin in pins if pin not in own]
        if check:
            yield from zip(waiting, [pool.submit(pin.computed) for pin in waiting], strict=True)
        else:
            yield from ((pin, pool.submit(pin.computed)) for pin in waiting)
    with ProcessPoolExecutor(jobs, spawn) as pool:
        yield from zip(own, [pool.submit(pin.computed) for pin in own], strict=True)


def _compared(pin: Pin, content: "Future[bytes]", asked: argparse.Namespace) -> tuple[bool, bool]:
    """Print the changes of one file, and write it; return whether it differs, and whether computing it failed."""
    try:
        now = content.result()
    except Exception as error:  # one that fails must not hide the changes of the others
        print(f"{pin.name}: could not be computed: {type(error).__name__}: {error}")
        return False, True
    before = pin.pinned()
    if now == before:
        return False, False
    changes = Changes(pin.noun, pin.parts(before), pin.parts(now))
    print(f"{pin.name}: {changes.summary() if changes else 'other bytes, same meaning'}")
    for line in changes.lines(everything=asked.all):
        print(f"  {line}")
    sys.stdout.flush()  # the others take minutes
    if not asked.check:
        pin.file.write_bytes(now)
    return True, False


if __name__ == "__main__":
    sys.exit(main())
