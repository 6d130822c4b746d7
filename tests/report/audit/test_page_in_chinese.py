"""The page of an audit in Chinese, in a browser."""

import re
from dataclasses import replace

import pytest

from rebalance_proofs.language import language, use
from rebalance_proofs.report.audit.page import page
from rebalance_proofs.report.audit.told import told
from tests.report.audit.drawn import drawn
from tests.report.audit.test_page import WIDTHS, bars, overlap, ready, texts
from tests.report.audit.years import years
from tests.report.browser import started

ENGLISH = re.compile(r"[a-z]{3,} [a-z]{3,}")
"""Two words of a sentence; commands and names of RocketMQ are no sentences."""
CHINESE, WHY = re.compile("[\u4e00-\u9fff]"), "rebalance why"


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Chinese pages of a small audit, and of one of years with many repeats."""
    folder = tmp_path_factory.mktemp("pages")
    before = language()
    use("zh")
    try:
        for name, answer in (("overlap", overlap()), ("years", years(200))):
            (folder / f"{name}.html").write_text(page(without_details(answer)), encoding="utf-8")
    finally:
        use(before)
    return {name: folder / f"{name}.html" for name in ("overlap", "years")}


def without_details(answer):
    """The same answer, with details that have no words: those of real findings are translated where they are made."""
    for group in answer.audited.groups:
        group.findings[:] = [replace(one, detail="424 > 80") for one in group.findings]
    return answer


@pytest.fixture(scope="module")
def browser(files):
    with started() as found:
        yield found


def english(words):
    """Lines that are English sentences; a Chinese one can quote log lines."""
    return [line for line in words.replace(WHY, "").splitlines() if ENGLISH.search(line) and not CHINESE.search(line)]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", ["overlap", "years"])
def test_chinese_page_fits_and_has_no_english_sentence(browser, files, name, width):
    with browser.page(files[name], width) as tab:
        ready(tab)
        assert tab.evaluate("document.documentElement.scrollWidth") == width
        assert tab.get_attribute("html", "lang") == "zh-CN"
        tab.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
        assert tab.evaluate("document.documentElement.scrollWidth") == width
        labels = tab.evaluate("[...document.querySelectorAll('[aria-label]')].map(one => one.ariaLabel).join('\\n')")
        every = "\n".join([tab.locator("body").inner_text(), labels, *texts(tab), *bars(tab)])
        assert english(every) == []
        for words in ("出了什么问题", "两个消费者同时持有一个队列", "证据", "没有消费者", "全部时间", "SEEN"):
            assert words in every


def test_chinese_labels_of_the_timeline_are_drawn(browser, files):
    with browser.page(files["overlap"]) as tab:
        ready(tab)
        assert {"两个消费者同时持有一个队列 (1)", "通知（浅色）、重平衡（深色）"} <= set(texts(tab))
        assert any(re.match(r"T1  b0 0-3：10\.1\.2\.3@c0，2026-", tip) for tip in bars(tab))
        assert any(tip.startswith("两个消费者: 2026-") for tip in bars(tab))


def test_chinese_page_without_scripts_has_a_chinese_picture(browser, files):
    with browser.page(files["overlap"], 390, script=False) as tab:
        assert tab.get_attribute("svg.still", "aria-label") == "各队列在各时刻的消费者，以及发现"
        assert "两个消费者同时持有一个队列 (1)" in tab.locator("svg.still text.strip").all_text_contents()


@pytest.mark.parametrize("number", range(6))
def test_chinese_text_has_no_english_sentence(number):
    """Reasons for files that were not read come from the system; causes have texts of their own."""
    answer = without_details(drawn(number))
    before = language()
    use("zh")
    try:
        lines = "\n".join(told(answer, 10_000))
    finally:
        use(before)
    assert english(lines) == []
