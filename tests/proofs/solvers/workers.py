"""Misbehaving work for the pool, as by solvers. The pool's worker processes import this file."""

import ctypes
import os
import signal
import time
from pathlib import Path

from rebalance_proofs.proofs.solvers import Answer, Outcome


def misbehave(solver: str, text: str, seed: int) -> Answer:
    """Do what ``text`` names; a good answer to any other text."""
    how, _, argument = text.partition(" ")
    match how:
        case "hang":
            Path(argument).write_text(str(os.getpid()), encoding="utf-8")
            _sleep()
        case "compute":
            Path(argument).write_text(str(os.getpid()), encoding="utf-8")
            while True:
                pass
        case "rest":
            time.sleep(float(argument))
        case "ignore-sigterm":
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            Path(argument).write_text(str(os.getpid()), encoding="utf-8")
            _sleep()
        case "exit":
            os._exit(3)
        case "segfault":
            ctypes.string_at(0)
        case "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        case "raise":
            raise ValueError("line 3: unknown constant y\nmore of it")
        case "blocked":
            blocked = sorted(number.name for number in signal.pthread_sigmask(signal.SIG_BLOCK, ()))
            return Answer(solver, Outcome.UNKNOWN, 0.0, reason=" ".join(blocked))
        case "unknown":
            return Answer(solver, Outcome.UNKNOWN, 0.0, reason="incomplete")
    return Answer(solver, Outcome.UNSAT, 0.0)


def record(solver: str, text: str, seed: int) -> Answer:
    """Add a line to the file that ``text`` names."""
    with open(text, "a", encoding="utf-8") as file:
        file.write(f"{solver} {seed}\n")
    return Answer(solver, Outcome.UNSAT, 0.0)


def compute(solver: str, text: str, seed: int) -> Answer:
    """Computes for as many seconds as ``text`` says."""
    begin = time.process_time()
    while time.process_time() < begin + float(text):
        pass
    return Answer(solver, Outcome.UNSAT, 0.0)


def hang(solver: str, text: str, seed: int) -> Answer:
    """Never answer."""
    _sleep()


def _sleep() -> None:
    while True:
        time.sleep(60)
