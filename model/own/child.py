"""The child process, which calls a user's Python function.

The parent process sends batches of calls through a pipe, and the child answers each batch with one numbered line of
JSON. So the parent never reads anything executable. The number of the current call is in memory that both processes
share, so the parent knows it even if the child hangs.
"""

import _thread
import errno
import json
import mmap
import os
import resource
import signal
import sys
import traceback
from collections.abc import Callable, Iterable
from contextlib import suppress
from io import TextIOWrapper
from threading import Thread
from time import sleep
from typing import Any

from rebalance_proofs.model.own import call as kinds
from rebalance_proofs.model.own.call import Held
from rebalance_proofs.model.own.load import load
from rebalance_proofs.model.own.named import Named, StrategyError
from rebalance_proofs.model.own.surroundings import Setting
from rebalance_proofs.model.queues import MessageQueue

MB = 2**20
LARGEST_OUTPUT = 4 * MB
"""The maximum number of bytes that one call may print, and of any file that it writes.

A call that exceeds it throws.
"""
MOST = 100_000
"""The maximum length of a list that a call returns; no group has that many queues."""
ROOM = 4 * MB
"""The maximum number of bytes of the answer to a batch.

A larger answer ends early, without the remaining calls.
"""
TOO_LONG = f"returns a result of more than {ROOM // MB} MB"
LEFT = 64
"""The maximum number of processes, or of threads, that calls may leave running afterwards."""
CPU = 3600
"""CPU-time limit of a child in seconds.

A child needs it if it survives its parent in a call that blocks all other threads.
"""
PR_SET_CHILD_SUBREAPER = 36
OWN_THREADS = 2
"""Number of this process's threads that are not the user's.

They are the thread that makes calls, and the one that watches the parent.
"""
WATCHED = 1.0
"""Seconds between two checks that the parent still exists."""

Answer = list[Any]
_written = json.JSONEncoder(separators=(",", ":")).encode


def main() -> None:
    """Run the child process; its command-line arguments come from the parent.

    Arguments: ``where`` and ``what`` of ``Named``, the memory limit in MB, the comma-separated names of ``Held``,
    and the file descriptors of requests, answers and shared memory.
    """
    where, what, memory, held, questions, answers, place = sys.argv[1:]
    process = os.getpid()
    Thread(target=_ends_with, args=(os.getppid(),), daemon=True).start()
    asked, said = os.fdopen(int(questions), "r", encoding="ascii"), Said(int(answers), process)
    printed = _printed()
    sys.dont_write_bytecode = True
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST_OUTPUT, LARGEST_OUTPUT))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU, CPU))
    if held:
        from rebalance_proofs.model.own.hold import hold  # imported here because it imports the modules that it changes

        hold([Held(one) for one in held.split(",")])
    files = _number("fd")
    try:
        told = json.loads(asked.readline())
        settings = [Setting(*one) for one in told["settings"]]
        function, arguments = load(Named(where, what, told["source"], told["property"]), settings)
    except StrategyError as error:
        said.say(0, ["error", _speakable(str(error))])
        return
    _adopt()
    _limit_memory(int(memory) * MB)
    said.say(0, ["ready", arguments, _number("task") == OWN_THREADS and _number("fd") == files])
    caller = Caller(function, arguments, printed, _file_of(getattr(function, "judged", function)), int(memory), process)
    with mmap.mmap(int(place), kinds.PLACE) as shared, memoryview(shared).cast("Q") as at:
        for number, line in enumerate(asked, 1):
            request = json.loads(line)
            if request.get("copied"):
                _in_a_copy(number, request, caller, said, at)
            else:
                said.say_all(number, caller.batch(request, at))


def _in_a_copy(number: int, request: dict[str, Any], caller: "Caller", said: "Said", at: memoryview) -> None:
    """Let a copy (fork) of this process answer a batch, so that this process stays unchanged.

    If the copy ends without an answer, end this process in the same way. Python's ``random`` reseeds itself in each
    copy, so random results differ between copies as between processes.
    """
    at[kinds.WORKING] = at[kinds.ANSWERED] = 0
    before = os.getpid()
    if not (copy := os.fork()):
        Thread(target=_ends_with, args=(before,), daemon=True).start()
        _adopt()
        try:
            caller.process = said.process = at[kinds.WORKING] = os.getpid()
            said.say_all(number, caller.batch(request, at))
            at[kinds.ANSWERED] = 1
        finally:
            os._exit(1)
    try:
        _, status = os.waitpid(copy, 0)
    except ChildProcessError:  # The user's code has configured that ended processes are not waited for.
        status = 0
    at[kinds.WORKING] = 0
    _left(before)
    if not at[kinds.ANSWERED]:
        if os.WIFSIGNALED(status):
            with suppress(OSError):  # The action of some signals cannot be set.
                signal.signal(os.WTERMSIG(status), signal.SIG_DFL)
            os.kill(before, os.WTERMSIG(status))
        os._exit(os.waitstatus_to_exitcode(status) if os.WIFEXITED(status) else 1)


