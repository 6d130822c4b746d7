"""Sets of kinds of log lines: which process writes them, and whether the audit stores them."""

from rebalance_proofs.recorded.logs.fact import Kind

TABLE = (Kind.COMMITTED, Kind.RESULT, Kind.ADDED, Kind.REMOVED, Kind.ILLEGAL)
REFUSALS = (Kind.DENIED, Kind.NOT_ADDED, Kind.NO_IDS, Kind.NOT_LISTED)
OWN = (
    *TABLE,
    *REFUSALS,
    Kind.BEGAN,
    Kind.SHUT,
    Kind.FORGOT,
    Kind.NOTIFIED,
    Kind.GAVE_LOCK,
    Kind.LOCKED,
    Kind.LOCK_FAILED,
    Kind.REFUSED,
    Kind.PAUSED,
    Kind.NOT_PULLED,
    Kind.CONSUMES,
)
"""Kinds of lines that only a consumer's own log contains."""
NAMING = (Kind.COMMITTED, Kind.RESULT, Kind.NOT_LISTED, Kind.GAVE_LOCK)
"""Kinds of lines that always name the client."""
BROKERS = (
    Kind.SUBSCRIPTION,
    Kind.WENT_BACK,
    Kind.RESET,
    Kind.CONNECTED,
    Kind.GONE,
    Kind.LOCKED_BY_OTHER,
    Kind.LOCK_RAN_OUT,
    Kind.REFUSES,
    Kind.IDS_DIFFER,
)
"""Kinds of lines that a broker logs; they may name no client."""
NAMELESS = (Kind.SAID, Kind.NO_IDS, Kind.NOT_LISTED, Kind.REFUSED, Kind.THREW)
"""Kinds of lines that are reported even if they name no group."""
EVENTS = (
    *BROKERS,
    *REFUSALS,
    Kind.LOCK_FAILED,
    Kind.LOCKED,
    Kind.CONSUMES,
    Kind.ILLEGAL,
    Kind.NOT_PULLED,
    Kind.SAID,
    Kind.NOTIFIED,
    Kind.REFUSED,
    Kind.THREW,
    Kind.PAUSED,
    Kind.BEGAN,
    Kind.SHUT,
)
"""Kinds of lines that are stored as events, besides ownership intervals and commits."""
