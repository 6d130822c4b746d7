"""Pages in Chromium, if it is installed."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

THEMES = ("light", "dark")

PLACES = ("chromium", "chromium-browser", "google-chrome")
OPTIONS = (
    "--no-sandbox",  # root has none
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--in-process-gpu",
    "--disable-software-rasterizer",
    "--disable-extensions",
    "--renderer-process-limit=1",
)


@dataclass(frozen=True)
class Browser:
    """A running browser."""

    chromium: Any

    @contextmanager
    def page(self, file: Path, width: int = 1300, theme: str = "light", *, script: bool = True) -> Iterator[Any]:
        """The page in that file. Further requests, console errors and dialogs are failures."""
        context = self.chromium.new_context(
            viewport={"width": width, "height": 900}, color_scheme=theme, java_script_enabled=script
        )
        said: list[str] = []
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on(
            "request", lambda request: said.append(f"asks for {request.url}") if request.url != file.as_uri() else None
        )

        def dismiss(dialog: Any) -> None:
            said.append(f"a dialog: {dialog.message}")
            dialog.dismiss()

        page.on("dialog", dismiss)
        try:
            page.goto(file.as_uri())
            yield page
            if said:
                raise AssertionError("; ".join(said))
        finally:
            context.close()


@contextmanager
def started() -> Iterator[Browser]:
    """The system's Chromium; skips the test, with the reason, if it or its driver is missing."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed (extra: test)")
    program = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, PLACES)), None)
    if not program:
        pytest.skip("no Chromium on this machine; the variable CHROMIUM names one that is elsewhere")
    with sync_api.sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=program, args=[*OPTIONS])
        try:
            yield Browser(chromium)
        finally:
            chromium.close()


def themes(tab: Any, first: str) -> Iterator[str]:
    """Yield each theme while the page shows it, first the one with which it was loaded.

    Loading a page takes most of a test's time.
    """
    for theme in (first, *(one for one in THEMES if one != first)):
        tab.emulate_media(color_scheme=theme)
        tab.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        yield theme