def _number(of: str) -> int:
    """Return the number of this process's threads (``task``) or open files (``fd``).

    It is 0 if the system does not report it. A copy would have only one of the threads, and would share the read
    position of open files.
    """
    try:
        return len(os.listdir(f"/proc/self/{of}"))
    except OSError:
        return 0


def _ends_with(parent: int) -> None:
    """Exit when the process ``parent`` has gone.

    A call that does not return would not notice the end of the pipe.
    """
    while os.getppid() == parent:
        sleep(WATCHED)
    os._exit(1)


def _only(process: int) -> None:
    """Exit if this is not the process with that id but a copy that user code has forked."""
    if os.getpid() != process:
        os._exit(0)


class Said:
    """The pipe through which answers go to the parent."""

    def __init__(self, file: int, process: int) -> None:
        self._file = os.fdopen(file, "w", encoding="ascii")
        self.process = process

    def say(self, number: int, answer: Answer) -> None:
        """Send the answer to the batch of that number, counted from 1.

        Number 0 is the answer to loading the user's function.
        """
        self.say_all(number, map(_written, answer))

    def say_all(self, number: int, parts: Iterable[str]) -> None:
        """Send the answer to a batch, given the JSON text of each call's answer."""
        _only(self.process)
        self._file.write(f"[{number},[{','.join(parts)}]]\n")
        self._file.flush()


def _adopt() -> None:
    """Make this process adopt orphans of its children, so that they are counted and waited for."""
    with suppress(Exception):  # available on Linux only
        import ctypes

        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _left(process: int) -> int:
    """Return the number of child processes that still run, and reap those that have ended.

    ``process``: the id of this process.
    """
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
        with open(f"/proc/{process}/task/{process}/children", encoding="ascii") as file:
            return len(file.read().split())
    except OSError:  # no child processes, or the system does not report them
        return 0


def _speakable(text: str) -> str:
    """Return the text with lone surrogates escaped.

    Neither files nor terminals can show them.
    """
    return text.encode(errors="backslashreplace").decode()


def _printed() -> int:
    """Replace standard output and error by a file, and return its descriptor.

    So no output of the user's code reaches the parent's terminal.
    """
    file = os.memfd_create("printed") if hasattr(os, "memfd_create") else _temporary()
    for stream in (1, 2):
        os.dup2(file, stream)
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True, errors="backslashreplace")
    return file


def _temporary() -> int:
    from tempfile import mkstemp

    file, path = mkstemp()
    os.unlink(path)
    return file


