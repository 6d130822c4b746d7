"""Pages of all commands look alike: one header, one style, one footer, and no page scrolls sideways."""

import pytest

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.queues import one_broker
from rebalance_proofs.report import rejected as of_traces
from rebalance_proofs.report.explorer import page as of_exploration
from rebalance_proofs.report.html import page as of_run
from rebalance_proofs.report.moves import change_plot
from rebalance_proofs.report.moves.change import Change
from rebalance_proofs.report.moves.moved import changed
from rebalance_proofs.report.own import page as of_strategy
from rebalance_proofs.report.own.answer import Answer, Strategy
from rebalance_proofs.report.shares import picture
from rebalance_proofs.report.shares.described import Asked, Topic
from rebalance_proofs.report.shares.divided import divided
from rebalance_proofs.spark_enum.bounds import Bounds
from rebalance_proofs.spark_enum.own.checked import check
from rebalance_proofs.spark_enum.own.spaces import Extent, spaces
from tests.report.browser import started, themes
from tests.report.rejected.test_picture import verdict
from tests.report.shown_runs import run_of
from tests.spark_enum.explorer.exploring import gone_through
from tests.spark_enum.own import strategies
from tests.spark_enum.own.here import Calling

LONG = "a/long/path/to/the/folder/with/strategies/of/mine.py:which_gives_queues_to_two_consumers"


def checked() -> str:
    """The page about a strategy with a long name."""
    found = check(spaces(Extent(Bounds(2, 2))), lambda number, *held: Calling(strategies.overlaps))
    return of_strategy.page(Answer(Strategy(LONG, "python", "00ff"), ("rebalance", "check", LONG), found))


def shared() -> str:
    """The page about a group with a member that sees another list."""
    asked = Asked((Topic("T", one_broker(64)),), ("c0", LONG), {LONG: (LONG,)})
    return picture.page([divided(AVERAGELY, asked)])


def moved() -> str:
    """The page about a change of several consumers."""
    change = Change(24, 3, join=4)
    return change_plot.page(change, [changed(AVERAGELY, change)], plan=True)


PAGES = {
    "report": (lambda: of_run(run_of("allocation.avg.*")), "Report of a run", "✓ All as expected: "),
    "check": (checked, "Check of an allocation strategy", "▲ BROKEN: "),
    "explore": (
        lambda: of_exploration.page(gone_through("concurrent", queues=1)),
        "Exploration of a consumer group",
        "Found: ",
    ),
    "shares": (shared, "Shares of queues in a consumer group", "Under AVG, several consumers take queues 0-31."),
    "moves": (moved, "Moves of queues in a change of a consumer group", "The shares under AVG are level."),
    "conform": (lambda: of_traces.page([verdict()]), "Check of recorded groups", "▲ NOT ACCEPTED: "),
}
"""A page, its kind, and the beginning of its verdict."""


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Name -> file of the page."""
    folder = tmp_path_factory.mktemp("pages")
    for name, (made, _, _) in PAGES.items():
        (folder / f"{name}.html").write_text(made(), encoding="utf-8")
    return {name: folder / f"{name}.html" for name in PAGES}


@pytest.fixture(scope="module")
def browser(files):
    """A browser, started after the pages are made, because its driver has an event loop of its own."""
    with started() as found:
        yield found


@pytest.mark.parametrize("name", PAGES)
def test_page_has_the_common_header_and_fits_every_window(browser, files, name):
    _, kind, said = PAGES[name]
    for width, first in ((390, "light"), (1300, "dark")):
        with browser.page(files[name], width, first) as tab:
            for theme in themes(tab, first):
                assert tab.inner_text(".product") == f"rebalance-proofs {kind}"
                assert (
                    tab.locator("h1").count()
                    == tab.locator("main").count()
                    == tab.locator("body > footer").count()
                    == 1
                )
                assert tab.inner_text(".banner .headline").startswith(said)
                assert tab.evaluate("document.documentElement.scrollWidth") == width
                ground = "rgb(255, 255, 255)" if theme == "light" else "rgb(13, 17, 23)"
                assert tab.evaluate("getComputedStyle(document.body).backgroundColor") == ground


@pytest.mark.parametrize("name", ["shares", "moves"])
def test_narrow_page_scrolls_its_figure_and_tables_instead_of_shrinking_them(browser, files, name):
    with browser.page(files[name], 390) as tab:
        assert tab.evaluate("document.querySelector('.scroll > svg.figure').getBoundingClientRect().width") >= 700
        styles = "[...document.querySelectorAll('.scroll > pre')].map(pre => getComputedStyle(pre).whiteSpace)"
        assert {*tab.evaluate(styles)} <= {"pre"}
