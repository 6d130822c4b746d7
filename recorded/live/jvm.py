"""Command lines of JVMs, with small memory and the module access that RocketMQ needs.

Module access is needed from Java 9 on.
"""

import os
from collections.abc import Mapping
from pathlib import Path

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


def command(
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
