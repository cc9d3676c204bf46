"""A person in front of a browser: what the tests do and see, in the words of the page."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, ConsoleMessage, Locator, Page, Request, expect

PASSWORD = "correct horse battery 7"
JUDGED_MS = 30_000
"""How long a verdict may take on a busy machine."""


@dataclasses.dataclass
class Watch:
    """What must not happen on any page: a request to another host, an error on the console, a forbidden resource."""

    host: str
    faults: list[str] = dataclasses.field(default_factory=list)
    expected_statuses: set[int] = dataclasses.field(default_factory=set)
    """Statuses from 400 on that the test provokes; the browser writes them on its console."""

    connection_is_cut: bool = False
    """The test has cut the connection; the browser writes each request that fails on its console."""

    def observe(self, context: BrowserContext) -> None:
        context.on("request", self._request)
        context.on("console", self._console)
        context.on("weberror", lambda error: self.faults.append(f"uncaught: {error.error.stack or error.error}"))

    def _request(self, request: Request) -> None:
        url = urlsplit(request.url)
        if url.scheme not in ("data", "blob") and url.netloc != self.host:
            self.faults.append(f"request to another host: {request.url}")

    def _console(self, message: ConsoleMessage) -> None:
        if message.type != "error" and "Content Security Policy" not in message.text:
            return
        if self.connection_is_cut and "net::ERR_INTERNET_DISCONNECTED" in message.text:
            return
        status = re.search(r"status of (\d+)", message.text)
        if status is None or int(status[1]) not in self.expected_statuses:
            self.faults.append(f"console: {message.text} ({message.location})")


@dataclasses.dataclass
class Visitor:
    page: Page
    url: str
    watch: Watch

    def open(self, path: str) -> None:
        self.page.goto(self.url + path.lstrip("/"))

    def sign_up(self, name: str) -> None:
        self.open("/accounts/sign-up/")
        self.page.get_by_label("Username").fill(name)
        self.page.get_by_label("Password", exact=False).first.fill(PASSWORD)
        self.page.get_by_label("Password confirmation").fill(PASSWORD)
        self.page.get_by_role("button", name="Sign up").click()
        expect(self.page.get_by_text(name).first).to_be_visible()

    def violations(self, axe: str) -> list[tuple[str, list[str]]]:
        """What axe finds on the page: the rule, and the elements that break it."""
        self.page.evaluate(axe)
        found = self.page.evaluate("axe.run()")["violations"]
        return [(rule["id"], [node["html"] for node in rule["nodes"]]) for rule in found]

    def sign_in(self, name: str, password: str) -> None:
        self.open("/accounts/sign-in/")
        self.page.get_by_label("Username").fill(name)
        self.page.get_by_label("Password").fill(password)
        self.page.get_by_role("button", name="Sign in").click()
        expect(self.page.get_by_text(name).first).to_be_visible()

    def unfold(self, charts: Locator) -> None:
        """Opens the data table of each of these charts, and waits for its rows, which are drawn after that."""
        for chart in charts.all():
            chart.get_by_text("Data table").click()
            expect(chart.locator("tbody tr").first).to_be_visible()

    @property
    def editor(self) -> Locator:
        return self.page.get_by_role("textbox", name="Your code")

    @property
    def headline(self) -> Locator:
        return self.page.locator("#report-headline")

    def write(self, source: str | Path) -> None:
        """Pastes over what is in the editor, once it has taken the place of the plain form."""
        expect(self.page.locator(".problem--live, .desk--live")).to_be_visible()
        self.editor.click()
        self.paste_over(source)

    def paste_over(self, source: str | Path) -> None:
        """Pastes over what is in the focused element."""
        text = source.read_text() if isinstance(source, Path) else source
        self.page.evaluate("text => navigator.clipboard.writeText(text)", text)
        self.page.keyboard.press("Control+A")
        self.page.keyboard.press("Control+V")

    def run_tests(self) -> None:
        self.page.get_by_role("button", name="Run tests").click()

    def expect_verdict(self, text: str | re.Pattern[str]) -> None:
        expect(self.headline).to_have_text(text, timeout=JUDGED_MS)


_BEYOND = """() => {
    const root = document.documentElement, end = document.body.getBoundingClientRect().bottom + scrollY
    return [root.scrollWidth - root.clientWidth, Math.max(0, root.scrollHeight - Math.max(root.clientHeight, end) - 1)]
}"""


def assert_fits(page: Page) -> None:
    """Nothing reaches beyond the screen at the side, nor beyond the page's own end where nothing is to be seen."""
    assert page.evaluate(_BEYOND) == [0, 0], page.url
