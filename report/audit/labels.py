"""Texts of the audit's page that do not depend on the logs, in the language in use."""

from rebalance_proofs.language import gettext


def labels() -> dict[str, str]:
    """Return the texts of the page, by their names in the template."""
    return {
        "kind": gettext("Audit of logs"),
        "skip": gettext("Skip to the content"),
        "about": gettext(
            "models RocketMQ's clients and brokers, and checks how consumer groups divide queues. This page is one "
            "self-contained file."
        ),
        "index": gettext("What went wrong"),
        "by_kind": gettext("Findings by kind"),
        "finding": gettext("Finding"),
        "group": gettext("Group"),
        "first": gettext("First"),
        "longest": gettext("Longest"),
        "certainty": gettext(
            "SEEN: log lines of both sides show the finding. POSSIBLE: an end is not logged, a consumer is silent, or "
            "a clock is unknown. Findings in bold fail the audit."
        ),
        "of_group": gettext("Group {name}"),
        "more_owners": gettext("and {number} more"),
        "two": gettext("two owners"),
        "nobody": gettext("no owner"),
        "zoom_in": gettext("Zoom in"),
        "zoom_out": gettext("Zoom out"),
        "earlier": gettext("Earlier"),
        "later": gettext("Later"),
        "whole": gettext("Whole time"),
        "mouse": gettext("Drag to move; Ctrl and wheel to zoom."),
        "chart": gettext("Owners of each queue over time, and findings"),
        "lanes": gettext(
            "Times {zone}. Each lane is a queue, or several queues with the same owners. Where consumers own a queue "
            "at once, each has a part of the lane."
        ),
        "left_out": gettext("{number} more lanes are not shown; --json has all."),
        "nothing": gettext("Nothing found."),
        "show": gettext("Show in timeline"),
        "cause": gettext("Likely cause"),
        "causes": gettext("Likely causes"),
        "claims": gettext("Claims: {claims}"),
        "explains": gettext("{command} explains this cause."),
        "evidence": gettext("Evidence"),
        "none": gettext("none"),
        "more_lines": gettext("{number} more lines"),
        "json_lines": gettext("--json has {number} more."),
        "repeats": gettext("{number} times, {period}; the longest is above"),
        "of_finding": gettext("Repeats of the finding"),
        "when": gettext("When"),
        "queues": gettext("Queues"),
        "consumers": gettext("Consumers"),
        "timeline": gettext("Timeline"),
        "more_repeats": gettext("{number} more are not listed; --json has all."),
        "text": gettext("Text version, with the coverage of the logs"),
        "show_text": gettext("Show the text"),
        "said": gettext("{members}: {detail}."),
        "sentence": gettext("{sentence}."),
    }


def chart_labels() -> dict[str, str]:
    """Return the texts of a timeline, by their names in its script."""
    return {
        "turn": gettext("several in turn"),
        "mainly": gettext("{name}, mainly"),
        "during": gettext("{name}, {time}"),
        "of": gettext("{lane}: {owner}"),
        "times": gettext("{number} times: {finding}"),
        "two": gettext("Two owners"),
        "nobody": gettext("No owner"),
        "events": gettext("Notifications (light), rebalances (dark)"),
    }
