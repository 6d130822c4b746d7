"""Processes, ports and folders of a recorder are removed when it ends, in any way."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rebalance_proofs.recorded.live import keeper
from rebalance_proofs.recorded.live.error import LiveError
from rebalance_proofs.recorded.live.processes import Processes
from rebalance_proofs.recorded.live.settings import Ports

SLEEPER = [sys.executable, "-c", "import time; print('up', flush=True); time.sleep(1000)"]
SECONDS = 20.0

PARENT = f"""
import signal, sys, time
SLEEPER = {SLEEPER!r}
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored where tests run behind a shell
signal.signal(signal.SIGTERM, signal.SIG_DFL)  # a process inherits ignored and blocked signals of the tests' process
signal.pthread_sigmask(signal.SIG_SETMASK, ())
from rebalance_proofs.recorded.live.processes import Processes
with Processes() as processes:
    for who in ("one", "two"):
        processes.start(who, SLEEPER, processes.folder / who)
    while not all((processes.folder / who / "stdout").read_bytes() for who in ("one", "two")):
        time.sleep(0.01)
    processes.signal("two", signal.SIGSTOP)
    print(processes.folder, *(processes._running[who].pid for who in ("one", "two")), flush=True)
    time.sleep(1000)
"""


def until(holds, seconds=SECONDS):
    end = time.monotonic() + seconds
    while not holds() and time.monotonic() < end:
        time.sleep(0.02)
    return holds()


def runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def printed(home: Path) -> bool:
    return until(lambda: (home / "stdout").exists() and (home / "stdout").read_bytes() == b"up\n")


def test_block_leaves_no_processes():
    with Processes() as processes:
        folder = processes.folder
        processes.start("a", SLEEPER, folder / "a")
        processes.start("b", SLEEPER, folder / "b")
        assert printed(folder / "a")
        assert printed(folder / "b")
        pids = [processes._running[who].pid for who in ("a", "b")]
        processes.signal("b", signal.SIGSTOP)
        assert all(map(runs, pids))
    assert not any(map(runs, pids))
    assert not folder.exists()


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_killed_parent_leaves_no_processes(number):
    with subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE, encoding="utf-8") as parent:
        try:
            folder, *pids = parent.stdout.readline().split()
            assert all(runs(int(pid)) for pid in pids)
            assert Path(folder).is_dir()
            parent.send_signal(number)
            parent.wait(timeout=SECONDS)
        finally:
            parent.kill()
    assert until(lambda: not any(runs(int(pid)) for pid in pids))
    assert until(lambda: not Path(folder).exists())


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel's promise is Linux's")
def test_killed_parent_and_keeper_leave_no_processes():
    """The keeper and the parent are killed at once: no process is left to kill the others."""
    keeps = PARENT.replace("print(processes.folder,", "print(processes._keeper.pid, processes.folder,")
    with subprocess.Popen([sys.executable, "-c", keeps], stdout=subprocess.PIPE, encoding="utf-8") as parent:
        keeper, folder, *pids = parent.stdout.readline().split()
        os.kill(int(keeper), signal.SIGKILL)
        parent.kill()
        parent.wait(timeout=SECONDS)
    try:
        assert until(lambda: not any(runs(int(pid)) for pid in pids))
    finally:
        subprocess.run(["rm", "-r", folder], check=True)


def test_keeper_kills_processes_and_removes_the_folder():
    """As where the kernel does not: of the two groups that it knows, one has ended."""
    kept, over = (subprocess.Popen(SLEEPER, stdout=subprocess.DEVNULL, start_new_session=True) for _ in range(2))
    try:
        command = [sys.executable, keeper.__file__]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8") as process:
            folder = Path(process.stdout.readline().strip())
            assert folder.is_dir()
            (folder / "store").mkdir()
            process.stdin.write(f"+{kept.pid}\n+{over.pid}\n-{over.pid}\n")
            process.stdin.flush()
            process.send_signal(signal.SIGINT)  # of a terminal: it has work to do
            process.stdin.close()
            assert kept.wait(timeout=SECONDS) == -signal.SIGKILL
            process.wait(timeout=SECONDS)
        assert over.poll() is None
        assert not folder.exists()
    finally:
        kept.kill()
        over.kill()


def test_each_process_has_its_own_group():
    with Processes() as processes:
        processes.start("a", SLEEPER, processes.folder / "a")
        assert printed(processes.folder / "a")
        assert os.getpgid(processes._running["a"].pid) != os.getpgrp()


def test_missing_command_ends_with_a_reason():
    with Processes() as processes:
        processes.start("a", ["/nowhere/java"], processes.folder / "a")
        assert until(lambda: processes.ended("a") is not None)
        assert processes.ended("a") == 127
        assert (processes.folder / "a" / "stdout").read_text(
            encoding="utf-8"
        ) == "/nowhere/java: No such file or directory\n"


def test_ended_process_accepts_no_commands():
    with Processes() as processes:
        processes.start("a", [sys.executable, "-c", ""], processes.folder / "a")
        assert until(lambda: processes.ended("a") is not None)
        with pytest.raises(LiveError, match="cannot send 'quit' to a, whose process has ended"):
            processes.tell("a", "quit")


def test_process_that_does_not_end_is_an_error():
    with Processes() as processes:
        processes.start("a", SLEEPER, processes.folder / "a")
        with pytest.raises(LiveError, match=r"a did not end within 0.01 s"):
            processes.wait("a", 0.01)


def serve(port: int) -> socket.socket:
    """As Netty does: the address is reused."""
    server = socket.socket()
    server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    server.bind(("", port))
    server.listen()
    return server


def test_reserved_port_belongs_to_its_server():
    with Ports() as ports, Ports() as others:
        port = ports.reserve(-2, 1)
        taken = {port - 2, port, port + 1}
        assert not taken & {others.reserve() for _ in range(100)}
        for _ in range(2):  # also after a restart
            with serve(port), socket.create_connection(("127.0.0.1", port), timeout=5):
                pass
        with socket.socket() as stranger, pytest.raises(OSError, match="in use"):
            stranger.bind(("127.0.0.1", port))
    with socket.socket() as free:
        free.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        free.bind(("127.0.0.1", port))


def test_missing_free_ports_are_reported(monkeypatch):
    monkeypatch.setattr("rebalance_proofs.recorded.live.settings.random.randrange", lambda low, high: low)
    with Ports() as ports, Ports() as others:
        ports.reserve()
        with pytest.raises(LiveError, match="no free ports between 20000 and 32000 on"):
            others.reserve()
