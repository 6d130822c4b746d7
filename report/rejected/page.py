"""The HTML page on recorded groups, with a picture of each event that the model cannot explain."""

from collections.abc import Sequence
from importlib.resources import files

from markupsafe import Markup

from rebalance_proofs.recorded.cluster.judge import Verdict
from rebalance_proofs.recorded.cluster.tally import Tally
from rebalance_proofs.report import cluster
from rebalance_proofs.report.palette import DARK, LIGHT, variables
from rebalance_proofs.report.rejected.picture import nearly, picture
from rebalance_proofs.report.rendering import environment

FIRST = "<!doctype html><!-- written by: rebalance conform --cluster -->"
"""First line of the file; it marks the file as one that this command wrote."""


def page(of: Sequence[Verdict]) -> str:
    """Return the HTML page."""
    return (
        environment(escapes=True)
        .get_template("conform_cluster.html")
        .render(
            first=Markup(FIRST),
            accepted=all(one.accepted for one in of),
            said=cluster.verdict(of),
            traces=[_trace(one, place) for place, one in enumerate(of)],
            light=variables(LIGHT),
            dark=variables(DARK),
            figure=Markup(
                files("rebalance_proofs.report").joinpath("templates/figure.css").read_text(encoding="utf-8")
            ),
        )
    )


def _trace(of: Verdict, place: int) -> dict[str, object]:
    return {
        "name": of.name,
        "release": of.release,
        "accepted": of.accepted,
        "events": of.lines,
        "machines": [(one.machine, one.how, one.events, len(one.rejected)) for one in of.tallies],
        "left_out": [f"{what} ({times:,})" for what, times in of.unknown.items()],
        "rejections": [_machine(of, one, f"{place}-{one.machine}") for one in of.tallies if one.rejected],
    }


def _machine(of: Verdict, tally: Tally, identity: str) -> dict[str, object]:
    first, *others = sorted(tally.rejected)
    return {
        "machine": tally.machine,
        "how": cluster.HOW[tally.how],
        "about": first.about,
        "where": cluster.where(of, first),
        "at": first.at,
        "why": first.why,
        "picture": Markup(picture(first, identity)) if first.near else None,
        "states": first.states,
        "nearest": nearly(first),
        "others": [(one.about, cluster.where(of, one), one.at, one.why) for one in others],
    }