def _limit_memory(more: int) -> None:
    """Limit the address space to ``more`` bytes beyond the current size."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            now = int(file.read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (now + more, now + more))
    except (OSError, ValueError):
        return  # The system does not report the size, or has no limit.


def _file_of(function: Callable[..., Any]) -> str:
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    return code.co_filename if code else ""


class Caller:
    """Makes the calls of one user-defined function."""

    def __init__(
        self, function: Callable[..., Any], arguments: int, printed: int, file: str, memory: int, process: int
    ) -> None:
        self._function, self._arguments = function, arguments
        self._printed, self._file, self._memory = printed, file, memory
        self.process = process
        self._changed = ""

    def batch(self, asked: dict[str, Any], at: memoryview) -> list[str]:
        """Make a batch of calls, and return the answers as JSON texts.

        They end early if they exceed ``ROOM``, or if a call ends the process. ``asked`` has ``lists`` of
        queues, lists of ``ids``, and ``calls`` of [group, id, index of a list of queues, index of a list of
        ids]. ``at`` is the shared memory for the number of the current call.
        """
        lists = [[MessageQueue(*queue) for queue in queues] for queues in asked["lists"]]
        places = [{queue: place for place, queue in enumerate(queues)} for queues in lists]
        ids = asked["ids"]
        answers: list[str] = []
        room = ROOM
        for number, (group, client_id, which, listed) in enumerate(asked["calls"]):
            at[0] = number + 1
            answer = self._call(group, client_id, lists[which], ids[listed], places[which])
            _only(self.process)
            for what, many in (("processes", _left(self.process)), ("threads", _thread._count())):
                if many > LEFT:
                    answer = [kinds.EXITS, f"leaves more than {LEFT} {what} running"]
            lines = self._lines() if os.fstat(self._printed).st_size else []
            if lines or self._changed:
                answer += [lines, self._changed]
            if answer[0] in kinds.KINDS:
                answer[1] = _speakable(answer[1])
            written = _written(answer)
            if len(written) > ROOM:
                written = _written([kinds.NOT_A_LIST, TOO_LONG])
            answers.append(written)
            room -= len(written)
            if answer[0] in kinds.ENDING or room < 0:
                break
        return answers

    def _call(
        self, group: str, client_id: str, queues: list[MessageQueue], ids: list[str], places: dict[MessageQueue, int]
    ) -> Answer:
        mq_all, cid_all = list(queues), list(ids)
        self._changed = ""
        try:
            return self._answered(group, client_id, mq_all, cid_all, places)
        finally:
            for name, now, before in (("mqAll", mq_all, queues), ("cidAll", cid_all, ids)):
                if not _alike(now, before):
                    self._changed = f"changes its argument {name}"

    def _answered(
        self,
        group: str,
        client_id: str,
        mq_all: list[MessageQueue],
        cid_all: list[str],
        places: dict[MessageQueue, int],
    ) -> Answer:
        try:
            if self._arguments == 4:
                result = self._function(group, client_id, mq_all, cid_all)
            else:
                result = self._function(client_id, mq_all, cid_all)
            return _answer(result, places)
        except MemoryError:
            return [kinds.MEMORY, f"uses more than {self._memory:,} MB of memory"]
        except SystemExit as error:
            return [kinds.EXITS, f"ends its process: SystemExit({'' if error.code is None else str(error.code)[:200]})"]
        except BaseException as error:
            if isinstance(error, OSError) and error.errno == errno.EFBIG:
                return [kinds.THROWS, f"prints or writes more than {LARGEST_OUTPUT // MB} MB"]
            return [kinds.THROWS, f"throws {self._said(error)}"]

    def _said(self, error: BaseException) -> str:
        """Return a short description of the error.

        It includes the last line of the user's own file in the error's traceback.
        """
        try:
            words = " ".join(str(error).split())[:200]
        except Exception:
            words = ""
        name = f"{type(error).__name__}: {words}" if words else type(error).__name__
        own = [frame for frame in traceback.extract_tb(error.__traceback__, limit=-50) if frame.filename == self._file]
        return f"{name} ({os.path.basename(self._file)}:{own[-1].lineno})" if own else name

    def _lines(self) -> list[str]:
        with suppress(OSError):  # The file may have reached its size limit.
            sys.stdout.flush()
        kept = os.pread(self._printed, kinds.PRINTED_LINES * kinds.PRINTED_WIDTH * 4, 0)
        self._forget()
        with suppress(OSError):  # Flush the output that exceeded the limit before.
            sys.stdout.flush()
            self._forget()
        lines = kept.decode(errors="backslashreplace").splitlines()
        return [line[: kinds.PRINTED_WIDTH] for line in lines[: kinds.PRINTED_LINES]]

    def _forget(self) -> None:
        os.ftruncate(self._printed, 0)
        os.lseek(self._printed, 0, os.SEEK_SET)


def _alike(now: list[Any], before: list[Any]) -> bool:
    """Return whether a list is unchanged. The user's objects in it may not be comparable."""
    try:
        return bool(now == before)
    except Exception:
        return False


def _answer(result: object, places: dict[MessageQueue, int]) -> Answer:
    """Return the answer to the parent for a function's result.

    It contains positions in mqAll, full descriptions of queues that are not in mqAll, and null for null.
    ``places``: each queue's position in mqAll.
    """
    if result is None:
        return [kinds.NULL, "returns None"]
    if not isinstance(result, (list, tuple)) or isinstance(result, MessageQueue):
        return [kinds.NOT_A_LIST, f"returns a {type(result).__name__} instead of a list"]
    found: list[Any] = []
    room = ROOM
    for item in result:
        if len(found) == MOST:
            return [kinds.NOT_A_LIST, f"returns a list of more than {MOST:,} queues"]
        if item is None:
            found.append(None)
        elif isinstance(item, MessageQueue) and item in places:
            found.append(places[item])
        else:
            queue = _queue(item)
            if queue is None:
                shown = f"{item!r:.60}"
                return [
                    kinds.FOREIGN_TYPE,
                    f"returns a list with {shown} ({type(item).__name__}), which is not a queue",
                ]
            found.append(places.get(queue, list(queue)))
            room -= len(queue.topic) + len(queue.broker_name)
            if room < 0:
                return [kinds.NOT_A_LIST, TOO_LONG]
    return ["gave", found]


def _queue(item: object) -> MessageQueue | None:
    """Return the item of a list as a queue if it has a queue's attributes, else None."""
    parts = [getattr(item, name, None) for name in MessageQueue._fields]
    if isinstance(parts[0], str) and isinstance(parts[1], str) and type(parts[2]) is int:
        return MessageQueue(parts[0], parts[1], parts[2])
    return None


if __name__ == "__main__":
    main()
