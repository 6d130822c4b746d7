"""How recorded transitions write what a client was answered; each reader gives fields of ``Answers``."""

from collections.abc import Mapping
from typing import Any

from rebalance_proofs.model.client.environment import (
    DENIED,
    EXC,
    FAILS,
    NO_BROKER,
    NOT_FOUND,
    OK,
    THROW,
    THROW_SECOND,
    THROWS,
    UNLOCK_EXC,
)
from rebalance_proofs.model.client.remote_broker_offset_store import BROKER_EXCEPTION, OFFSET_NOT_FOUND
from rebalance_proofs.recorded.readers import Reader, fitting, unless, words
from rebalance_proofs.recorded.transition.entries import ABSENT
from rebalance_proofs.recorded.tsv import is_number, number


def answer(field: str, read: Reader) -> Reader:
    """A reader of one field."""
    return lambda text, what: {field: read(text, what)}


def offset_or(*errors: str) -> Reader:
    """A reader of an offset, or of what failed in its place."""
    return fitting(
        lambda text: text in errors or is_number(text),
        f"neither a number nor one of {', '.join(errors)}",
        lambda text: text if text in errors else int(text),
    )


def stored_offset(text: str, what: str) -> dict[str, Any]:
    """The offset store's offset, or ``nf`` and what the query says that follows when there is none."""
    if text == "throw":
        return {"stored": THROWS}
    if not text.startswith("nf"):
        return {"stored": number(text, what)}
    rest = text.removeprefix("nf")
    return {"stored": NOT_FOUND, "queried": {"err": FAILS, "rt": THROWS}.get(rest) or number(rest, what)}


OF_JAVA: Mapping[str, Reader] = {
    "lock": answer("lock", words(OK, DENIED, EXC, NO_BROKER, UNLOCK_EXC)),
    "off": stored_offset,
    "persist": answer("persist", words(OK, THROW, THROW_SECOND)),
}
"""What a broker says to a lock; the offset store's offset; what its ``persist`` does."""

OF_JAVA_STORE: Mapping[str, Reader] = {
    "queryRPC": answer("stored", offset_or(OFFSET_NOT_FOUND, BROKER_EXCEPTION, "timeout", "interrupted", "rt")),
    "max": answer("queried", unless(FAILS, number, FAILS)),
    "updateRPC": answer("persist", words(OK, THROW)),
}
"""What a broker says to the offset store's queries, to ``maxOffset`` and to updates."""

OF_NODE: Mapping[str, Reader] = {
    "rpc": answer("stored", offset_or(OFFSET_NOT_FOUND, BROKER_EXCEPTION, "timeout")),
    "queryRPC": answer("stored", offset_or(OFFSET_NOT_FOUND, BROKER_EXCEPTION, "timeout")),
    "max": answer("queried", offset_or(FAILS)),
    "upd": answer("persist", words(OK, THROW)),
}
"""What a broker says to the query of an offset, in either file, and to the others; whether the offset could be sent."""


def if_asked(answers: Mapping[str, Reader], *names: str) -> dict[str, Reader]:
    """Some of them, as columns in which nothing stands where the client did not ask."""
    return {name: unless(ABSENT, answers[name], {}) for name in names}
