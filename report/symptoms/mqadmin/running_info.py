"""Parse one member's ConsumerRunningInfo from JSON.

Dashboards and tools print it, with fastjson's object keys.
"""

import re
from datetime import UTC, datetime

from rebalance_proofs.language import gettext
from rebalance_proofs.report.symptoms.mqadmin.errors import NotReadable
from rebalance_proofs.report.symptoms.mqadmin.members import DETAIL, Entry, Member, commit_of
from rebalance_proofs.report.symptoms.mqadmin.members import SUBSCRIPTION as SUBSCRIPTIONS

KEYED = re.compile(r"\{\s*(\{[^{}]*\})\s*:\s*\{([^{}]*)\}|,\s*(\{[^{}]*\})\s*:\s*\{([^{}]*)\}")
TABLE = re.compile(r'"mqTable"\s*:\s*')
SUBSCRIPTION = re.compile(r'\{[^{}]*"subString"[^{}]*\}')
PROPERTIES = re.compile(r'"properties"\s*:\s*\{([^{}]*)\}')
VALUE = re.compile(r'"([^"]+)"\s*:\s*("(?:[^"\\]|\\.)*"|[^,{}\[\]]+|\[[^\]]*\])')


def running_info(text: str) -> Member:
    """Parse the member's report. Raises ``NotReadable`` if the text is no ConsumerRunningInfo."""
    found = TABLE.search(text)
    properties = PROPERTIES.search(text)
    if not found or not properties:
        raise NotReadable(gettext("it is not a consumer's running info: mqTable or properties is missing"))
    pairs = [(one[1] or one[3], one[2] or one[4] or "") for one in KEYED.finditer(text, found.end() - 1)]
    entries = tuple(_entry(_values(queue), _values(info)) for queue, info in pairs if '"queueId"' in queue)
    subscriptions = [_values(one[0]) for one in SUBSCRIPTION.finditer(text)]
    return Member(
        _values(properties[1]),
        tuple(sorted((one.get("topic", ""), one.get("subString", "")) for one in subscriptions)),
        entries,
        frozenset([DETAIL, *[SUBSCRIPTIONS] * ('"subscriptionSet"' in text or bool(subscriptions))]),
    )


def _values(text: str) -> dict[str, str]:
    return {name: value.strip().strip('"') for name, value in VALUE.findall(text)}


def _entry(queue: dict[str, str], info: dict[str, str]) -> Entry:
    try:
        return Entry(
            (queue["topic"], queue["brokerName"], int(queue["queueId"])),
            int(info.get("cachedMsgCount", "0")),
            info.get("locked") == "true",
            int(info.get("tryUnlockTimes", "0")),
            info.get("droped") == "true",
            _time(info.get("lastPullTimestamp", "0")),
            _time(info.get("lastConsumeTimestamp", "0")),
            commit_of(info),
        )
    except (KeyError, ValueError, OverflowError, OSError):
        raise NotReadable(gettext("a queue in mqTable cannot be parsed")) from None


def _time(ms: str) -> datetime | None:
    at = int(ms)
    return datetime.fromtimestamp(at / 1000, UTC).replace(tzinfo=None) if at > 0 else None
