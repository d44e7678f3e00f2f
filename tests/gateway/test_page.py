"""The page, in a headless browser that reaches nothing but the gateway."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from importlib.resources import files
from typing import TYPE_CHECKING

import pytest

from privrag_fast.privacy import Policy
from tests.gateway.conftest import Start
from tests.gateway.requests import VALUES, rag_of
from tests.stand_ins import HITS

if TYPE_CHECKING:
    from playwright.sync_api import Page

# The first letter is outside the BMP: JavaScript counts it twice, Python once.
MESSAGE = "\U0001d4d7i, I'm Nora Lind, 67, from Zürich. May <b>I</b> apply?"
KEPT = Policy(threshold=0.0, draft_threshold=0.0)


@pytest.fixture
def page() -> Iterator[Page]:
    playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright")
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        pytest.skip("needs a browser: apt-get install chromium")
    with playwright.sync_playwright() as own:
        chromium = own.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        yield chromium.new_page()
        chromium.close()


def test_page_reads_nothing_from_elsewhere() -> None:
    for asset in files("privrag_fast.gateway").joinpath("page").iterdir():
        assert not re.search(r"https?:|//[a-z]|@import|innerHTML", asset.read_text("utf-8"))


def test_a_message_is_explained(start: Start, page: Page) -> None:
    troubles: list[str] = []
    page.on("console", lambda message: troubles.append(message.text))
    page.on("pageerror", lambda error: troubles.append(str(error)))
    address = str(start(rag_of(VALUES, KEPT)).base_url)
    page.on("request", lambda r: None if r.url.startswith((address, "data:")) else
            troubles.append(r.url))  # fmt: skip
    page.goto(address)
    page.get_by_label("Message").fill(MESSAGE)
    page.get_by_label("and send it to the LLM").check()
    page.get_by_role("button", name="Minimize").click()
    page.get_by_text("Done").wait_for()

    assert page.locator("#found").inner_text() == MESSAGE.replace(
        "Nora Lind", "Nora LindPERSON"
    ).replace("67", "67AGE").replace("Zürich", "ZürichLOCATION")
    assert page.locator("#found mark.kept").all_inner_texts() == ["67AGE", "ZürichLOCATION"]
    assert page.locator("#query").inner_text().endswith("I'm, from. May <b>I</b> apply?")
    assert page.locator("#hits li").count() == len(HITS)
    rows = page.locator("#influence tr")
    assert rows.count() == 3
    assert "withheld: never" in rows.nth(0).inner_text()
    assert "sent: influence" in rows.nth(1).inner_text()
    assert rows.locator("th[scope=row]").count() == 3
    widths = page.locator("#influence .bar").evaluate_all("all => all.map(own => own.offsetWidth)")
    assert max(widths) > 20
    sent = MESSAGE.replace("Nora Lind", "[PERSON_1]")
    assert page.locator("#sent").inner_text() == sent
    assert page.locator("#sent mark").all_inner_texts() == ["[PERSON_1]"]
    assert page.locator("#raw").inner_text() == sent
    assert page.locator("#restored").inner_text() == MESSAGE
    assert troubles == []


def test_an_error_is_told(start: Start, page: Page) -> None:
    page.goto(str(start(api_keys=("a-key-of-sixteen-letters",)).base_url))
    page.get_by_label("Message").fill("Hi")
    page.keyboard.press("Tab")  # past the details, the button is reached without a mouse
    page.get_by_role("button", name="Minimize").focus()
    page.keyboard.press("Enter")
    page.get_by_text("wrong API key").wait_for()
    assert page.locator("#result").is_hidden()


def test_everything_has_a_name(start: Start, page: Page) -> None:
    page.goto(str(start().base_url))
    unnamed = page.evaluate(
        """() => [...document.querySelectorAll("input, textarea, button")]
            .filter((own) => !(own.labels && own.labels.length) && !own.textContent.trim())
            .map((own) => own.id)"""
    )
    assert unnamed == []
    assert page.locator("html").get_attribute("lang") == "en"
    assert page.locator("h1").count() == 1
