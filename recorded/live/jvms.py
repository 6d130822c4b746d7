"""Start the JVMs of a run, and wait for their events."""

import os
import re
import socket
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from rebalance_proofs.recorded.live.distribution import Distribution
from rebalance_proofs.recorded.live.error import LiveError
from rebalance_proofs.recorded.live.processes import Processes
from rebalance_proofs.recorded.live.settings import LOOPBACK
from rebalance_proofs.recorded.live.watch import LOOK, Watch

# Command lines of JVMs, with small memory and the module access that RocketMQ needs.
# Module access is needed from Java 9 on.

CLASSES = Path(__file__).resolve().parent / "java"
"""Folder that contains the compiled Java package ``live``."""
MEMBER_MB, BROKER_MB, DIRECT_MB = 96, 256, 128
OPENED = ("java.nio", "sun.nio.ch", "jdk.internal.ref", "java.util.concurrent", "java.util", "java.lang")
EXPORTED = ("sun.nio.ch", "jdk.internal.ref")
OPTIONS = (
    "-XX:+IgnoreUnrecognizedVMOptions",  # Java 8 has no modules to open
    "-XX:+UseSerialGC",
    "-XX:TieredStopAtLevel=1",
    "-XX:-UsePerfData",
    "-XX:ErrorFile=/dev/null",
    "-XX:-CreateCoredumpOnCrash",
    "-Xss512k",
    "-Dfile.encoding=UTF-8",
    "-Drocketmq.client.logFileMaxIndex=2",
    *(f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in OPENED),
    *(f"--add-exports=java.base/{package}=ALL-UNNAMED" for package in EXPORTED),
)


def command_line(
    java: str, main: str, arguments: list[str], *, classpath: str, home: Path, megabytes: int, props: Mapping[str, str]
) -> list[str]:
    """Return the command that starts a JVM with the main class ``main``.

    ``home`` is the folder of the process's logs, with its settings in ``conf``.
    """
    said = {"user.home": str(home), "rocketmq.client.logRoot": str(home), **props}
    return [
        java,
        f"-Xmx{megabytes}m",
        f"-Xms{min(megabytes, 32)}m",
        f"-XX:MaxDirectMemorySize={DIRECT_MB}m",
        *OPTIONS,
        *(f"-D{key}={value}" for key, value in said.items()),
        "-cp",
        os.pathsep.join([str(CLASSES), str(home / "conf"), classpath]),
        main,
        *arguments,
    ]


UP = 180.0
"""Longest time in seconds until a process has started.

It is long because a busy machine is slow.
"""


THROWN = re.compile(r"(Exception|Error)\b")
"""Pattern of a printed line that names an exception, not of a name such as ``ErrorAppender`` in a log."""


class Jvms:
    """The JVMs of a run and their recorded events."""

    def __init__(self, java: str, processes: Processes, watch: Watch) -> None:
        self._java = java
        self.processes, self.watch = processes, watch

    @property
    def home(self) -> Path:
        """The folder with one subfolder for each process."""
        return self.processes.folder

    def start(
        self,
        who: str,
        main: str,
        arguments: list[str],
        distribution: Distribution,
        megabytes: int,
        props: Mapping[str, str],
    ) -> None:
        """Start the main class ``main`` of a distribution in a new JVM.

        ``who`` is the process's name.
        """
        home = self.home / who
        command = command_line(
            self._java, main, arguments, classpath=distribution.typed, home=home, megabytes=megabytes, props=props
        )
        self.processes.start(who, command, home)

    def until(self, who: str, event: str, count: int, *, seconds: float = UP, or_ended: int | None = None) -> None:
        """Wait until a process has recorded ``count`` events with the name ``event``.

        Raises ``LiveError`` on time-out, or if the process ends before; ``or_ended`` is an allowed exit status.
        """

        def holds() -> bool:
            if self.watch.count(who, event) >= count:
                return True
            status = self.processes.ended(who)
            if status is None:
                return False
            self.watch.look()  # it may have recorded the event just before its end
            if self.watch.count(who, event) >= count or status == or_ended:
                return True
            raise LiveError(f"{who} ended with status {status} before its event {event!r}: {self.printed(who)}")

        self.watch.until(holds, seconds, f"{who} did not record the event {event!r}")

    def printed(self, who: str) -> str:
        """Return a process's first printed error, or its last printed line."""
        with suppress(OSError):
            text = (self.home / who / "stdout").read_text(errors="replace", encoding="utf-8").strip()
            errors = [line for line in text.splitlines() if THROWN.search(line)]
            lines = errors[:1] or text.splitlines()[-1:]
            if lines:
                return lines[0].strip()[:300]
        return "it printed nothing"

    def listens(self, who: str, port: int) -> None:
        """Wait until a process accepts connections at ``port``."""
        end = time.monotonic() + UP
        while time.monotonic() < end:
            if self.processes.ended(who) is not None:
                raise LiveError(f"{who} did not start: {self.printed(who)}")
            with suppress(OSError), socket.create_connection((LOOPBACK, port), timeout=1):
                return
            self.watch.sleep(LOOK)
        raise LiveError(f"{who} did not listen on its port within {UP:g} s")
